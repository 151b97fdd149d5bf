package org.gelato.ce.ws.tls;

import eu.emi.security.authn.x509.ValidationError;
import eu.emi.security.authn.x509.ValidationErrorCategory;
import eu.emi.security.authn.x509.ValidationErrorCode;
import eu.emi.security.authn.x509.ValidationResult;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is said of a chain beyond what the library that validates chains says. Thread-safe. */
final class ChainRules {
    private final RevocationLists revocationLists;

    ChainRules(RevocationLists revocationLists) {
        this.revocationLists = revocationLists;
    }

    /** @param chain that was validated, first certificate first */
    ValidationResult judge(X509Certificate[] chain, ValidationResult result) {
        return result.isValid() ? result : explained(chain, result);
    }

    /** The words of the library for a CRL that has ended are of a broken signature. */
    private ValidationResult explained(X509Certificate[] chain, ValidationResult result) {
        Optional<String> ended = revocationLists.ended(chain);
        if (ended.isEmpty()) {
            return result;
        }
        List<ValidationError> errors = new ArrayList<>();
        errors.add(error(chain, ended.get()));
        result.getErrors().stream()
                .filter(e -> e.getErrorCategory() != ValidationErrorCategory.CRL)
                .forEach(errors::add);
        return new ValidationResult(false, errors);
    }

    private static ValidationError error(X509Certificate[] chain, String text) {
        return new ValidationError(chain, -1, ValidationErrorCode.unknownMsg, text);
    }
}
