package org.gelato.ce.lrms.condor;

import java.util.ArrayList;
import java.util.List;

/**
 * One line of {@code -af:Vt}: values as HTCondor writes them in expressions, between tabs. A string stands in quotes, within which what is
 * no printable character is escaped; so nothing in a value can look like another value or another line. Pure.
 */
final class AdFields {
    private AdFields() {}

    /** The values, strings without quotes and escapes; null for what is undefined. Null where the line is none of so many values. */
    static List<String> of(String line, int count) {
        List<String> values = new ArrayList<>(count);
        int at = 0;
        while (true) {
            int end;
            if (at < line.length() && line.charAt(at) == '"') {
                StringBuilder text = new StringBuilder();
                end = text(line, at, text);
                if (end < 0) {
                    return null;
                }
                values.add(text.toString());
            } else {
                end = line.indexOf('\t', at);
                end = end < 0 ? line.length() : end;
                String value = line.substring(at, end).strip();
                values.add(value.equals("undefined") || value.equals("error") ? null : value);
            }
            if (end == line.length()) {
                break;
            }
            if (line.charAt(end) != '\t' || values.size() == count) {
                return null;
            }
            at = end + 1;
        }
        return values.size() == count ? values : null;
    }

    /** Reads a string; returns where it ends, or -1 where it does not. */
    private static int text(String line, int begin, StringBuilder text) {
        int at = begin + 1;
        while (at < line.length()) {
            char c = line.charAt(at++);
            if (c == '"') {
                return at;
            }
            if (c != '\\') {
                text.append(c);
                continue;
            }
            if (at == line.length()) {
                return -1;
            }
            at = escape(line, at, text);
        }
        return -1;
    }

    private static int escape(String line, int at, StringBuilder text) {
        char c = line.charAt(at);
        if (c >= '0' && c <= '7') {
            int end = at;
            int value = 0;
            while (end < line.length() && end < at + 3 && line.charAt(end) >= '0' && line.charAt(end) <= '7') {
                value = value * 8 + line.charAt(end++) - '0';
            }
            text.append((char) (value & 0xff));
            return end;
        }
        text.append(
                switch (c) {
                    case 'n' -> '\n';
                    case 't' -> '\t';
                    case 'r' -> '\r';
                    case 'b' -> '\b';
                    case 'f' -> '\f';
                    default -> c;
                });
        return at + 1;
    }
}
