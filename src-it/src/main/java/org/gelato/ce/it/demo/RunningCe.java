package org.gelato.ce.it.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.cli.credential.TlsClient;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.core.base.LiveProcess;

/**
 * The demo's CE in a process of its own, with all it started. Found again by a later command through a small file, in which the start time, and
 * the uid, guard against a process number used anew. Stopping is safe to call twice and from the shutdown hook.
 */
final class RunningCe {
    private static final Duration START_LIMIT = Duration.ofMinutes(6);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 200;

    private final ProcessHandle process;
    private final String marker;
    private final Path sandbox;
    private final Path log;

    private final int jobsUid;

    private RunningCe(ProcessHandle process, String marker, int jobsUid, DemoHome home) {
        this.jobsUid = jobsUid;
        this.process = process;
        this.marker = marker;
        this.sandbox = home.sandbox();
        this.log = home.log();
    }

    /** Starts the CE detached from the terminal: Ctrl-C reaches only the demo, which then stops it cleanly. */
    static RunningCe start(DemoHome home, DemoGrid grid, LocalAccount account) {
        String marker = UUID.randomUUID().toString();
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
            command.add("/usr/bin/setsid");
        }
        command.addAll(List.of(
                home.command().toString(),
                "server",
                "run",
                "--config",
                home.configuration().toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(home.directory().toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(home.log().toFile());
        builder.environment().put(Leftovers.MARKER, marker);
        builder.environment().put("CE_NO_BUILD", "yes");
        builder.environment().keySet().removeAll(grid.environment().keySet());
        try {
            RunningCe ce = new RunningCe(builder.start().toHandle(), marker, account.uid(), home);
            ce.remember(home.running());
            return ce;
        } catch (IOException e) {
            throw new DemoException("can't start the CE: " + e.getMessage(), e);
        }
    }

    private void remember(Path file) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("pid", Long.toString(process.pid()));
        properties.setProperty(
                "started", process.info().startInstant().map(Instant::toString).orElse(""));
        properties.setProperty("marker", marker);
        properties.setProperty("jobs-uid", Integer.toString(jobsUid));
        try (Writer out = Files.newBufferedWriter(file)) {
            properties.store(out, null);
        }
    }

    /** The CE an earlier demo started, running or not; empty when there was none since the last stop. */
    static Optional<RunningCe> find(DemoHome home) {
        if (!Files.exists(home.running())) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(home.running())) {
            properties.load(in);
            String marker = properties.getProperty("marker", "");
            if (marker.isBlank()) {
                return Optional.empty();
            }
            ProcessHandle process = ProcessHandle.of(Long.parseLong(properties.getProperty("pid", "0")))
                    .filter(p -> p.info()
                            .startInstant()
                            .map(Instant::toString)
                            .orElse("")
                            .equals(properties.getProperty("started")))
                    .filter(RunningCe::isOurs)
                    .orElse(null);
            int jobs = Integer.parseInt(properties.getProperty("jobs-uid", Integer.toString(LocalAccount.ownUid())));
            return Optional.of(new RunningCe(process, marker, jobs, home));
        } catch (IOException | IllegalArgumentException e) {
            throw new DemoException("can't read " + home.running() + ": " + e.getMessage(), e);
        }
    }

    private static boolean isOurs(ProcessHandle process) {
        try {
            return Leftovers.uid(Path.of("/proc", Long.toString(process.pid()))) == LocalAccount.ownUid();
        } catch (IOException e) {
            return false; // It has ended.
        }
    }

    boolean isAlive() {
        return process != null && LiveProcess.isAlive(process);
    }

    long pid() {
        return process == null ? 0 : process.pid();
    }

    /** Waits until the CE reports that it is ready. */
    void awaitReady(DemoGrid grid) throws InterruptedException {
        HttpsGet https = https(grid);
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        String reason = "no response";
        while (System.nanoTime() - deadline < 0) {
            if (!isAlive()) {
                throw new DemoException("the CE ended while it started: " + lastOutput());
            }
            try (InputStream response = https.open("/health/ready")) {
                response.readAllBytes();
                return;
            } catch (CliException | IOException e) {
                reason = e.getMessage();
            }
            Thread.sleep(LOOK_MILLIS);
        }
        throw new DemoException("the CE was not ready after " + START_LIMIT.toMinutes() + " minutes: " + reason);
    }

    private static HttpsGet https(DemoGrid grid) {
        return new HttpsGet(
                new Endpoint(DemoGrid.HOST, grid.port()),
                TlsClient.socketFactory(Path.of(grid.environment().get("X509_CERT_DIR"))),
                Duration.ofSeconds(5));
    }

    private String lastOutput() {
        try (var lines = Files.lines(log)) {
            return lines.filter(line -> !line.isBlank()).reduce((a, b) -> b).orElse("its log is empty");
        } catch (IOException | java.io.UncheckedIOException e) {
            return "its log can't be read: " + e.getMessage();
        }
    }

    /**
     * Stops the CE cleanly, then ends whatever it left: helper, database, jobs.
     *
     * @throws DemoException when something can't be ended
     */
    void stop() throws InterruptedException {
        // Children of a process that ended belong to init: who they are must be known before.
        List<ProcessHandle> family = isAlive() ? process.descendants().toList() : List.of();
        if (isAlive()) {
            process.destroy();
            try {
                process.onExit().get(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                process.destroyForcibly();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
        new Leftovers(marker, sandbox, new TreeSet<>(List.of(LocalAccount.ownUid(), jobsUid))).end(process, family);
    }

    /** Stops, and reports only a failure: for the end of this process. */
    void stopQuietly() {
        try {
            stop();
        } catch (DemoException e) {
            System.err.println(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
