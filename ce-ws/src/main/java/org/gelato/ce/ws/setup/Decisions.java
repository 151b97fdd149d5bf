package org.gelato.ce.ws.setup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.core.lrms.type.LrmsType;
import org.gelato.ce.core.lrms.type.LrmsTypes;
import org.gelato.ce.core.lrms.type.SetupOption;

/**
 * What a site shall be, from the options, from what was found, and from responses where somebody may be asked. Collects what
 * cannot be known. Used by one thread.
 */
final class Decisions {
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");
    private static final Pattern VO =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,252}=\\.?[A-Za-z_][A-Za-z0-9_.-]{0,31}");
    private static final Pattern POOL = Pattern.compile("(?m)^[^#]*\\s\\.[A-Za-z_]");
    /** Name of the file of administrators. */
    static final String ADMIN_LIST = "admin-list";

    private static final String NOBODY = "nobody";
    private static final String EMBEDDED = "embedded";
    private static final int TRIES = 3;
    private static final long LARGEST = 1 << 20;

    private final SetupOptions options;
    private final Terminal terminal;
    private final boolean givenOnly;
    private final SiteFinder finder;
    private final List<String> problems = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private String host;
    private ChosenBatchSystem system;
    private List<String> queues;
    private List<String> vos = List.of();
    private Path gridmap;
    private Path gridmapdir;
    private List<String> admins = List.of();
    private String database;
    private String helper;

    /** @param terminal null when nothing may be asked */
    Decisions(SetupOptions options, Terminal terminal) {
        this(options, terminal, false);
    }

    private Decisions(SetupOptions options, Terminal terminal, boolean givenOnly) {
        this.options = options;
        this.terminal = terminal;
        this.givenOnly = givenOnly;
        this.finder = new SiteFinder(options);
    }

    /** What is wrong with the options themselves, whatever is answered: nobody is asked first to be refused for it. */
    static List<String> problemsOf(SetupOptions options) {
        Decisions given = new Decisions(options, null, true);
        given.make();
        return given.problems();
    }

    /** Decides everything; {@link #problems()} is empty when that was possible. */
    void make() {
        host = decide(
                options.host,
                "Host name of this CE, part of every job id",
                finder.host(),
                d -> HOST.matcher(d).matches() ? null : "'" + d + "' is not a host name",
                "the host name is not known: name it by --host");
        lrms();
        mapping();
        administrators();
        database();
        HelperRight right = HelperRight.found(options);
        helper = decide(
                options.helper,
                "How the helper may run jobs as their accounts: sudo, capabilities, or own (all as the CE's account)",
                right.proposal(),
                right::problem,
                right.unknown());
        rights();
    }

    private String decide(
            String given, String question, String proposal, Function<String, String> problem, String unknown) {
        if (given != null) {
            add(problem.apply(given));
            return given;
        }
        if (givenOnly) {
            return proposal;
        }
        for (int i = 0; terminal != null && i < TRIES; i++) {
            String response = terminal.ask(question, proposal);
            String wrong = response == null ? unknown : problem.apply(response);
            if (wrong == null) {
                return response;
            }
            terminal.show(wrong);
        }
        add(terminal != null || proposal == null ? unknown : problem.apply(proposal));
        return proposal;
    }

    private void add(String problem) {
        if (problem != null && !problems.contains(problem)) {
            problems.add(problem);
        }
    }

    private void lrms() {
        if (givenOnly && options.lrms == null) {
            return;
        }
        ChosenBatchSystem found = options.lrms == null ? finder.batchSystem() : null;
        String kind = decide(
                options.lrms,
                "Batch system (" + LrmsTypes.names() + "; fork: jobs run on this host)",
                found == null ? null : found.kind(),
                d -> LrmsTypes.named(d).isPresent() ? null : "'" + d + "' is none of " + LrmsTypes.names(),
                "no batch system was found: name it by --lrms");
        LrmsType type = LrmsTypes.named(String.valueOf(kind)).orElse(null);
        if (type == null) {
            return;
        }
        system = found != null && found.type() == type ? found : finder.batchSystem(type);
        notes.addAll(system.found().advice());
        String there = String.join(",", system.queues());
        String named = decide(
                options.queues.isEmpty() ? null : String.join(",", options.queues),
                "Queues that may be used, the first is the default one (separated by commas)",
                there.isEmpty() ? null : there,
                d -> missing(split(d)),
                system.problem() == null
                        ? kind + " has no queue that could be used: make one, or name it by --queue"
                        : system.problem());
        queues = named == null ? List.of() : split(named);
        if (system.problem() != null && queues.isEmpty()) {
            add(system.problem());
        } else if (system.problem() != null) {
            notes.add(system.problem() + ", so that the queues were not looked up");
        }
        List<String> needed = type.setupOptions().stream()
                .filter(SetupOption::needed)
                .map(SetupOption::name)
                .toList();
        if (options.fromCream == null
                && needed.stream().anyMatch(name -> options.ofLrms(name).isEmpty())) {
            add(kind + " needs " + String.join(", ", needed) + " (" + Manual.page("docs/admin/" + kind + ".md") + ")");
        }
    }

    private static List<String> split(String text) {
        return Arrays.stream(text.split("[,\\s]+")).filter(q -> !q.isEmpty()).toList();
    }

    private String missing(List<String> named) {
        List<String> missing = !system.found().fixedQueues() || system.problem() != null
                ? List.of()
                : named.stream().filter(q -> !system.queues().contains(q)).toList();
        return missing.isEmpty()
                ? null
                : system.kind() + " has no queue " + String.join(", ", missing) + "; it has "
                        + (system.queues().isEmpty() ? "none" : String.join(", ", system.queues()));
    }

    private void mapping() {
        gridmap = options.gridmap != null ? options.gridmap : options.gridSecurity.resolve("grid-mapfile");
        if (!options.vos.isEmpty()) {
            vos = options.vos;
        } else if (options.gridmap == null) {
            String response = decide(
                    null,
                    "How users are mapped: the path of a grid-mapfile, or VO=ACCOUNT (VO=.POOL) for each VO",
                    Files.isRegularFile(gridmap) ? gridmap.toString() : null,
                    d -> d.startsWith("/") && !Files.isRegularFile(Path.of(d)) ? d + " is not a file" : null,
                    "there is no " + gridmap + ": name a grid-mapfile by --gridmap, or map VOs by --vo VO=ACCOUNT");
            if (response != null && response.startsWith("/")) {
                gridmap = Path.of(response);
            } else if (response != null) {
                vos = split(response);
            }
        } else if (!Files.isRegularFile(gridmap)) {
            add("--gridmap: " + gridmap + " is not a file");
        }
        vos.forEach(this::vo);
        if (!givenOnly || options.gridmap != null || !vos.isEmpty()) {
            pools();
        }
    }

    private void vo(String mapping) {
        if (!VO.matcher(mapping).matches()) {
            add("'" + Plain.text(mapping, 100) + "' is not VO=ACCOUNT or VO=.POOL");
            return;
        }
        String account = mapping.substring(mapping.indexOf('=') + 1);
        if (!account.startsWith(".") && Rights.account(account) == null) {
            add("there is no account " + account + " for " + mapping + ": useradd --create-home " + account);
        }
    }

    private void pools() {
        Path usual = options.gridSecurity.resolve("gridmapdir");
        boolean used = vos.stream().anyMatch(m -> m.contains("=.")) || (vos.isEmpty() && namesPools());
        if (options.gridmapdir != null) {
            gridmapdir = options.gridmapdir;
        } else if (used) {
            gridmapdir = usual;
        }
        if (gridmapdir != null && !Files.isDirectory(gridmapdir)) {
            add("pool accounts need the directory " + gridmapdir + " with a file for each account: make it ("
                    + Manual.page("docs/admin/authorization.md") + "), or name it by --gridmapdir");
        }
    }

    private void administrators() {
        admins = options.admins;
        if (admins.isEmpty() && !Files.exists(options.gridSecurity.resolve(ADMIN_LIST))) {
            String response = decide(
                    null,
                    "Administrator who bans and drains over the network: DN or ISSUER,SUBJECT of a token, or nobody",
                    NOBODY,
                    d -> d.equals(NOBODY) ? null : administrator(d),
                    "name an administrator by --admin");
            admins = response == null || response.equals(NOBODY) ? List.of() : List.of(response);
        } else {
            admins.forEach(dn -> add(administrator(dn)));
        }
    }

    /** What is wrong with the name of an administrator; null for nothing. */
    private static String administrator(String name) {
        try {
            boolean quotable = name.chars().noneMatch(c -> c == '"' || c < ' ');
            if (quotable
                    && (TokenIdentity.isSubject(name) || !DnForms.rfc2253(name).isEmpty())) {
                return null;
            }
        } catch (IllegalArgumentException e) {
            // It is no DN.
        }
        return "'" + Plain.text(name, 200) + "' is no DN such as /DC=org/CN=Ada, nor ISSUER,SUBJECT of a token";
    }

    private boolean namesPools() {
        try {
            return Files.isRegularFile(gridmap)
                    && Files.size(gridmap) <= LARGEST
                    && POOL.matcher(Files.readString(gridmap, StandardCharsets.ISO_8859_1))
                            .find();
        } catch (IOException e) {
            add(gridmap + " cannot be read: " + e.getMessage());
            return false;
        }
    }

    private void database() {
        String server = options.database == null ? finder.databaseServer() : null;
        database = decide(
                options.database,
                "Database: embedded for one of the CE's own, or jdbc:mysql://host/database"
                        + (server == null ? "" : " (a server of this host is at " + server + ")"),
                EMBEDDED,
                d -> d.contains("@") || d.toLowerCase(Locale.ROOT).contains("password=")
                        ? "the database's URL must not hold a password: put it into a file and name that by "
                                + "--database-password-file"
                        : null,
                "name the database by --database");
        if (options.database == null && server != null && terminal == null) {
            notes.add("a database server of this host is at " + server
                    + " and is not used: --database jdbc:mysql://localhost/gelato would ("
                    + Manual.page("docs/admin/databases.md") + ")");
        }
        if (options.passwordFile != null && !Files.isRegularFile(options.passwordFile)) {
            add("--database-password-file: " + options.passwordFile + " is not a file");
        }
    }

    private void rights() {
        if (helper == null || !HelperRight.ALL.contains(helper) || helper.equals("own")) {
            return;
        }
        if (givenOnly && options.helper == null) {
            return; // another one may be chosen yet
        }
        String program = helper.equals("sudo") ? "sudo" : "setcap";
        if (SiteFinder.program(program) == null) {
            add("--helper " + helper + " needs " + program + ": install "
                    + (helper.equals("sudo") ? "sudo" : "libcap2-bin (EL: libcap)"));
        }
        if (!Rights.isRoot() && !options.dryRun) {
            add("only root can give the helper its right: run ce server init as root, or choose --helper own");
        }
    }

    List<String> problems() {
        return problems;
    }

    /** What the administrator should know, and what stops nothing. */
    List<String> notes() {
        return notes;
    }

    String host() {
        return host;
    }

    ChosenBatchSystem system() {
        return system;
    }

    List<String> queues() {
        return queues;
    }

    Path gridmap() {
        return gridmap;
    }

    /** The text of a grid-mapfile that is to be made; null when there is one. */
    String gridmapText() {
        return vos.isEmpty()
                ? null
                : vos.stream()
                        .map(m -> m.split("=", 2))
                        .map(m -> "\"/" + m[0] + "/*\" " + m[1] + "\n")
                        .collect(Collectors.joining(
                                "",
                                "# VOs and their accounts (" + Manual.page("docs/admin/authorization.md") + ").\n",
                                ""));
    }

    /** Administrators that the site's list is to have. */
    List<String> admins() {
        return admins;
    }

    /** Null when the gridmap names no pools. */
    Path gridmapdir() {
        return gridmapdir;
    }

    /** The URL; empty for a database of the CE's own. */
    String databaseUrl() {
        return EMBEDDED.equals(database) ? "" : database;
    }

    String helper() {
        return helper;
    }

    /** Whether the helper is root's. */
    boolean privileged() {
        return !"own".equals(helper);
    }
}
