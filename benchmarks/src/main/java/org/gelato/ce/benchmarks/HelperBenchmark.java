package org.gelato.ce.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.blahbridge.GahpChannel;
import org.gelato.ce.blahbridge.HelperAccountCommands;
import org.gelato.ce.blahbridge.HelperBinary;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One request to the helper, until its result is there: to the helper itself, and to the worker that has become a local
 * account. As root the account is {@value #UNPRIVILEGED}, otherwise the own one, to which nothing has to be switched.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HelperBenchmark {
    private static final int PATIENCE_SECONDS = 30;
    private static final String UNPRIVILEGED = "nobody";
    private static final int LEAST_UID = 1000;

    private GahpChannel channel;
    private HelperAccountCommands accounts;
    private String account;
    private Path file;

    @Setup(Level.Trial)
    public void open() throws IOException, ExecutionException, InterruptedException, TimeoutException {
        Path home = Files.createTempDirectory(BenchSite.base(), "helper");
        // An account reaches its sandboxes through it, and cannot list it.
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx--x--x"));
        Path limits = home.resolve("helper.conf");
        Path sandboxes = home.resolve("sandboxes");
        int uid = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        int least = uid == 0 ? LEAST_UID : Math.min(uid, LEAST_UID);
        Files.write(limits, List.of("sandbox_root=" + sandboxes, "min_uid=" + least));
        channel = GahpChannel.start(List.of(HelperBinary.extract(home).toString(), "-c", limits.toString()));
        accounts = new HelperAccountCommands(channel);
        account = uid == 0 ? UNPRIVILEGED : System.getProperty("user.name");
        Path directory = sandboxes.resolve(Scene.VO).resolve(account);
        answer(accounts.makeDirectory(account, directory));
        file = directory.resolve("output");
        answer(accounts.put(account, new FileContent(file, 0600, new byte[1])));
    }

    private static <T> T answer(CompletableFuture<T> future)
            throws ExecutionException, InterruptedException, TimeoutException {
        return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @TearDown(Level.Trial)
    public void close() {
        channel.close();
    }

    /** The helper's own result. */
    @Benchmark
    public Object ping() throws ExecutionException, InterruptedException, TimeoutException {
        return answer(accounts.ping());
    }

    /** The result of an account's worker that reads one file's metadata. */
    @Benchmark
    public Object stat() throws ExecutionException, InterruptedException, TimeoutException {
        return answer(accounts.stat(account, file));
    }
}
