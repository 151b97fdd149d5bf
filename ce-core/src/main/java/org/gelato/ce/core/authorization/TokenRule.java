package org.gelato.ce.core.authorization;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.gelato.ce.core.identity.Permission;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.core.identity.TokenIdentity;

/**
 * Tokens that a line of the site's files is for: {@code ISSUER,SUBJECT}, or {@code ISSUER [group=GROUP] [scope=SCOPE...]}, all of
 * it needed. Values are compared exactly; a group covers what {@link TokenGroup#covers} says.
 *
 * @param issuer as in the claim {@code iss}
 * @param name the subject; null for any
 * @param group null for any
 * @param scopes that the token must all have
 */
record TokenRule(String issuer, String name, TokenGroup group, Set<Permission> scopes) {
    private static final String ISSUER = "https://";
    private static final Pattern WORDS = Pattern.compile(" +");
    private static final Pattern SUBJECT = Pattern.compile("[\\x20-\\x7E]{1,255}");

    TokenRule {
        scopes = Set.copyOf(scopes);
    }

    /** Whether a name in one of the site's files stands for tokens. */
    static boolean isOne(String text) {
        return text.startsWith(ISSUER);
    }

    /** @throws IllegalArgumentException naming the word that is none of a rule's */
    static TokenRule parse(String text) {
        int comma = text.indexOf(',');
        String[] words = WORDS.split((comma < 0 ? text : text.substring(0, comma)).strip());
        if (words[0].length() == ISSUER.length() || (comma >= 0 && words.length > 1)) {
            throw new IllegalArgumentException("neither ISSUER,SUBJECT nor ISSUER with conditions: " + text);
        }
        if (comma >= 0) {
            String subject = text.substring(comma + 1);
            if (!SUBJECT.matcher(subject).matches()) {
                throw new IllegalArgumentException(
                        "the subject after the issuer is not 1 to 255 printable ASCII characters");
            }
            return new TokenRule(words[0], subject, null, Set.of());
        }
        TokenGroup group = null;
        Set<Permission> scopes = new HashSet<>();
        for (String word : List.of(words).subList(1, words.length)) {
            String value = word.substring(word.indexOf('=') + 1);
            if (word.startsWith("group=") && group == null) {
                group = TokenGroup.parse(value);
            } else if (word.startsWith("scope=")) {
                scopes.add(Permission.ofScope(value)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "scope= takes compute.read, compute.create, compute.modify or compute.cancel, not "
                                        + value)));
            } else {
                throw new IllegalArgumentException(
                        "after the issuer may follow group=GROUP once, and scope=SCOPE, not " + word);
            }
        }
        return new TokenRule(words[0], null, group, scopes);
    }

    /** Whether the line is for the token. */
    boolean fits(TokenIdentity token) {
        return issuer.equals(token.issuer())
                && (name == null || name.equals(token.name()))
                && token.permissions().containsAll(scopes)
                && (group == null || by(token).isPresent());
    }

    /**
     * Whether the line may give an account: a token without capabilities permits everything, so the line must be for its name or
     * for one of its groups, and in one with capabilities groups do not count (docs/developer/protocol/tokens.md).
     */
    boolean maps(TokenIdentity token) {
        return fits(token) && (token.capable() ? group == null : name != null || group != null);
    }

    /** The token's group that the rule's covers; empty without one. */
    Optional<TokenGroup> by(TokenIdentity token) {
        return token.groups().stream()
                .filter(g -> group != null && group.covers(g))
                .findFirst();
    }
}
