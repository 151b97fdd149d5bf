package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.gelato.ce.core.delegation.DelegationGrid.SPARE_KEY;
import static org.gelato.ce.core.delegation.DelegationGrid.requestedKey;

import java.io.StringReader;
import java.security.KeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.operator.DefaultSignatureNameFinder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.gelato.ce.core.delegation.KeyPool.RequestKey;
import org.junit.jupiter.api.Test;

class CertificateRequestTest {
    private final KeyPair key = SPARE_KEY;

    @Test
    void theRequestIsThatOfAProxyOfTheCaller() throws Exception {
        String pem = CertificateRequest.pem("CN=A\\, B+UID=7,O=Gelato,C=EU", key);
        assertThat(pem)
                .startsWith("-----BEGIN CERTIFICATE REQUEST-----\n")
                .endsWith("\n-----END CERTIFICATE REQUEST-----\n")
                .doesNotContain("\r");
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            PKCS10CertificationRequest request = (PKCS10CertificationRequest) parser.readObject();
            assertThat(request.isSignatureValid(
                            new JcaContentVerifierProviderBuilder().build(request.getSubjectPublicKeyInfo())))
                    .isTrue();
            assertThat(new DefaultSignatureNameFinder().getAlgorithmName(request.getSignatureAlgorithm()))
                    .isEqualTo("SHA256WITHRSA");
            assertThat(request.getSubject().toString())
                    .matches("C=EU,O=Gelato,(CN=A\\\\, B\\+UID=7|UID=7\\+CN=A\\\\, B),CN=[0-9]+");
        }
        assertThat(requestedKey(pem)).isEqualTo(key.getPublic());
    }

    @Test
    void aRequestThatNamesNobodyIsSignedToo() throws Exception {
        String pem = RequestKey.of(key).request();
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            PKCS10CertificationRequest request = (PKCS10CertificationRequest) parser.readObject();
            assertThat(request.isSignatureValid(
                            new JcaContentVerifierProviderBuilder().build(request.getSubjectPublicKeyInfo())))
                    .isTrue();
            assertThat(request.getSubject().getRDNs()).isEmpty();
        }
        assertThat(requestedKey(pem)).isEqualTo(key.getPublic());
    }

    @Test
    void aDnThatDoesNotParseIsNamed() {
        assertThatThrownBy(() -> CertificateRequest.pem("no name", key)).isInstanceOf(IllegalArgumentException.class);
    }
}
