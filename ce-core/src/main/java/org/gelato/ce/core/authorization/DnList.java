package org.gelato.ce.core.authorization;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.TokenIdentity;

/** DNs, and tokens, of a ban file or an admin list, one per line, {@code #} begins a comment line. Immutable. */
final class DnList {
    static final DnList EMPTY = new DnList(Map.of(), Map.of(), false);

    private final Map<String, Integer> lines;
    private final Map<TokenRule, Integer> tokens;
    private final boolean caseless;

    private DnList(Map<String, Integer> lines, Map<TokenRule, Integer> tokens, boolean caseless) {
        this.lines = Map.copyOf(lines);
        this.tokens = Map.copyOf(tokens);
        this.caseless = caseless;
    }

    /**
     * @param caseless whether a DN that differs only in upper and lower case is on the list too; right for refusing,
     *     wrong for granting
     * @throws IllegalArgumentException for a line that is no DN: a list that is half read must not come into force
     */
    static DnList parse(String content, boolean caseless) {
        Map<String, Integer> lines = new HashMap<>();
        Map<TokenRule, Integer> tokens = new LinkedHashMap<>();
        SiteLines.all(content, line -> {
            String name = QuotedName.alone(line.text());
            if (TokenRule.isOne(name)) {
                tokens.putIfAbsent(rule(name, caseless), line.number());
            } else {
                lines.putIfAbsent(folded(SiteLines.dn(name), caseless), line.number());
            }
        });
        return new DnList(lines, tokens, caseless);
    }

    boolean contains(String dn) {
        return line(dn) > 0;
    }

    /** The number of the first line that is for an identity; 0 when none is. */
    int line(Identity who) {
        return who instanceof TokenIdentity token ? line(token) : line(who.subject());
    }

    int line(String dn) {
        return lines.isEmpty() ? 0 : lines.getOrDefault(folded(DnForms.comparable(dn), caseless), 0);
    }

    private int line(TokenIdentity token) {
        return tokens.entrySet().stream()
                .filter(t -> t.getKey().fits(token))
                .mapToInt(Map.Entry::getValue)
                .min()
                .orElse(0);
    }

    /** Whole issuers may be refused, and nothing but subjects be granted. */
    private static TokenRule rule(String name, boolean refusing) {
        TokenRule rule = TokenRule.parse(name);
        if (!refusing && rule.name() == null) {
            throw new IllegalArgumentException("a line for tokens is ISSUER,SUBJECT here: " + name);
        }
        return rule;
    }

    private static String folded(String key, boolean caseless) {
        return caseless ? key.toLowerCase(Locale.ROOT) : key;
    }
}
