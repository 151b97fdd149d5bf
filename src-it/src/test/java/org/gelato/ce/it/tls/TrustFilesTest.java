package org.gelato.ce.it.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import eu.emi.security.authn.x509.CrlCheckingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.gelato.ce.core.delegation.AttributeReader;
import org.gelato.ce.core.delegation.CanlChainValidator;
import org.gelato.ce.core.delegation.VomsAttributeReader;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.ws.tls.ChainIdentities;
import org.gelato.ce.ws.tls.GridTrust;
import org.gelato.ce.ws.tls.RefusedChainException;
import org.gelato.ce.ws.tls.TrustConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Trust files change, break and are repaired while the CE runs. */
class TrustFilesTest {
    @TempDir
    Path directory;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(GridTrust.class.getPackageName());
    private GridPki pki;
    private GridCredential alice;
    private GridCredential bob;
    private GridTrust trust;
    private ChainIdentities identities;

    @BeforeEach
    void open() {
        log.start();
        logger.addAppender(log);
        pki = GridPki.open(directory.resolve("pki"), "localhost");
        alice = pki.user("Alice Example");
        bob = pki.user("Bob Example");
    }

    @AfterEach
    void close() {
        trust.close();
        logger.detachAppender(log);
    }

    @Test
    void aBrokenCrlLeavesTheRevokedOut() throws Exception {
        pki.revoke(bob);
        start();
        assertRevoked();
        Map<Path, byte[]> good = new HashMap<>();
        for (Path crl : files(pki.certificates(), ".r0")) {
            good.put(crl, Files.readAllBytes(crl));
            Files.writeString(crl, "-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n");
        }
        Awaitility.await().until(() -> trust.broken().keySet().containsAll(good.keySet()));
        assertRevoked();
        assertThat(identify(alice).dn()).isEqualTo(alice.subject());
        assertThat(errors()).hasSize(good.size()).allMatch(e -> e.contains(".r0: ") && e.contains("stays in force"));

        for (Map.Entry<Path, byte[]> crl : good.entrySet()) {
            Files.write(crl.getKey(), crl.getValue());
        }
        pki.revoke(alice);
        Awaitility.await()
                .untilAsserted(() -> assertThatThrownBy(() -> identify(alice)).hasMessageContaining("revoked"));
        Awaitility.await().until(() -> trust.broken().isEmpty());
    }

