package org.gelato.ce.core.delegation;

import eu.emi.security.authn.x509.helpers.proxy.RFCProxyCertInfoExtension;
import eu.emi.security.authn.x509.proxy.BaseProxyCertificateOptions;
import eu.emi.security.authn.x509.proxy.ProxyChainInfo;
import eu.emi.security.authn.x509.proxy.ProxyChainType;
import eu.emi.security.authn.x509.proxy.ProxyPolicy;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * The content of a proxy file: a further, limited proxy made out of the delegated one, its key, the rest of the chain
 * (docs/developer/protocol/delegation-wire.md sections 4 and 6). A delegated proxy that is limited, or below which no
 * further one may be, is stored itself. Called on request threads, keeps no state.
 *
 * <p>The certificate is made here and not by CAnL's generator, because that takes the signature algorithm of the parent:
 * below an old client's proxy it would sign with SHA-1, below the proxy of an elliptic-curve user not at all.
 */
final class ProxyFileContent {
    private static final Duration GRACE = Duration.ofMinutes(5); // for worker nodes whose clocks are behind
    private static final int KEY_ENCIPHERMENT = 2; // index in X509Certificate.getKeyUsage
    private static final SecureRandom RANDOM = new SecureRandom();

    private final KeyPool keys;
    private final Clock clock;

    ProxyFileContent(KeyPool keys, Clock clock) {
        this.keys = keys;
        this.clock = clock;
    }

    /**
     * The file's bytes, secret.
     *
     * @param chain the delegated proxy, checked
     * @param key its private key
     */
    byte[] of(ProxyChain chain, PrivateKey key) {
        try {
            String text;
            if (new ProxyChainInfo(chain.certificates()).isLimited() || !ProxyPath.hasRoom(chain.certificates())) {
                text = ProxyChain.pem(List.of(chain.leaf())) + pem(key) + chain.issuersPem();
            } else {
                KeyPair own = keys.take().pair();
                X509Certificate limited = limited(chain.leaf(), key, own.getPublic());
                text = ProxyChain.pem(List.of(limited)) + pem(own.getPrivate()) + chain.pem();
            }
            return text.getBytes(StandardCharsets.US_ASCII);
        } catch (CertificateException | IOException | OperatorCreationException e) {
            throw new IllegalStateException("no limited proxy can be made of a checked one", e);
        }
    }

    private X509Certificate limited(X509Certificate parent, PrivateKey key, PublicKey own)
            throws CertificateException, IOException, OperatorCreationException {
        boolean legacy = new ProxyChainInfo(new X509Certificate[] {parent}).getProxyType() == ProxyChainType.LEGACY;
        // a legacy proxy carries its issuer's serial number, an RFC one a number that is its last CN too
        BigInteger serial =
                legacy ? parent.getSerialNumber() : BigInteger.valueOf(RANDOM.nextInt(Integer.MAX_VALUE - 1) + 1L);
        X500Name issuer = X500Name.getInstance(parent.getSubjectX500Principal().getEncoded());
        Instant begin = clock.instant().minus(GRACE);
        Instant parentBegin = parent.getNotBefore().toInstant();
        X509v3CertificateBuilder builder = new X509v3CertificateBuilder(
                issuer,
                serial,
                Date.from(begin.isBefore(parentBegin) ? parentBegin : begin),
                parent.getNotAfter(),
                below(issuer, legacy ? "limited proxy" : serial.toString()),
                SubjectPublicKeyInfo.getInstance(own.getEncoded()));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(usage(parent)));
        if (!legacy) {
            builder.addExtension(
                    new ASN1ObjectIdentifier(RFCProxyCertInfoExtension.RFC_EXTENSION_OID),
                    true,
                    new RFCProxyCertInfoExtension(
                            BaseProxyCertificateOptions.UNLIMITED_PROXY_LENGTH,
                            new ProxyPolicy(ProxyPolicy.LIMITED_PROXY_OID)));
        }
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withRSA").build(key)));
    }

    /** A proxy may not have more rights than its issuer. */
    private static int usage(X509Certificate parent) {
        boolean[] allowed = parent.getKeyUsage();
        boolean encipherment = allowed == null || allowed[KEY_ENCIPHERMENT];
        return KeyUsage.digitalSignature | (encipherment ? KeyUsage.keyEncipherment : 0);
    }

    private static X500Name below(X500Name issuer, String cn) {
        RDN[] parent = issuer.getRDNs();
        RDN[] subject = new RDN[parent.length + 1];
        System.arraycopy(parent, 0, subject, 0, parent.length);
        subject[parent.length] = new RDN(new AttributeTypeAndValue(BCStyle.CN, new DERPrintableString(cn)));
        return new X500Name(subject);
    }

    /** PKCS#1, which every grid tool reads. */
    private static String pem(PrivateKey key) throws IOException {
        ASN1Encodable rsa = PrivateKeyInfo.getInstance(key.getEncoded()).parsePrivateKey();
        return Pem.block("RSA PRIVATE KEY", rsa.toASN1Primitive().getEncoded());
    }
}
