package org.gelato.ce.description;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The tables of docs/user/descriptions.md. */
public final class DescriptionsPage {
    private DescriptionsPage() {}

    /** First and second column of the table below a heading, with a blank between. */
    public static List<String> rows(String heading) throws IOException {
        List<String> rows = new ArrayList<>();
        boolean inside = false;
        for (String line : Files.readAllLines(Path.of("..", "docs", "user", "descriptions.md"))) {
            if (line.startsWith("## ")) {
                inside = line.equals("## " + heading);
            } else if (inside && line.startsWith("| `")) {
                String[] columns = line.split("\\|");
                rows.add(columns[1].trim().replace("`", "") + " " + columns[2].trim());
            }
        }
        return rows;
    }
}
