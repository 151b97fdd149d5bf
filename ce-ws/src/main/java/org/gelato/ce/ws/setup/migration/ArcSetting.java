package org.gelato.ce.ws.setup.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of an {@code arc.conf}.
 *
 * @param block its kind, such as {@code queue}
 * @param of the name that the block has, as in {@code [queue:long]}; empty for none
 * @param value without the quotes around it
 */
record ArcSetting(SourcePlace place, String block, String of, String name, String value) {
    static final String OPTION = "--from-arc";

    private static final Pattern BLOCK =
            Pattern.compile("\\s*+\\[\\s*+([A-Za-z0-9/-]++)\\s*+(?::([^\\]]*+))?\\]\\s*+(?:#.*+)?");
    private static final Pattern LINE = Pattern.compile("\\s*+([A-Za-z0-9_]++)\\s*+=\\s*+(.*+)");

    /** All of them in their order; a line for each queue is there also where its block is empty, with an empty name. */
    static List<ArcSetting> read(List<SourceLine> lines, MigrationReport report) {
        List<ArcSetting> settings = new ArrayList<>();
        String block = "";
        String of = "";
        for (SourceLine line : lines) {
            if (line.isComment() || line.text().isBlank()) {
                continue;
            }
            Matcher begin = BLOCK.matcher(line.text());
            Matcher setting = LINE.matcher(line.text());
            if (begin.matches()) {
                block = begin.group(1);
                of = begin.group(2) == null ? "" : begin.group(2).strip();
                settings.add(new ArcSetting(line.place(), block, of, "", ""));
            } else if (setting.matches() && !block.isEmpty()) {
                settings.add(new ArcSetting(
                        line.place(),
                        block,
                        of,
                        setting.group(1),
                        unquoted(setting.group(2).strip())));
            } else {
                if (line.text().strip().startsWith("[")) {
                    block = ""; // what follows belongs to this one
                }
                report.add(line.place(), line.text().split("=", 2)[0], "not understood");
            }
        }
        return settings;
    }

    private static String unquoted(String value) {
        return value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1).strip()
                : value;
    }

    boolean isBlock() {
        return name.isEmpty();
    }

    /** As the report names it; no value: that may be a secret. */
    String shown() {
        return "[" + block + (of.isEmpty() ? "" : ":" + of) + "]" + (name.isEmpty() ? "" : " " + name);
    }
}
