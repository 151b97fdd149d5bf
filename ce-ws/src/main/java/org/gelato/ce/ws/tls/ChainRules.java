package org.gelato.ce.ws.tls;

import eu.emi.security.authn.x509.ValidationError;
import eu.emi.security.authn.x509.ValidationErrorCategory;
import eu.emi.security.authn.x509.ValidationErrorCode;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.core.identity.DnForms;

/** Errors of a chain beyond those that the validating library reports. Thread-safe. */
final class ChainRules {
    private final RevocationLists revocationLists;

    ChainRules(RevocationLists revocationLists) {
        this.revocationLists = revocationLists;
    }

    /**
     * @param chain as sent, first certificate first
     * @param authorities that are trusted
     */
    ValidationResult judge(X509Certificate[] chain, ValidationResult result, X509Certificate[] authorities) {
        return result.isValid() ? strong(chain, result, authorities) : explained(chain, result);
    }

    private ValidationResult strong(X509Certificate[] chain, ValidationResult result, X509Certificate[] authorities) {
        // Not what was sent: that may hold certificates which nobody validated.
        List<X509Certificate> valid = result.getValidChain();
        return unnamed(valid, authorities)
                .or(() -> ConstrainedNames.refusal(valid, authorities))
                .map(why -> new ValidationResult(false, List.of(error(chain, why))))
                .orElse(result);
    }

    /** What is wrong whatever the names are. */
    private Optional<String> unnamed(List<X509Certificate> valid, X509Certificate[] authorities) {
        return valid.stream()
                .map(KeyStrength::refusal)
                .flatMap(Optional::stream)
                .findFirst()
                .or(() -> ended(valid))
                .or(() -> revocationLists.unusable(below(valid, authorities)));
    }

    /** The library looks at the ends of all but the CA that is trusted. */
    private static Optional<String> ended(List<X509Certificate> valid) {
        X509Certificate ca = valid.get(valid.size() - 1);
        Instant end = ca.getNotAfter().toInstant();
        return Instant.now().isBefore(end)
                ? Optional.empty()
                : Optional.of("the certificate of the CA "
                        + DnForms.slash(DnForms.rfc2253(ca.getSubjectX500Principal())) + " ended at " + end);
    }

    /**
     * Why no certificate of a trusted CA is accepted; empty where one would be.
     *
     * @param result of {@link PathValidator#probe}
     */
    Optional<String> refusal(ValidationResult result, X509Certificate[] authorities) {
        return result.isValid()
                ? unnamed(result.getValidChain(), authorities)
                : Optional.of(reasons(explained(result.getErrors().get(0).getChain(), result)));
    }

    /** The reasons of a result that is not valid, in one line. */
    static String reasons(ValidationResult result) {
        String all = result.getErrors().stream()
                .map(ValidationError::getMessage)
                .distinct()
                .limit(5)
                .collect(Collectors.joining("; "));
        return all.isEmpty() ? "the chain is not valid" : all;
    }

    /** Without the trust anchor itself, which no CRL is asked about. */
    private static List<X509Certificate> below(List<X509Certificate> chain, X509Certificate[] authorities) {
        Set<X509Certificate> anchors = Set.copyOf(Arrays.asList(authorities));
        return chain.stream().filter(c -> !anchors.contains(c)).toList();
    }

    /** The library's message for an expired CRL is that of a broken signature; below a user called proxy it finds no user. */
    private ValidationResult explained(X509Certificate[] chain, ValidationResult result) {
        int user = EndEntity.position(chain);
        if (user > 0 && user < chain.length && ProxyUtils.isProxy(chain[user])) {
            return new ValidationResult(
                    false,
                    List.of(error(
                            chain,
                            "the user's certificate " + DnForms.rfc2253(chain[user].getSubjectX500Principal())
                                    + " has the name of a proxy, so that proxies of it can't be told from it: use it"
                                    + " without a proxy, or ask its CA for another name")));
        }
        Optional<String> ended = revocationLists.ended(chain).or(() -> revocationLists.unusable(Arrays.asList(chain)));
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

    static ValidationError error(X509Certificate[] chain, String text) {
        return new ValidationError(chain, -1, ValidationErrorCode.unknownMsg, text);
    }
}
