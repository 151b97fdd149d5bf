package org.gelato.ce.core.authorization;

import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.identity.DnForms;

/** The lines of a grid-mapfile, ban file or list of administrators that hold an entry. */
final class SiteLines {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private SiteLines() {}

    /**
     * A line.
     *
     * @param number in the file, from 1
     * @param text stripped, neither empty nor a comment
     */
    record Line(int number, String text) {
        /** What is wrong with the line, with its number. */
        String complaint(IllegalArgumentException flaw) {
            return "line " + number + ": " + flaw.getMessage();
        }
    }

    interface Reader {
        /** @throws IllegalArgumentException when the line is none */
        void read(Line line);
    }

    static List<Line> of(String content) {
        List<Line> lines = new ArrayList<>();
        int number = 0;
        String all = content.startsWith(BYTE_ORDER_MARK) ? content.substring(1) : content;
        for (String line : all.lines().toList()) {
            number++;
            String text = line.strip();
            if (!text.isEmpty() && !text.startsWith("#")) {
                lines.add(new Line(number, text));
            }
        }
        return lines;
    }

    /**
     * Reads every line.
     *
     * @throws IllegalArgumentException with its number for the first that is no entry: a list that is half read must not come into force
     */
    static void all(String content, Reader reader) {
        for (Line line : of(content)) {
            try {
                reader.read(line);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(line.complaint(e), e);
            }
        }
    }

    /**
     * The key of a DN that stands for one name, by {@link DnForms#comparable}.
     *
     * @throws IllegalArgumentException when it is no DN, or a pattern, which would be the name of nobody
     */
    static String dn(String text) {
        if (text.endsWith("/*")) {
            throw new IllegalArgumentException("patterns are for FQANs, a DN stands for one user: " + text);
        }
        return DnForms.comparable(text);
    }
}
