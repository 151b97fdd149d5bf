package org.gelato.ce.ws.tls;

import eu.emi.security.authn.x509.ProxySupport;
import eu.emi.security.authn.x509.RevocationParameters;
import eu.emi.security.authn.x509.StoreUpdateListener;
import eu.emi.security.authn.x509.ValidationErrorListener;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.X509CertChainValidatorExt;
import java.security.cert.CertPath;
import java.security.cert.X509Certificate;

/**
 * A chain validator whose trust is replaced as a whole, between two validations, while others keep a reference to it. Its
 * owner replaces it from one thread, any thread validates. It has no listeners: they would stay with what is
 * replaced.
 */
final class ReplaceableValidator implements X509CertChainValidatorExt {
    /** Maps the present trust's result for a chain to the result returned. */
    @FunctionalInterface
    interface Judge {
        ValidationResult judge(X509Certificate[] chain, ValidationResult result, X509Certificate[] authorities);
    }

    private final Judge judge;
    private volatile X509CertChainValidatorExt present;

    ReplaceableValidator(X509CertChainValidatorExt first, Judge judge) {
        this.present = first;
        this.judge = judge;
    }

    /** What is replaced is not disposed of, as validations by it may be under way; it must hold no thread or timer. */
    void replace(X509CertChainValidatorExt next) {
        present = next;
    }

    @Override
    public ValidationResult validate(CertPath path) {
        return validate(path.getCertificates().toArray(X509Certificate[]::new));
    }

    @Override
    public ValidationResult validate(X509Certificate[] chain) {
        X509CertChainValidatorExt trust = present;
        return judge.judge(chain, trust.validate(chain), trust.getTrustedIssuers());
    }

    @Override
    public X509Certificate[] getTrustedIssuers() {
        return present.getTrustedIssuers();
    }

    @Override
    public ProxySupport getProxySupport() {
        return present.getProxySupport();
    }

    @Override
    public RevocationParameters getRevocationCheckingMode() {
        return present.getRevocationCheckingMode();
    }

    @Override
    public void addValidationListener(ValidationErrorListener listener) {
        throw new UnsupportedOperationException("this validator is replaced as a whole");
    }

    @Override
    public void removeValidationListener(ValidationErrorListener listener) {
        throw new UnsupportedOperationException("this validator is replaced as a whole");
    }

    @Override
    public void addUpdateListener(StoreUpdateListener listener) {
        throw new UnsupportedOperationException("this validator is replaced as a whole");
    }

    @Override
    public void removeUpdateListener(StoreUpdateListener listener) {
        throw new UnsupportedOperationException("this validator is replaced as a whole");
    }

    @Override
    public void dispose() {
        present.dispose();
    }
}
