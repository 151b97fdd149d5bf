package org.gelato.ce.core.delegation;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Function;
import org.gelato.ce.core.fault.Messages;
import org.italiangrid.voms.VOMSAttribute;
import org.italiangrid.voms.ac.VOMSACValidator;
import org.italiangrid.voms.ac.VOMSValidationResult;

/**
 * Attribute certificates by voms-api-java (LSC files or certificates in vomsdir). The validator's creator shuts it down.
 */
public final class VomsAttributeReader implements AttributeReader {
    /** A proxy may have any number of attribute certificates. */
    private static final int MAX_ERRORS = 3;

    private final VOMSACValidator validator;
    private final Function<VOMSValidationResult, String> refusal;

    /** @param refusal why an attribute certificate is not valid, with what the site expects instead */
    public VomsAttributeReader(VOMSACValidator validator, Function<VOMSValidationResult, String> refusal) {
        this.validator = validator;
        this.refusal = refusal;
    }

    @Override
    public Attributes read(X509Certificate[] chain) {
        List<VOMSValidationResult> results;
        try {
            results = validator.validateWithResult(chain);
        } catch (RuntimeException e) {
            // the library throws on attribute certificates that do not parse, and users sign their proxies themselves
            return new Attributes(
                    null,
                    List.of(),
                    null,
                    List.of("unreadable attribute certificate: " + Messages.ofCertificate(e.getMessage())));
        }
        if (results.isEmpty()) {
            return Attributes.NONE;
        }
        List<String> errors = results.stream()
                .filter(result -> !result.isValid())
                .limit(MAX_ERRORS)
                .map(refusal)
                .toList();
        VOMSAttribute first = results.get(0).getAttributes();
        return new Attributes(first.getVO(), first.getFQANs(), first.getIssuer().getName(), errors);
    }
}
