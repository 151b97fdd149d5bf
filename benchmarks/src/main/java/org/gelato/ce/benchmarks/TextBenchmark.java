package org.gelato.ce.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.wrapper.JobWrapper;
import org.gelato.ce.core.wrapper.MessageSettings;
import org.gelato.ce.core.wrapper.ProxyGuard;
import org.gelato.ce.core.wrapper.ProxySettings;
import org.gelato.ce.core.wrapper.WrapperPatience;
import org.gelato.ce.core.wrapper.WrapperSettings;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.TransferPrograms;
import org.gelato.ce.description.jdl.Jdl;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Reading a job description, and writing a job wrapper. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class TextBenchmark {
    private JobRequest request;
    private WrapperSettings settings;

    @Setup
    public void prepare() throws DescriptionException {
        request = Jdl.parse(Scene.JDL);
        Path home = Path.of("/var/lib/gelato/sandboxes/dteam/jane/dteam001");
        settings = new WrapperSettings(
                new JobId(123_456_789),
                1,
                Map.of("CREAM_JOBID", "https://ce.example.org:8443/CREAM123456789"),
                "ce.example.org:8443/cream-bench-long",
                home.resolve("CREAM123456789"),
                home.resolve("events"),
                null,
                null,
                "0123456789abcdef0123456789abcdef",
                Scene.VO,
                new ProxySettings(
                        home.resolve("proxy/d1"),
                        "https://ce.example.org:8443/ce-cream/proxy/CREAM123456789",
                        Instant.now().plus(Duration.ofHours(12)),
                        new ProxyGuard(Duration.ofHours(1), Duration.ofMinutes(1)),
                        false),
                null,
                new WrapperPatience(Duration.ofHours(2), Duration.ofHours(1), null, 0, Duration.ofMinutes(10)),
                TransferPrograms.NONE,
                MessageSettings.NONE,
                null);
    }

    @Benchmark
    public JobRequest jdlParse() throws DescriptionException {
        return Jdl.parse(Scene.JDL);
    }

    @Benchmark
    public String wrapper() {
        return JobWrapper.script(request, settings);
    }
}
