package org.gelato.ce.cli.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.X509TrustManager;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.gelato.ce.cli.soap.TestGrid;
import org.gelato.ce.cli.terminal.CliException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a CE's chain is verified anew, and when the last verification holds. */
class ServerTrustTest {
    @TempDir
    static Path shared;

    private static X509Certificate[] chain;
    private static X509Certificate[] other;
    private static X509Certificate authority;
    private static Path made;

    @TempDir
    Path temp;

    private Path authorities;
    private Path remembered;
    private Instant now = Clock.systemUTC().instant();
    private boolean good = true;
    private int verifications;

    @BeforeAll
    static void grid() throws Exception {
        TestGrid grid = new TestGrid(shared.resolve("a"), "Our CA");
        chain = new X509Certificate[] {grid.host};
        authority = grid.ca;
        other = new X509Certificate[] {new TestGrid(shared.resolve("b"), "Our CA").host};
        made = grid.certificates;
    }

    @BeforeEach
    void directory() throws IOException {
        authorities = Files.createDirectory(temp.resolve("certificates"));
        Files.copy(authority(made), authorities.resolve(authority(made).getFileName()));
        remembered = temp.resolve("cache/gelato/verified-chains");
    }

    private static Path authority(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findFirst().orElseThrow();
        }
    }

    private VerifiedChains verified() {
        return new VerifiedChains(
                Map.of("XDG_CACHE_HOME", temp.resolve("cache").toString()), Clock.fixed(now, ZoneOffset.UTC));
    }

    /** One command. */
    private void connect(X509Certificate... to) throws CertificateException {
        new ServerTrust(authorities, verified(), Verifier::new).checkServerTrusted(to, "RSA");
    }

    private final class Verifier implements X509TrustManager {
        @Override
        public void checkServerTrusted(X509Certificate[] to, String authType) throws CertificateException {
            verifications++;
            if (!good) {
                throw new CertificateException("not trusted");
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] from, String authType) {
            throw new IllegalStateException();
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private void expect(int more, X509Certificate... to) throws CertificateException {
        int before = verifications;
        connect(to);
        assertThat(verifications - before).isEqualTo(more);
    }

    @Test
    void aChainIsVerifiedOnceAnHour() throws Exception {
        expect(1, chain);
        expect(0, chain);
        expect(1, other);
        expect(0, chain);
        expect(0, other);
        now = now.plus(VerifiedChains.KEPT).minusSeconds(1);
        expect(0, chain);
        now = now.plusSeconds(1);
        expect(1, chain);
        now = now.minus(Duration.ofHours(2));
        expect(1, chain);
    }

    @Test
    void whatChangesTheAuthoritiesMakesItUnknown() throws Exception {
        expect(1, chain);
        Path authority = authority(authorities);
        Path crl = Files.writeString(authorities.resolve("1234.r0"), "revoked");
        expect(1, chain);
        Files.writeString(crl, "another", StandardOpenOption.TRUNCATE_EXISTING);
        expect(1, chain);
        Files.delete(crl);
        expect(1, chain);
        Path elsewhere = Files.copy(authority, temp.resolve("authority"));
        Files.delete(authority);
        Files.createSymbolicLink(authority, elsewhere);
        expect(1, chain);
        expect(0, chain);
        Files.writeString(elsewhere, "x", StandardOpenOption.APPEND);
        expect(1, chain);
        Files.delete(elsewhere);
        expect(1, chain);
        expect(0, chain);
    }

    @Test
    void aRefusalIsNotRemembered() throws Exception {
        good = false;
        assertThatThrownBy(() -> connect(chain)).isInstanceOf(CertificateException.class);
        assertThat(remembered).doesNotExist();
        good = true;
        expect(1, chain);
    }

    @Test
    void aFileThatOthersMayWriteIsNotRead() throws Exception {
        expect(1, chain);
        assertThat(Files.getPosixFilePermissions(remembered)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        Files.setPosixFilePermissions(remembered, PosixFilePermissions.fromString("rw-rw----"));
        expect(1, chain);
        expect(0, chain);
        Path target = Files.move(remembered, temp.resolve("moved"));
        Files.createSymbolicLink(remembered, target);
        expect(1, chain);
        expect(0, chain);
        Files.writeString(remembered, "nonsense\n\n" + "x".repeat(80_000));
        expect(1, chain);
    }

    @Test
    void aChainThatHasEndedMeanwhileIsNotTrusted() throws Exception {
        KeyPair keys = KeyPairGenerator.getInstance("RSA").generateKeyPair();
        X500Name name = new X500Name("CN=localhost");
        X509Certificate ended = new JcaX509CertificateConverter()
                .getCertificate(new JcaX509v3CertificateBuilder(
                                name,
                                BigInteger.ONE,
                                Date.from(Instant.EPOCH),
                                Date.from(Instant.EPOCH.plusSeconds(1)),
                                name,
                                keys.getPublic())
                        .build(new JcaContentSignerBuilder("SHA256withRSA").build(keys.getPrivate())));
        expect(1, ended);
        assertThatThrownBy(() -> connect(ended)).isInstanceOf(CertificateExpiredException.class);
    }

    @Test
    void anEndedRevocationListIsNamedWithWhoRenewsIt() throws Exception {
        TestGrid grid = new TestGrid(temp.resolve("c"), "CA with a list");
        X509Certificate[] host = {grid.host};
        VerifiedChains none = new VerifiedChains(Map.of(), Clock.fixed(now, ZoneOffset.UTC));
        grid.revocationList(now.plusSeconds(3600));
        new ServerTrust(grid.certificates, none).checkServerTrusted(host, "RSA");
        Instant end = now.minusSeconds(60).truncatedTo(ChronoUnit.SECONDS);
        Path list = grid.revocationList(end);
        assertThatThrownBy(() -> new ServerTrust(grid.certificates, none).checkServerTrusted(host, "RSA"))
                .isInstanceOf(CertificateException.class)
                .hasMessage("the revocation list of its authority, " + list + ", ended at " + end
                        + ": who runs this machine renews it (fetch-crl)");
    }

    /** TLS itself refuses an old algorithm in an authority's signature on itself, unless it is among these. */
    @Test
    void anAuthorityThatTheCeSendsIsAcceptedAgain() throws Exception {
        X509Certificate[] withRoot = {chain[0], authority};
        expect(1, withRoot);
        VerifiedChains verified = verified();
        ServerTrust again = new ServerTrust(authorities, verified, Verifier::new);
        again.checkServerTrusted(withRoot, "RSA");
        assertThat(again.getAcceptedIssuers()).containsExactly(authority);
        again = new ServerTrust(authorities, verified, Verifier::new);
        connect(chain);
        again.checkServerTrusted(chain, "RSA");
        assertThat(again.getAcceptedIssuers()).isEmpty();
    }

    @Test
    void aDirectoryWithoutAuthoritiesIsRefusedBeforeTheConnection() throws Exception {
        Path empty = Files.createDirectory(temp.resolve("empty"));
        assertThatThrownBy(() -> TrustedAuthorities.require(empty))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("holds no <hash>.0 file");
        assertThatThrownBy(() -> TrustedAuthorities.require(temp.resolve("none")))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("can't read");
    }
}
