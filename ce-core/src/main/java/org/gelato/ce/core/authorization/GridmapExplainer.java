package org.gelato.ce.core.authorization;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.Explainer;
import org.gelato.ce.core.identity.Fqans;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.Permission;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.core.route.RoutedJob;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.description.JobLabels;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.description.JobRequest.Resources;
import org.gelato.ce.json.Explanation;

/** Writes down an {@link AccountDecision}, and why other lines do not count. */
final class GridmapExplainer implements Explainer {
    private final AuthorizationFiles files;
    private final GridmapAuthorizer authorizer;
    private final Supplier<Routes> routes;
    private final Map<String, String> vos;

    GridmapExplainer(
            AuthorizationFiles files, GridmapAuthorizer authorizer, Supplier<Routes> routes, Map<String, String> vos) {
        this.files = files;
        this.authorizer = authorizer;
        this.routes = routes;
        this.vos = Map.copyOf(vos);
    }

    @Override
    public Explanation explain(String name, List<String> attributes, Job job) {
        AccountDecision decision = authorizer.explained(
                TokenRule.isOne(name) ? token(name, attributes) : user(DnForms.rfc2253(name), attributes));
        Explanation.Routed routed = job == null || decision.refusal() != null ? null : routed(decision.caller(), job);
        List<String> steps = new ArrayList<>();
        while (decision.person() != null) {
            explanation(decision, attributes, steps, routed);
            decision = decision.person();
        }
        return explanation(decision, attributes, steps, routed);
    }

    private Explanation.Routed routed(Caller caller, Job job) {
        NodeRequest nodes = new NodeRequest(job.cores(), null, null, false);
        Routes.Resolved resolved = routes.get()
                .resolve(new RoutedJob(
                        caller.identity(),
                        caller.account(),
                        job.queue(),
                        new Resources(null, job.queue(), nodes),
                        JobLabels.NONE));
        return new Explanation.Routed(
                resolved.names(),
                resolved.chosen().entrySet().stream()
                        .map(one -> new Explanation.Value(
                                one.getKey(),
                                one.getValue().value(),
                                one.getValue().route()))
                        .toList());
    }

    private static GridIdentity user(String dn, List<String> fqans) {
        for (String fqan : fqans) {
            if (!Fqans.isWellFormed(fqan)) {
                throw new IllegalArgumentException("not an FQAN: " + fqan);
            }
        }
        List<String> normalised =
                fqans.stream().map(Fqans::normalised).distinct().toList();
        return new GridIdentity(dn, normalised, null, false, Instant.MAX, List.of());
    }

    private TokenIdentity token(String subject, List<String> attributes) {
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
                who.issuer(),
                who.name(),
                vos.get(who.issuer()),
                scopes,
                capable,
                capable ? List.of() : groups,
                "",
                null,
                Instant.MAX);
    }

    private Explanation explanation(
            AccountDecision decision, List<String> attributes, List<String> steps, Explanation.Routed routed) {
        Identity who = decision.who();
        boolean byToken = who instanceof TokenIdentity;
        AccountDecision.Entry entry = decision.entry();
        MappingLine line = entry == null || entry.person() != null ? null : entry.line();
        String banned = bans(decision, steps);
        if (who instanceof TokenIdentity token) {
            lines(token, entry, steps);
        } else {
            lines((GridIdentity) who, entry, steps);
        }
        if (line != null) {
            target(decision, line, steps);
        }
        String admin = place(files.adminFile(), decision.adminLine());
        steps.add(listed("administrator", files.adminFile(), admin));
        if (banned != null) {
            steps.add("the ban takes precedence");
        }
        boolean pool = line != null && line.pool();
        PoolAccounts.Found found = decision.account();
        return new Explanation(
                who.subject(),
                byToken ? who.subject() : DnForms.slash(who.subject()),
                who instanceof GridIdentity user ? user.fqans() : attributes,
                who.subject(),
                who.group(),
                decision.refusal() == null,
                banned,
                admin,
                entry == null ? null : where(entry.line()),
                found == null ? null : found.account(),
                pool ? line.target() : null,
                pool && found != null ? found.file().toString() : null,
                pool && found != null && found.leased(),
                decision.refusal() == null ? null : decision.refusal().getMessage(),
                steps,
                routed);
    }

    private String bans(AccountDecision decision, List<String> steps) {
        String byFile = place(files.banFile(), decision.banLine());
        steps.add(listed("banned", files.banFile(), byFile));
        if (decision.ban() == null) {
            return byFile;
        }
        String byAdmin = "the database: " + decision.ban().kind() + " "
                + decision.ban().name() + ", since " + decision.ban().since() + ", by "
                + decision.ban().by()
                + (decision.ban().reason() == null ? "" : ": " + decision.ban().reason());
        steps.add("banned: yes, by " + byAdmin);
        return byFile == null ? byAdmin : byFile;
    }

    private void lines(TokenIdentity token, AccountDecision.Entry entry, List<String> steps) {
        steps.add(
                token.capable()
                        ? "the token has capability scopes: they say what it permits, and its groups do not map it"
                        : "the token has no capability scope: a line for its subject or one of its groups maps it");
        if (entry != null) {
            steps.add("the first line that is for the token is " + where(entry.line()));
            if (entry.person() != null) {
                steps.add("the line declares the token's holder to be "
                        + entry.person().dn() + ", whose mapping follows");
            }
        }
    }

    private void lines(GridIdentity who, AccountDecision.Entry entry, List<String> steps) {
        Gridmap map = files.gridmap();
        if (!map.complaints().isEmpty()) {
            steps.add(files.gridmapFile() + ": lines left out: " + String.join("; ", map.complaints()));
        }
        if (entry != null && entry.attribute() == null) {
            steps.add("the DN stands in " + where(entry.line()) + "; attributes are not used");
            return;
        }
        steps.add("the DN is not among the " + map.byDn().size() + " DNs of " + files.gridmapFile());
        if (who.fqans().isEmpty()) {
            steps.add("there are no VOMS attributes to match");
        }
        int tried = entry == null ? who.fqans().size() : who.fqans().indexOf(entry.attribute()) + 1;
        who.fqans().subList(0, tried).forEach(fqan -> steps.add(attribute(map, fqan)));
        if (tried < who.fqans().size()) {
            steps.add("not used, as they come later in the proxy: "
                    + String.join(", ", who.fqans().subList(tried, who.fqans().size())));
        }
    }

    private String attribute(Gridmap map, String fqan) {
        List<MappingLine> fitting = map.rules(fqan);
        if (fitting.isEmpty()) {
            return fqan + " fits none of the " + map.rules().size() + " patterns of " + files.gridmapFile();
        }
        String later =
                fitting.stream().skip(1).map(l -> String.valueOf(l.number())).collect(Collectors.joining(", "));
        return fqan + " fits " + where(fitting.get(0))
                + (later.isEmpty() ? "" : "; later lines that fit do not count: " + later);
    }

    private static void target(AccountDecision decision, MappingLine line, List<String> steps) {
        PoolAccounts.Found found = decision.account();
        if (found == null) {
            steps.add("pool " + line.target() + " has no account for the user now");
        } else if (!line.pool()) {
            steps.add("the account is " + found.account());
        } else {
            steps.add("pool " + line.target() + ": "
                    + (found.leased()
                            ? found.account() + " is leased by " + found.file()
                            : "there is no lease yet; a first call would try " + found.account() + " and make "
                                    + found.file()));
        }
    }

    private String where(MappingLine line) {
        return place(files.gridmapFile(), line.number()) + ": " + line.text();
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
