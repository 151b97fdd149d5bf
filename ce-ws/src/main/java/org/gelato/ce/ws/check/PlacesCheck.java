package org.gelato.ce.ws.check;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.accounting.AccountingSettings;
import org.gelato.ce.core.authorization.GridmapAuthorizer;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.route.Route;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.core.wrapper.SnippetDirectory;
import org.gelato.ce.description.RuntimeEnvironments;
import org.gelato.ce.description.RuntimeEnvironments.Snippet;
import org.gelato.ce.ws.config.CeConfig;

/** Lists of users, directories, disk space and ports. */
final class PlacesCheck {
    private static final long MIB = 1 << 20;
    private static final long LEAST_FREE = 1024 * MIB;
    /** What the embedded database grows by before anybody looks: logs, and rows of jobs that end. */
    private static final long DATABASE_ROOM = 256 * MIB;

    private static final int PERCENT = 100;

    private final CeConfig config;
    private final Findings findings;

    private PlacesCheck(CeConfig config, Findings findings) {
        this.config = config;
        this.findings = findings;
    }

    /** @param runs whether this CE runs already */
    static void run(CeConfig config, boolean runs, Findings findings) {
        PlacesCheck check = new PlacesCheck(config, findings);
        check.authorization();
        check.directories();
        check.runtimeEnvironments();
        check.disk("gelato.home", config.home());
        check.disk("gelato.sandbox-root", config.sandboxRoot());
        check.databaseRoom();
        Map<String, Integer> ports = new LinkedHashMap<>();
        ports.put("gelato.port", config.port());
        if (config.gridFtp().enabled()) {
            ports.put("gelato.gridftp.port", config.gridFtp().port());
        }
        ports.forEach((key, port) -> check.port(key, port, runs));
        unreserved(ports, EphemeralPorts.ofHost(), findings);
    }

    private void authorization() {
        GridmapAuthorizer.problems(config.authorization().files())
                .forEach(
                        p -> findings.error(
                                key(p),
                                p,
                                "correct the file (" + Manual.page("docs/admin/authorization.md")
                                        + "): lines that cannot be read are left out, and a list of bans that cannot be read lets nobody in"));
        Path pools = config.authorization().gridmapdir();
        if (pools != null && findings.directory("gelato.authorization.gridmapdir", pools)) {
            writable("gelato.authorization.gridmapdir", pools);
        }
    }

    private String key(String problem) {
        if (problem.startsWith(config.authorization().ban() + ":")) {
            return "gelato.authorization.ban";
        }
        if (problem.startsWith(config.authorization().voAdmins() + ":")) {
            return "gelato.authorization.vo-admins";
        }
        return problem.startsWith(config.authorization().admins() + ":")
                ? "gelato.authorization.admins"
                : "gelato.authorization.gridmap";
    }

    private void directories() {
        writable("gelato.home", config.home());
        if (config.audit().enabled()) {
            log("gelato.audit.file", config.audit().file());
        }
        if (config.accessLog().enabled()) {
            log("gelato.http.access-log.file", config.accessLog().file());
        }
        if (!config.information().site().isEmpty()) {
            published(config.information().file());
        }
        AccountingSettings accounting = config.accounting().settings();
        if (accounting.publishes()) {
            String place = accounting.publish() == AccountingSettings.Publishing.SSM
                    ? "gelato.accounting.ssm-queue"
                    : "gelato.accounting.blah-log-directory";
            if (findings.directory(place, accounting.queue())) {
                writable(place, accounting.queue());
            }
        }
        Path key = config.delegation().keyFile();
        if (Files.exists(key)) {
            findings.file("gelato.delegation.key-file", key);
        } else {
            writable("gelato.delegation.key-file", key);
        }
        if (config.database().isEmbedded()) {
            writable(
                    "gelato.database.embedded.cache",
                    config.database().embedded().cache());
        }
        // A helper of the site's has an account of its own, and makes the root itself.
        if (config.helper().command().isEmpty()) {
            writable("gelato.sandbox-root", config.sandboxRoot());
        }
    }

    private void runtimeEnvironments() {
        String key = "gelato.wrapper.runtime-environments";
        Path directory = config.wrapper().runtimeEnvironments();
        List<Snippet> there = List.of();
        if (directory != null && findings.directory(key, directory)) {
            SnippetDirectory.Contents contents = SnippetDirectory.read(directory);
            contents.flaws()
                    .forEach(flaw -> findings.error(
                            key,
                            flaw.file() + " is left out: " + flaw.reason(),
                            "correct it, or move it away; jobs that want this runtime environment are refused"));
            there = contents.snippets();
        }
        List<Snippet> configured = there;
        List<String> names = new RuntimeEnvironments(() -> configured).names();
        for (Route route : config.routes().routes()) {
            for (String wanted : Routes.runtimeEnvironments(route.values())) {
                if (names.stream().noneMatch(wanted::equalsIgnoreCase)) {
                    findings.error(
                            "gelato.routes",
                            "route " + route.name() + " gives its jobs the runtime environment " + wanted
                                    + ", which does not exist: each of them is refused",
                            directory == null
                                    ? "name the directory that has it in " + key + ", or leave it out of the route"
                                    : "make the file " + directory.resolve(wanted) + ", or leave it out of the route");
                }
            }
        }
    }

