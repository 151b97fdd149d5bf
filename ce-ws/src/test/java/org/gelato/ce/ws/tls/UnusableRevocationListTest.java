package org.gelato.ce.ws.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.CrlCheckingMode;
import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.gelato.ce.testkit.pki.CertificateForm;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A CRL that is there and can't be used is not the same as no CRL: those whom it names would get in. */
class UnusableRevocationListTest {
    private static final long TOO_LARGE = (16 << 20) + 1;

    private static final KeyPair KEYS = keys();

    @TempDir
    Path directory;

    private GridPki pki;
    private X509Certificate[] mallory;
    private X509Certificate[] other;
    private Path list;

    @BeforeEach
    void revoke() throws Exception {
        pki = GridPki.open(directory.resolve("pki"), "localhost");
        GridCredential revoked = pki.user("Mallory");
        pki.revoke(revoked);
        mallory = chain(revoked);
        other = chain(pki.issueBelow(
                CertificateForm.authority("/DC=test/DC=gelato/CN=Other CA"),
                "/DC=test/DC=other/*",
                CertificateForm.person("/DC=test/DC=other/CN=Alice"),
                KEYS));
        list = list(true);
    }

    @Test
    void aListTooLargeAtTheStartRefusesItsAuthorityUntilItCanBeRead() throws Exception {
        byte[] good = Files.readAllBytes(list);
        grow(list);
        try (GridTrust trust = trust(CrlCheckingMode.IF_VALID)) {
            refused(trust, mallory, "too large");
            refused(trust, chain(pki.user("Alice")), "too large");
            assertThatCode(() -> trust.check(other)).doesNotThrowAnyException();
            long before = trust.version();

            Files.write(list, good);
            trust.reloadIfChanged();
            assertThatCode(() -> trust.check(chain(pki.user("Alice")))).doesNotThrowAnyException();
            assertThatThrownBy(() -> trust.check(mallory)).hasMessageContaining("revoked");
            assertThat(trust.version()).isGreaterThan(before);

            // The one that was read last stays in force.
            grow(list);
            trust.reloadIfChanged();
            assertThatCode(() -> trust.check(chain(pki.user("Alice")))).doesNotThrowAnyException();
            assertThatThrownBy(() -> trust.check(mallory)).hasMessageContaining("revoked");
        }
    }

    @Test
    void aFirstListThatComesUnreadableWhileTheCeRunsRefusesItsAuthority() throws Exception {
        Files.delete(list);
        Files.delete(list(false));
        try (GridTrust trust = trust(CrlCheckingMode.IF_VALID)) {
            assertThatCode(() -> trust.check(mallory)).doesNotThrowAnyException();
            long before = trust.version();
            Files.writeString(list, "<html>no list, but the page of a proxy server</html>");
            trust.reloadIfChanged();
            refused(trust, mallory, "");
            assertThat(trust.version()).isGreaterThan(before);
        }
    }

    @Test
    void aListThatCannotBeReadRefusesItsAuthority() throws Exception {
        Files.delete(list);
        Files.createSymbolicLink(list, directory.resolve("not-mounted/list.r0"));
        try (GridTrust trust = trust(CrlCheckingMode.IF_VALID)) {
            refused(trust, mallory, "");
            assertThatCode(() -> trust.check(other)).doesNotThrowAnyException();
        }
    }

    @Test
    void theListOfAnotherAuthorityUnderTheNameOfOneRefusesIt() throws Exception {
        X500Principal another = other[0].getIssuerX500Principal();
        Files.copy(
                pki.certificates().resolve(OpensslTruststoreHelper.getOpenSSLCAHash(another, true) + ".r0"),
                list,
                StandardCopyOption.REPLACE_EXISTING);
        try (GridTrust trust = trust(CrlCheckingMode.IF_VALID)) {
            refused(trust, mallory, "Other CA");
            assertThatCode(() -> trust.check(other)).doesNotThrowAnyException();
        }
    }

    @Test
    void aListUnderTheOldHashAloneRefusesItsAuthority() throws Exception {
        Files.delete(list);
        try (GridTrust trust = trust(CrlCheckingMode.IF_VALID)) {
            assertThatThrownBy(() -> trust.check(mallory))
                    .hasMessageContaining(list(false).toString())
                    .hasMessageContaining(list.getFileName().toString());
        }
    }

    @Test
    void aListThatAnotherKeySignedRefusesItsAuthority() throws Exception {
        write(from(Duration.ofMinutes(-1)), KEYS.getPrivate());
        try (GridTrust trust = trust(CrlCheckingMode.IF_VALID)) {
            assertThatThrownBy(() -> trust.check(mallory)).isInstanceOf(RefusedChainException.class);
        }
    }

