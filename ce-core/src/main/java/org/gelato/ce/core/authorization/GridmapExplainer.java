package org.gelato.ce.core.authorization;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.identity.BanSet;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.Explainer;
import org.gelato.ce.core.identity.Explanation;
import org.gelato.ce.core.identity.Fqans;
import org.gelato.ce.core.identity.GridIdentity;

/** Walks the way of {@link GridmapAuthorizer#authorize} over the same files and writes down each step. */
final class GridmapExplainer implements Explainer {

    private final AuthorizationFiles files;
    private final PoolAccounts pools;
    private final Supplier<BanSet> adminBans;

    /** @param pools null when there is no gridmapdir */
    GridmapExplainer(AuthorizationFiles files, PoolAccounts pools, Supplier<BanSet> adminBans) {
        this.adminBans = adminBans;
        this.files = files;
        this.pools = pools;
    }

    @Override
    public Explanation explain(String dn, List<String> fqans) {
        if (TokenRule.isOne(dn)) {
            return new TokenExplainer(files, pools, adminBans, this).explain(dn, fqans);
        }
        for (String fqan : fqans) {
            if (!Fqans.isWellFormed(fqan)) {
                throw new IllegalArgumentException("not an FQAN: " + fqan);
            }
        }
        GridIdentity who = new GridIdentity(
                DnForms.rfc2253(dn),
                fqans.stream().map(Fqans::normalised).distinct().toList(),
                null,
                false,
                Instant.MAX,
                List.of());
        return new Walk(who).explanation();
    }

    /** One explanation in the making. */
    private final class Walk {
        private final GridIdentity who;
        private final List<String> steps = new ArrayList<>();
        private String mapping;
        private String account;
        private String pool;
        private String lease;
        private boolean leased;
        private String refusal;

        Walk(GridIdentity who) {
            this.who = who;
        }

        Explanation explanation() {
            String banned = place(files.banFile(), files.banLine(who.dn()));
            steps.add(listed("banned", files.banFile(), banned));
            Ban ban = adminBans.get().of(who.dn(), who.fqans());
            if (ban != null) {
                String place = "the database: " + ban.kind() + " " + ban.name() + ", since " + ban.since() + ", by "
                        + ban.by() + (ban.reason() == null ? "" : ": " + ban.reason());
                steps.add("banned: yes, by " + place);
                banned = banned == null ? place : banned;
            }
            map();
            String admin = place(files.adminFile(), files.adminLine(who.dn()));
            steps.add(listed("administrator", files.adminFile(), admin));
            if (banned != null) {
                refusal = who.dn() + " not authorized: " + (ban == null ? "the user is banned on this CE" : ban.text());
                steps.add("the ban takes precedence");
            }
            return new Explanation(
                    who.dn(),
                    DnForms.slash(who.dn()),
                    who.fqans(),
                    who.dn(),
                    who.primaryFqan(),
                    refusal == null,
                    banned,
                    admin,
                    mapping,
                    account,
                    pool,
                    lease,
                    leased,
                    refusal,
                    steps);
        }

        private void map() {
            Gridmap map = files.gridmap();
            if (!map.complaints().isEmpty()) {
                steps.add(files.gridmapFile() + ": lines left out: " + String.join("; ", map.complaints()));
            }
            Optional<Gridmap.Match> match = map.match(who);
            if (match.isPresent() && match.get().fqan() == null) {
                steps.add("the DN stands in " + where(match.get().line()) + "; attributes are not used");
            } else {
                steps.add("the DN is not among the " + map.byDn().size() + " DNs of " + files.gridmapFile());
                match.ifPresentOrElse(m -> attributes(map, m.fqan()), () -> attributes(map, null));
            }
            match.ifPresentOrElse(this::target, () -> refusal = GridmapAuthorizer.refusal(who, map.rules()));
        }

        /** @param counting the FQAN that decides; null when none does */
        private void attributes(Gridmap map, String counting) {
            if (who.fqans().isEmpty()) {
                steps.add("there are no VOMS attributes to match");
            }
            for (String fqan : who.fqans()) {
                List<MappingLine> fitting = map.rules(fqan);
                if (fitting.isEmpty()) {
                    steps.add(fqan + " fits none of the " + map.rules().size() + " patterns of " + files.gridmapFile());
                    continue;
                }
                String later = fitting.stream()
                        .skip(1)
                        .map(l -> String.valueOf(l.number()))
                        .collect(Collectors.joining(", "));
                steps.add(fqan + " fits " + where(fitting.get(0))
                        + (later.isEmpty() ? "" : "; later lines that fit do not count: " + later));
                if (fqan.equals(counting)) {
                    break;
                }
            }
            int tried = counting == null ? who.fqans().size() : who.fqans().indexOf(counting) + 1;
            if (tried < who.fqans().size()) {
                steps.add("not used, as they come later in the proxy: "
                        + String.join(
                                ", ", who.fqans().subList(tried, who.fqans().size())));
            }
        }

        private void target(Gridmap.Match match) {
            MappingLine line = match.line();
            mapping = where(line);
            if (!line.pool()) {
                account = line.target();
                steps.add("the account is " + account);
                return;
            }
            pool = line.target();
            try {
                PoolAccounts.Found found = pools.find(who.dn(), pool, match.fqan() != null);
                account = found.account();
                lease = found.file().toString();
                leased = found.leased();
                steps.add(
                        leased
                                ? "pool " + pool + ": " + account + " is leased by " + lease
                                : "pool " + pool + ": there is no lease yet; a first call would try " + account
                                        + " and make " + lease);
            } catch (PoolAccounts.Unavailable e) {
                refusal = who.dn() + " not authorized: " + e.getMessage();
                steps.add(e.getMessage());
            }
        }

        private String where(MappingLine line) {
            return place(files.gridmapFile(), line.number()) + ": " + line.text();
        }
    }

    private static String place(Path file, int line) {
        return line == 0 ? null : file + ":" + line;
    }

    private static String listed(String what, Path file, String place) {
        if (place != null) {
            return what + ": yes, by " + place;
        }
        return what + ": no, " + (file == null ? "there is no such list" : "not in " + file);
    }
}
