package org.gelato.ce.ws.setup.migration;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.setup.migration.MigratedRoute.Taken;
import org.gelato.ce.ws.setup.migration.OldConfiguration.NewSite;

/** Leaves what the reader of this CE's configuration takes, and names the rest. Used once. */
final class RouteChecks {
    private static final int MAX_ROUTES = 200;
    private static final int MAX_NAMED = 5;

    private final NewSite site;
    private final MigrationReport report;

    RouteChecks(NewSite site, MigrationReport report) {
        this.site = site;
        this.report = report;
    }

    /** The sections of {@code gelato.routes}. */
    List<Map<String, Object>> accepted(List<MigratedRoute> routes) {
        List<MigratedRoute> accepted = new ArrayList<>();
        Map<String, SourcePlace> names = new HashMap<>();
        for (MigratedRoute route : routes) {
            SourcePlace first = names.putIfAbsent(route.name(), route.place());
            if (first != null) {
                refuse(route, "that of " + first + " has the same name");
            } else if (accepted.size() == MAX_ROUTES) {
                refuse(route, "there are more than " + MAX_ROUTES);
            } else if (isAccepted(route)) {
                accepted.add(route);
            }
        }
        for (MigratedRoute route : accepted) {
            route.values()
                    .forEach((key, taken) -> report.add(
                            taken.place(),
                            taken.from(),
                            MigratedRoute.text(key) + " = "
                                    + Messages.line(taken.value().toString(), 200)));
        }
        overlaps(accepted);
        return accepted.stream().map(MigratedRoute::section).toList();
    }

    private boolean isAccepted(MigratedRoute route) {
        if (site.refusal(List.of(route.section())).isEmpty()) {
            return true;
        }
        Optional<String> alone = site.refusal(List.of(route.section(key -> false)));
        if (alone.isPresent()) {
            refuse(route, alone.get());
            return false;
        }
        for (Map.Entry<List<String>, Taken> value : List.copyOf(route.values().entrySet())) {
            site.refusal(List.of(route.section(value.getKey()::equals))).ifPresent(why -> {
                route.values().remove(value.getKey());
                report.add(value.getValue().place(), value.getValue().from(), "not taken over: " + why);
            });
        }
        Optional<String> together = site.refusal(List.of(route.section()));
        together.ifPresent(why -> refuse(route, why));
        return together.isEmpty();
    }

    private void refuse(MigratedRoute route, String why) {
        report.add(route.place(), "route " + route.name(), "not written: " + why);
    }

    /** There the first route that matched counted, here all do. */
    private void overlaps(List<MigratedRoute> routes) {
        for (int i = 1; i < routes.size(); i++) {
            MigratedRoute route = routes.get(i);
            Set<String> keys = new LinkedHashSet<>();
            Set<String> names = new LinkedHashSet<>();
            for (MigratedRoute earlier : routes.subList(0, i)) {
                Set<String> more = route.alsoFor(earlier);
                keys.addAll(more);
                if (!more.isEmpty() && names.size() < MAX_NAMED) {
                    names.add(earlier.name());
                }
            }
            if (!keys.isEmpty()) {
                report.add(
                        route.place(),
                        "route " + route.name(),
                        "act: here all routes that match count, so that " + String.join(", ", keys)
                                + " also counts for jobs of " + String.join(", ", names) + " that match both: set "
                                + (keys.size() == 1 ? "it" : "them") + " there too where that is not intended");
            }
        }
    }

    /** As names are compared there. */
    static String plain(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
