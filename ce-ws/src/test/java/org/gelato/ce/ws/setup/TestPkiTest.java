package org.gelato.ce.ws.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.ws.credential.HostCredential;
import org.gelato.ce.ws.tls.ChainIdentities;
import org.gelato.ce.ws.tls.GridTrust;
import org.gelato.ce.ws.tls.TrustConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates to try a CE with are good for the CE and for VOMS's own programs, and leave no key to sign more. */
class TestPkiTest {
    @TempDir
    private Path directory;

    private Path grid;
    private TestPki pki;

    @BeforeEach
    void open() {
        grid = directory.resolve("grid-security");
        pki = new TestPki(
                new TestPki.Options(
                        grid, directory.resolve("user"), "ce.example.org", "test.vo", "Test User", "nobody here", 2),
                Instant.now());
    }

    @Test
    void theProxyGetsInWithTheAttributeOfItsVoAndTheHostCanBeServed() throws Exception {
        pki.write();
        try (GridTrust trust = new GridTrust(
                new TrustConfig(
                        grid.resolve("certificates"),
                        grid.resolve("vomsdir"),
                        CrlCheckingMode.REQUIRE,
                        Duration.ofHours(1)),
                directory.resolve("trust"))) {
            ChainIdentities identities = new ChainIdentities(trust, Clock.systemUTC());
            GridIdentity user = identities.identify(chain(pki.proxy()));
            assertThat(user.dn()).isEqualTo("CN=Test User,DC=ce.example.org,DC=test");
            assertThat(user.fqans()).as("%s", user.vomsErrors()).containsExactly("/test.vo");
            assertThat(user.vo()).isEqualTo("test.vo");
            assertThat(user.notAfter())
                    .isBetween(
                            Instant.now().plus(Duration.ofHours(47)),
                            Instant.now().plus(Duration.ofDays(2)));
            assertThat(identities.identify(chain(grid.resolve("hostcert.pem"))).dn())
                    .startsWith("CN=ce.example.org,OU=host,");
        }
        new HostCredential(
                grid.resolve("hostcert.pem"), grid.resolve("hostkey.pem"), "ce.example.org", Clock.systemUTC());
        assertThat(pki.subject()).isEqualTo("/DC=test/DC=ce.example.org/CN=Test User");
    }

    /** Of the authority and of the VOMS server none is kept. */
    @Test
    void theKeysThatAreKeptAreTheHostsTheUsersAndTheProxysAndTheirOwnersAlone() throws IOException {
        pki.write();
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> secret = all.filter(Files::isRegularFile)
                    .filter(file -> text(file).contains("PRIVATE KEY"))
                    .toList();
            assertThat(secret)
                    .extracting(file -> file.getFileName().toString())
                    .containsExactlyInAnyOrder("hostkey.pem", "userkey.pem", "proxy.pem");
            assertThat(secret)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void nothingIsReplacedAndNothingWrittenWhereOneFileIsThere() throws IOException {
        Files.createDirectories(grid);
        Files.writeString(grid.resolve("hostkey.pem"), "precious");
        assertThatThrownBy(pki::write).isInstanceOf(SetupException.class).hasMessageContaining("hostkey.pem is there");
        assertThat(text(grid.resolve("hostkey.pem"))).isEqualTo("precious");
        try (Stream<Path> all = Files.walk(directory)) {
            assertThat(all.filter(Files::isRegularFile)).hasSize(1);
        }
    }

    @Test
    void programsOfVomsReadTheProxy() throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/bin/voms-proxy-info")), "no voms-proxy-info here");
        pki.write();
        ProcessBuilder builder = new ProcessBuilder(
                        "voms-proxy-info", "-file", pki.proxy().toString(), "-all")
                .redirectErrorStream(true);
        builder.environment().put("X509_VOMS_DIR", grid.resolve("vomsdir").toString());
        builder.environment().put("X509_CERT_DIR", grid.resolve("certificates").toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("attribute : /test.vo").contains("VO        : test.vo");
    }

    /** A proxy's file has a key between its certificates, which Java's own reader does not expect. */
    private static X509Certificate[] chain(Path file) throws Exception {
        String certificates = text(file).replaceAll("(?s)-----BEGIN RSA PRIVATE.*PRIVATE KEY-----\n", "");
        InputStream in = new ByteArrayInputStream(certificates.getBytes(StandardCharsets.US_ASCII));
        return CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                .map(X509Certificate.class::cast)
                .toArray(X509Certificate[]::new);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
