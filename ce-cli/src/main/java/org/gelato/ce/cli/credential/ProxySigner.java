package org.gelato.ce.cli.credential;

import eu.emi.security.authn.x509.helpers.proxy.ProxyHelper;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigInteger;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.gelato.ce.cli.terminal.CliException;

/**
 * Signs the certificate request of a CE with the user's proxy, so that the CE holds a proxy of its own
 * (docs/developer/protocol/delegation-wire.md section 4): RFC 3820, SHA-256, all rights inherited, or limited where an issuer is. Signed by BouncyCastle, as canl takes the
 * algorithm of the proxy's own signature, which is that of its issuer's key: it cannot sign with the RSA proxy of a user with a curve.
 */
public final class ProxySigner {
    private static final ASN1ObjectIdentifier PROXY_CERT_INFO = new ASN1ObjectIdentifier("1.3.6.1.5.5.7.1.14");
    private static final ASN1ObjectIdentifier INHERIT_ALL = new ASN1ObjectIdentifier("1.3.6.1.5.5.7.21.1");
    private static final ASN1ObjectIdentifier LIMITED = new ASN1ObjectIdentifier("1.3.6.1.4.1.3536.1.1.1.9");
    /** Bits of keyUsage, RFC 5280 section 4.2.1.3. */
    private static final int KEY_ENCIPHERMENT = 2;

    private static final int DATA_ENCIPHERMENT = 3;
    private static final int NO_AUTHORITY = -1;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The CE's clock may be behind ours. */
    static final Duration BACKDATED = Duration.ofMinutes(5);
    /** Kept from the end of the user's own proxy, so that the delegated one is never refused for outliving it. */
    static final Duration MARGIN = Duration.ofSeconds(10);

    private final Clock clock;

    public ProxySigner(Clock clock) {
        this.clock = clock;
    }

    /**
     * Signs a request.
     *
     * @param pemRequest PKCS#10 as PEM
     * @return the chain as PEM: the new certificate, then the user's chain; no key
     * @throws CliException when the request is none, or the proxy is about to end
     */
    public String sign(String pemRequest, UserProxy proxy) {
        Instant end = proxy.expiry().minus(MARGIN);
        if (!end.isAfter(clock.instant())) {
            throw new CliException(
                    "the proxy " + proxy.file() + " ends at " + proxy.expiry() + ": too soon to delegate it");
        }
        PKCS10CertificationRequest request = parse(pemRequest);
        try {
            X509Certificate[] issuers = proxy.chain();
            List<X509Certificate> chain = new ArrayList<>();
            chain.add(signed(request, issuers, proxy.key(), begin(proxy), Date.from(end)));
            chain.addAll(Arrays.asList(issuers));
            return PemChain.text(chain);
        } catch (CertificateException | IOException | OperatorCreationException e) {
            throw new CliException("can't sign the proxy to delegate: " + e.getMessage(), e);
        }
    }

    private static X509Certificate signed(
            PKCS10CertificationRequest request, X509Certificate[] issuers, PrivateKey key, Date begin, Date end)
            throws CertificateException, IOException, OperatorCreationException {
        X500Name issuer =
                X500Name.getInstance(issuers[0].getSubjectX500Principal().getEncoded());
        BigInteger serial = BigInteger.valueOf(RANDOM.nextInt(Integer.MAX_VALUE - 1) + 1L);
        X509v3CertificateBuilder builder = new X509v3CertificateBuilder(
                issuer, serial, begin, end, below(issuer, serial.toString()), request.getSubjectPublicKeyInfo());
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(usage(issuers)));
        builder.addExtension(PROXY_CERT_INFO, true, new DERSequence(new DERSequence(policy(issuers))));
        String algorithm = key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder(algorithm).build(key)));
    }

    /** What inherits all rights below a limited proxy is refused: it would be a way around the limit. */
    private static ASN1ObjectIdentifier policy(X509Certificate[] issuers) throws IOException {
        for (X509Certificate one : issuers) {
            if (ProxyHelper.isLimited(one)) {
                return LIMITED;
            }
        }
        return INHERIT_ALL;
    }

    /** A proxy may have no right that one of its issuers up to the user lacks, RFC 3820 section 3.5. */
    private static int usage(X509Certificate[] issuers) {
        return KeyUsage.digitalSignature
                | (haveAll(issuers, KEY_ENCIPHERMENT) ? KeyUsage.keyEncipherment : 0)
                | (haveAll(issuers, DATA_ENCIPHERMENT) ? KeyUsage.dataEncipherment : 0);
    }

    private static boolean haveAll(X509Certificate[] issuers, int usage) {
        return Arrays.stream(issuers)
                .filter(one -> one.getBasicConstraints() == NO_AUTHORITY)
                .map(X509Certificate::getKeyUsage)
                .allMatch(allowed -> allowed == null || allowed[usage]);
    }

    private static X500Name below(X500Name issuer, String name) {
        List<RDN> names = new ArrayList<>(Arrays.asList(issuer.getRDNs()));
        names.add(new RDN(new AttributeTypeAndValue(BCStyle.CN, new DERPrintableString(name))));
        return new X500Name(names.toArray(new RDN[0]));
    }

    /** Not earlier than the signer's own begin, which a strict validator would refuse. */
    private Date begin(UserProxy proxy) {
        Instant begin = clock.instant().minus(BACKDATED);
        for (X509Certificate certificate : proxy.chain()) {
            Instant own = certificate.getNotBefore().toInstant();
            begin = own.isAfter(begin) ? own : begin;
        }
        return Date.from(begin);
    }

    private static PKCS10CertificationRequest parse(String pem) {
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            if (parser.readObject() instanceof PKCS10CertificationRequest request) {
                return request;
            }
        } catch (IOException e) {
            throw new CliException("the CE's certificate request can't be read: " + e.getMessage(), e);
        }
        throw new CliException("the CE sent no certificate request");
    }
}
