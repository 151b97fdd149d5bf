package org.gelato.ce.it.torque;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.testkit.torque.TorqueStandIn;

/** An account that calls the stand-in's commands, in a small environment; root calls as the account named. */
final class TorqueUser {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final TorqueStandIn torque;
    private final Path work;
    private final String name;

    TorqueUser(TorqueStandIn torque, Path work, String name) {
        this.torque = torque;
        this.work = work;
        this.name = name;
    }

    /** The account of ordinary jobs here. */
    static TorqueUser ordinary(TorqueStandIn torque, Path work) {
        return new TorqueUser(torque, work, JobAccount.name());
    }

    static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    String name() {
        return name;
    }

    record Outcome(int exit, String out, String err) {
        /** The id qsub printed. */
        String id() {
            if (exit != 0 || !err.isEmpty()) {
                throw new AssertionError("qsub: " + this);
            }
            return out.strip();
        }
    }

    Outcome run(String command, String... arguments) {
        Process process = start(command, List.of(arguments));
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(command + " did not end within " + PATIENCE);
            }
            return new Outcome(process.exitValue(), read("out", process), read("err", process));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The command, started and not waited for. */
    Process start(String command, List<String> arguments) {
        List<String> argv = new ArrayList<>();
        if (isRoot() && !name.equals("root")) {
            argv.addAll(List.of("setpriv", "--reuid=" + name, "--regid=" + group(), "--clear-groups"));
        }
        argv.add(torque.binDirectory().resolve(command).toString());
        argv.addAll(arguments);
        // goes with the stand-in
        Path outputs = torque.binDirectory().resolveSibling("outputs");
        try {
            Files.createDirectories(outputs);
            Path out = Files.createTempFile(outputs, "torque", ".out");
            Path err = Files.createTempFile(outputs, "torque", ".err");
            ProcessBuilder builder = new ProcessBuilder(argv)
                    .directory(work.toFile())
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            Map<String, String> environment = builder.environment();
            environment.clear();
            environment.put("HOME", "/home/dteam001");
            environment.put("PATH", PATH);
            environment.put("SHELL", "/bin/bash");
            environment.put("LANG", "C.UTF-8");
            Process process = builder.start();
            OUTPUTS.put(process.pid(), List.of(out, err));
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As in the samples. */
    static final String PATH = "/opt/torque/bin:/opt/torque/sbin:/usr/local/go/bin:/root/go/bin:/root/.cargo/bin:"
            + "/root/.cargo/bin:/root/.pyenv/plugins/pyenv-virtualenv/shims:/root/.pyenv/shims:/root/.pyenv/bin:"
            + "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private static final Map<Long, List<Path>> OUTPUTS = new java.util.concurrent.ConcurrentHashMap<>();

    private static String read(String which, Process process) {
        try {
            Path file = OUTPUTS.get(process.pid()).get(which.equals("out") ? 0 : 1);
            String text = Files.readString(file, StandardCharsets.UTF_8);
            Files.delete(file);
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String group() {
        try {
            Process id = new ProcessBuilder("id", "-g", name).start();
            return new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
