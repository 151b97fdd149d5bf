package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.delegation.DelegationGrid.NOW;
import static org.gelato.ce.core.delegation.DelegationGrid.PKI;
import static org.gelato.ce.core.delegation.DelegationGrid.SPARE_KEY;
import static org.gelato.ce.core.delegation.DelegationGrid.USER;
import static org.gelato.ce.core.delegation.DelegationGrid.proxy;
import static org.gelato.ce.core.delegation.DelegationGrid.sha1Proxy;
import static org.gelato.ce.core.delegation.DelegationGrid.userProxy;
import static org.gelato.ce.core.delegation.DelegationGrid.validator;

import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.gelato.ce.core.delegation.DelegationGrid.Kind;
import org.gelato.ce.core.fault.ServiceException.DelegationRefused;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.italiangrid.voms.VOMSValidators;
import org.italiangrid.voms.ac.VOMSACValidator;
import org.italiangrid.voms.store.impl.DefaultVOMSTrustStore;

/**
 * Real chains with damage in their text or in the bytes of a certificate, through everything putProxy does with a chain:
 * whatever the damage, it is taken or refused by name, and nothing else comes out.
 */
class DamagedChainTest {
    private static final List<List<X509Certificate>> CHAINS = chains();

    private static VOMSACValidator voms;
    private static ProxyCheck check;
    private static int taken;

    private final Caller caller = new Caller(
            new GridIdentity(USER.subject(), List.of(), null, false, NOW.plusSeconds(9999), List.of()),
            "dteam001",
            false);

    private static List<List<X509Certificate>> chains() {
        List<List<X509Certificate>> chains = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            chains.add(proxy(USER, SPARE_KEY.getPublic(), kind));
        }
        chains.add(proxy(userProxy("/dteam", "/dteam/x"), SPARE_KEY.getPublic(), Kind.RFC));
        chains.add(sha1Proxy(userProxy(), SPARE_KEY.getPublic()));
        return chains;
    }

    @BeforeContainer
    static void open() {
        voms = VOMSValidators.newValidator(
                new DefaultVOMSTrustStore(List.of(PKI.vomsdir().toString())), validator());
        check = new ProxyCheck(
                new CanlChainValidator(validator()),
                new VomsAttributeReader(voms, r -> r.getValidationErrors().toString()),
                Clock.systemUTC());
    }

    @AfterContainer
    static void close() {
        voms.shutdown();
        assertThat(taken).as("chains that were good in spite of the damage").isPositive();
    }

    @Property
    void damagedText(@ForAll @IntRange(max = 7) int chain, @ForAll("damages") List<ByteDamage> damages) {
        byte[] text = ProxyChain.pem(CHAINS.get(chain)).getBytes(StandardCharsets.ISO_8859_1);
        for (ByteDamage damage : damages) {
            text = damage.done(text);
        }
        survives(new String(text, StandardCharsets.ISO_8859_1));
    }

    @Property
    void damagedCertificate(
            @ForAll @IntRange(max = 7) int chain,
            @ForAll @IntRange(max = 2) int which,
            @ForAll("damages") List<ByteDamage> damages)
            throws CertificateEncodingException {
        List<X509Certificate> certificates = CHAINS.get(chain);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < certificates.size(); i++) {
            byte[] der = certificates.get(i).getEncoded();
            if (i == which % certificates.size()) {
                for (ByteDamage damage : damages) {
                    der = damage.done(der);
                }
            }
            text.append(Pem.block("CERTIFICATE", der));
        }
        survives(text.toString());
    }

    private void survives(String pem) {
        try {
            ProxyChain chain = ProxyChain.parse(pem);
            assertThat(ProxyChain.parse(chain.pem()).sameAs(chain)).isTrue();
            assertThat(chain.keyHash()).isNotEmpty();
            assertThat(chain.issuersPem()).isNotNull();
            each(() -> check.chain(caller, "4f1c", chain));
            each(() -> check.attributes("4f1c", chain));
            taken++;
        } catch (DelegationRefused e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    /** Every check sees every chain, also one that an earlier check refuses. */
    private static void each(Runnable one) {
        try {
            one.run();
        } catch (DelegationRefused e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    @Provide
    Arbitrary<List<ByteDamage>> damages() {
        return Combinators.combine(
                        Arbitraries.frequencyOf(
                                Tuple.of(8, Arbitraries.of(0, 1)), Tuple.of(1, Arbitraries.of(2, 3, 4))),
                        Arbitraries.integers().between(0, 8000).withDistribution(RandomDistribution.uniform()),
                        Arbitraries.integers().between(0, 255))
                .as(ByteDamage::new)
                .list()
                .ofMaxSize(3);
    }
}
