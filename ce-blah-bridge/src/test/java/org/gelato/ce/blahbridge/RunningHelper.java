package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.account.AccountCommands.Spawn;

/** A helper with a sandbox root of its own, and the account to work as: nobody under root, the own one otherwise. */
public final class RunningHelper implements AutoCloseable {
    public static final boolean ROOT = "0".equals(uid());

    public final Path sandboxRoot;
    public final Path home;
    public final String account = ROOT ? "nobody" : AccountCommands.SELF;
    public final GahpChannel channel;
    public final AccountCommands commands;

    public RunningHelper(Path temporary, String... options) throws IOException {
        this(temporary, List.of(), options);
    }

    private RunningHelper(Path temporary, List<String> starter, String... options) throws IOException {
        Path base = temporary.toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        sandboxRoot = base.resolve("sandbox");
        home = sandboxRoot.resolve("dteam").resolve("h1");
        List<String> command = new ArrayList<>(starter);
        command.addAll(List.of(
                HelperBinary.extract(base.resolve("bin")).toString(),
                "-s",
                sandboxRoot.toString(),
                "-m",
                "1000",
                "-x",
                "/bin/bash",
                "-x",
                "/usr/bin/"));
        command.addAll(List.of(options));
        channel = GahpChannel.start(command);
        commands = new HelperAccountCommands(channel);
    }

    /** A helper that a shell becomes when it has executed this text. */
    public static RunningHelper with(Path temporary, String text, String... options) throws IOException {
        return new RunningHelper(temporary, List.of("/bin/bash", "-c", text + "; exec \"$@\"", "-"), options);
    }

    /**
     * A helper whose files cannot grow beyond a size.
     *
     * @param kibibytes the limit, in units of 1024 bytes
     */
    public static RunningHelper withFileLimit(Path temporary, int kibibytes) {
        try {
            return with(temporary, "trap '' XFSZ; ulimit -f " + kibibytes);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String uid() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public Run bash(String script) {
        return bash(script, Duration.ofSeconds(60));
    }

    public Run bash(String script, Duration timeout) {
        return new Run(
                List.of("/bin/bash", "-c", script),
                home,
                Map.of("PATH", "/usr/bin:/bin"),
                new byte[0],
                List.of(),
                timeout,
                10_000);
    }

    public Completed run(String script) {
        return get(commands.run(account, bash(script)));
    }

    public Spawn spawnOf(String script) {
        return new Spawn(
                List.of("/bin/bash", "-c", script),
                home,
                Map.of("PATH", "/usr/bin:/bin"),
                List.of(),
                home.resolve("out"),
                home.resolve("err"));
    }

    public void put(Path file, String content) {
        get(commands.put(account, new FileContent(file, 0600, content.getBytes(StandardCharsets.UTF_8))));
    }

    public String text(Path file) {
        return new String(get(commands.get(account, file, 0, 1 << 20)).content(), StandardCharsets.UTF_8);
    }

    /** The helper's own counters. */
    public Map<String, Long> stats() {
        Map<String, Long> stats = new HashMap<>();
        for (String word : get(channel.ask("GELATO_STATS"))) {
            stats.put(word.substring(0, word.indexOf('=')), Long.valueOf(word.substring(word.indexOf('=') + 1)));
        }
        return stats;
    }

    public List<ProcessHandle> workers() {
        return ProcessHandle.of(channel.pid()).orElseThrow().children().toList();
    }

    public static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(5, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException r ? r : new IllegalStateException(e);
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The failure of a future, which must be one of the port's. */
    public static AccountCommandException failure(CompletableFuture<?> future) {
        try {
            Object response = get(future);
            throw new AssertionError("it succeeded: " + response);
        } catch (AccountCommandException e) {
            assertThat(e.getMessage()).isNotEmpty();
            return e;
        }
    }

    @Override
    public void close() {
        channel.close();
    }
}
