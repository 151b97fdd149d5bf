package org.gelato.ce.it.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.CrlCheckingMode;
import eu.emi.security.authn.x509.impl.CertificateUtils;
import eu.emi.security.authn.x509.impl.CertificateUtils.Encoding;
import eu.emi.security.authn.x509.proxy.ProxyCSR;
import eu.emi.security.authn.x509.proxy.ProxyCSRGenerator;
import eu.emi.security.authn.x509.proxy.ProxyCertificateOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.testkit.pki.CertificateAuthority;
import org.gelato.ce.testkit.pki.DelegationSigner;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.pki.PemFile;
import org.gelato.ce.ws.tls.ChainIdentities;
import org.gelato.ce.ws.tls.GridTrust;
import org.gelato.ce.ws.tls.TrustConfig;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GridPkiTest {
    @TempDir
    static Path directory;

    private static GridPki pki;
    private static GridCredential alice;

    @BeforeAll
    static void make() {
        pki = GridPki.open(directory.resolve("pki"), "ce.gelato.test", "::1");
        alice = pki.user("Alice Example");
    }

    @Test
    void theSameDirectoryIsTheSameGrid() throws IOException {
        byte[] host = Files.readAllBytes(pki.hostCertificate());
        GridPki again = GridPki.open(directory.resolve("pki"), "ce.gelato.test", "::1");
        assertThat(again.user("Alice Example")).isEqualTo(alice);
        assertThat(again.authorityCertificate()).isEqualTo(pki.authorityCertificate());
        assertThat(Files.readAllBytes(again.hostCertificate())).isEqualTo(host);
    }

    @Test
    void aGridThatEndsWithinADayIsMadeAnew() {
        Path old = directory.resolve("old");
        Clock longAgo = Clock.offset(Clock.systemUTC(), Duration.ofDays(1).minus(CertificateAuthority.LIFETIME));
        GridCredential before = GridPki.open(old, longAgo, "localhost").user("Alice Example");
        GridCredential after = GridPki.open(old, "localhost").user("Alice Example");
        assertThat(after).isNotEqualTo(before);
        assertThat(after.subject()).isEqualTo(before.subject());
    }

    @Test
    void aDirectoryWithOtherThingsIsLeftAlone() throws IOException {
        Path foreign = Files.createDirectory(directory.resolve("foreign"));
        Files.writeString(foreign.resolve("thesis.tex"), "precious");
        assertThatThrownBy(() -> GridPki.open(foreign, "localhost")).hasMessageContaining("is not empty");
        assertThat(Files.readString(foreign.resolve("thesis.tex"))).isEqualTo("precious");
    }

    @Test
    void hostCertificateNamesEveryHost() throws Exception {
        X509Certificate host =
                CertificateUtils.loadCertificate(Files.newInputStream(pki.hostCertificate()), Encoding.PEM);
        assertThat(DnForms.rfc2253(host.getSubjectX500Principal()))
                .isEqualTo("CN=ce.gelato.test,O=Hosts,DC=gelato,DC=test");
        assertThat(host.getSubjectAlternativeNames().stream().map(n -> (Object) n.get(1)))
                .contains("ce.gelato.test", "localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
    }

    @Test
    void aProxyFileIsPrivateAndInTheOrderGridToolsRead() throws IOException {
        Path file = pki.proxy(alice).write(directory.resolve("x509up"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Files.readAllLines(file).stream().filter(l -> l.startsWith("-----BEGIN")))
                .containsExactly(
                        "-----BEGIN CERTIFICATE-----",
                        "-----BEGIN RSA PRIVATE KEY-----",
                        "-----BEGIN CERTIFICATE-----");
        GridCredential read = GridCredential.read(file);
        assertThat(read.chain().get(1)).isEqualTo(alice.certificate());
        assertThat(read.toString()).doesNotContain("PRIVATE").contains("Alice");
        try (var files = Files.list(pki.certificates().getParent().resolve("credentials"))) {
            assertThat(files)
                    .allSatisfy(f -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(f)))
                            .isEqualTo("rw-------"));
        }
    }

    @ParameterizedTest
    @EnumSource(DelegationSigner.Habit.class)
    void aDelegatedChainIsBelievedLikeItsProxy(DelegationSigner.Habit habit) throws Exception {
        GridCredential proxy = pki.proxy(alice).lifetime(Duration.ofHours(2)).make();
        ProxyCSR csr = ProxyCSRGenerator.generate(
                new ProxyCertificateOptions(proxy.chain().toArray(new X509Certificate[0])));
        String pem = PemFile.encode(List.of(csr.getCSR()));

        String signed = new DelegationSigner(Clock.systemUTC()).sign(proxy, pem, Duration.ofHours(12), habit);

        X509Certificate[] chain = CertificateUtils.loadCertificateChain(
                new ByteArrayInputStream(signed.getBytes(StandardCharsets.US_ASCII)), Encoding.PEM);
        assertThat(signed).doesNotContain("KEY-----");
        assertThat(Arrays.asList(chain).subList(1, chain.length)).isEqualTo(proxy.chain());
        assertThat(chain[0].getNotAfter()).isEqualTo(proxy.certificate().getNotAfter());
        assertThat(chain[0].getNotBefore().toInstant()).isBefore(Instant.now().minus(Duration.ofMinutes(4)));
        assertThat(chain[0].getCriticalExtensionOIDs()).contains("2.5.29.15", "1.3.6.1.5.5.7.1.14");
        if (habit == DelegationSigner.Habit.ORIGINAL) {
            assertThat(chain[0].getSigAlgName()).isEqualToIgnoringCase("SHA1withRSA");
            String parent = proxy.subject();
            assertThat(DnForms.rfc2253(chain[0].getSubjectX500Principal()))
                    .isEqualTo(parent.substring(0, parent.indexOf(',')) + "," + parent);
        }
        try (GridTrust trust = new GridTrust(
                new TrustConfig(pki.certificates(), pki.vomsdir(), CrlCheckingMode.REQUIRE, Duration.ofHours(1)),
                directory.resolve("trust"))) {
            GridIdentity identity = new ChainIdentities(trust, Clock.systemUTC()).identify(chain);
            assertThat(identity.dn()).isEqualTo(alice.subject());
            assertThat(identity.fqans()).containsExactly("/dteam");
            assertThat(identity.notAfter()).isEqualTo(chain[0].getNotAfter().toInstant());
        }
    }

    @Test
    void whatIsNoRequestIsNotSigned() {
        GridCredential proxy = pki.proxy(alice).make();
        DelegationSigner signer = new DelegationSigner(Clock.systemUTC());
        assertThatThrownBy(
                        () -> signer.sign(proxy, proxy.chainPem(), Duration.ofHours(1), DelegationSigner.Habit.MODERN))
                .hasMessageContaining("not one certificate request");
    }
}
