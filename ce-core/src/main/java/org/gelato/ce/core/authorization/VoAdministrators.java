package org.gelato.ce.core.authorization;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.LinkedIdentity;
import org.gelato.ce.core.identity.TokenIdentity;

/** Who administers which VO: lines of a DN or a token's subject, and the VO behind it. Immutable. */
final class VoAdministrators {
    static final VoAdministrators NONE = new VoAdministrators(Map.of(), Map.of());

    private static final Pattern VO = Pattern.compile("[A-Za-z0-9_.-]{1,255}");

    private final Map<String, Set<String>> byDn;
    private final Map<TokenRule, Set<String>> byToken;

    private VoAdministrators(Map<String, Set<String>> byDn, Map<TokenRule, Set<String>> byToken) {
        this.byDn = Map.copyOf(byDn);
        this.byToken = Map.copyOf(byToken);
    }

    /** @throws IllegalArgumentException for a line that is none: a list that is half read must not come into force */
    static VoAdministrators parse(String content) {
        Map<String, Set<String>> byDn = new HashMap<>();
        Map<TokenRule, Set<String>> byToken = new HashMap<>();
        SiteLines.all(content, line -> {
            QuotedName name = QuotedName.at(line.text());
            if (!VO.matcher(name.rest()).matches()) {
                throw new IllegalArgumentException(
                        "after the DN, in quotes where it has blanks, stands one VO: " + line.text());
            }
            if (TokenRule.isOne(name.name())) {
                byToken.computeIfAbsent(token(name.name()), rule -> new HashSet<>())
                        .add(name.rest());
            } else {
                byDn.computeIfAbsent(SiteLines.dn(name.name()), dn -> new HashSet<>())
                        .add(name.rest());
            }
        });
        return new VoAdministrators(byDn, byToken);
    }

    private static TokenRule token(String name) {
        TokenRule rule = TokenRule.parse(name);
        if (rule.name() == null) {
            throw new IllegalArgumentException("a line for tokens is \"ISSUER,SUBJECT\" VO here: " + name);
        }
        return rule;
    }

    /** The VOs that an identity administers. */
    Set<String> of(Identity identity) {
        if (identity instanceof TokenIdentity token) {
            Set<String> vos = new HashSet<>();
            byToken.forEach((rule, of) -> {
                if (rule.fits(token)) {
                    vos.addAll(of);
                }
            });
            return vos;
        }
        String dn = identity instanceof LinkedIdentity linked ? linked.person().dn() : identity.subject();
        return byDn.isEmpty() ? Set.of() : byDn.getOrDefault(DnForms.comparable(dn), Set.of());
    }
}
