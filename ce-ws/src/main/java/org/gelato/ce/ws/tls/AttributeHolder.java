package org.gelato.ce.ws.tls;

import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.gelato.ce.core.identity.DnForms;
import org.italiangrid.voms.VOMSAttribute;
import org.italiangrid.voms.ac.VOMSACValidationStrategy;
import org.italiangrid.voms.ac.VOMSValidationResult;
import org.italiangrid.voms.error.VOMSValidationErrorCode;
import org.italiangrid.voms.error.VOMSValidationErrorMessage;

/**
 * The checks of voms-api-java, and a second way to name the holder. Its {@code baseCertificateID} is issuer and serial number
 * of a certificate by RFC 5755 (4.2.2), which VOMS servers write with {@code newformat}; by default they write the
 * subject in the issuer's place, and the library knows only that. Both name one certificate only: issuer and serial number
 * are compared with those of the end-entity certificate, whose chain was validated. What the user put beside the attributes as
 * certificates of their issuer is not used where its keys cost much.
 */
final class AttributeHolder implements VOMSACValidationStrategy {
    private final VOMSACValidationStrategy checks;

    AttributeHolder(VOMSACValidationStrategy checks) {
        this.checks = checks;
    }

    @Override
    public VOMSValidationResult validateAC(VOMSAttribute attributes, X509Certificate[] chain) {
        Optional<String> costly = costly(attributes);
        if (costly.isPresent()) {
            return refused(attributes, costly.get());
        }
        VOMSValidationResult result = checks.validateAC(attributes, chain);
        X509Certificate user = ProxyUtils.getEndUserCertificate(chain);
        if (!failedAtTheHolder(result)
                || user == null
                || !user.getIssuerX500Principal().equals(attributes.getHolder())) {
            return result;
        }
        if (user.getSerialNumber().equals(attributes.getHolderSerialNumber())) {
            // The library left out what it checks after the holder.
            return checks.validateAC(attributes);
        }
        return refused(
                attributes,
                "it was made for the certificate with serial number " + attributes.getHolderSerialNumber() + " of "
                        + DnForms.slash(DnForms.rfc2253(attributes.getHolder())) + ", and this one has "
                        + user.getSerialNumber());
    }

    @Override
    public VOMSValidationResult validateAC(VOMSAttribute attributes) {
        return costly(attributes).map(why -> refused(attributes, why)).orElseGet(() -> checks.validateAC(attributes));
    }

    private static Optional<String> costly(VOMSAttribute attributes) {
        X509Certificate[] issuers = attributes.getAACertificates();
        return Stream.ofNullable(issuers)
                .flatMap(Arrays::stream)
                .map(KeyStrength::costly)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static VOMSValidationResult refused(VOMSAttribute attributes, String why) {
        return new VOMSValidationResult(
                attributes,
                false,
                List.of(VOMSValidationErrorMessage.newErrorMessage(VOMSValidationErrorCode.other, why)));
    }

    /** Each check comes after those before it passed, so nothing before the holder is wrong. */
    private static boolean failedAtTheHolder(VOMSValidationResult result) {
        return !result.isValid()
                && result.getValidationErrors().stream()
                        .anyMatch(e -> e.getErrorCode() == VOMSValidationErrorCode.acHolderDoesntMatchCertChain);
    }
}
