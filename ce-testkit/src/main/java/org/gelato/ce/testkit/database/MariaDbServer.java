package org.gelato.ce.testkit.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.gelato.ce.testkit.site.FreePort;

/**
 * One {@code mariadbd} of Debian's packages with a data directory of its own, on the loopback address. Its administrator is the account
 * of this process, by the socket. Used by one thread at a time.
 */
final class MariaDbServer {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Path SERVER = Path.of("/usr/sbin/mariadbd");
    private static final Path INSTALLER = Path.of("/usr/bin/mariadb-install-db");
    private static final Path CLIENT = Path.of("/usr/bin/mariadb");

    private final Path folder;
    private final int port = FreePort.choose();
    private final List<String> options;
    private Process process;

    /**
     * Nothing runs yet.
     *
     * @param folder absolute and short: the path of a socket in it may have 107 bytes
     * @param options further ones of the server
     */
    MariaDbServer(Path folder, List<String> options) {
        this.folder = folder;
        this.options = List.copyOf(options);
    }

    /** What the packages of this machine lack; empty when there can be servers here. */
    static Optional<String> missing(Path... more) {
        return Stream.concat(Stream.of(SERVER, INSTALLER, CLIENT), Arrays.stream(more))
                .filter(Files::notExists)
                .findFirst()
                .map(absent -> absent + " is not installed");
    }

    /** Makes the data directory. */
    void install() {
        prepare();
        must(List.of(
                INSTALLER.toString(),
                "--no-defaults",
                "--datadir=" + data(),
                "--auth-root-authentication-method=socket",
                "--auth-root-socket-user=" + account(),
                "--skip-test-db",
                "--user=" + serverAccount()));
    }

    /** An empty directory for a server that gets its data from another. */
    void prepare() {
        try {
            Files.createDirectories(data());
            UserPrincipal owner =
                    folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(serverAccount());
            for (Path own : List.of(folder, data())) {
                Files.setOwner(own, owner);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the server and waits until it answers. */
    void start(String... more) {
        List<String> command = command(more);
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        await("SELECT 1", "1");
    }

    /** Runs the server for what it does before it serves, and returns what it printed. */
    String runOnce(String... more) {
        return must(command(more));
    }

    private List<String> command(String... more) {
        List<String> command = new ArrayList<>(List.of(
                SERVER.toString(),
                "--no-defaults",
                "--user=" + serverAccount(),
                "--datadir=" + data(),
                "--tmpdir=" + data(),
                "--pid-file=" + folder.resolve("pid"),
                "--socket=" + socket(),
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--skip-name-resolve",
                "--skip-ssl",
                "--character-set-server=utf8mb4",
                "--collation-server=utf8mb4_bin",
                "--default-time-zone=+00:00",
                "--innodb-buffer-pool-size=64M",
                "--innodb-log-file-size=32M",
                "--key-buffer-size=1M",
                "--aria-pagecache-buffer-size=8M",
                "--max-allowed-packet=64M",
                "--max-connections=200"));
        command.addAll(options);
        command.addAll(List.of(more));
        return command;
    }

    /** Waits until a query returns a value. */
    void await(String query, String value) {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (true) {
            Outcome outcome = client(query);
            if (outcome.exit() == 0 && outcome.output().strip().equals(value)) {
                return;
            }
            if (!process.isAlive()) {
                throw new IllegalStateException("mariadbd ended with " + process.exitValue() + ": " + tail());
            }
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        query + " is not " + value + " but " + outcome.output() + "; " + tail());
            }
        }
    }

    /** What a statement prints, as the administrator: lines of values with tabs between. */
    String sql(String statement) {
        Outcome outcome = client(statement);
        if (outcome.exit() != 0) {
            throw new IllegalStateException(statement + ": " + outcome.output());
        }
        return outcome.output().strip();
    }

    private Outcome client(String statement) {
        return run(List.of(
                CLIENT.toString(),
                "--no-defaults",
                "--socket=" + socket(),
                "--user=" + account(),
                "--connect-timeout=10",
                "--skip-column-names",
                "--batch",
                "--raw",
                "--execute=" + statement));
    }

    private String tail() {
        try {
            List<String> lines = Files.readAllLines(log(), StandardCharsets.ISO_8859_1);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
        } catch (IOException e) {
            return e.toString();
        }
    }

    ProcessHandle process() {
        return process.toHandle();
    }

    int port() {
        return port;
    }

    private Path data() {
        return folder.resolve("data");
    }

    private Path socket() {
        return folder.resolve("socket");
    }

    private Path log() {
        return folder.resolve("log");
    }

    private static String account() {
        return System.getProperty("user.name");
    }

    /** The package's own where this is root: what one node sends to another is not written by root. */
    private static String serverAccount() {
        return account().equals("root") ? "mysql" : account();
    }

    /** kill -9; one that is gone is fine. */
    void kill() {
        if (process != null) {
            process.destroyForcibly();
            awaitEnd();
        }
    }

    /** As an administrator stops it; killed when that takes too long. */
    void stop() {
        if (process != null) {
            process.destroy();
            if (!awaitEnd()) {
                kill();
            }
        }
    }

    private boolean awaitEnd() {
        try {
            return process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private record Outcome(int exit, String output) {}

    private String must(List<String> command) {
        Outcome outcome = run(command);
        if (outcome.exit() != 0) {
            throw new IllegalStateException(command + " ended with " + outcome.exit() + ": " + outcome.output());
        }
        return outcome.output();
    }

    private Outcome run(List<String> command) {
        try {
            Path output = Files.createTempFile(folder, "output", "");
            Process program = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    // a file, as whoever inherits a pipe would keep us waiting
                    .redirectOutput(output.toFile())
                    .start();
            if (!program.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                program.destroyForcibly();
                return new Outcome(-1, command + " was not done in " + LONGEST);
            }
            String text = Files.readString(output, StandardCharsets.ISO_8859_1);
            Files.delete(output);
            return new Outcome(program.exitValue(), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in " + command, e);
        }
    }
}
