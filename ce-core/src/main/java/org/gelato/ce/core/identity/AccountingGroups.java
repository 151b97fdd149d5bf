package org.gelato.ce.core.identity;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Under which FQAN the jobs of a bearer token are accounted, decided when they are registered (docs/admin/accounting.md).
 * A verified VOMS attribute is taken as it is and needs no decision. Otherwise the first rule of the site counts, then the token's
 * first group where the site trusts groups and the group is of the issuer's own VO, then the issuer's VO. Immutable.
 *
 * @param rules of the site, the first that fits counts
 * @param tokenGroups whether groups of tokens count
 * @param vos VO of each issuer that has one
 */
public record AccountingGroups(List<Rule> rules, boolean tokenGroups, Map<String, String> vos) {
    /** Decides nothing: jobs of tokens have no VO. */
    public static final AccountingGroups NONE = new AccountingGroups(List.of(), false, Map.of());

    private static final int LONGEST = 255;
    private static final Pattern FQAN = Pattern.compile(
            "/[A-Za-z0-9][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*(/Role=[A-Za-z0-9_][A-Za-z0-9_.-]*)?");

    public AccountingGroups {
        rules = List.copyOf(rules);
        vos = Map.copyOf(vos);
    }

    /**
     * Tokens of an issuer that are accounted under an FQAN.
     *
     * @param issuer as in the claim {@code iss}
     * @param subject the claim {@code sub}; null for any
     * @param group one that the token must have; null for any
     */
    public record Rule(String issuer, String subject, TokenGroup group, String fqan) {
        /** @throws IllegalArgumentException when the FQAN is none */
        public Rule {
            if (!isFqan(fqan)) {
                throw new IllegalArgumentException("fqan is not of the form /vo[/group][/Role=role]");
            }
        }

        private boolean fits(TokenIdentity token) {
            return issuer.equals(token.issuer())
                    && (subject == null || subject.equals(token.name()))
                    && (group == null || token.countedGroups().stream().anyMatch(group::covers));
        }
    }

    private static boolean isFqan(String text) {
        return text.length() <= LONGEST && FQAN.matcher(text).matches();
    }

    /** The FQAN; empty where the owner's own attribute counts, and for a token without a VO. */
    public Optional<String> of(Identity identity) {
        if (identity instanceof TokenIdentity token) {
            return ofToken(token);
        }
        return identity instanceof LinkedIdentity linked && linked.group().isEmpty()
                ? ofToken(linked.token())
                : Optional.empty();
    }

    private Optional<String> ofToken(TokenIdentity token) {
        for (Rule rule : rules) {
            if (rule.fits(token)) {
                return Optional.of(rule.fqan());
            }
        }
        String vo = vos.get(token.issuer());
        if (vo == null) {
            return Optional.empty();
        }
        if (tokenGroups && !token.countedGroups().isEmpty()) {
            TokenGroup first = token.groups().get(0);
            if (first.namespace() == null && first.path().get(0).equals(vo) && isFqan(first.toString())) {
                return Optional.of(first.toString());
            }
        }
        return Optional.of("/" + vo).filter(AccountingGroups::isFqan);
    }
}
