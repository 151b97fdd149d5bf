package org.gelato.ce.core.db.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks that the server's program runs here, and fills a new data directory. Used by one thread at start-up. */
final class MariaDbInstall {
    private static final Pattern VERSION = Pattern.compile("([0-9]+)\\.([0-9]+)\\.[0-9]+");
    private static final int MINUTES = 5;

    private final MariaDbBinaries binaries;
    private final DataHome home;
    private String version = "";

    MariaDbInstall(MariaDbBinaries binaries, DataHome home) {
        this.binaries = binaries;
        this.home = home;
    }

    /**
     * Runs the program for its version.
     *
     * @throws IllegalStateException with the loader's message when a shared library is missing
     */
    void checkProgram() throws IOException, InterruptedException {
        Outcome outcome = run(List.of(binaries.server().toString(), "--no-defaults", "--version"));
        if (outcome.exit() != 0) {
            throw new IllegalStateException("the database server " + binaries.server() + " does not run here: "
                    + outcome.output() + "; install what is missing, or mariadb-server, or set a database URL");
        }
        version = outcome.output();
    }

    /**
     * Refuses data that a newer server wrote.
     *
     * @throws IllegalStateException naming both versions
     */
    void checkNotNewer() throws IOException {
        Path written = Files.exists(home.data().resolve("mariadb_upgrade_info"))
                ? home.data().resolve("mariadb_upgrade_info")
                : home.data().resolve("mysql_upgrade_info");
        if (Files.exists(written)) {
            String dataVersion = Files.readString(written).strip();
            if (series(dataVersion) > series(version)) {
                throw new IllegalStateException("the data in " + home.data() + " were written by server version "
                        + dataVersion + ", but here is only " + version);
            }
        }
    }

    private static int series(String text) {
        Matcher m = VERSION.matcher(text);
        return m.find() ? Integer.parseInt(m.group(1)) * 1000 + Integer.parseInt(m.group(2)) : 0;
    }

    /** Makes the system tables in an empty directory. */
    void fill(Path directory) throws IOException, InterruptedException {
        Path links = Files.createTempDirectory("gelato-db");
        try {
            Files.setPosixFilePermissions(links, PosixFilePermissions.fromString("rwx--x--x"));
            Path data = withoutBlanks(directory, links.resolve("data"));
            List<String> command = new ArrayList<>(List.of(
                    withoutBlanks(binaries.installer(), links.resolve("installer"))
                            .toString(),
                    "--no-defaults",
                    "--force",
                    "--basedir=" + withoutBlanks(binaries.basedir(), links.resolve("base")),
                    "--datadir=" + data,
                    // A server that starts removes what it takes for leftovers in its tmpdir: another one's tables.
                    "--tmpdir=" + data,
                    "--skip-test-db",
                    "--skip-name-resolve",
                    "--auth-root-authentication-method=normal"));
            if (home.account().name() != null) {
                command.add("--user=" + home.account().name());
            }
            Outcome outcome = run(LeftoverServers.recorded(home.record(), command));
            if (outcome.exit() != 0) {
                throw new IllegalStateException(
                        "cannot make the data directory of the embedded database: " + outcome.output());
            }
        } finally {
            MariaDbBinaries.deleteTree(links);
        }
    }

    /** The installer is a shell script that trips over blanks in paths. */
    private static Path withoutBlanks(Path path, Path link) throws IOException {
        return path.toString().matches(".*\\s.*") ? Files.createSymbolicLink(link, path) : path;
    }

    private static Outcome run(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("gelato-db", ".out");
        try {
            Process process = new ProcessBuilder(command)
                    .directory(Path.of("/").toFile())
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                return new Outcome(-1, "no end after " + MINUTES + " minutes");
            }
            String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8).strip();
            return new Outcome(process.exitValue(), text);
        } finally {
            Files.delete(output);
        }
    }

    private record Outcome(int exit, String output) {}
}
