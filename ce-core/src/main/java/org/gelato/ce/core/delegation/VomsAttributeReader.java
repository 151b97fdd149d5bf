package org.gelato.ce.core.delegation;

import java.security.cert.X509Certificate;
import java.util.List;
import org.italiangrid.voms.VOMSAttribute;
import org.italiangrid.voms.ac.VOMSACValidator;
import org.italiangrid.voms.ac.VOMSValidationResult;
import org.italiangrid.voms.error.VOMSValidationErrorMessage;

/** Attribute certificates by voms-api-java (LSC files or certificates in vomsdir). Whoever made the validator shuts it down. */
public final class VomsAttributeReader implements AttributeReader {
    private final VOMSACValidator validator;

    public VomsAttributeReader(VOMSACValidator validator) {
        this.validator = validator;
    }

    @Override
    public Attributes read(X509Certificate[] chain) {
        List<VOMSValidationResult> results;
        try {
            results = validator.validateWithResult(chain);
        } catch (RuntimeException e) {
            // the library throws on attribute certificates that do not parse, and users sign their proxies themselves
            return new Attributes(
                    null, List.of(), null, List.of("unreadable attribute certificate: " + e.getMessage()));
        }
        List<String> errors = results.stream()
                .filter(result -> !result.isValid())
                .flatMap(result -> result.getValidationErrors().stream())
                .map(VOMSValidationErrorMessage::getMessage)
                .toList();
        if (results.isEmpty()) {
            return Attributes.NONE;
        }
        if (errors.isEmpty() && !results.stream().allMatch(VOMSValidationResult::isValid)) {
            errors = List.of("attribute certificate is not valid");
        }
        VOMSAttribute first = results.get(0).getAttributes();
        return new Attributes(first.getVO(), first.getFQANs(), first.getIssuer().getName(), errors);
    }
}
