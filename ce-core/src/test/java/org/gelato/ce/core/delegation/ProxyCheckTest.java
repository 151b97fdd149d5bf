package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.gelato.ce.core.delegation.DelegationGrid.FOREIGN;
import static org.gelato.ce.core.delegation.DelegationGrid.NOW;
import static org.gelato.ce.core.delegation.DelegationGrid.OTHER;
import static org.gelato.ce.core.delegation.DelegationGrid.PKI;
import static org.gelato.ce.core.delegation.DelegationGrid.SPARE_KEY;
import static org.gelato.ce.core.delegation.DelegationGrid.USER;
import static org.gelato.ce.core.delegation.DelegationGrid.proxy;
import static org.gelato.ce.core.delegation.DelegationGrid.sha1Proxy;
import static org.gelato.ce.core.delegation.DelegationGrid.userProxy;
import static org.gelato.ce.core.delegation.DelegationGrid.userProxyWithStolenAttributes;
import static org.gelato.ce.core.delegation.DelegationGrid.validator;

import java.io.ByteArrayInputStream;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.DERBMPString;
import org.bouncycastle.asn1.DERT61String;
import org.bouncycastle.asn1.DERUTF8String;
import org.gelato.ce.core.delegation.DelegationGrid.Kind;
import org.gelato.ce.core.fault.ServiceException.DelegationRefused;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.testkit.pki.CertificateForm;
import org.gelato.ce.testkit.pki.GridCredential;
import org.italiangrid.voms.VOMSValidators;
import org.italiangrid.voms.ac.VOMSACValidator;
import org.italiangrid.voms.store.impl.DefaultVOMSTrustStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ProxyCheckTest {
    private static final PublicKey KEY = SPARE_KEY.getPublic();
    private static final String ID = "4f1c";

    private static VOMSACValidator voms;
    private static ProxyCheck check;

    private final Caller caller = new Caller(
            new GridIdentity(USER.subject(), List.of(), null, false, NOW.plusSeconds(9999), List.of()),
            "dteam001",
            false);

    @BeforeAll
    static void open() throws Exception {
        voms = VOMSValidators.newValidator(
                new DefaultVOMSTrustStore(List.of(PKI.vomsdir().toString())), validator());
        check = new ProxyCheck(
                new CanlChainValidator(validator()),
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
            assertThatCode(() -> check(proxy(USER, KEY, kind))).as("%s", kind).doesNotThrowAnyException();
        }
        assertThatCode(() -> check(proxy(userProxy(), KEY, Kind.RFC))).doesNotThrowAnyException();
    }

    /** Authorities write letters beyond ASCII in several types; RFC 2253 texts of libraries differ for some of them. */
    @Test
    void theTypeOfLettersInASubjectDoesNotCount() {
        for (ASN1Encodable name : List.of(
                new DERBMPString("Zo\u00eb \u0141uczak"),
                new DERT61String("Zo\u00eb Luczak"),
                new DERUTF8String("Zo\u00eb"))) {
            GridCredential user = PKI.issue(
                    CertificateForm.person("/DC=test/DC=gelato/O=People").commonName(name), CertificateForm.rsa(2048));
            Caller same = new Caller(
                    new GridIdentity(
                            DnForms.rfc2253(user.chain().get(0).getSubjectX500Principal()),
                            List.of(),
                            null,
                            false,
                            NOW.plusSeconds(9999),
                            List.of()),
                    "dteam001",
                    false);
            assertThatCode(() -> check.chain(same, ID, chain(proxy(user, KEY, Kind.RFC))))
                    .as("%s", name.getClass())
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void aSha1ProxyThatRepeatsTheLastCnIsTaken() {
        assertThatCode(() -> check(sha1Proxy(userProxy(), KEY))).doesNotThrowAnyException();
    }

    @Test
    void aDraftProxyAndAPlainCertificateAreRefusedByType() {
        refused(proxy(USER, KEY, Kind.DRAFT), "Proxy type not recognised: DRAFT_RFC");
        refused(
                USER.chain(),
                "Proxy type not recognised: the certificate that your client signed is no proxy: it lacks proxyCertInfo");
    }

    @Test
    void anUntrustedOrBrokenChainIsNotValid() {
        refused(proxy(FOREIGN, KEY, Kind.RFC), "Validation failed [delegId=4f1c]: Proxy certificate is not valid: ");
        List<X509Certificate> chain = proxy(userProxy(), KEY, Kind.RFC);
        refused(
                List.of(chain.get(0), chain.get(2)),
                "Validation failed [delegId=4f1c]: Proxy certificate is not valid: ");
        refused(List.of(chain.get(0)), "Validation failed [delegId=4f1c]: Proxy certificate is not valid: ");
    }

    @Test
    void aProxyWhoseExtensionIsOfAnotherTypeIsNotValid() throws Exception {
        List<X509Certificate> chain = proxy(userProxy(), KEY, Kind.RFC);
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
        Instant past = NOW.minusSeconds(60);
        Instant future = NOW.plusSeconds(600);
        refused(
                proxy(USER, KEY, Kind.RFC, past.minusSeconds(60), past),
                "Validation failed [delegId=4f1c]: Proxy certificate is not valid: it expired at " + past);
        refused(
                proxy(USER, KEY, Kind.RFC, future, future.plusSeconds(600)),
                "Validation failed [delegId=4f1c]: Proxy certificate is not valid: it is valid from " + future
                        + " only, and the clock of this CE shows ");
    }

    @Test
    void aProxyThatOutlivesItsIssuerEndsWithIt() {
        GridCredential proxy = userProxy();
        ProxyChain chain = chain(proxy(proxy, KEY, Kind.RFC, NOW.minusSeconds(60), NOW.plus(Duration.ofDays(7))));
        assertThat(chain.end()).isEqualTo(proxy.certificate().getNotAfter().toInstant());
    }

    @Test
    void theProxyOfAnotherUserIsRefused() {
        refused(
                proxy(OTHER, KEY, Kind.RFC),
                "Invalid delegation issuer: 'CN=Other User,O=People,DC=gelato,DC=test' CN=Sample User,O=People,DC=gelato,DC=test");
    }

    @Test
    void attributesAreReadAndChecked() {
        AttributeReader.Attributes none = check.attributes(ID, chain(proxy(USER, KEY, Kind.RFC)));
        assertThat(none).isEqualTo(AttributeReader.Attributes.NONE);

        AttributeReader.Attributes some =
                check.attributes(ID, chain(proxy(userProxy("/dteam", "/dteam/x/Role=prod"), KEY, Kind.RFC)));
        assertThat(some.vo()).isEqualTo("dteam");
        assertThat(some.fqans()).containsExactly("/dteam", "/dteam/x/Role=prod");
        assertThat(some.issuer()).isEqualTo(PKI.voms().credential().subject());

        assertThatThrownBy(() -> check.attributes(ID, chain(proxy(userProxyWithStolenAttributes(), KEY, Kind.RFC))))
                .isInstanceOf(DelegationRefused.class)
                .hasMessageStartingWith("Cannot validate proxy 4f1c: ");
    }

    @Test
    void theLastProxyOfABoundedPathIsTaken() {
        assertThatCode(() -> check(proxy(USER, KEY, Kind.RFC_PATH_0))).doesNotThrowAnyException();
        GridCredential pathOfOne = PKI.proxy(USER).fqans().pathLength(1).make();
        assertThatCode(() -> check(proxy(pathOfOne, KEY, Kind.RFC))).doesNotThrowAnyException();
    }

    @Test
    void aProxyThatAllowsNoneBelowIsNamedWithWhatToTypeInstead() {
        GridCredential last = PKI.proxy(USER).fqans().pathLength(0).make();
        refused(
                proxy(last, KEY, Kind.RFC),
                "Cannot delegate: the proxy " + last.subject()
                        + " has a path length that allows no further proxy below it: "
                        + "make one that does, for instance by voms-proxy-init without -path-length");
    }

    @Test
    void aCertificateBelowAProxyThatLacksProxyCertInfoIsSaidToBeNone() {
        List<X509Certificate> chain = new ArrayList<>(PKI.signedBelow(userProxy(), SPARE_KEY));
        refused(
                chain,
                "Proxy type not recognised: the certificate that your client signed is no proxy: it lacks proxyCertInfo");
    }

    private void check(List<X509Certificate> chain) {
        check.chain(caller, ID, chain(chain));
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
