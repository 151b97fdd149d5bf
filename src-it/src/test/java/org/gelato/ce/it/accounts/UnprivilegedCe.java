package org.gelato.ce.it.accounts;

import static org.gelato.ce.it.accounts.LocalAccounts.must;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.gelato.ce.blahbridge.HelperBinary;
import org.gelato.ce.it.kill.Relay;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteDatabase;

/**
 * A CE that runs as an account of its own, with a helper that a sudo rule starts as root: what docs/developer/helper.md instructs a
 * site to do, in directories of the test's own.
 */
final class UnprivilegedCe implements AutoCloseable {
    private final SiteDatabase database;
    /** The socket of the test's own server is its account's alone, which is not the CE's. */
    private final Relay toDatabase;

    private final SiteCe ce;
    private final String account;
    private final Path rule;
    private final List<String> helper;
    private final Path programs;

    /**
     * @param account the CE's own
     * @param mapped every member of the VO is mapped to it
     */
    UnprivilegedCe(String account, String mapped) throws IOException {
        this.account = account;
        database = SiteDatabase.start();
        toDatabase = new Relay(database::open);
        Path home = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-privileged-");
        must("chmod", "755", home.toString());
        programs = home;
        Path program = HelperBinary.extract(home.resolve("libexec"));
        Path configuration = home.resolve("helper.conf");
        helper = List.of("/usr/bin/sudo", "-n", program.toString(), "-c", configuration.toString());
        ce = new SiteCe("accounts", "fork", mapped, settings(program, configuration));
        Files.write(
                configuration,
                List.of(
                        "sandbox_root=" + sandboxRoot(),
                        "min_uid=1000",
                        "allowed_group=" + LocalAccounts.group(),
                        "executable=/bin/bash"));
        rule = Path.of("/etc/sudoers.d/" + account);
        Files.writeString(
                rule,
                "Defaults:" + account + " !requiretty, !use_pty\n" + account + " ALL=(root) NOPASSWD: " + program
                        + " -c " + configuration + "\n");
        must("chmod", "0440", rule.toString());
        must("visudo", "-cf", rule.toString());
    }

    private Map<String, Object> settings(Path program, Path configuration) {
        Map<String, Object> settings = new HashMap<>(database.settings());
        settings.put("gelato.database.url", "jdbc:mysql://127.0.0.1:" + toDatabase.port() + "/gelato?sslMode=DISABLED");
        settings.put("gelato.helper.command", List.of("/usr/bin/sudo", "-n", program.toString()));
        settings.put("gelato.helper.config", configuration.toString());
        return settings;
    }

    SiteCe ce() {
        return ce;
    }

    Path sandboxRoot() {
        return ce.base().resolve("sandbox");
    }

    /** The command line that the rule allows. */
    List<String> helper() {
        return helper;
    }

    Path rootsConfiguration() {
        return programs.resolve("helper.conf");
    }

    Path program() {
        return programs.resolve("libexec/gelato-helper");
    }

    /** Root's process, below the CE and sudo. */
    Optional<ProcessHandle> helperProcess() {
        return ce.process()
                .descendants()
                .filter(p -> p.info().command().orElse("").equals(program().toString()))
                .filter(p -> p.parent()
                        .flatMap(parent -> parent.info().command())
                        .orElse("")
                        .endsWith("/sudo"))
                .findFirst();
    }

    void start() throws IOException {
        Path state = Files.createDirectories(ce.base().resolve("state"));
        must("chown", account, state.toString(), ce.pki().hostKey().toString());
        must(
                "sh",
                "-c",
                "chmod -R a+rX '" + ce.base().resolve("pki") + "'; chmod 400 '"
                        + ce.pki().hostKey() + "'");
        must(
                "sh",
                "-c",
                "chmod a+r " + ce.base() + "/*.conf " + ce.base() + "/grid-mapfile " + ce.base() + "/ban " + ce.base()
                        + "/admins");
        must(
                "chown",
                account,
                database.settings().get("gelato.database.password-file").toString());
        List<String> command = LocalAccounts.as(
                account,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-Djava.io.tmpdir=/var/tmp",
                        "-cp",
                        classPath(),
                        "org.gelato.ce.ws.boot.Main",
                        "run",
                        "--config",
                        ce.configuration().toString()));
        ce.start(command, Map.of("HOME", state.toString()), "/health/ready");
    }

    /** The class path of the tests is where the account has no access. */
    private String classPath() throws IOException {
        Path copies = Files.createDirectories(programs.resolve("lib"));
        List<String> paths = new ArrayList<>();
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String entry : all.split(File.pathSeparator)) {
            Path from = Path.of(entry);
            if (!Files.exists(from)) {
                continue;
            }
            Path to = copies.resolve(paths.size() + "-" + from.getFileName());
            copy(from, to);
            paths.add(to.toString());
        }
        must("chmod", "-R", "a+rX", copies.toString());
        return String.join(File.pathSeparator, paths);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path p : all.toList()) {
                Path target =
                        from.equals(p) ? to : to.resolve(from.relativize(p).toString());
                if (Files.isDirectory(p)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(p, target);
                }
            }
        }
    }

    @Override
    public void close() {
        try (database;
                toDatabase) {
            try {
                ce.close();
            } finally {
                removeFiles();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void removeFiles() throws IOException {
        Files.deleteIfExists(rule);
        SiteCe.remove(programs);
    }
}
