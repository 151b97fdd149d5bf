package org.gelato.ce.ws.tls;

import static org.assertj.core.api.Assertions.assertThat;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.pki.VomsIssuer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file of one VO that can't be used locks out nobody else. */
class VomsDirectoryTest {
    private static final String SERVER = "/DC=test/DC=gelato/O=Hosts/CN=voms.gelato.test\n";
    private static final String AUTHORITY = "/DC=test/DC=gelato/CN=Gelato Test CA\n";

    @TempDir
    Path directory;

    private GridPki pki;
    private VomsIssuer other;
    private Path file;

    @BeforeEach
    void open() {
        pki = GridPki.open(directory.resolve("pki"), "localhost");
        other = pki.vo("other");
        file = pki.vomsdir().resolve("dteam/voms.gelato.test.lsc");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {SERVER, SERVER + AUTHORITY + SERVER, "<html>", "", "# of nobody", "------ NEXT CHAIN ------"})
    void oneFileThatCantBeUsedLocksOutItsOwnVoAlone(String content) throws Exception {
        Files.writeString(file, content);
        try (GridTrust trust = trust()) {
            assertThat(identify(trust, pki.voms()).fqans()).isEmpty();
            assertThat(identify(trust, other).fqans()).containsExactly("/other");
            assertThat(trust.broken()).containsOnlyKeys(file);
        }
    }

    @Test
    void oneThatCantBeUsedAnyMoreLeavesAllInForce() throws Exception {
        try (GridTrust trust = trust()) {
            Files.writeString(file, SERVER);
            Files.delete(pki.vomsdir().resolve("other/voms.gelato.test.lsc"));
            trust.reloadIfChanged();
            assertThat(identify(trust, pki.voms()).fqans()).containsExactly("/dteam");
            // What is after it counts too.
            assertThat(identify(trust, other).fqans()).isEmpty();
            assertThat(trust.broken()).containsOnlyKeys(file);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"------ NEXT CHAIN ------", "------NEXT CHAIN------"})
    void anyOfSeveralChainsCounts(String between) throws Exception {
        String renamed = "/DC=test/DC=gelato/O=Hosts/CN=new.gelato.test\n" + AUTHORITY;
        for (List<String> order : List.of(List.of(SERVER + AUTHORITY, renamed), List.of(renamed, SERVER + AUTHORITY))) {
            Files.writeString(file, String.join(between + "\n", order) + between + "\n");
            try (GridTrust trust = trust()) {
                assertThat(identify(trust, pki.voms()).fqans()).containsExactly("/dteam");
                assertThat(identify(trust, pki.impostor()).vomsErrors())
                        .singleElement()
                        .asString()
                        .contains("CN=voms.gelato.test", " or ", "CN=new.gelato.test");
            }
        }
    }

    private GridTrust trust() {
        return new GridTrust(
                new TrustConfig(pki.certificates(), pki.vomsdir(), CrlCheckingMode.IF_VALID, Duration.ofHours(1)),
                directory.resolve("trust"));
    }

    private GridIdentity identify(GridTrust trust, VomsIssuer issuer) throws RefusedChainException, IOException {
        X509Certificate[] chain = pki.proxy(pki.member("Alice"))
                .issuer(issuer)
                .fqans("/" + issuer.vo())
                .make()
                .chain()
                .toArray(X509Certificate[]::new);
        return new ChainIdentities(trust, Clock.systemUTC()).identify(chain);
    }
}
