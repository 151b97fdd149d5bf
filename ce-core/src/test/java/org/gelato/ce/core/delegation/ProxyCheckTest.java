package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.gelato.ce.core.delegation.TestPki.Credential;
import org.gelato.ce.core.delegation.TestPki.Kind;
import org.gelato.ce.core.fault.ServiceException.DelegationRefused;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.italiangrid.voms.VOMSValidators;
import org.italiangrid.voms.ac.VOMSACValidator;
import org.italiangrid.voms.store.impl.DefaultVOMSTrustStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProxyCheckTest {
    private static final TestPki PKI = TestPki.PKI;
    private static final PublicKey KEY = PKI.spareKey().getPublic();
    private static final String ID = "4f1c";

    @TempDir
    static Path vomsdir;

    private static VOMSACValidator voms;
    private static ProxyCheck check;

    private final Caller caller = new Caller(
            new GridIdentity(PKI.user.dn(), List.of(), null, false, PKI.now.plusSeconds(9999), List.of()),
            "dteam001",
            false);

    @BeforeAll
    static void open() throws Exception {
        PKI.vomsdir(vomsdir);
        voms = VOMSValidators.newValidator(new DefaultVOMSTrustStore(List.of(vomsdir.toString())), PKI.validator());
        check = new ProxyCheck(
                new CanlChainValidator(PKI.validator()),
                new VomsAttributeReader(voms, r -> r.getValidationErrors().toString()),
                Clock.systemUTC());
    }

    @AfterAll
    static void close() {
        voms.shutdown();
    }

    @Test
    void legacyAndRfcProxiesAreTaken() {
        for (Kind kind : List.of(Kind.RFC, Kind.RFC_LIMITED, Kind.LEGACY, Kind.LEGACY_LIMITED)) {
            assertThatCode(() -> check(PKI.proxy(PKI.user, KEY, kind)))
                    .as("%s", kind)
                    .doesNotThrowAnyException();
        }
        assertThatCode(() -> check(PKI.proxy(PKI.userProxy(), KEY, Kind.RFC))).doesNotThrowAnyException();
    }

    @Test
    void aSha1ProxyThatRepeatsTheLastCnIsTaken() {
        assertThatCode(() -> check(PKI.sha1Proxy(PKI.userProxy(), KEY))).doesNotThrowAnyException();
    }

    @Test
    void aDraftProxyAndAPlainCertificateAreRefusedByType() {
        refused(PKI.proxy(PKI.user, KEY, Kind.DRAFT), "Proxy type not recognised: DRAFT_RFC");
        refused(PKI.user.chain(), "Proxy type not recognised: the first certificate is no proxy");
    }

    @Test
    void anUntrustedOrBrokenChainIsNotValid() {
        refused(
                PKI.proxy(PKI.foreignUser, KEY, Kind.RFC),
                "Validation failed [delegId=4f1c]: Proxy certificate is not valid: ");
        List<X509Certificate> chain = PKI.proxy(PKI.userProxy(), KEY, Kind.RFC);
        refused(
                List.of(chain.get(0), chain.get(2)),
                "Validation failed [delegId=4f1c]: Proxy certificate is not valid: ");
        refused(List.of(chain.get(0)), "Validation failed [delegId=4f1c]: Proxy certificate is not valid: ");
    }

    @Test
    void aProxyWhoseExtensionIsOfAnotherTypeIsNotValid() throws Exception {
        List<X509Certificate> chain = PKI.proxy(PKI.userProxy(), KEY, Kind.RFC);
        List<X509Certificate> odd = new ArrayList<>(chain);
        odd.set(1, withSetForSequence(chain.get(1)));
        refused(
                odd,
                "Validation failed [delegId=4f1c]: Proxy certificate is not valid: the chain can't be checked: class ");
    }

    /** Its proxyCertInfo is a SET of what it was a SEQUENCE of. */
    private static X509Certificate withSetForSequence(X509Certificate proxy) throws Exception {
        String der = HexFormat.of().formatHex(proxy.getEncoded());
        String damaged = der.replaceFirst("(06082b0601050507010e(?:0101ff)?04..)30", "$1" + "31");
        assertThat(damaged).isNotEqualTo(der);
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(HexFormat.of().parseHex(damaged)));
    }

    @Test
    void anExpiredProxyAndOneOfTheFutureAreRefusedByName() {
        Instant past = PKI.now.minusSeconds(60);
        Instant future = PKI.now.plusSeconds(600);
        refused(
                PKI.proxy(PKI.user, KEY, Kind.RFC, past.minusSeconds(60), past),
                "Validation failed [delegId=4f1c]: Proxy certificate is not valid: it expired at " + past);
        refused(
                PKI.proxy(PKI.user, KEY, Kind.RFC, future, future.plusSeconds(600)),
                "Validation failed [delegId=4f1c]: Proxy certificate is not valid: it is valid from " + future
                        + " only");
    }

    @Test
    void aProxyThatOutlivesItsIssuerEndsWithIt() {
        Credential proxy = PKI.userProxy();
        ProxyChain chain =
                chain(PKI.proxy(proxy, KEY, Kind.RFC, PKI.now.minusSeconds(60), PKI.now.plus(Duration.ofDays(7))));
        assertThat(chain.end()).isEqualTo(proxy.leaf().getNotAfter().toInstant());
    }

    @Test
    void theProxyOfAnotherUserIsRefused() {
        refused(
                PKI.proxy(PKI.stranger, KEY, Kind.RFC),
                "Invalid delegation issuer: 'CN=Other User,O=Gelato,C=EU' CN=Sample User,O=Gelato,C=EU");
    }

    @Test
    void attributesAreReadAndChecked() {
        AttributeReader.Attributes none = check.attributes(ID, chain(PKI.proxy(PKI.user, KEY, Kind.RFC)));
        assertThat(none).isEqualTo(AttributeReader.Attributes.NONE);

        AttributeReader.Attributes some =
                check.attributes(ID, chain(PKI.proxy(PKI.userProxy("/dteam", "/dteam/x/Role=prod"), KEY, Kind.RFC)));
        assertThat(some.vo()).isEqualTo("dteam");
        assertThat(some.fqans()).containsExactly("/dteam", "/dteam/x/Role=prod");
        assertThat(some.issuer()).isEqualTo(PKI.voms.dn());

        assertThatThrownBy(() ->
                        check.attributes(ID, chain(PKI.proxy(PKI.userProxyWithStolenAttributes(), KEY, Kind.RFC))))
                .isInstanceOf(DelegationRefused.class)
                .hasMessageStartingWith("Cannot validate proxy 4f1c: ");
    }

    @Test
    void theLastProxyOfABoundedPathCanNotBeLimited() {
        assertThatThrownBy(() -> check.pathLength(chain(PKI.proxy(PKI.user, KEY, Kind.RFC_PATH_0))))
                .isInstanceOf(DelegationRefused.class)
                .hasMessage("Cannot limit proxy: wrong path limit");
        assertThatCode(() -> check.pathLength(chain(PKI.proxy(PKI.user, KEY, Kind.RFC_LIMITED))))
                .doesNotThrowAnyException();
    }

    private void check(List<X509Certificate> chain) {
        check.chain(caller, ID, chain(chain));
        check.pathLength(chain(chain));
    }

    private void refused(List<X509Certificate> chain, String text) {
        assertThatThrownBy(() -> check(chain))
                .isInstanceOf(DelegationRefused.class)
                .hasMessageStartingWith(text);
    }

    private static ProxyChain chain(List<X509Certificate> chain) {
        return ProxyChain.parse(ProxyChain.pem(chain));
    }
}
