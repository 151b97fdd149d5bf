package org.gelato.ce.core.db.embedded;

import com.mysql.cj.jdbc.Driver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One running {@code mariadbd}. Started by one thread; {@link #isAlive} may be called from any. */
final class MariaDbProcess {
    private static final Logger log = LoggerFactory.getLogger(MariaDbProcess.class);
    private static final Duration STOP_PATIENCE = Duration.ofMinutes(2);
    private static final String ACCESS_DENIED = "28000";
    /** Administrators and health checks get in even when the pool holds all it may. */
    private static final int SPARE_CONNECTIONS = 20;

    private final Process process;
    private final Path logFile;
    private final long logStart;

    private MariaDbProcess(Process process, Path logFile, long logStart) {
        this.process = process;
        this.logFile = logFile;
        this.logStart = logStart;
    }

    static MariaDbProcess start(MariaDbBinaries binaries, DataHome home, long bufferPool, int poolSize)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(binaries.server().toString());
        command.add("--no-defaults");
        command.add("--basedir=" + binaries.basedir());
        command.addAll(binaries.options());
        command.add("--datadir=" + home.data());
        command.add("--tmpdir=" + home.data());
        command.add("--pid-file=" + home.data().resolve("mariadbd.pid"));
        // Relative to the data directory: the path of a socket may have 107 bytes, that of a data directory more.
        command.add("--socket=" + home.socket().getFileName());
        command.add("--skip-networking");
        command.add("--init-file=" + home.initFile());
        command.add("--skip-ssl"); // Keys for TLS would cost seconds at each start.
        command.add("--skip-name-resolve");
        command.add("--skip-symbolic-links");
        command.add("--local-infile=0");
        command.add("--secure-file-priv=" + home.data());
        command.add("--transaction-isolation=READ-COMMITTED");
        command.add("--character-set-server=utf8mb4");
        command.add("--collation-server=utf8mb4_bin");
        command.add("--default-time-zone=+00:00");
        command.add("--innodb-flush-log-at-trx-commit=1");
        command.add("--innodb-buffer-pool-size=" + bufferPool);
        // There are two of them, which stay in memory; what is larger is written in pieces.
        command.add("--innodb-log-buffer-size=4M");
        command.add("--key-buffer-size=1M");
        command.add("--aria-pagecache-buffer-size=8M");
        command.add("--max-allowed-packet=64M");
        command.add("--max-connections=" + (poolSize + SPARE_CONNECTIONS));
        if (home.account().name() != null) {
            command.add("--user=" + home.account().name());
        }
        long logStart = Files.exists(home.log()) ? Files.size(home.log()) : 0;
        Process process = new ProcessBuilder(LeftoverServers.recorded(home.record(), command))
                .directory(home.data().getParent().toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(home.log().toFile()))
                .start();
        return new MariaDbProcess(process, home.log(), logStart);
    }

    /**
     * Waits until the server lets the user in.
     *
     * @throws IllegalStateException with the server's message when it ended, refused the user, took too long, or cannot be trusted
     */
    void awaitReady(String url, String user, String password, Duration timeout)
            throws IOException, InterruptedException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("connectTimeout", "2000");
        properties.setProperty("socketTimeout", "10000");
        long deadline = System.nanoTime() + timeout.toNanos();
        Driver driver;
        try {
            driver = new Driver();
        } catch (SQLException e) {
            throw new IllegalStateException("cannot load the database driver", e);
        }
        SQLException last = null;
        while (true) {
            try (Connection connection = driver.connect(url, properties)) {
                if (connection != null && connection.isValid(2)) {
                    return;
                }
            } catch (SQLException e) {
                if (ACCESS_DENIED.equals(e.getSQLState())) {
                    throw new IllegalStateException("the embedded database refuses its own user: " + errors(), e);
                }
                refuseStranger(e);
                last = e;
            }
            if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the embedded database ended with status " + process.exitValue() + ": "
                        + errors() + " (all of it in " + logFile + ")");
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        "the embedded database does not respond after " + Messages.span(timeout) + ": " + errors(),
                        last);
            }
        }
    }

    private static void refuseStranger(SQLException failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof UnixSocketFactory.Stranger stranger) {
                throw new IllegalStateException(stranger.getMessage(), failure);
            }
        }
    }

    private String errors() throws IOException {
        String errors = output().lines()
                .filter(line -> line.contains("[ERROR]") || line.contains("error while loading"))
                .limit(10)
                .collect(Collectors.joining("; "));
        return errors.isEmpty() ? "nothing in its log" : errors;
    }

    /** What it wrote: the file also has what tries of the same start wrote before it. */
    String output() throws IOException {
        byte[] all = Files.readAllBytes(logFile);
        int from = (int) Math.min(logStart, all.length);
        return new String(all, from, all.length - from, StandardCharsets.UTF_8);
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    CompletableFuture<Integer> end() {
        return process.onExit().thenApply(Process::exitValue);
    }

    /** Clean shutdown; a server that does not end is killed, which loses nothing committed. */
    void stop() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                log.warn("The embedded database did not stop within {}, killing it", STOP_PATIENCE);
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
