package org.gelato.ce.ws.setup.migration;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.setup.migration.Statement.Command;

/** The routes of an HTCondor-CE, of its files in the order in which it reads them. */
public final class HtcondorCe implements OldConfiguration {
    private static final String NAMES = "JOB_ROUTER_ROUTE_NAMES";
    private static final String ENTRIES = "JOB_ROUTER_ENTRIES";
    private static final String DEFAULTS = "JOB_ROUTER_DEFAULTS";
    private static final String ROUTE = "JOB_ROUTER_ROUTE_";
    private static final int MAX_ROUTES = 1000;

    private final List<SourceLine> lines;
    private final Map<String, OldRoute> routes = new LinkedHashMap<>();
    private final Map<String, OldRoute> entries = new LinkedHashMap<>();
    private List<Statement> defaults = List.of();
    private Map<String, SourcePlace> names = new LinkedHashMap<>();
    private boolean named;

    private HtcondorCe(List<SourceLine> lines) {
        this.lines = lines;
    }

    /**
     * Reads files.
     *
     * @throws org.gelato.ce.ws.config.ConfigurationException when they cannot be read, have no routes or a block without end
     */
    public static HtcondorCe read(List<Path> files) {
        HtcondorCe old = new HtcondorCe(SourceLine.read(CondorSetting.OPTION, files));
        old.settings(new MigrationReport());
        if (old.routes.isEmpty() && old.entries.isEmpty()) {
            throw SourceLine.refusal(
                    CondorSetting.OPTION,
                    "there are no routes in these files: name those below /etc/condor-ce/config.d that have " + ROUTE
                            + "... or " + ENTRIES);
        }
        return old;
    }

    @Override
    public Migrated migrate(NewSite site) {
        MigrationReport report = new MigrationReport();
        routes.clear();
        entries.clear();
        defaults = List.of();
        names.clear();
        settings(report);
        List<MigratedRoute> migrated = new ArrayList<>();
        List<OldRoute> used = used(report);
        for (OldRoute route : used) {
            RouteTranslator.translate(route, site.kind(), report).ifPresent(migrated::add);
        }
        List<Map<String, Object>> sections = new RouteChecks(site, report).accepted(migrated);
        left(used, sections, report);
        return new Migrated(sections.isEmpty() ? Map.of() : Map.of("gelato.routes", sections), report.lines());
    }

    /** The first route that matched counted: without it later ones are for its jobs. */
    private static void left(List<OldRoute> used, List<Map<String, Object>> sections, MigrationReport report) {
        Set<Object> written = new LinkedHashSet<>();
        sections.forEach(section -> written.add(section.get("name")));
        Set<String> later = new LinkedHashSet<>();
        for (int i = used.size() - 1; i >= 0; i--) {
            OldRoute route = used.get(i);
            String name = RouteTranslator.name(route.name());
            if (written.contains(name)) {
                later.add(name);
            } else if (!later.isEmpty()) {
                report.add(
                        route.place(),
                        "route " + Messages.line(route.name(), 60),
                        "act: it is not written, so that later ones count for jobs that were its: "
                                + Messages.line(String.join(", ", later), 200));
            }
        }
    }

    private void settings(MigrationReport report) {
        for (CondorSetting setting : CondorSetting.read(lines, report)) {
            switch (setting.key()) {
                case NAMES -> names(setting);
                case ENTRIES -> entries(setting, report);
                case DEFAULTS -> defaults(setting, report);
                case "JOB_ROUTER_USE_DEPRECATED_ROUTER_ENTRIES" ->
                    report.add(setting.place(), setting.name(), "not needed: routes of both forms are read");
                case "CONDORCE_MAX_JOBS" ->
                    report.add(
                            setting.place(),
                            setting.name(),
                            "not taken over: set gelato.admission.active-jobs instead");
                default -> other(setting, report);
            }
            if (routes.size() + entries.size() > MAX_ROUTES) {
                throw SourceLine.refusal(CondorSetting.OPTION, "there are more than " + MAX_ROUTES + " routes");
            }
        }
    }