    @Test
    void aCrlThatEndedIsNamedWithItsEndAndLoggedOnce() throws Exception {
        Instant end = Instant.now().truncatedTo(ChronoUnit.SECONDS).minusSeconds(60);
        pki.endRevocationList(end);
        start();
        String ca = "/DC=test/DC=gelato/CN=Gelato Test CA";
        for (GridCredential user : List.of(alice, bob)) {
            assertThatThrownBy(() -> identify(user))
                    .isInstanceOf(RefusedChainException.class)
                    .hasMessage("the CRL of " + ca + " ended at " + end
                            + ", so that none of this CA's certificates is accepted until the CE has a newer one");
        }
        // A delegated proxy is refused with the same message.
        assertThat(new CanlChainValidator(trust.validator())
                        .validate(pki.proxy(alice).make().chain().toArray(X509Certificate[]::new)))
                .hasValueSatisfying(why -> assertThat(why).startsWith("the CRL of " + ca + " ended at " + end));
        assertThat(errors())
                .singleElement()
                .asString()
                .contains(ca, end.toString(), pki.certificates().toString());
        assertThat(trust.revocationListEnds()).containsEntry(ca, end);

        pki.endRevocationList(end.plus(Duration.ofDays(1)));
        Awaitility.await()
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(identify(alice).dn()).isEqualTo(alice.subject()));
        assertThat(errors()).hasSize(1);
        assertThat(trust.revocationListEnds()).containsEntry(ca, end.plus(Duration.ofDays(1)));
    }

    /** Between two readings of the files, too: a chain is not remembered beyond what would refuse it now. */
    @Test
    void aChainIsRememberedNoLongerThanTheCrlOfItsCaHolds() throws Exception {
        Instant end = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(300);
        pki.endRevocationList(end);
        start(Duration.ofMinutes(10));
        AtomicReference<Instant> now = new AtomicReference<>(end.minusSeconds(1));
        identities = new ChainIdentities(trust, ((InstantSource) now::get).withZone(ZoneOffset.UTC));
        X509Certificate[] chain = pki.proxy(alice).make().chain().toArray(X509Certificate[]::new);
        identities.identify(chain);
        identities.identify(chain);
        assertThat(identities.validations()).isEqualTo(1);
        now.set(end);
        identities.identify(chain);
        assertThat(identities.validations()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {".0", ".signing_policy"})
    void aBrokenAuthorityFileLeavesTheLastValidOneInForce(String kind) throws Exception {
        start();
        List<Path> files = files(pki.certificates(), kind);
        for (Path file : files) {
            Files.writeString(file, "no such thing\n");
        }
        Awaitility.await().until(() -> trust.broken().keySet().containsAll(files));
        assertThat(identify(alice).fqans()).containsExactly("/dteam");
        assertThatThrownBy(() -> identify(pki.outsider("Eve"))).isInstanceOf(RefusedChainException.class);
    }

    @Test
    void aRemovedAuthorityIsNotBelievedAnyMore() throws Exception {
        start();
        assertThat(identify(alice).dn()).isEqualTo(alice.subject());
        for (Path file : files(pki.certificates(), ".0")) {
            Files.delete(file);
        }
        Awaitility.await()
                .untilAsserted(
                        () -> assertThatThrownBy(() -> identify(alice)).isInstanceOf(RefusedChainException.class));
    }

    @Test
    void anLscFileThatIsChangedBrokenAndMendedCountsInTurn() throws Exception {
        start();
        Path lsc = pki.vomsdir().resolve("dteam").resolve("voms.gelato.test.lsc");
        String good = Files.readString(lsc);
        assertThat(identify(alice).fqans()).containsExactly("/dteam");

        Files.writeString(lsc, "/DC=test/DC=gelato/O=Hosts/CN=new.gelato.test\n/DC=test/DC=gelato/CN=Gelato Test CA\n");
        Awaitility.await()
                .untilAsserted(() -> assertThat(identify(alice).vomsErrors())
                        .singleElement()
                        .asString()
                        .startsWith("VOMS attributes of VO dteam refused: issued by"
                                + " /DC=test/DC=gelato/O=Hosts/CN=voms.gelato.test, dteam/voms.gelato.test.lsc expects"
                                + " /DC=test/DC=gelato/O=Hosts/CN=new.gelato.test: "));

        Files.writeString(lsc, good);
        Awaitility.await()
                .untilAsserted(() -> assertThat(identify(alice).fqans()).containsExactly("/dteam"));
        Files.writeString(lsc, "<html>not found</html>\n");
        Awaitility.await().until(() -> trust.broken().containsKey(lsc));
        assertThat(identify(alice).fqans()).containsExactly("/dteam");
        assertThat(errors()).singleElement().asString().contains("line 1 is no DN in slash form");
    }

    @Test
    void whatIsBrokenAtTheStartIsLeftOutAndMayBeMended() throws Exception {
        Path lsc = pki.vomsdir().resolve("dteam").resolve("voms.gelato.test.lsc");
        String good = Files.readString(lsc);
        Files.writeString(lsc, "");
        start();
        assertThat(trust.broken()).containsOnlyKeys(lsc);
        assertThat(identify(alice).vomsErrors()).singleElement().asString().contains("there is no dteam/");
        Files.writeString(lsc, good);
        Awaitility.await()
                .untilAsserted(() -> assertThat(identify(alice).fqans()).containsExactly("/dteam"));
    }

    @Test
    void aVomsCertificateInPlaceOfAnLscFileCounts() throws Exception {
        Path vo = pki.vomsdir().resolve("dteam");
        Files.delete(vo.resolve("voms.gelato.test.lsc"));
        start();
        assertThat(identify(alice).fqans()).isEmpty();
        Files.writeString(
                vo.resolve("voms.gelato.test.pem"), pki.voms().credential().chainPem());
        Awaitility.await()
                .untilAsserted(() -> assertThat(identify(alice).fqans()).containsExactly("/dteam"));
    }

    @Test
    void aDelegatedProxyOfAWrongIssuerNamesIssuerExpectationAndFile() {
        start();
        AttributeReader reader = new VomsAttributeReader(trust.attributeValidator(), trust::refusal);
        GridCredential proxy = pki.proxy(alice).issuer(pki.impostor()).make();
        assertThat(reader.read(proxy.chain().toArray(X509Certificate[]::new)).errors())
                .singleElement()
                .asString()
                .contains(
                        "issued by /DC=test/DC=gelato/O=Hosts/CN=impostor.gelato.test",
                        "dteam/voms.gelato.test.lsc expects /DC=test/DC=gelato/O=Hosts/CN=voms.gelato.test");
    }

    private void start() {
        start(Duration.ofSeconds(1));
    }

    private void start(Duration refresh) {
        trust = new GridTrust(
                new TrustConfig(pki.certificates(), pki.vomsdir(), CrlCheckingMode.IF_VALID, refresh),
                directory.resolve("trust"));
        identities = new ChainIdentities(trust, Clock.systemUTC());
    }

    private GridIdentity identify(GridCredential user) throws RefusedChainException {
        return identities.identify(pki.proxy(user).make().chain().toArray(X509Certificate[]::new));
    }

    private void assertRevoked() {
        assertThatThrownBy(() -> identify(bob))
                .isInstanceOf(RefusedChainException.class)
                .hasMessageContaining("revoked");
    }

    private List<String> errors() {
        return log.list.stream()
                .filter(e -> e.getLevel() == Level.ERROR)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static List<Path> files(Path directory, String ending) throws IOException {
        try (var all = Files.list(directory)) {
            return all.filter(f -> f.toString().endsWith(ending)).toList();
        }
    }
}
