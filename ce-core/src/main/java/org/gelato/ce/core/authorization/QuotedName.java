package org.gelato.ce.core.authorization;

/**
 * The beginning of a line of a grid-mapfile, ban file or admin list: a DN or FQAN pattern, in double quotes when it holds
 * spaces.
 *
 * @param name without quotes
 * @param rest what follows, stripped, without a trailing comment
 */
record QuotedName(String name, String rest) {
    /** @throws IllegalArgumentException when a quote is not closed or nothing is in it */
    static QuotedName at(String line) {
        return line.startsWith("\"") ? quoted(line) : of(line.split("\\s+", 2));
    }

    /**
     * A line that holds one name and nothing else, so spaces need no quotes.
     *
     * @throws IllegalArgumentException when it may hold more: what looks like a comment could be a part of the name
     */
    static String alone(String line) {
        if (!line.startsWith("\"")) {
            if (line.contains(" #") || line.contains("\t#")) {
                throw new IllegalArgumentException(
                        "a comment needs a line of its own, and a name with # double quotes: " + line);
            }
            return line;
        }
        QuotedName quoted = quoted(line);
        if (!quoted.rest.isEmpty()) {
            throw new IllegalArgumentException("text after the closing quote: " + quoted.rest);
        }
        return quoted.name;
    }

    private static QuotedName quoted(String line) {
        int end = 1;
        while (end < line.length() && line.charAt(end) != '"') {
            end += line.charAt(end) == '\\' ? 2 : 1;
        }
        if (end >= line.length()) {
            throw new IllegalArgumentException("the quote is not closed: " + line);
        }
        String behind = line.substring(end + 1);
        if (!behind.isEmpty() && !behind.startsWith("#") && !Character.isWhitespace(behind.charAt(0))) {
            throw new IllegalArgumentException("no blank after the closing quote: " + line);
        }
        String name = line.substring(1, end);
        // RFC 2253 has its own escapes, and \" is one of them.
        String plain = name.startsWith("/") ? name.replace("\\\"", "\"") : name;
        return of(plain, behind);
    }

    private static QuotedName of(String... parts) {
        String rest = parts.length < 2 ? "" : parts[1].strip();
        int comment = rest.indexOf('#');
        if (parts[0].isBlank()) {
            throw new IllegalArgumentException("an empty name");
        }
        return new QuotedName(
                parts[0], comment < 0 ? rest : rest.substring(0, comment).strip());
    }
}
