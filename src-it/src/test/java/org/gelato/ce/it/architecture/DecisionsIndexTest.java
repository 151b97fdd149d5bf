package org.gelato.ce.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each decision has one line in {@code docs/developer/decisions/README.md}, with its heading as title and with its status. */
class DecisionsIndexTest {
    private static final Path DECISIONS = Path.of("..", "docs", "developer", "decisions");
    private static final Pattern ROW =
            Pattern.compile("\\| \\[(?<title>[^|]+)\\]\\((?<page>[^)|]+)\\) \\| [^|]+ \\| (?<status>[^|]+) \\|");
    private static final Pattern STATUS =
            Pattern.compile("in force|(?:partly )?superseded by \\[(\\d{4})\\]\\((?<successor>\\1-[^)]+)\\)");

    /** A line of the index. */
    private record Row(String title, String page, String status) {}

    private static List<String> pages() throws IOException {
        try (Stream<Path> files = Files.list(DECISIONS)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("README.md"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(DECISIONS.resolve("README.md"))) {
            if (line.startsWith("| [")) {
                Matcher row = ROW.matcher(line);
                assertThat(row.matches())
                        .as("a link, a line and a status: %s", line)
                        .isTrue();
                rows.add(new Row(row.group("title"), row.group("page"), row.group("status")));
            }
        }
        return rows;
    }

    @Test
    void everyDecisionHasOneLineInTheOrderOfItsNumber() throws IOException {
        List<String> pages = pages();
        assertThat(pages).hasSizeGreaterThan(50).allMatch(name -> name.matches("\\d{4}-[a-z0-9-]+\\.md"));
        assertThat(rows()).extracting(Row::page).containsExactlyElementsOf(pages);
    }

    @Test
    void noNumberIsUsedTwice() throws IOException {
        assertThat(pages()).map(name -> name.substring(0, 4)).doesNotHaveDuplicates();
    }

    @Test
    void theTitleIsTheHeadingOfThePage() throws IOException {
        for (Row row : rows()) {
            String heading = Files.readAllLines(DECISIONS.resolve(row.page())).get(0);
            assertThat(heading).isEqualTo("# " + row.title());
            assertThat(row.title()).startsWith(row.page().substring(0, 4) + " ");
        }
    }

    @Test
    void everyLineHasAStatus() throws IOException {
        List<String> pages = pages();
        for (Row row : rows()) {
            Matcher status = STATUS.matcher(row.status());
            assertThat(status.matches()).as("status in %s", row).isTrue();
            String successor = status.group("successor");
            if (successor != null) {
                assertThat(pages).as("successor of %s", row).contains(successor);
                assertThat(successor).isGreaterThan(row.page());
            }
        }
    }
}
