package org.gelato.ce.perf.site;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.cli.credential.TlsClient;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.Endpoint;

/** The CE in a process of its own: the JVM's defaults, as {@code ce server} starts it, under {@code ulimit -n 1024}. */
final class CeProcess implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(3);
    private static final Duration STOP = Duration.ofMinutes(1);
    private static final long LOOK_MILLIS = 10;

    private final Process process;
    private final HttpsGet pages;
    private final Path log;

    private CeProcess(Process process, HttpsGet pages, Path log) {
        this.process = process;
        this.pages = pages;
        this.log = log;
    }

    /**
     * Starts it and waits until it is ready.
     *
     * @param main class and arguments
     */
    static CeProcess start(List<String> main, Endpoint endpoint, Path authorities, Path log) throws IOException {
        CeProcess ce = begin(main, endpoint, authorities, log);
        ce.await(() -> ce.page("/health/ready"));
        return ce;
    }

    /** Starts it and does not wait. */
    static CeProcess begin(List<String> main, Endpoint endpoint, Path authorities, Path log) throws IOException {
        List<String> command = new ArrayList<>(List.of("/bin/bash", "-c", "ulimit -n 1024; exec \"$@\"", "ce"));
        command.addAll(ServerJvm.command());
        command.addAll(main);
        Process process = new ProcessBuilder(command)
                .directory(log.getParent().toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        HttpsGet pages = new HttpsGet(endpoint, TlsClient.socketFactory(authorities), Duration.ofSeconds(30));
        return new CeProcess(process, pages, log);
    }

    /**
     * Calls until there is a response; ends the process when there is none.
     *
     * @param probe throws {@link CliException} as long as there is no response
     */
    void await(Runnable probe) {
        try {
            ask(probe);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void ask(Runnable probe) {
        long deadline = System.nanoTime() + START.toNanos();
        while (System.nanoTime() - deadline < 0) {
            if (!process.isAlive()) {
                throw new IllegalStateException("the CE ended while it started: " + lastOutput());
            }
            try {
                probe.run();
                return;
            } catch (CliException e) {
                pause();
            }
        }
        throw new IllegalStateException(
                "the CE was not ready after " + START.toMinutes() + " minutes: " + lastOutput());
    }

    private String lastOutput() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
        } catch (IOException e) {
            return "its log cannot be read: " + e.getMessage();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** @throws CliException when it does not return success */
    String page(String path) {
        try (InputStream response = pages.open(path)) {
            return new String(response.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CliException(path + " broke off: " + e.getMessage(), e);
        }
    }

    long pid() {
        return process.pid();
    }

    /** Ends it by SIGKILL, and waits for its helper, which ends by itself. */
    void kill() {
        List<ProcessHandle> family = process.descendants().toList();
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        family.stream().filter(ProcessHandle::isAlive).forEach(CeProcess::end);
    }

    /** Stops it cleanly, and by force when that takes too long. What it started ends with it. */
    @Override
    public void close() {
        List<ProcessHandle> family = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        family.stream().filter(ProcessHandle::isAlive).forEach(CeProcess::end);
    }

    /** The helper ends by itself when the JVM has gone; nothing may write when the directory is removed. */
    private static void end(ProcessHandle left) {
        try {
            left.onExit().get(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
            left.destroyForcibly();
        }
    }
}
