package org.gelato.ce.benchmarks;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.ws.tls.ChainIdentities;
import org.gelato.ce.ws.tls.GridTrust;
import org.gelato.ce.ws.tls.RefusedChainException;
import org.gelato.ce.ws.tls.TrustConfig;
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
 * Who has this proxy: chain, CRL, namespaces and VOMS attributes validated, and the same found again by the chain's hash.
 * The proxy has one VOMS attribute certificate with two FQANs and was delegated once.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ProxyBenchmark {
    private final Clock clock = Clock.systemUTC();
    private GridTrust trust;
    private X509Certificate[] chain;
    private ChainIdentities knowing;

    @Setup(Level.Trial)
    public void open() throws IOException, RefusedChainException {
        Path home = Files.createTempDirectory(BenchSite.base(), "grid");
        GridPki pki = GridPki.open(home.resolve("pki"), "localhost");
        trust = new GridTrust(
                new TrustConfig(pki.certificates(), pki.vomsdir(), CrlCheckingMode.REQUIRE, Duration.ofHours(1)),
                home.resolve("trust"));
        chain = pki.proxy(pki.user("Jane Doe"))
                .fqans(Scene.FQAN, "/dteam")
                .delegations(1)
                .make()
                .chain()
                .toArray(new X509Certificate[0]);
        knowing = new ChainIdentities(trust, clock);
        GridIdentity identity = knowing.identify(chain);
        if (!identity.primaryFqan().startsWith("/dteam")) {
            throw new IllegalStateException("the proxy's attributes are not accepted: " + identity.vomsErrors());
        }
    }

    @TearDown(Level.Trial)
    public void close() {
        trust.close();
    }

    @Benchmark
    public GridIdentity cold() throws RefusedChainException {
        return new ChainIdentities(trust, clock).identify(chain);
    }

    @Benchmark
    public GridIdentity cached() throws RefusedChainException {
        return knowing.identify(chain);
    }
}
