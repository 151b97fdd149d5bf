package org.gelato.ce.ws.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.gelato.ce.core.delegation.CanlChainValidator;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.ws.http.HealthCheck;
import org.gelato.ce.ws.parts.monitoring.PartChecks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A CE whose clock is ten minutes behind, seen from the other side: proxies begin in ten minutes. */
class EarlyProxiesTest {
    @TempDir
    private static Path directory;

    private final Instant begin = Instant.now().plus(Duration.ofMinutes(10)).truncatedTo(ChronoUnit.SECONDS);

    private X509Certificate[] chain(GridPki pki, String user) {
        return pki.proxy(pki.user(user)).notBefore(begin).make().chain().toArray(X509Certificate[]::new);
    }

    @Test
    void theRefusalNamesBothTimesAndThreeUsersPutTheClockInDoubt() throws Exception {
        GridPki pki = GridPki.open(directory.resolve("pki"), "localhost");
        TrustConfig config =
                new TrustConfig(pki.certificates(), pki.vomsdir(), CrlCheckingMode.REQUIRE, Duration.ofHours(1));
        try (GridTrust trust = new GridTrust(config, directory.resolve("trust"))) {
            X509Certificate[] early = chain(pki, "Ann");
            assertThatThrownBy(() -> trust.check(early))
                    .isInstanceOf(RefusedChainException.class)
                    .hasMessageContaining("the proxy is valid from " + begin)
                    .hasMessageContaining("the clock of this CE shows ");
            assertThat(new CanlChainValidator(trust.clients()).validate(early))
                    .get()
                    .asString()
                    .contains("the proxy is valid from " + begin, "the clock of this CE shows ");
            assertThat(trust.clock().doubt()).isEmpty();
            new CanlChainValidator(trust.clients()).validate(chain(pki, "Ben"));
            new CanlChainValidator(trust.clients()).validate(chain(pki, "Cid"));
            assertThat(trust.clock().doubt()).get().asString().contains("3 users");
            HealthCheck.Outcome outcome =
                    PartChecks.clock(trust.clock()).check().join();
            assertThat(outcome.degraded()).isTrue();
            assertThat(outcome.ok()).isTrue();
        }
    }

    @Test
    void attributesThatBeginLaterNameBothTimes() {
        GridPki pki = GridPki.open(directory.resolve("pki"), "localhost");
        TrustConfig config =
                new TrustConfig(pki.certificates(), pki.vomsdir(), CrlCheckingMode.REQUIRE, Duration.ofHours(1));
        try (GridTrust trust = new GridTrust(config, directory.resolve("trust"))) {
            X509Certificate[] early = pki.proxy(pki.user("Dan"))
                    .fqans("/dteam")
                    .notBefore(begin)
                    .make()
                    .chain()
                    .toArray(X509Certificate[]::new);
            assertThat(trust.voms().find(early).errors())
                    .singleElement()
                    .asString()
                    .contains("it is valid from " + begin, "the clock of this CE shows ");
        }
    }
}
