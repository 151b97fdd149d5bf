package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.delegation.DelegationGrid.SPARE_KEY;
import static org.gelato.ce.core.delegation.DelegationGrid.USER;
import static org.gelato.ce.core.delegation.DelegationGrid.proxy;
import static org.gelato.ce.core.delegation.DelegationGrid.sha1Proxy;
import static org.gelato.ce.core.delegation.DelegationGrid.validator;

import eu.emi.security.authn.x509.X509CertChainValidatorExt;
import eu.emi.security.authn.x509.proxy.ProxyChainInfo;
import eu.emi.security.authn.x509.proxy.ProxyChainType;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import org.gelato.ce.core.delegation.DelegationGrid.Kind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class ProxyFileContentTest {
    private static final KeyPool KEYS = new KeyPool(1);

    private final ProxyFileContent content = new ProxyFileContent(KEYS, Clock.systemUTC());
    private final X509CertChainValidatorExt validator = validator();
    private final KeyPair delegated = SPARE_KEY;

    @AfterAll
    static void close() {
        KEYS.close();
    }

    @Test
    void anRfcProxyIsLimitedFurther() throws Exception {
        ProxyChainInfo info = limited(proxy(USER, delegated.getPublic(), Kind.RFC));
        assertThat(info.getProxyType()).isEqualTo(ProxyChainType.RFC3820);
    }

    @Test
    void aLegacyProxyIsLimitedFurther() throws Exception {
        ProxyChainInfo info = limited(proxy(USER, delegated.getPublic(), Kind.LEGACY));
        assertThat(info.getProxyType()).isEqualTo(ProxyChainType.LEGACY);
    }

    @Test
    void belowASha1ProxyTheLimitedOneIsSignedWithSha256() throws Exception {
        List<X509Certificate> chain = sha1Proxy(USER, delegated.getPublic());
        limited(chain);
        assertThat(read(chain).certificates.get(0).getSigAlgName()).isEqualTo("SHA256withRSA");
    }

    @Test
    void aLimitedProxyIsHandedOnAsItIs() throws Exception {
        // Nor can a further one be made below the last of a bounded path.
        for (Kind kind : List.of(Kind.RFC_LIMITED, Kind.LEGACY_LIMITED, Kind.RFC_PATH_0)) {
            List<X509Certificate> chain = proxy(USER, delegated.getPublic(), kind);
            File file = read(chain);
            assertThat(file.types).containsExactly("CERTIFICATE", "RSA PRIVATE KEY", "CERTIFICATE");
            assertThat(file.certificates).isEqualTo(chain);
            assertThat(file.modulus)
                    .isEqualTo(((java.security.interfaces.RSAPublicKey) delegated.getPublic()).getModulus());
        }
    }

    private ProxyChainInfo limited(List<X509Certificate> chain) throws Exception {
        File file = read(chain);
        assertThat(file.types).containsExactly("CERTIFICATE", "RSA PRIVATE KEY", "CERTIFICATE", "CERTIFICATE");
        X509Certificate limited = file.certificates.get(0);
        assertThat(file.certificates.subList(1, 3)).isEqualTo(chain);
        assertThat(limited.getNotAfter()).isEqualTo(chain.get(0).getNotAfter());
        assertThat(limited.getIssuerX500Principal()).isEqualTo(chain.get(0).getSubjectX500Principal());
        assertThat(((java.security.interfaces.RSAPublicKey) limited.getPublicKey()).getModulus())
                .isEqualTo(file.modulus);
        X509Certificate[] whole = file.certificates.toArray(X509Certificate[]::new);
        assertThat(validator.validate(whole).getErrors()).isEmpty();
        ProxyChainInfo info = new ProxyChainInfo(whole);
        assertThat(info.isLimited()).isTrue();
        return info;
    }

    private File read(List<X509Certificate> chain) throws Exception {
        String text = new String(
                content.of(ProxyChain.parse(ProxyChain.pem(chain)), delegated.getPrivate()), StandardCharsets.US_ASCII);
        File file = new File();
        try (PemReader reader = new PemReader(new StringReader(text))) {
            for (PemObject block = reader.readPemObject(); block != null; block = reader.readPemObject()) {
                file.types.add(block.getType());
                if (block.getType().equals("CERTIFICATE")) {
                    file.certificates.add(ProxyChain.parse(Pem.block("CERTIFICATE", block.getContent()))
                            .leaf());
                } else {
                    file.modulus = RSAPrivateKey.getInstance(block.getContent()).getModulus();
                }
            }
        }
        return file;
    }

    private static final class File {
        final List<String> types = new ArrayList<>();
        final List<X509Certificate> certificates = new ArrayList<>();
        java.math.BigInteger modulus;
    }
}
