package org.gelato.ce.core.delegation;

import eu.emi.security.authn.x509.ValidationError;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.X509CertChainValidatorExt;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Chain validation by CAnL. The validator must allow proxies; its creator disposes of it. CAnL's path checking is its
 * own, so that the SHA-1 signatures of legacy clients' proxies pass below any end-entity certificate, whatever the JDK's
 * disabled algorithms say.
 */
public final class CanlChainValidator implements ChainValidator {
    private static final int MAX_ERRORS = 5;

    private final X509CertChainValidatorExt validator;

    public CanlChainValidator(X509CertChainValidatorExt validator) {
        this.validator = validator;
    }

    @Override
    public Optional<String> validate(X509Certificate[] chain) {
        ValidationResult result;
        try {
            result = validator.validate(chain);
        } catch (RuntimeException e) {
            // Extensions of a proxy are its maker's, and CAnL casts what it finds there; what it can't read is not
            // accepted.
            return Optional.of("the chain can't be checked: " + e.getMessage());
        }
        if (result.isValid()) {
            return Optional.empty();
        }
        String reasons = result.getErrors().stream()
                .limit(MAX_ERRORS)
                .map(ValidationError::getMessage)
                .distinct()
                .collect(Collectors.joining("; "));
        return Optional.of(reasons.isEmpty() ? "the chain is not trusted" : reasons);
    }
}
