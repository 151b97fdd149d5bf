package org.gelato.ce.ws.tls;

import eu.emi.security.authn.x509.ValidationErrorCode;
import eu.emi.security.authn.x509.ValidationResult;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.ws.tls.directory.ClockDoubts;

/**
 * Whether a valid chain may be a user's: a CA is none, and certificates that say what they are for must be for TLS clients (RFC 5280,
 * 4.2.1.3 and 4.2.1.12; what OpenSSL checks of a client). Certificates of VOMS servers and of issuers of tokens are not judged by
 * it. Thread-safe.
 */
final class ClientRules {
    private static final String ANY_PURPOSE = "2.5.29.37.0";
    private static final String CLIENT = "1.3.6.1.5.5.7.3.2";
    private static final Map<String, String> PURPOSES = Map.of(
            "1.3.6.1.5.5.7.3.1", "serverAuth",
            "1.3.6.1.5.5.7.3.3", "codeSigning",
            "1.3.6.1.5.5.7.3.4", "emailProtection",
            "1.3.6.1.5.5.7.3.8", "timeStamping",
            "1.3.6.1.5.5.7.3.9", "OCSPSigning");
    private static final int SIGNATURE = 0;
    private static final int AGREEMENT = 4;

    private final TrustConfig.KeyUsage mode;
    private final ClockDoubts doubts;

    /** @param doubts gets when certificates of users begin */
    ClientRules(TrustConfig.KeyUsage mode, ClockDoubts doubts) {
        this.mode = mode;
        this.doubts = doubts;
    }

    /** @param authorities that are trusted */
    ValidationResult judge(X509Certificate[] chain, ValidationResult result, X509Certificate[] authorities) {
        Optional<String> refusal = result.isValid() ? refusal(chain, authorities) : tooEarly(chain, result);
        if (result.isValid() && refusal.isEmpty() && EndEntity.isProxy(chain[0])) {
            doubts.saw(GridTrust.user(chain), chain[0].getNotBefore().toInstant());
        }
        return refusal.map(why -> new ValidationResult(false, List.of(ChainRules.error(chain, why))))
                .orElse(result);
    }

    /** Of a chain that has no other flaw than that it begins later, when. */
    private Optional<String> tooEarly(X509Certificate[] chain, ValidationResult result) {
        boolean only = !result.getErrors().isEmpty()
                && result.getErrors().stream()
                        .allMatch(e -> e.getErrorCode() == ValidationErrorCode.certificateNotYetValid);
        if (!only) {
            return Optional.empty();
        }
        X509Certificate last = Arrays.stream(chain)
                .max(Comparator.comparing(X509Certificate::getNotBefore))
                .orElseThrow();
        Instant begin = last.getNotBefore().toInstant();
        if (EndEntity.isProxy(last) && EndEntity.position(chain) < chain.length) {
            doubts.saw(GridTrust.user(chain), begin);
        }
        return Optional.of(doubts.notYet(EndEntity.isProxy(last) ? "the proxy" : name(last), begin));
    }

    private Optional<String> refusal(X509Certificate[] chain, X509Certificate[] authorities) {
        int user = EndEntity.position(chain);
        X509Certificate certificate = chain[user];
        if (certificate.getBasicConstraints() >= 0 || Arrays.asList(authorities).contains(certificate)) {
            return Optional.of(name(certificate) + " is that of a CA, and a CA is no user");
        }
        if (mode == TrustConfig.KeyUsage.IGNORE) {
            return Optional.empty();
        }
        boolean[] usage = certificate.getKeyUsage();
        if (usage != null && !usage[SIGNATURE] && !usage[AGREEMENT]) {
            return Optional.of(name(certificate)
                    + " is not for TLS clients: its key usage has no digitalSignature; ask its CA for one of a user");
        }
        return Arrays.stream(chain, 0, user + 1)
                .map(ClientRules::purpose)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> purpose(X509Certificate certificate) {
        List<String> purposes;
        try {
            purposes = certificate.getExtendedKeyUsage();
        } catch (CertificateParsingException e) {
            return Optional.of(name(certificate) + " has an extended key usage that can't be read");
        }
        return purposes == null || purposes.contains(CLIENT) || purposes.contains(ANY_PURPOSE)
                ? Optional.empty()
                : Optional.of(name(certificate) + " is not for TLS clients: its extended key usage is "
                        + purposes.stream()
                                .limit(10)
                                .map(p -> PURPOSES.getOrDefault(p, p))
                                .collect(Collectors.joining(", "))
                        + ", without clientAuth; ask its CA for one of a user");
    }

    private static String name(X509Certificate certificate) {
        return "certificate " + DnForms.rfc2253(certificate.getSubjectX500Principal());
    }
}