    @Test
    void aListThatIsLostBehindTheReaderRefusesItsAuthority() throws Exception {
        // As where there are no descriptors left while the library reads: it goes on without the list.
        TrustConfig config =
                new TrustConfig(pki.certificates(), pki.vomsdir(), CrlCheckingMode.IF_VALID, Duration.ofHours(1));
        AtomicBoolean later = new AtomicBoolean();
        GridTrust.Reader losesTheList = (from, namespaces, params, listed) -> {
            Path place = from.resolve(list.getFileName());
            Path aside = directory.resolve("aside");
            try {
                Files.move(place, aside);
                if (later.getAndSet(true)) {
                    Files.move(aside, place);
                }
                PathValidator read = new PathValidator(from, namespaces, params, listed);
                if (Files.exists(aside)) {
                    Files.move(aside, place);
                }
                return read;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        try (GridTrust trust = new GridTrust(config, directory.resolve("trust"), losesTheList, Clock.systemUTC())) {
            assertThatThrownBy(() -> trust.check(mallory))
                    .isInstanceOf(RefusedChainException.class)
                    .hasMessageContaining("CRL")
                    .hasMessageNotContaining("revoked");
            assertThatCode(() -> trust.check(other)).doesNotThrowAnyException();
            // Nothing has changed since, and it is read again nevertheless.
            trust.reloadIfChanged();
            assertThatThrownBy(() -> trust.check(mallory)).hasMessageContaining("revoked");
        }
    }

    @Test
    void whereListsAreIgnoredNoneIsMissed() throws Exception {
        grow(list);
        try (GridTrust trust = trust(CrlCheckingMode.IGNORE)) {
            assertThatCode(() -> trust.check(mallory)).doesNotThrowAnyException();
        }
    }

    /** It names nobody, and the older one names Mallory. */
    @Test
    void aListThatIsNotCompleteOrBeginsLaterLeavesTheOlderOneInForce() throws Exception {
        PrivateKey own =
                GridCredential.read(directory.resolve("pki/credentials/ca.pem")).key();
        try (GridTrust trust = trust(CrlCheckingMode.IF_VALID)) {
            X509v2CRLBuilder delta = from(Duration.ofMinutes(-1));
            delta.addExtension(Extension.deltaCRLIndicator, true, new CRLNumber(BigInteger.ONE));
            for (X509v2CRLBuilder next : List.of(delta, from(Duration.ofHours(2)))) {
                write(next, own);
                trust.reloadIfChanged();
                assertThat(trust.broken()).containsKey(list);
                assertThatThrownBy(() -> trust.check(mallory)).hasMessageContaining("revoked");
                assertThatCode(() -> trust.check(chain(pki.user("Alice")))).doesNotThrowAnyException();
            }
            // The clock of its CA may be somewhat ahead.
            write(from(Duration.ofMinutes(1)), own);
            trust.reloadIfChanged();
            assertThat(trust.broken()).doesNotContainKey(list);
            assertThatCode(() -> trust.check(mallory)).doesNotThrowAnyException();
        }
    }

    private X509v2CRLBuilder from(Duration begin) {
        Instant now = Instant.now();
        return new JcaX509v2CRLBuilder(pki.authorityCertificate().getSubjectX500Principal(), Date.from(now.plus(begin)))
                .setNextUpdate(Date.from(now.plus(Duration.ofDays(1))));
    }

    private void write(X509v2CRLBuilder next, PrivateKey key) throws Exception {
        byte[] der = next.build(new JcaContentSignerBuilder("SHA256withRSA").build(key))
                .getEncoded();
        String pem = "-----BEGIN X509 CRL-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(der)
                + "\n-----END X509 CRL-----\n";
        Files.writeString(list, pem);
        Files.writeString(list(false), pem);
    }

    private void refused(GridTrust trust, X509Certificate[] chain, String why) {
        assertThatThrownBy(() -> trust.check(chain))
                .isInstanceOf(RefusedChainException.class)
                .hasMessageContaining(list.toString())
                .hasMessageContaining(why);
    }

    private GridTrust trust(CrlCheckingMode mode) {
        return new GridTrust(
                new TrustConfig(pki.certificates(), pki.vomsdir(), mode, Duration.ofHours(1)),
                directory.resolve("trust"));
    }

    private Path list(boolean present) {
        return pki.certificates()
                .resolve(OpensslTruststoreHelper.getOpenSSLCAHash(
                                pki.authorityCertificate().getSubjectX500Principal(), present)
                        + ".r0");
    }

    private static KeyPair keys() {
        try {
            KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
            keys.initialize(2048);
            return keys.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void grow(Path file) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(TOO_LARGE);
        }
    }

    private static X509Certificate[] chain(GridCredential of) {
        return of.chain().toArray(X509Certificate[]::new);
    }
}
