package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.gelato.ce.core.delegation.DelegationGrid.FOREIGN;
import static org.gelato.ce.core.delegation.DelegationGrid.NOW;
import static org.gelato.ce.core.delegation.DelegationGrid.OTHER;
import static org.gelato.ce.core.delegation.DelegationGrid.SPARE_KEY;
import static org.gelato.ce.core.delegation.DelegationGrid.USER;
import static org.gelato.ce.core.delegation.DelegationGrid.key;
import static org.gelato.ce.core.delegation.DelegationGrid.proxy;
import static org.gelato.ce.core.delegation.DelegationGrid.requestedKey;
import static org.gelato.ce.core.delegation.DelegationGrid.sha1Proxy;
import static org.gelato.ce.core.delegation.DelegationGrid.userProxy;
import static org.gelato.ce.core.delegation.DelegationGrid.validator;

import eu.emi.security.authn.x509.proxy.ProxyChainInfo;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.delegation.DelegationGrid.Kind;
import org.gelato.ce.core.fault.ServiceException.DelegationRefused;
import org.gelato.ce.testkit.pki.GridCredential;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a client may send as a proxy is stored whole or refused whole (docs/developer/protocol/delegation-wire.md section 5). */
class ProxyVarietiesTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final String INVALID = "Validation failed [delegId=d1]: Proxy certificate is not valid: ";

    private final DelegationBench bench = new DelegationBench(DB.database());

    /** A chain for the key of a request. */
    private record Variety(String name, Function<PublicKey, String> pem, String refusal) {
        static Variety good(String name, Function<PublicKey, List<X509Certificate>> chain) {
            return new Variety(name, key -> ProxyChain.pem(chain.apply(key)), null);
        }

        static Variety bad(String name, Function<PublicKey, List<X509Certificate>> chain, String refusal) {
            return new Variety(name, key -> ProxyChain.pem(chain.apply(key)), refusal);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    @AfterEach
    void close() {
        bench.close();
    }

    static Stream<Variety> good() {
        GridCredential rfc = userProxy();
        GridCredential legacy = parent(USER, Kind.LEGACY);
        return Stream.of(
                Variety.good("RFC of the user", key -> proxy(USER, key, Kind.RFC)),
                Variety.good("RFC of an RFC proxy", key -> proxy(rfc, key, Kind.RFC)),
                Variety.good("three RFC proxies deep", key -> proxy(parent(rfc, Kind.RFC), key, Kind.RFC)),
                Variety.good("SHA-1 signature and a CN that is repeated", key -> sha1Proxy(rfc, key)),
                Variety.good("the same once more", key -> sha1Proxy(sha1(rfc), key)),
                Variety.good("legacy of the user", key -> proxy(USER, key, Kind.LEGACY)),
                Variety.good("legacy of a legacy proxy: CN=proxy twice", key -> proxy(legacy, key, Kind.LEGACY)));
    }

    static Stream<Variety> limited() {
        return Stream.of(
                Variety.good("limited RFC", key -> proxy(userProxy(), key, Kind.RFC_LIMITED)),
                Variety.good("limited legacy", key -> proxy(USER, key, Kind.LEGACY_LIMITED)));
    }

    static Stream<Variety> bad() {
        Instant tomorrow = NOW.plus(Duration.ofDays(1));
        Instant past = NOW.minusSeconds(10);
        String whole = ProxyChain.pem(proxy(USER, SPARE_KEY.getPublic(), Kind.RFC));
        return Stream.of(
                Variety.bad(
                        "valid from tomorrow",
                        key -> proxy(USER, key, Kind.RFC, tomorrow, tomorrow.plusSeconds(60)),
                        INVALID + "it is valid from " + tomorrow + " only, and the clock of this CE shows "),
                Variety.bad(
                        "ended",
                        key -> proxy(USER, key, Kind.RFC, past.minusSeconds(60), past),
                        INVALID + "it expired at " + past),
                Variety.bad(
                        "of another user",
                        key -> proxy(OTHER, key, Kind.RFC),
                        "Invalid delegation issuer: 'CN=Other User,O=People,DC=gelato,DC=test' CN=Sample User,O=People,DC=gelato,DC=test"),
                Variety.bad("of another CA's user", key -> proxy(FOREIGN, key, Kind.RFC), INVALID),
                Variety.bad("of the draft", key -> proxy(USER, key, Kind.DRAFT), "Proxy type not recognised: "),
                Variety.bad("no proxy", key -> USER.chain(), "Proxy type not recognised: "),
                Variety.bad(
                        "mixed: RFC of a legacy proxy",
                        key -> proxy(parent(USER, Kind.LEGACY), key, Kind.RFC),
                        INVALID + "The proxy chain contains proxy certificates of different types"),
                Variety.bad(
                        "mixed: legacy of an RFC proxy",
                        key -> proxy(userProxy(), key, Kind.LEGACY),
                        INVALID + "The proxy chain contains proxy certificates of different types"),
                Variety.bad(
                        "unlimited of a limited proxy",
                        key -> proxy(parent(USER, Kind.RFC_LIMITED), key, Kind.RFC),
                        INVALID + "The proxy chain contains an unlimited proxy certificate after a limited"),
                Variety.bad(
                        "deeper than its parent allows",
                        key -> proxy(parent(USER, Kind.RFC_PATH_0), key, Kind.RFC),
                        "Cannot delegate: the proxy "),
                Variety.bad(
                        "for a key nobody asked for",
                        key -> proxy(USER, SPARE_KEY.getPublic(), Kind.RFC),
                        "Delegation request not found! "),
                new Variety("half a PEM", key -> half(key), "Failed to load certificate chain: "),
                new Variety(
                        "half of the second certificate",
                        key -> oneAndAHalf(key),
                        "Failed to load certificate chain: "),
                new Variety("empty", key -> "", "Failed to load certificate chain: "),
                new Variety(
                        "a private key with it",
                        key -> whole + "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
                        "Failed to load certificate chain: "));
    }

    @ParameterizedTest
    @MethodSource({"good", "limited"})
    void isStoredAndItsFileIsLimited(Variety variety) throws Exception {
        PublicKey key = requestedKey(bench.service.getProxyReq(bench.caller, "d1"));
        bench.service.putProxy(bench.caller, "d1", variety.pem().apply(key));

        X509Certificate[] file = bench.fileOf("d1").toArray(X509Certificate[]::new);
        assertThat(new ProxyChainInfo(file).isLimited()).isTrue();
        assertThat(validator().validate(file).isValid())
                .as("%s", validator().validate(file))
                .isTrue();
        assertThat(bench.count("delegation_request")).isZero();
    }

    @ParameterizedTest
    @MethodSource("limited")
    void aLimitedProxyIsHandedOnAsItIs(Variety variety) {
        PublicKey key = requestedKey(bench.service.getProxyReq(bench.caller, "d1"));
        bench.service.putProxy(bench.caller, "d1", variety.pem().apply(key));
        assertThat(bench.fileOf("d1").get(0).getPublicKey()).isEqualTo(key);
    }

    @ParameterizedTest
    @MethodSource("bad")
    void isRefusedByNameAndNothingIsStored(Variety variety) {
        PublicKey key = requestedKey(bench.service.getProxyReq(bench.caller, "d1"));
        String pem = variety.pem().apply(key);
        assertThatThrownBy(() -> bench.service.putProxy(bench.caller, "d1", pem))
                .isInstanceOf(DelegationRefused.class)
                .hasMessageStartingWith(variety.refusal());
        assertThat(bench.count("delegation")).isZero();
        assertThat(bench.count("proxy_file")).isZero();
        assertThat(bench.accounts.files()).isEmpty();
        // A better one may still come.
        bench.service.putProxy(bench.caller, "d1", ProxyChain.pem(proxy(USER, key, Kind.RFC)));
        assertThat(bench.ref("d1")).isNotNull();
    }

    @ParameterizedTest
    @MethodSource("bad")
    void inARenewalTheOldProxyStays(Variety variety) {
        bench.delegate("d1", Duration.ofHours(1));
        DelegationBench.Row before = bench.ref("d1");
        int puts = bench.accounts.puts.get();
        PublicKey key = requestedKey(bench.service.renewProxyReq(bench.caller, "d1"));
        String pem = variety.pem().apply(key);
        assertThatThrownBy(() -> bench.service.putProxy(bench.caller, "d1", pem))
                .isInstanceOf(DelegationRefused.class)
                .hasMessageStartingWith(variety.refusal());
        assertThat(bench.ref("d1")).isEqualTo(before);
        assertThat(bench.accounts.puts.get()).isEqualTo(puts);
    }

    @Test
    void aShorterProxyIsTakenAfterTheLongerOneWasDestroyed() {
        bench.delegate("d1", Duration.ofHours(12));
        assertThatThrownBy(() -> bench.renew("d1", Duration.ofHours(1))).hasMessageContaining(" not renewed: ");
        bench.service.destroy(bench.caller, "d1");
        bench.delegate("d1", Duration.ofHours(1));
        assertThat(bench.ref("d1").expiresAt()).isEqualTo(NOW.plus(Duration.ofHours(1)));
    }

    private static GridCredential parent(GridCredential issuer, Kind kind) {
        KeyPair key = key();
        return new GridCredential(key.getPrivate(), proxy(issuer, key.getPublic(), kind));
    }

    private static GridCredential sha1(GridCredential issuer) {
        KeyPair key = key();
        return new GridCredential(key.getPrivate(), sha1Proxy(issuer, key.getPublic()));
    }

    private static String half(PublicKey key) {
        String pem = ProxyChain.pem(proxy(USER, key, Kind.RFC).subList(0, 1));
        return pem.substring(0, pem.length() / 2);
    }

    private static String oneAndAHalf(PublicKey key) {
        String pem = ProxyChain.pem(proxy(USER, key, Kind.RFC));
        return pem.substring(0, pem.length() - 400);
    }
}