    /** The account of a BDII reads it, which is neither the CE's nor of its group. */
    private void published(Path file) {
        String key = "gelato.information.file";
        Path directory = file.toAbsolutePath().getParent();
        writable(key, directory);
        for (Path p = existing(directory); p != null; p = p.getParent()) {
            try {
                if (!Files.getPosixFilePermissions(p).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    findings.warning(
                            key,
                            "other accounts cannot pass through " + p + ", so that a BDII on this host finds no CE",
                            "chmod o+x " + p + ", or name a file elsewhere");
                    return;
                }
            } catch (IOException | UnsupportedOperationException e) {
                return;
            }
        }
    }

    private void log(String key, Path file) {
        writable(key, file.toAbsolutePath().getParent());
        if (Files.exists(file) && (!Files.isRegularFile(file) || !Files.isWritable(file))) {
            findings.error(
                    key,
                    file + " cannot be written, so that its lines are lost",
                    "remove it, or give it to the CE's account");
        }
    }

    private void writable(String key, Path path) {
        Path existing = existing(path);
        if (existing == null || !Files.isDirectory(existing) || !Files.isWritable(existing)) {
            findings.error(key, path + " cannot be written", "correct the path, or give the CE's account " + existing);
        }
    }

    /** The path, or the nearest directory above it that is there. */
    private static Path existing(Path path) {
        Path existing = path;
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        return existing;
    }

    private void disk(String key, Path path) {
        Path existing = existing(path);
        if (existing == null) {
            return;
        }
        // Not by its FileStore: that looks the mount up in a list which does not fit inside a chroot.
        long total = existing.toFile().getTotalSpace();
        long free = existing.toFile().getUsableSpace();
        int limit = config.admission().host().disk();
        if (total <= 0) {
            findings.warning(key, "the free space of " + existing + " is unknown", "check the mount");
        } else if (limit >= 0 && (total - free) * (double) PERCENT / total > limit) {
            findings.warning(
                    key,
                    "the file system of " + existing + " is fuller than gelato.admission.disk = " + limit
                            + " percent, so that no new jobs are registered",
                    "make room, or raise the limit");
        } else if (free < LEAST_FREE) {
            findings.warning(
                    key, "the file system of " + existing + " has only " + free / MIB + " MiB left", "make room");
        }
    }

    private void databaseRoom() {
        Path home = existing(config.home());
        Path root = existing(config.sandboxRoot());
        if (config.database().isEmbedded() && home != null && root != null && isOneFileSystem(home, root)) {
            databaseRoom(
                    root,
                    root.toFile().getTotalSpace(),
                    config.admission().host().disk(),
                    findings);
        }
    }

    private static boolean isOneFileSystem(Path one, Path other) {
        try {
            return Files.getAttribute(one, "unix:dev").equals(Files.getAttribute(other, "unix:dev"));
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /**
     * Whether uploads leave room for the embedded database on a file system that both have.
     *
     * @param total bytes of it; 0 when unknown
     * @param limit percent of it in use beyond which no new jobs come in; -1 for none
     */
    static void databaseRoom(Path place, long total, int limit, Findings findings) {
        // Output of jobs may use half of what is kept free.
        long kept = limit < 0 ? 0 : total * (PERCENT - limit) / PERCENT / 2;
        if (total > 0 && kept < DATABASE_ROOM) {
            findings.warning(
                    "gelato.admission.disk",
                    "the embedded database and the sandboxes are on one file system, that of " + place
                            + ", and uploads leave " + kept / MIB
                            + " MiB of it free: when it is full, the database stops",
                    "put gelato.sandbox-root on a file system of its own, or "
                            + (limit < 0 ? "set a limit" : "lower the limit") + " that leaves "
                            + 2 * DATABASE_ROOM / MIB + " MiB");
        }
    }

    private void port(String key, int port, boolean runs) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(
                    config.address().isEmpty()
                            ? new InetSocketAddress(port)
                            : new InetSocketAddress(config.address(), port));
        } catch (IOException e) {
            if (runs) {
                findings.note(key, "port " + port + " is this CE's own, which runs", "nothing has to be done");
                return;
            }
            findings.error(
                    key,
                    "port " + port + " cannot be listened on: " + e.getMessage(),
                    "stop what listens there, or choose another port");
        }
    }

    /** @param ports by key; the advice is the same for all, as a second line of it would undo the first */
    static void unreserved(Map<String, Integer> ports, EphemeralPorts ephemeral, Findings findings) {
        List<Integer> ephemerals =
                ports.values().stream().filter(ephemeral::include).toList();
        ports.forEach((key, port) -> {
            if (ephemerals.contains(port)) {
                findings.warning(
                        key,
                        "port " + port + " is an ephemeral port of this host (" + ephemeral.first() + " to "
                                + ephemeral.last() + "): while an outgoing connection has it, the CE does not start",
                        "reserve it: net.ipv4.ip_local_reserved_ports = " + ephemeral.reservedWith(ephemerals)
                                + " in a file of /etc/sysctl.d, then sysctl --system");
            }
        });
    }
}
