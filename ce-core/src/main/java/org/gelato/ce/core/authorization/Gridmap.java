package org.gelato.ce.core.authorization;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.Fqans;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.core.identity.TokenIdentity;

/**
 * The content of a grid-mapfile: {@code "DN, FQAN pattern or tokens" account} per line, or {@code .pool} in the account's place.
 * The first line that fits wins; DNs are matched before attributes. A line that can't be used is left out and named in
 * {@link #complaints}; the others hold. Immutable.
 *
 * @param byDn by {@link DnForms#comparable}
 * @param rules for FQANs, in the order of the file
 * @param tokens lines for bearer tokens, those that name a subject first, each in the order of the file
 * @param complaints one text per line left out
 */
record Gridmap(Map<String, MappingLine> byDn, List<FqanRule> rules, List<TokenLine> tokens, List<String> complaints) {
    Gridmap {
        tokens = List.copyOf(tokens);
        byDn = Map.copyOf(byDn);
        rules = List.copyOf(rules);
        complaints = List.copyOf(complaints);
    }

    /**
     * A line for tokens.
     *
     * @param line without an account where there is a user
     * @param user whom the line declares the token's holder to be; null where it names an account
     */
    record TokenLine(TokenRule rule, MappingLine line, GridIdentity person) {}

    /**
     * @param superuser whether an account has all rights (uid 0): such entries are left out
     * @param pools whether pools may be named
     */
    static Gridmap parse(String content, Predicate<String> superuser, boolean pools) {
        Map<String, MappingLine> dns = new HashMap<>();
        List<FqanRule> rules = new ArrayList<>();
        List<TokenLine> tokens = new ArrayList<>();
        List<String> complaints = new ArrayList<>();
        for (SiteLines.Line line : SiteLines.of(content)) {
            int number = line.number();
            String text = line.text();
            try {
                QuotedName entry = QuotedName.at(text);
                if (TokenRule.isOne(entry.name()) && entry.rest().startsWith("\"")) {
                    tokens.add(link(number, text, entry));
                    continue;
                }
                MappingLine target = MappingLine.of(number, text, entry.rest(), superuser, pools);
                if (TokenRule.isOne(entry.name())) {
                    tokens.add(new TokenLine(TokenRule.parse(entry.name()), target, null));
                } else if (entry.name().startsWith("/") && !DnForms.looksLikeSlash(entry.name())) {
                    rules.add(FqanRule.of(entry.name(), target));
                } else {
                    dns.putIfAbsent(SiteLines.dn(entry.name()), target);
                }
            } catch (IllegalArgumentException e) {
                complaints.add(line.complaint(e));
            }
        }
        tokens.sort(Comparator.comparing(t -> t.rule().name() == null));
        return new Gridmap(dns, rules, tokens, complaints);
    }

    /** {@code "ISSUER,SUBJECT" "DN" [FQAN]}. */
    private static TokenLine link(int number, String text, QuotedName entry) {
        TokenRule rule = TokenRule.parse(entry.name());
        QuotedName person = QuotedName.at(entry.rest());
        String fqan = person.rest();
        if (rule.name() == null) {
            throw new IllegalArgumentException("only ISSUER,SUBJECT can be declared to be a person: " + entry.name());
        }
        if (!fqan.isEmpty() && !Fqans.isWellFormed(fqan)) {
            throw new IllegalArgumentException("after the person may follow one FQAN, not " + fqan);
        }
        return new TokenLine(
                rule,
                new MappingLine(number, text, "", false),
                new GridIdentity(
                        DnForms.rfc2253(person.name()),
                        fqan.isEmpty() ? List.of() : List.of(Fqans.normalised(fqan)),
                        fqan.isEmpty() ? null : fqan.split("/", 3)[1],
                        false,
                        Instant.MAX,
                        List.of()));
    }

    /** The line of the DN itself, else of the first FQAN that has one; null for none. */
    AccountDecision.Entry entry(GridIdentity identity) {
        MappingLine own = byDn.get(DnForms.comparable(identity.dn()));
        if (own != null) {
            return new AccountDecision.Entry(own, null, null);
        }
        return identity.fqans().stream()
                .flatMap(fqan -> rules(fqan).stream().limit(1).map(line -> new AccountDecision.Entry(line, fqan, null)))
                .findFirst()
                .orElse(null);
    }

    /** The first line for a token, those that name its subject before others; null for none. */
    AccountDecision.Entry entry(TokenIdentity token) {
        return tokens.stream()
                .filter(t -> t.rule().maps(token))
                .findFirst()
                .map(t -> new AccountDecision.Entry(
                        t.line(),
                        t.rule().name() == null
                                ? t.rule().by(token).map(TokenGroup::toString).orElse("")
                                : null,
                        t.person()))
                .orElse(null);
    }

    /** The lines whose pattern fits an FQAN, in the order of the file. */
    List<MappingLine> rules(String fqan) {
        return rules.stream().filter(r -> r.matches(fqan)).map(FqanRule::line).toList();
    }
}
