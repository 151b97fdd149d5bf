package org.gelato.ce.ws.setup.migration;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.setup.migration.MigratedRoute.Taken;

/** Queues, defaults and the batch system of an ARC-CE, by its {@code arc.conf}; what it says of users is named. */
public final class ArcCe implements OldConfiguration {
    private static final String CONDOR = "condor";
    private static final String QUEUE = "queue";
    private static final String LRMS = "lrms";
    private static final String LEFT = "not taken over: ";
    private static final String ACT = "act: ";
    /** Batch systems by the names that ARC has for them. */
    private static final Map<String, String> KINDS =
            Map.of("slurm", "slurm", "slurmpy", "slurm", "pbs", "torque", CONDOR, CONDOR, "fork", "fork");

    /** Not the host key: what is named so becomes the CE's, whatever it is. */
    private static final Map<String, String> TLS =
            Map.of("x509_cert_dir", "gelato.tls.ca-directory", "x509_voms_dir", "gelato.tls.voms-directory");

    private static final Pattern AMOUNT = Pattern.compile("[1-9][0-9]{0,8}");
    private static final Pattern PATH = Pattern.compile("/[\\x21-\\x7e]{1,1000}");
    private static final Pattern VO = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,252}");
    private static final int MAX_SETTINGS = 10_000;
    private static final String MAP_PAGE = Manual.page("docs/admin/authorization.md");

    private final List<SourceLine> lines;
    private final List<ArcSetting> settings;

    private ArcCe(List<SourceLine> lines, List<ArcSetting> settings) {
        this.lines = lines;
        this.settings = settings;
    }

    /**
     * Reads a file.
     *
     * @throws org.gelato.ce.ws.config.ConfigurationException when it cannot be read, or is no such file
     */
    public static ArcCe read(Path file) {
        List<SourceLine> lines = SourceLine.read(ArcSetting.OPTION, List.of(file));
        List<ArcSetting> settings = ArcSetting.read(lines, new MigrationReport());
        if (settings.stream().noneMatch(s -> s.block().equals(LRMS) || s.block().equals(QUEUE))) {
            throw SourceLine.refusal(
                    ArcSetting.OPTION,
                    file + " has neither [lrms] nor [queue:NAME]: is it the arc.conf of an ARC 6 or 7?");
        }
        if (settings.size() > MAX_SETTINGS) {
            throw SourceLine.refusal(ArcSetting.OPTION, file + " has more than " + MAX_SETTINGS + " lines that count");
        }
        return new ArcCe(lines, settings);
    }

    /** The batch system as in {@code gelato.lrms.kind}; null for none, and for one that is unknown here. */
    public String kind() {
        return settings.stream()
                .filter(s -> s.block().equals(LRMS) && s.name().equals(LRMS))
                .map(s -> KINDS.get(s.value().split("\\s+")[0]))
                .reduce(null, (first, last) -> last);
    }

    /** Its host name; null for none. */
    public String host() {
        return settings.stream()
                .filter(s -> s.block().equals("common") && s.name().equals("hostname"))
                .map(s -> Messages.line(s.value(), 255))
                .reduce(null, (first, last) -> last);
    }

    /** Its queues, the default one first. */
    public List<String> queues() {
        Set<String> queues = new LinkedHashSet<>();
        Set<String> there = new LinkedHashSet<>();
        settings.stream()
                .filter(s -> s.block().equals(QUEUE) && s.isBlock())
                .map(s -> Messages.line(s.of(), 64))
                .filter(name -> !name.isEmpty())
                .forEach(there::add);
        for (ArcSetting setting : settings) {
            String[] words = setting.value().split("\\s+");
            if (setting.block().equals(LRMS)
                    && setting.name().equals(LRMS)
                    && words.length > 1
                    && there.contains(words[1])) {
                queues.add(words[1]);
            }
        }
        queues.addAll(there);
        return List.copyOf(queues);
    }

    @Override
    public Migrated migrate(NewSite site) {
        MigrationReport report = new MigrationReport();
        ArcSetting.read(lines, report);
        Map<String, Object> values = new LinkedHashMap<>();
        Map<String, MigratedRoute> queues = new LinkedHashMap<>();
        MigratedRoute all = null;
        for (ArcSetting setting : settings) {
            switch (setting.block()) {
                case "common" -> common(setting, values, report);
                case LRMS -> {
                    if (setting.name().equals("defaultmemory")) {
                        all = all == null ? new MigratedRoute(setting.place(), "everybody", Map.of()) : all;
                        memory(all, setting, report);
                    } else {
                        lrms(setting, site, report);
                    }
                }
                case QUEUE -> {
                    MigratedRoute route = queues.computeIfAbsent(
                            setting.of(),
                            name -> new MigratedRoute(
                                    setting.place(),
                                    RouteTranslator.name("queue-" + name),
                                    Map.of(QUEUE, List.of(name))));
                    queue(route, setting, site, report);
                }
                default -> other(setting, report);
            }
        }
        List<MigratedRoute> routes = new ArrayList<>();
        // the queue's own comes before that of all
        queues.values().stream().filter(r -> !r.values().isEmpty()).forEach(routes::add);
        if (all != null && !all.values().isEmpty()) {
            routes.add(all);
        }
        List<Map<String, Object>> sections = new RouteChecks(site, report).accepted(routes);
        if (!sections.isEmpty()) {
            values.put("gelato.routes", sections);
        }
        return new Migrated(values, report.lines());
    }

    private static void common(ArcSetting setting, Map<String, Object> values, MigrationReport report) {
        String key = TLS.get(setting.name());
        if (setting.isBlock()) {
            return;
        }
        if (key == null) {
            report.add(
                    setting.place(),
                    setting.shown(),
                    switch (setting.name()) {
                        case "hostname" -> "gelato.host, where --host names no other";
                        case "x509_host_cert", "x509_host_key" -> LEFT + "name their directory by --grid-security";
                        default -> "not read";
                    });
        } else if (!PATH.matcher(setting.value()).matches()) {
            report.add(setting.place(), setting.shown(), LEFT + "it is no absolute path without blanks");
        } else {
            values.put(key, setting.value());
            report.add(setting.place(), setting.shown(), key + " = " + Messages.line(setting.value(), 200));
        }
    }

    private static void lrms(ArcSetting setting, NewSite site, MigrationReport report) {
        if (setting.isBlock()) {
            return;
        }
        if (setting.name().equals(LRMS)) {
            String kind = KINDS.get(setting.value().split("\\s+")[0]);
            report.add(
                    setting.place(),
                    setting.shown(),
                    site.kind().equals(kind)
                            ? "gelato.lrms.kind = " + kind
                            : LEFT + "this CE has " + site.kind() + ", by --lrms");
        } else if (setting.name().endsWith("_bin_path")) {
            report.add(setting.place(), setting.shown(), LEFT + "name it by --bin-directory where it is not found");
        } else {
            report.add(setting.place(), setting.shown(), LEFT + "there is nothing like it");
        }
    }

    private static void queue(MigratedRoute route, ArcSetting setting, NewSite site, MigrationReport report) {
        switch (setting.name()) {
            case "" -> {}
            case "defaultmemory" -> memory(route, setting, report);
            case "condor_requirements" -> {
                if (site.kind().equals(CONDOR)) {
                    put(route, setting, List.of("set", "constraint"), setting.value());
                } else {
                    report.add(setting.place(), setting.shown(), LEFT + "this CE has " + site.kind());
                }
            }
            case "allowaccess", "denyaccess" ->
                report.add(
                        setting.place(),
                        setting.shown(),
                        ACT + "not taken over, here all users may use each queue: let the batch system say who may");
            case "comment", "homogeneity", "advertisedvo" ->
                report.add(setting.place(), setting.shown(), "not needed: nothing depends on it");
            default -> report.add(setting.place(), setting.shown(), LEFT + "there is nothing like it");
        }
    }

    private static void memory(MigratedRoute route, ArcSetting setting, MigrationReport report) {
        if (AMOUNT.matcher(setting.value()).matches()) {
            put(route, setting, List.of("defaults", "memory"), setting.value() + " MiB");
        } else {
            report.add(setting.place(), setting.shown(), LEFT + "it is no whole number of MB above 0");
        }
    }

    private static void put(MigratedRoute route, ArcSetting setting, List<String> key, Object value) {
        route.put(key, new Taken(value, setting.place(), setting.shown()));
    }

    private static void other(ArcSetting setting, MigrationReport report) {
        if (setting.isBlock()) {
            return;
        }
        String fate = switch (setting.block()) {
            case "authgroup" -> member(setting);
            case "mapping", "userlist" -> ACT + "not taken over: write the grid-mapfile (" + MAP_PAGE + ")";
            default -> access(setting);
        };
        report.add(setting.place(), setting.shown(), fate);
    }

    private static String access(ArcSetting setting) {
        return setting.name().equals("allowaccess") || setting.name().equals("denyaccess")
                ? ACT + "not taken over: who has no line in the grid-mapfile is refused, and who is in the ban file"
                : "not read";
    }

    /** What the line of a group is in the grid-mapfile, where that can say it. */
    private static String member(ArcSetting setting) {
        String line = null;
        if (setting.name().equals("subject")
                && setting.value().startsWith("/")
                && !setting.value().contains("\"")) {
            line = "\"" + setting.value() + "\"";
        } else if (setting.name().equals("voms")) {
            String[] words = setting.value().split("\\s+");
            boolean simple = words.length == 4
                    && VO.matcher(words[0]).matches()
                    && words[1].equals("*")
                    && words[3].equals("*")
                    && (words[2].equals("*") || VO.matcher(words[2]).matches());
            if (simple) {
                line = "\"/" + words[0] + "/*" + (words[2].equals("*") ? "" : "Role=" + words[2]) + "\"";
            }
        }
        return line == null
                ? ACT + "not taken over: see what says it in the grid-mapfile (" + MAP_PAGE + ")"
                : ACT + "not taken over: write the line " + Messages.line(line, 200) + " ACCOUNT in the grid-mapfile";
    }
}
