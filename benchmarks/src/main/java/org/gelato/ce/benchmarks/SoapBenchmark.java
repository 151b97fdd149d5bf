package org.gelato.ce.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.ws.cream2.Cream2Wire;
import org.gelato.ce.ws.gridftp.GridFtpAccess;
import org.gelato.ce.ws.http.CallLimits;
import org.gelato.ce.ws.http.CallMeter;
import org.gelato.ce.ws.soap.SoapService;
import org.gelato.ce.ws.soap.SoapServices;
import org.gelato.ce.ws.web.Authentication;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.CeInstance;
import org.gelato.ce.ws.web.SandboxAccess;
import org.gelato.ce.ws.web.Version;
import org.gelato.ce.ws.web.XmlLimits;
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
 * A call's way from the bytes of its envelope to the bytes of the response's, without network: see {@link SocketlessServer}.
 * The caller is known already ({@link ProxyBenchmark} measures that), and the job service responds at once ({@link
 * RegisterBenchmark} and {@link StoredBenchmark} measure the real one).
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SoapBenchmark {
    private static final String BASE = "https://ce.example.org:8443";
    private static final String ID = "CREAM100000004";

    private final byte[] status = SoapCalls.status(ID, BASE + SoapCalls.PATH);
    private final Map<String, String> statusHead = SoapCalls.headers("JobStatus");
    private final byte[] register = SoapCalls.register(Scene.JDL, Scene.DELEGATION);
    private final Map<String, String> registerHead = SoapCalls.headers("JobRegister");
    private SocketlessServer server;

    /** Starts the services and checks their results. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        open(Files.createTempDirectory(BenchSite.base(), "soap"));
        require(jobStatus(), "DONE-OK", ID);
        require(jobRegister(), "JobRegisterResponse", "CREAM100000000");
    }

    /** Starts the services in a directory that exists. */
    void open(Path home) {
        Authentication caller = new Authentication.Accepted(Scene.caller(), Authentication.Credential.NONE);
        server = new SocketlessServer(home, services(request -> caller, new AnsweringJobs(home)));
    }

    /** What the two operations need; the rest is not there. */
    static SoapServices services(CallerResolver callers, AnsweringJobs jobs) {
        URI base = URI.create(BASE);
        SandboxAccess sandboxes = new GridFtpAccess("ce.example.org", GridFtpAccess.DEFAULT_PORT, admitted -> {});
        SoapService cream2 = new Cream2Wire(
                new CeInstance(base, Version.text(), Instant.now()),
                new Jobs(jobs, jobs, jobs),
                null,
                null,
                null,
                sandboxes,
                null,
                Clock.systemUTC());
        return new SoapServices(
                base, callers, List.of(cream2), XmlLimits.defaults(), CallLimits.usual(), CallMeter.NONE);
    }

    private static void require(byte[] response, String... words) {
        String text = new String(response, StandardCharsets.UTF_8);
        for (String word : words) {
            if (!text.contains(word)) {
                throw new IllegalStateException("the response has no " + word + ": " + text);
            }
        }
    }

    @TearDown(Level.Trial)
    public void close() {
        server.close();
    }

    /** JobStatus of one job. */
    @Benchmark
    public byte[] jobStatus() {
        return server.post(SoapCalls.PATH, statusHead, status);
    }

    /** JobRegister of one job. */
    @Benchmark
    public byte[] jobRegister() {
        return server.post(SoapCalls.PATH, registerHead, register);
    }
}
