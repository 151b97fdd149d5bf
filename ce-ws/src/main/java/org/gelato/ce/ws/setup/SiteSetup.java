package org.gelato.ce.ws.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.blahbridge.TrustedPath;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.core.lrms.type.FoundLrms;
import org.gelato.ce.core.lrms.type.SetupOption;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.ConfigurationException;
import org.gelato.ce.ws.config.HelperCommand;
import org.gelato.ce.ws.setup.migration.ArcCe;
import org.gelato.ce.ws.setup.migration.HtcondorCe;
import org.gelato.ce.ws.setup.migration.OldConfiguration;

/** Sets up a site: {@link #plan} decides and looks and changes nothing, {@link SetupPlan#apply} writes. */
public final class SiteSetup {
    private static final Path SANDBOX = Path.of("/var/lib/gelato-sandbox");
    private static final Path GRID_SECURITY = Path.of("/etc/grid-security");
    private static final Pattern USER = Pattern.compile("[a-z_][a-z0-9_-]{0,31}");
    private static final Pattern PLAIN_PATH = Pattern.compile("(/[A-Za-z0-9_+-][A-Za-z0-9._+-]*)+");
    private static final Pattern GROUP = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,31}");
    private static final String FORK = "fork";
    /** That of the unit gelato-jobs.service; where there is none, the helper says so and goes on without it. */
    private static final Path JOB_GROUP = Path.of("/sys/fs/cgroup/system.slice/gelato-jobs.service");

    private static final int DEFAULT_PORT = 8443;
    private static final String PRIVATE = "rw-------";

    private final SetupOptions options;
    private final Decisions decisions;
    private final List<String> problems = new ArrayList<>();
    private final List<String> report = new ArrayList<>();
    private final Path sandbox;
    private CreamValues cream;
    private OldConfiguration older;

    private SiteSetup(SetupOptions options, Decisions decisions) {
        this.options = options;
        this.decisions = decisions;
        this.sandbox = options.sandbox == null ? SANDBOX : options.sandbox;
    }

    /**
     * Decides what a site shall be.
     *
     * @param terminal who answers questions; null when nobody is to be asked
     * @throws SetupException with everything that cannot be known or cannot be done
     */
    public static SetupPlan plan(SetupOptions options, Terminal terminal) {
        if (options.fromCream != null) {
            RootsPlace.file(options.fromCream);
        }
        options.fromHtcondorCe.forEach(RootsPlace::file);
        if (options.fromArc != null) {
            RootsPlace.file(options.fromArc);
        }
        OldConfiguration older = older(options);
        Map<String, String> old = options.fromCream == null ? Map.of() : CreamConfig.read(options.fromCream);
        Decisions decisions = new Decisions(options, terminal);
        SiteSetup setup = new SiteSetup(options, decisions);
        setup.older = older;
        if (terminal != null) {
            setup.problems.addAll(Decisions.problemsOf(options));
            setup.names();
            setup.earlier();
            setup.refuse();
        }
        decisions.make();
        setup.problems.addAll(decisions.problems());
        setup.names();
        setup.refuse();
        setup.cream = new CreamValues(old, decisions.system().kind());
        setup.report.addAll(setup.cream.report());
        return setup.made();
    }

    /** Null when there is none. What it names stands where options do not. */
    private static OldConfiguration older(SetupOptions options) {
        if (options.fromArc != null && !options.fromHtcondorCe.isEmpty()) {
            throw new SetupException("--from-arc and --from-htcondor-ce both have routes: name one of them");
        }
        try {
            if (options.fromArc != null) {
                ArcCe arc = ArcCe.read(options.fromArc);
                options.host = options.host == null ? arc.host() : options.host;
                options.lrms = options.lrms == null ? arc.kind() : options.lrms;
                options.queues = options.queues.isEmpty() ? arc.queues() : options.queues;
                return arc;
            }
            return options.fromHtcondorCe.isEmpty() ? null : HtcondorCe.read(options.fromHtcondorCe);
        } catch (ConfigurationException e) {
            throw new SetupException(e.problems());
        }
    }

    private void refuse() {
        if (!problems.isEmpty()) {
            throw new SetupException(problems);
        }
    }

    /** What an administrator has written is not replaced by what he is asked now. */
    private void earlier() {
        Path file = options.directory.resolve("gelato.conf");
        if (options.force || options.isDryRun() || !Files.exists(file)) {
            return;
        }
        try {
            if (Files.readString(file).equals(ConfigText.skeleton())) {
                return;
            }
        } catch (IOException e) {
            // what cannot be read is not the package's
        }
        problems.add(file + " is there: edit it and run ce server check, or write it anew with --force, which keeps "
                + file + ".old; --dry-run shows what would change");
    }

    private void names() {
        if (!USER.matcher(options.user).matches()) {
            problems.add("--user: '" + options.user + "' is not the name of an account");
        } else if (Rights.account(options.user) == null || Rights.groupOf(options.user) == null) {
            problems.add("there is no account and group " + options.user
                    + ": install the package gelato-ce, or run: useradd --system --user-group --home-dir "
                    + options.home
                    + " --shell /usr/sbin/nologin " + options.user);
        }
        for (Path path : List.of(options.directory, options.helperProgram, options.home, sandbox)) {
            if (!PLAIN_PATH.matcher(path.toString()).matches()) {
                problems.add(path + " is not an absolute path of letters, digits and . _ + -");
            }
        }
        Stream<Path> ofLrms = options.ofLrms().entrySet().stream()
                .filter(given -> given.getKey().value() == SetupOption.Value.PATH)
                .map(given -> Path.of(given.getValue().get(0)));
        for (Path path :
                Stream.concat(Stream.ofNullable(options.binDirectory), ofLrms).toList()) {
            if (!PLAIN_PATH.matcher(path.toAbsolutePath().toString()).matches()) {
                problems.add(Plain.text(path.toString(), 200) + " is not a path of letters, digits and . _ + -");
            }
        }
        options.allowedGroups.stream()
                .filter(g -> !GROUP.matcher(g).matches())
                .forEach(g -> problems.add("--allowed-group: '" + g + "' is not the name of a group"));
        if (options.minUid < 1) {
            problems.add("--min-uid: " + options.minUid + " would let root in; it must be 1 or more");
        }
    }

    private SetupPlan made() {
        Path file = options.directory.resolve("gelato.conf");
        Map<String, Object> values = values();
        CeConfig config;
        String text;
        try {
            text = ConfigText.of(file, values);
            config = CeConfig.of(file, text);
        } catch (ConfigurationException e) {
            throw new SetupException(e.problems());
        }
        if (!PLAIN_PATH.matcher(config.sandboxRoot().toString()).matches()) {
            throw new SetupException(
                    "the sandbox root " + Plain.text(config.sandboxRoot().toString(), 200)
                            + " is not a path of letters, digits and . _ + -: choose another one by --sandbox");
        }
        Rights own = new Rights(options.user, options.user, "rwxr-x--x");
        SetupPlan plan = new SetupPlan(options, decisions, config.lrms().site().idName(), report, file);
        plan.directory(options.directory, Rights.root("rwxr-xr-x"));
        plan.directory(options.home, own);
        plan.directory(options.logDirectory, new Rights(options.user, options.user, "rwxr-x---"));
        if (decisions.privileged()) {
            above(config.sandboxRoot());
            plan.directory(config.sandboxRoot(), Rights.root("rwx--x--x"));
            plan.file(helperLimits(config));
            plan.directory(options.helperProgram.getParent(), Rights.root("rwxr-xr-x"));
        } else {
            plan.directory(config.sandboxRoot(), new Rights(options.user, options.user, "rwx--x--x"));
        }
        if (decisions.helper().equals("sudo")) {
            plan.directory(options.sudoersDirectory, Rights.root("rwxr-x---"));
            plan.file(sudoRule());
        }
        if (decisions.gridmapText() != null) {
            plan.file(new PlannedFile(decisions.gridmap(), decisions.gridmapText(), Rights.root("rw-r--r--")));
        }
        administrators(config.authorization().admins(), plan);
        environment(plan);
        // The last one: as long as it is not there the CE does not start.
        plan.file(new PlannedFile(
                file, text, new Rights("root", options.user, "rw-r-----"), Set.of(ConfigText.skeleton()), List.of()));
        owned(plan, config.tls().hostKey());
        if (options.passwordFile != null) {
            owned(plan, options.passwordFile.toAbsolutePath());
        }
        problems.addAll(plan.untrusted());
        refuse();
        return plan;
    }

    /** What is in the list stays, and those are added that it has not. */
    private void administrators(Path list, SetupPlan plan) {
        if (decisions.admins().isEmpty()) {
            return;
        }
        String there = "";
        try {
            there = Files.isRegularFile(list) ? Files.readString(list) : "";
        } catch (IOException e) {
            problems.add(list + " cannot be read: " + e.getMessage());
        }
        StringBuilder text = new StringBuilder(there);
        if (!there.isEmpty() && !there.endsWith("\n")) {
            text.append('\n');
        }
        Set<String> listed = there.lines()
                .map(String::strip)
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceFirst("^\"([^\"]*)\".*", "$1"))
                .map(SiteSetup::comparable)
                .collect(Collectors.toCollection(HashSet::new));
        for (String admin : decisions.admins()) {
            if (listed.add(comparable(admin))) {
                text.append('"').append(admin).append("\"\n");
            }
        }
        if (!text.toString().equals(there)) {
            plan.file(new PlannedFile(list, text.toString(), Rights.root("rw-r--r--"), Set.of(there), List.of()));
        }
    }

    /** Equal for the forms of one name. */
    private static String comparable(String name) {
        try {
            return TokenIdentity.isSubject(name) ? name : DnForms.comparable(name);
        } catch (IllegalArgumentException e) {
            return name; // A line of the list that is no DN: the check names it.
        }
    }

    private Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("gelato.host", decisions.host());
        values.put("gelato.port", options.port);
        values.put("gelato.home", options.home.toString());
        ChosenBatchSystem system = decisions.system();
        values.put("gelato.lrms.kind", system.kind());
        values.put("gelato.lrms.queues", decisions.queues());
        values.put("gelato.sandbox-root", sandbox.toString());
        values.put(
                "gelato.audit.file", options.logDirectory.resolve("audit.log").toString());
        values.put(
                "gelato.http.access-log.file",
                options.logDirectory.resolve("access.log").toString());
        if (decisions.privileged()) {
            values.put(
                    "gelato.helper.command",
                    decisions.helper().equals("sudo")
                            ? List.of(SiteFinder.program("sudo").toString(), "-n", options.helperProgram.toString())
                            : List.of(options.helperProgram.toString()));
            values.put(
                    "gelato.helper.config",
                    options.directory.resolve("helper.conf").toString());
        }
        Path grid = options.gridSecurity.toAbsolutePath();
        values.put("gelato.tls.host-certificate", grid.resolve("hostcert.pem").toString());
        values.put("gelato.tls.host-key", grid.resolve("hostkey.pem").toString());
        values.put("gelato.tls.ca-directory", grid.resolve("certificates").toString());
        values.put("gelato.tls.voms-directory", grid.resolve("vomsdir").toString());
        values.put(
                "gelato.authorization.gridmap",
                decisions.gridmap().toAbsolutePath().toString());
        values.put("gelato.authorization.ban", grid.resolve("ban-users").toString());
        values.put(
                "gelato.authorization.admins",
                grid.resolve(Decisions.ADMIN_LIST).toString());
        values.put(
                "gelato.authorization.gridmapdir",
                decisions.gridmapdir() == null
                        ? ""
                        : decisions.gridmapdir().toAbsolutePath().toString());
        database(values);
        batchSystem(values);
        cream.values().forEach((key, value) -> {
            if (!reported(key)) {
                values.put(key, value);
            }
        });
        if (older != null) {
            OldConfiguration.Migrated migrated = older.migrate(new TrialSite(options.directory, system.kind(), values));
            report.addAll(migrated.report());
            migrated.values().forEach((key, value) -> {
                if (!reported(key)) {
                    values.put(key, value);
                }
            });
        }
        return values;
    }

    /** Whether an option has the value of this key, which comes before an old site's. */
    private boolean reported(String key) {
        return (key.equals("gelato.sandbox-root") && options.sandbox != null)
                || options.ofLrms().keySet().stream()
                        .anyMatch(option -> option.key().equals(key))
                || (key.startsWith("gelato.tls.") && !options.gridSecurity.equals(GRID_SECURITY));
    }

    private void database(Map<String, Object> values) {
        values.put("gelato.database.url", decisions.databaseUrl());
        if (!decisions.databaseUrl().isEmpty()) {
            values.put("gelato.database.user", options.databaseUser == null ? "gelato" : options.databaseUser);
            values.put(
                    "gelato.database.password-file",
                    options.passwordFile == null
                            ? ""
                            : options.passwordFile.toAbsolutePath().toString());
        }
    }

    private void batchSystem(Map<String, Object> values) {
        ChosenBatchSystem system = decisions.system();
        if (system.binDirectory() != null) {
            values.put(
                    "gelato.lrms." + system.kind() + ".bin-directory",
                    system.binDirectory().toAbsolutePath().toString());
        }
        options.ofLrms()
                .forEach((option, given) -> values.put(
                        option.key(),
                        switch (option.value()) {
                            case TEXT -> given.get(0);
                            case TEXTS -> given;
                            case PATH -> Path.of(given.get(0)).toAbsolutePath().toString();
                        }));
        system.found().logs().forEach(log -> log(log, values));
    }

    private void log(FoundLrms.Log log, Map<String, Object> values) {
        String what = log.what() + " in " + log.file() + ", which ";
        try {
            if (Files.isRegularFile(log.file()) && Rights.readable(log.file(), options.user)) {
                values.put(log.key(), log.file().toString());
            } else {
                report.add(what + options.user + " cannot read: give it the right, then set " + log.key());
            }
        } catch (IOException e) {
            report.add(what + "cannot be examined: " + e.getMessage());
        }
    }

    private PlannedFile helperLimits(CeConfig config) {
        StringBuilder text =
                new StringBuilder("# What the helper may do for Gelato CE (" + Manual.page("docs/developer/helper.md")
                        + "), written by \"ce" + " server init\". It must belong to root.\n");
        for (String line : new HelperCommand(config).limits()) {
            text.append(line.startsWith("min_uid=") ? "min_uid=" + options.minUid : line)
                    .append('\n');
        }
        if (decisions.system().kind().equals(FORK)) {
            text.append("job_cgroup=").append(JOB_GROUP).append('\n');
        }
        options.allowedGroups.forEach(
                g -> text.append("allowed_group=").append(g).append('\n'));
        return new PlannedFile(options.directory.resolve("helper.conf"), text.toString(), Rights.root("rw-r--r--"));
    }

    private PlannedFile sudoRule() {
        String text = """
                # Gelato CE starts its helper as root, with this configuration and no other (docs/developer/helper.md).
                Defaults:%1$s !requiretty, !use_pty
                %1$s ALL=(root) NOPASSWD: %2$s -c %3$s
                """.formatted(options.user, options.helperProgram, options.directory.resolve("helper.conf"));
        Path visudo = SiteFinder.program("visudo");
        return new PlannedFile(
                options.sudoersDirectory.resolve("gelato"),
                text,
                Rights.root("r--r-----"),
                Set.of(),
                visudo == null ? List.of() : List.of(visudo.toString(), "-c", "-q", "-f"));
    }

    private void environment(SetupPlan plan) {
        Path file = options.environmentFile;
        boolean capabilities = decisions.helper().equals("capabilities");
        try {
            boolean there = Files.isRegularFile(file);
            String before = there ? Files.readString(file) : "";
            String text = before;
            text = variable(text, "HELPER_CAPABILITIES", capabilities ? "yes" : null);
            if (options.port != DEFAULT_PORT || before.contains("\nGELATO_URL=")) {
                text = variable(text, "GELATO_URL", "https://localhost:" + options.port);
            }
            if (!text.equals(before)) {
                plan.file(new PlannedFile(file, text, Rights.root("rw-r--r--"), Set.of(before), List.of()));
            }
        } catch (IOException e) {
            problems.add(file + " cannot be read: " + e.getMessage());
        }
    }

    /** The text with a variable set in the place where it was, or at the end; for null without the variable. */
    static String variable(String text, String name, String value) {
        String without = text.replaceAll("(?m)^" + name + "=.*\\R?", "");
        if (value == null) {
            return without;
        }
        String line = name + "=" + value + "\n";
        return text.contains("\n" + line) || text.startsWith(line)
                ? text
                : without + (without.isEmpty() || without.endsWith("\n") ? "" : "\n") + line;
    }

    /** A secret that the CE's account reads: it becomes the owner, as nobody else may read such a file. */
    private void owned(SetupPlan plan, Path secret) {
        try {
            if (Files.isRegularFile(secret) && Rights.isRoot() && !Rights.readable(secret, options.user)) {
                // As it is named: a link would give away what it leads to.
                RootsPlace.fileFault(secret).ifPresent(problems::add);
                PosixFileAttributes now = Files.readAttributes(secret, PosixFileAttributes.class);
                plan.owned(
                        secret.toRealPath(),
                        now.owner().getName(),
                        new Rights(options.user, now.group().getName(), PRIVATE));
            }
        } catch (IOException e) {
            problems.add(secret + " cannot be examined: " + e.getMessage());
        }
    }

    /** Whoever may change a directory above the sandbox root or a link on the way could put another one in its place. */
    private void above(Path root) {
        if (!Rights.isRoot()) {
            return;
        }
        TrustedPath.ofDirectory(root)
                .ifPresent(fault -> problems.add("the sandbox root " + root
                        + " and each directory and link above must belong to root and be writable by nobody else, but "
                        + fault.place() + " " + fault.what()
                        + (fault.mode().isEmpty() ? "" : ", its mode is " + fault.mode())
                        + ": choose another one by --sandbox"
                        + (fault.command().isEmpty() ? "" : ", or run: " + fault.command())));
    }
}
