package org.gelato.ce.core.identity;

import java.util.regex.Pattern;

/**
 * A pattern of VOMS attributes as a grid-mapfile has it. {@code *} and {@code ?} stand for any text and any character, slashes
 * included. It is compared with the FQAN without empty role; one that ends in {@code /*} or in {@code /Role=NULL} also with the form in
 * which FQANs without role still carry {@code /Role=NULL}. So {@code /dteam/*} takes the group itself, and
 * {@code /dteam/*&#47;Role=NULL} no role at all (docs/developer/protocol/behaviour.md section 3).
 *
 * @param text as written, capability cut
 * @param ofEmptyRole whether it is compared with {@code /Role=NULL}, too
 */
public record FqanPattern(String text, Pattern matcher, boolean ofEmptyRole) {
    private static final Pattern ALLOWED = Pattern.compile("/[A-Za-z0-9_.=*?/-]+");

    /** @throws IllegalArgumentException when the text can't be an FQAN pattern */
    public static FqanPattern of(String text) {
        String pattern = Fqans.cutCapability(text);
        if (!ALLOWED.matcher(pattern).matches()) {
            throw new IllegalArgumentException("neither a DN nor an FQAN pattern: " + text);
        }
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '*') {
                // Two in a row would only make the matcher backtrack.
                regex.append(pattern.charAt(i - 1) == '*' ? "" : ".*");
            } else if (c == '?') {
                regex.append('.');
            } else {
                regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        boolean ofEmptyRole = pattern.endsWith("/*") || pattern.endsWith(Fqans.NULL_ROLE);
        return new FqanPattern(pattern, Pattern.compile(regex.toString()), ofEmptyRole);
    }

    /** Whether it takes an FQAN. */
    public boolean matches(String fqan) {
        String plain = Fqans.withoutCapability(fqan);
        return matcher.matcher(plain).matches()
                || (ofEmptyRole
                        && !plain.contains("/Role=")
                        && matcher.matcher(plain + Fqans.NULL_ROLE).matches());
    }
}
