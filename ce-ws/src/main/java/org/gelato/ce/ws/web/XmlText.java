package org.gelato.ce.ws.web;

/** Texts on their way into XML. */
public final class XmlText {
    private static final int SHORT = 60;

    private XmlText() {}

    /**
     * The text with every character that XML 1.0 cannot hold replaced by a question mark: job outputs and reasons may
     * contain any, and one of them makes the whole response unreadable.
     *
     * @param text may be null
     * @return null for null
     */
    public static String clean(String text) {
        if (text == null || allAllowed(text)) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> out.appendCodePoint(allowed(c) ? c : '?'));
        return out.toString();
    }

    /**
     * The text as element content or attribute value, {@link #clean} first.
     *
     * @param text never null
     */
    public static String escaped(String text) {
        return escaped(text, "&quot;");
    }

    /**
     * The text as element content, in which quotes stay as they are, as JAXB writes it.
     *
     * @param text never null
     */
    public static String content(String text) {
        return escaped(text, null);
    }

    /** @param quote null to keep quotes */
    private static String escaped(String text, String quote) {
        String clean = XmlText.clean(text);
        StringBuilder out = null;
        for (int i = 0; i < clean.length(); i++) {
            String entity = switch (clean.charAt(i)) {
                case '<' -> "&lt;";
                case '>' -> "&gt;";
                case '&' -> "&amp;";
                case '"' -> quote;
                case '\r' -> "&#13;";
                default -> null;
            };
            if (entity != null && out == null) {
                out = new StringBuilder(clean.length() + 16).append(clean, 0, i);
            }
            if (out != null) {
                if (entity == null) {
                    out.append(clean.charAt(i));
                } else {
                    out.append(entity);
                }
            }
        }
        return out == null ? clean : out.toString();
    }

    /** The text cut to what fits into an error message. */
    public static String shorten(String text) {
        return text.length() <= SHORT ? text : text.substring(0, SHORT) + "...";
    }

    // Every text of every response comes by here; nearly all are ASCII, and a stream for each costs more than the
    // check.
    private static boolean allAllowed(String text) {
        int c;
        for (int i = 0; i < text.length(); i += Character.charCount(c)) {
            c = text.codePointAt(i);
            if (!allowed(c)) {
                return false;
            }
        }
        return true;
    }

    private static boolean allowed(int c) {
        return c == '\t'
                || c == '\n'
                || c == '\r'
                || (c >= 0x20 && c <= 0xd7ff)
                || (c >= 0xe000 && c <= 0xfffd)
                || c >= 0x10000;
    }
}
