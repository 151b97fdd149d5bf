package org.gelato.ce.perf.jmh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.blahbridge.GahpChannel;
import org.gelato.ce.blahbridge.HelperAccountCommands;
import org.gelato.ce.blahbridge.HelperBinary;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One question to the helper, until its answer is there. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HelperBenchmark {
    private static final int PATIENCE_SECONDS = 30;

    private GahpChannel channel;
    private HelperAccountCommands accounts;

    @Setup(Level.Trial)
    public void open() throws IOException {
        Path home = Files.createTempDirectory(BenchSite.base(), "helper");
        Path limits = home.resolve("helper.conf");
        Files.write(limits, List.of("sandbox_root=" + home.resolve("sandboxes"), "min_uid=1000"));
        channel = GahpChannel.start(List.of(HelperBinary.extract(home).toString(), "-c", limits.toString()));
        accounts = new HelperAccountCommands(channel);
    }

    @TearDown(Level.Trial)
    public void close() {
        channel.close();
    }

    @Benchmark
    public Object ping() throws ExecutionException, InterruptedException, TimeoutException {
        return accounts.ping().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}
