package org.gelato.ce.core.authorization;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.identity.BanSet;
import org.gelato.ce.core.identity.Explainer;
import org.gelato.ce.core.identity.Explanation;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.Permission;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.core.identity.TokenIdentity;

/** Explains how a token would be mapped, by the files as they are; changes nothing. */
final class TokenExplainer {
    private final AuthorizationFiles files;
    private final PoolAccounts pools;
    private final Supplier<BanSet> adminBans;
    private final Explainer persons;

    /**
     * Makes one.
     *
     * @param pools null when there is no gridmapdir
     * @param users for tokens whose holder is declared to be the user of a DN
     */
    TokenExplainer(AuthorizationFiles files, PoolAccounts pools, Supplier<BanSet> adminBans, Explainer persons) {
        this.persons = persons;
        this.files = files;
        this.pools = pools;
        this.adminBans = adminBans;
    }

    /**
     * Explains a token.
     *
     * @param subject {@code ISSUER,SUBJECT}
     * @param attributes its groups, and its capability scopes such as {@code compute.read}
     * @throws IllegalArgumentException when one of the texts is none of these
     */
    Explanation explain(String subject, List<String> attributes) {
        TokenIdentity token = token(subject, attributes);
        List<String> steps = new ArrayList<>();
        String refusal = null;
        String banned = place(files.banFile(), files.banLine(token));
        Ban ban = adminBans.get().of(token);
        if (banned == null && ban != null) {
            banned = "the database: " + ban.text() + ", by " + ban.by();
        }
        steps.add(banned == null ? "banned: no; the token's VO is not known here" : "banned: yes, by " + banned);
        steps.add(
                token.capable()
                        ? "the token has capability scopes: they say what it permits, and its groups do not map it"
                        : "the token has no capability scope: a line for its subject or one of its groups maps it");
        Optional<Gridmap.TokenLine> match = files.gridmap().match(token);
        String mapping = null;
        String account = null;
        PoolAccounts.Found found = null;
        if (match.isEmpty()) {
            refusal = GridmapAuthorizer.refusal(token);
        } else {
            MappingLine line = match.get().line();
            mapping = place(files.gridmapFile(), line.number()) + ": " + line.text();
            steps.add("the first line that is for the token is " + mapping);
            GridIdentity person = match.get().person();
            if (person != null && banned == null) {
                steps.add("the line declares the token's holder to be " + person.dn() + ", whose mapping follows");
                return of(steps, persons.explain(person.dn(), person.fqans()));
            }
            account = line.target();
            if (line.pool()) {
                try {
                    found = pools.find(
                            subject, line.target(), match.get().rule().name() == null);
                    account = found.account();
                } catch (PoolAccounts.Unavailable e) {
                    account = null;
                    refusal = subject + " not authorized: " + e.getMessage();
                }
            }
        }
        if (banned != null) {
            refusal = subject + " not authorized: " + (ban == null ? "the user is banned on this CE" : ban.text());
            steps.add("the ban takes precedence");
        }
        String group =
                match.flatMap(m -> m.rule().by(token)).map(TokenGroup::toString).orElse("");
        return new Explanation(
                subject,
                subject,
                attributes,
                subject,
                group,
                refusal == null,
                banned,
                place(files.adminFile(), files.adminLine(token)),
                mapping,
                account,
                match.filter(m -> m.line().pool()).map(m -> m.line().target()).orElse(null),
                found == null ? null : found.file().toString(),
                found != null && found.leased(),
                refusal,
                steps);
    }

    private static Explanation of(List<String> steps, Explanation person) {
        List<String> all = new ArrayList<>(steps);
        all.addAll(person.steps());
        return new Explanation(
                person.dn(),
                person.slashDn(),
                person.fqans(),
                person.owner(),
                person.group(),
                person.authorized(),
                person.banned(),
                person.admin(),
                person.mapping(),
                person.account(),
                person.pool(),
                person.lease(),
                person.leased(),
                person.refusal(),
                all);
    }

    private static TokenIdentity token(String subject, List<String> attributes) {
        TokenRule who = TokenRule.parse(subject);
        if (who.name() == null) {
            throw new IllegalArgumentException("not ISSUER,SUBJECT: " + subject);
        }
        Set<Permission> scopes = EnumSet.noneOf(Permission.class);
        List<TokenGroup> groups = new ArrayList<>();
        for (String attribute : attributes) {
            Permission.ofScope(attribute).ifPresentOrElse(scopes::add, () -> groups.add(TokenGroup.parse(attribute)));
        }
        boolean capable = !scopes.isEmpty();
        return new TokenIdentity(
                who.issuer(), who.name(), null, scopes, capable, capable ? List.of() : groups, "", null, Instant.MAX);
    }

    private static String place(Path file, int line) {
        return line == 0 ? null : file + ":" + line;
    }
}