    private void other(CondorSetting setting, MigrationReport report) {
        if (setting.key().startsWith(ROUTE)) {
            String name = setting.name().substring(ROUTE.length());
            routes.put(
                    RouteChecks.plain(name),
                    new OldRoute(setting.place(), name, true, TransformReader.read(setting.value())));
        } else if (setting.key().equals("JOB_ROUTER_SOURCE_JOB_CONSTRAINT")) {
            report.add(
                    setting.place(),
                    setting.name(),
                    "act: not taken over: it says which jobs come in at all, here all do that the grid-mapfile maps");
        } else if (setting.key().startsWith("JOB_ROUTER_")) {
            report.add(
                    setting.place(),
                    setting.name(),
                    "not taken over: a route without match is for all jobs (" + Manual.page("docs/admin/routes.md")
                            + ")");
        } else {
            report.add(setting.place(), setting.name(), "not read: it is no part of the routes");
        }
    }

    private void names(CondorSetting setting) {
        named = true;
        Map<String, SourcePlace> before = names;
        names = new LinkedHashMap<>();
        for (String word : setting.text().split("[,\\s]+")) {
            if (ClassAdReader.isEarlier(word, NAMES)) {
                before.forEach(names::putIfAbsent);
            } else if (!word.isEmpty()) {
                names.putIfAbsent(word, setting.place());
            }
        }
    }

    private void entries(CondorSetting setting, MigrationReport report) {
        Map<String, OldRoute> before = Map.copyOf(entries);
        List<String> order = List.copyOf(entries.keySet());
        entries.clear();
        List<OldRoute> ads = ClassAdReader.read(setting, foreign -> {
            if (ClassAdReader.isEarlier(foreign.name(), ENTRIES)) {
                order.forEach(name -> entries.put(name, before.get(name)));
            } else {
                report.add(foreign.place(), ENTRIES + " " + foreign.name(), "not read: it stands outside of a ClassAd");
            }
        });
        for (OldRoute ad : ads) {
            String name = ad.name().isEmpty() ? "route-" + (entries.size() + 1) : ad.name();
            entries.put(RouteChecks.plain(name), new OldRoute(ad.place(), name, false, ad.statements()));
        }
    }

    private void defaults(CondorSetting setting, MigrationReport report) {
        List<Statement> before = defaults;
        Set<Statement> all = new LinkedHashSet<>();
        List<OldRoute> ads = ClassAdReader.read(setting, foreign -> {
            if (ClassAdReader.isEarlier(foreign.name(), DEFAULTS)) {
                all.addAll(before);
            } else {
                report.add(
                        foreign.place(), DEFAULTS + " " + foreign.name(), "not read: it stands outside of a ClassAd");
            }
        });
        ads.forEach(ad -> all.addAll(ad.statements()));
        if (all.size() > Statement.MAX) {
            throw SourceLine.refusal(
                    CondorSetting.OPTION, setting.place() + ": more than " + Statement.MAX + " statements");
        }
        defaults = List.copyOf(all);
    }

    /** In the order in which they were tried; those of the newer syntax are before entries of the same name. */
    private List<OldRoute> used(MigrationReport report) {
        Map<String, OldRoute> all = new LinkedHashMap<>();
        entries.forEach((name, entry) -> all.put(name, withDefaults(entry)));
        routes.forEach((name, route) -> {
            OldRoute entry = all.put(name, route);
            if (entry != null) {
                report.add(entry.place(), "route " + entry.name(), "not read: that of " + route.place() + " counts");
            }
        });
        if (!named) {
            routes.values().stream()
                    .findFirst()
                    .ifPresent(route -> report.add(
                            route.place(),
                            NAMES,
                            "act: no file has it, and there only the routes that it names count: remove the others"));
            return List.copyOf(all.values());
        }
        List<OldRoute> used = new ArrayList<>();
        names.forEach((name, place) -> {
            OldRoute route = all.remove(RouteChecks.plain(name));
            if (route != null) {
                used.add(route);
            } else {
                report.add(place, NAMES + " " + Messages.line(name, 100), "not written: no file has this route");
            }
        });
        all.values()
                .forEach(route ->
                        report.add(route.place(), "route " + route.name(), "not written: it is not in " + NAMES));
        return used;
    }

    /** What an entry says itself is before what is for all of them. */
    private OldRoute withDefaults(OldRoute entry) {
        Set<String> own = new LinkedHashSet<>();
        entry.statements().forEach(statement -> own.add(key(statement)));
        List<Statement> all = new ArrayList<>();
        for (Statement statement : defaults) {
            if (statement.command() != Command.NAME && !own.contains(key(statement))) {
                all.add(statement);
            }
        }
        all.addAll(entry.statements());
        return new OldRoute(entry.place(), entry.name(), false, List.copyOf(all));
    }

    private static String key(Statement statement) {
        return statement.command() + " " + RouteChecks.plain(statement.name());
    }
}
