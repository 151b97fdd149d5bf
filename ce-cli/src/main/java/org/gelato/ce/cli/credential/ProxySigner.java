package org.gelato.ce.cli.credential;

import eu.emi.security.authn.x509.impl.CertificateUtils;
import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import eu.emi.security.authn.x509.proxy.ProxyRequestOptions;
import eu.emi.security.authn.x509.proxy.ProxyType;
import java.io.IOException;
import java.io.StringReader;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.gelato.ce.cli.terminal.CliException;

/**
 * Signs the certificate request of a CE with the user's proxy, so that the CE holds a proxy of its own
 * (docs/developer/protocol/delegation-wire.md section 4): RFC 3820, all rights inherited, SHA-256.
 */
public final class ProxySigner {
    static {
        // Nothing else of a command may have used the library before.
        CertificateUtils.configureSecProvider();
    }

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
            ProxyRequestOptions proxyOptions = new ProxyRequestOptions(proxy.chain(), request);
            proxyOptions.setType(ProxyType.RFC3820);
            proxyOptions.setValidityBounds(begin(proxy), Date.from(end));
            X509Certificate[] chain = ProxyGenerator.generate(proxyOptions, proxy.key());
            return PemChain.text(chain);
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw new CliException("can't sign the proxy to delegate: " + e.getMessage(), e);
        }
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
