package org.gelato.ce.core.authorization;

import java.util.regex.Pattern;
import org.gelato.ce.core.identity.Fqans;

/**
 * A grid-mapfile entry for VOMS attributes. {@code *} and {@code ?} stand for any text and any character, slashes
 * included; a pattern that ends in {@code /*} also takes the group itself, as it did when FQANs still carried
 * {@code /Role=NULL} (docs/protocol/behaviour.md section 3).
 *
 * @param pattern as written, capability and empty role cut
 * @param line where it stands, and what it gives
 */
record FqanRule(String pattern, MappingLine line, Pattern matcher) {
    private static final Pattern ALLOWED = Pattern.compile("/[A-Za-z0-9_.=*?/-]+");

    /** @throws IllegalArgumentException when the text can't be an FQAN pattern */
    static FqanRule of(String text, MappingLine line) {
        String pattern = Fqans.withoutCapability(text);
        if (!ALLOWED.matcher(pattern).matches()) {
            throw new IllegalArgumentException("neither a DN nor an FQAN pattern: " + text);
        }
        String body = pattern.endsWith("/*") ? pattern.substring(0, pattern.length() - 2) : pattern;
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < body.length(); i++) {
            char c = body.charAt(i);
            if (c == '*') {
                // Two in a row would only make the matcher backtrack.
                regex.append(i > 0 && body.charAt(i - 1) == '*' ? "" : ".*");
            } else if (c == '?') {
                regex.append('.');
            } else {
                regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        if (pattern.endsWith("/*")) {
            regex.append("(?:/.*)?");
        }
        return new FqanRule(pattern, line, Pattern.compile(regex.toString()));
    }

    boolean matches(String fqan) {
        return matcher.matcher(Fqans.withoutCapability(fqan)).matches();
    }
}
