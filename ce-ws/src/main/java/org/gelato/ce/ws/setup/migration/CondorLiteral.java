package org.gelato.ce.ws.setup.migration;

import java.util.Locale;
import java.util.regex.Pattern;

/** Values of ClassAds that are no expressions. Functions without state. */
final class CondorLiteral {
    private static final Pattern TEXT = Pattern.compile("\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"");
    private static final int LONGEST = 2000;
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,9}");
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,15}\\.[0-9]{1,15}");

    private CondorLiteral() {}

    /** A text, an int, a double or a boolean; null for an expression. */
    static Object of(String value) {
        String plain = value.strip();
        if (isText(plain)) {
            return plain.contains("$") ? null : text(plain);
        }
        if (WHOLE.matcher(plain).matches()) {
            return Integer.valueOf(plain);
        }
        if (DECIMAL.matcher(plain).matches()) {
            return Double.valueOf(plain);
        }
        return switch (plain.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> null;
        };
    }

    private static boolean isText(String plain) {
        return plain.length() <= LONGEST && TEXT.matcher(plain).matches();
    }

    /** What is in the quotes, or the value itself where there are none. */
    static String text(String value) {
        String plain = value.strip();
        if (!isText(plain)) {
            return plain;
        }
        StringBuilder out = new StringBuilder();
        for (int i = 1; i < plain.length() - 1; i++) {
            char c = plain.charAt(i);
            char next = plain.charAt(i + 1);
            if (c == '\\' && (next == '"' || next == '\\')) {
                out.append(next);
                i++;
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
