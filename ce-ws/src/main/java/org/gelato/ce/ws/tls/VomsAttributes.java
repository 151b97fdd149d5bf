package org.gelato.ce.ws.tls;

import eu.emi.security.authn.x509.X509CertChainValidatorExt;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.x509.AttributeCertificate;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.Fqans;
import org.gelato.ce.ws.tls.directory.ClockDoubts;
import org.gelato.ce.ws.tls.directory.LscFile;
import org.gelato.ce.ws.tls.directory.VomsDirectory;
import org.italiangrid.voms.VOMSAttribute;
import org.italiangrid.voms.VOMSError;
import org.italiangrid.voms.ac.VOMSACValidator;
import org.italiangrid.voms.ac.VOMSValidationResult;
import org.italiangrid.voms.ac.ValidationResultListener;
import org.italiangrid.voms.ac.impl.DefaultVOMSValidationStrategy;
import org.italiangrid.voms.ac.impl.DefaultVOMSValidator;
import org.italiangrid.voms.error.VOMSValidationErrorCode;
import org.italiangrid.voms.error.VOMSValidationErrorMessage;
import org.italiangrid.voms.util.NullListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and checks the VOMS attribute certificates of a chain that was already found valid. What is not accepted gives no
 * attributes and a text for the user that names the issuer found, the issuer expected and the file that names it.
 * Thread-safe.
 */
final class VomsAttributes {
    private static final Logger log = LoggerFactory.getLogger(VomsAttributes.class);
    /** A proxy may have any number. */
    private static final int MAX_ERRORS = 3;

    private static final String FOR_SOME_HOSTS =
            "VOMS attributes refused: they are for some hosts only (made with -target),"
                    + " and which ones can't be read; make the proxy without -target";

    /**
     * @param fqans accepted ones in order, without repetition, empty role and capability cut
     * @param vo of the first accepted attribute certificate; null without one
     * @param notAfter end of the accepted attribute certificate that ends first; {@link Instant#MAX} without one
     * @param errors why others were not accepted
     */
    record Found(List<String> fqans, String vo, Instant notAfter, List<String> errors) {
        Found {
            int more = errors.size() - MAX_ERRORS;
            if (more > 0) {
                errors = new ArrayList<>(errors.subList(0, MAX_ERRORS));
                errors.add("and " + more + " more attributes are not accepted");
            }
        }
    }

    private final VomsDirectory directory;
    private final VOMSACValidator validator;
    private final ClockDoubts doubts;

    /** @param doubts gets when attributes of users begin */
    VomsAttributes(VomsDirectory directory, X509CertChainValidatorExt certificates, ClockDoubts doubts) {
        this.directory = directory;
        this.doubts = doubts;
        this.validator = new DefaultVOMSValidator.Builder()
                .trustStore(directory)
                .certChainValidator(certificates)
                .validationStrategy(new AttributeHolder(new DefaultVOMSValidationStrategy(directory, certificates)))
                .validationListener(NullListener.INSTANCE)
                .build();
    }

    /** For parts that read the results themselves; it throws {@link VOMSError} where {@link #find} refuses targets. */
    VOMSACValidator validator() {
        return new ForThisHost(validator);
    }

    private record ForThisHost(VOMSACValidator validator) implements VOMSACValidator {
        private static X509Certificate[] readable(X509Certificate[] chain) {
            if (Targets.unreadable(chain)) {
                throw new VOMSError(FOR_SOME_HOSTS);
            }
            return chain;
        }

        @Override
        public List<VOMSAttribute> parse(X509Certificate[] chain) {
            return validator.parse(readable(chain));
        }

        @Override
        public List<VOMSAttribute> validate(X509Certificate[] chain) {
            return validator.validate(readable(chain));
        }

        @Override
        public List<VOMSValidationResult> validateWithResult(X509Certificate[] chain) {
            return validator.validateWithResult(readable(chain));
        }

        @Override
        public List<AttributeCertificate> validateACs(List<AttributeCertificate> certificates) {
            throw new UnsupportedOperationException("attribute certificates are judged with their chain");
        }

        @Override
        public void setValidationResultListener(ValidationResultListener listener) {
            throw new UnsupportedOperationException("the validator has one listener");
        }

        @Override
        public void shutdown() {
            validator.shutdown();
        }
    }

    Found find(X509Certificate[] chain) {
        if (!EndEntity.isProxy(chain[0])) {
            return new Found(List.of(), null, Instant.MAX, List.of());
        }
        if (Targets.unreadable(chain)) {
            return new Found(List.of(), null, Instant.MAX, List.of(FOR_SOME_HOSTS));
        }
        List<VOMSValidationResult> results;
        try {
            results = validator.validateWithResult(chain);
        } catch (RuntimeException e) {
            // The library throws anything it stumbles over in a malformed extension.
            log.info(
                    "unreadable VOMS attributes of {}: {}",
                    Messages.ofCertificate(DnForms.rfc2253(chain[0].getSubjectX500Principal())),
                    Messages.ofCertificate(Messages.of(e)));
            return new Found(
                    List.of(),
                    null,
                    Instant.MAX,
                    List.of("VOMS attributes can't be read: " + Messages.ofCertificate(Messages.of(e))));
        }
        Set<String> fqans = new LinkedHashSet<>();
        List<String> errors = new ArrayList<>();
        String vo = null;
        Instant notAfter = Instant.MAX;
        for (VOMSValidationResult result : results) {
            VOMSAttribute ac = result.getAttributes();
            if (!result.isValid()) {
                errors.add(explain(result));
                if (isOnlyTooEarly(result)) {
                    doubts.saw(GridTrust.user(chain), ac.getNotBefore().toInstant());
                }
                continue;
            }
            vo = vo == null ? ac.getVO() : vo;
            Instant end = ac.getNotAfter().toInstant();
            notAfter = end.isBefore(notAfter) ? end : notAfter;
            for (String fqan : ac.getFQANs()) {
                // The issuer is accepted for its own VO only, whatever it writes.
                if (Fqans.belongsTo(ac.getVO(), fqan)) {
                    fqans.add(Fqans.normalised(fqan));
                } else {
                    errors.add("VOMS attribute " + Messages.ofCertificate(fqan) + " ignored: not a valid name in VO "
                            + Messages.ofCertificate(ac.getVO()));
                }
            }
        }
        return new Found(List.copyOf(fqans), vo, notAfter, errors);
    }

    /** Why an attribute certificate is not accepted, in one line. */
    String explain(VOMSValidationResult result) {
        VOMSAttribute ac = result.getAttributes();
        String file = Messages.ofCertificate(ac.getVO() + "/" + ac.getHost() + ".lsc");
        LscFile lsc = directory.getLSC(ac.getVO(), ac.getHost());
        String expected = lsc == null ? "there is no " + file : file + " expects " + String.join(" or ", lsc.servers());
        String reasons = result.getValidationErrors().stream()
                .map(VOMSValidationErrorMessage::getMessage)
                .distinct()
                .collect(Collectors.joining("; "));
        return "VOMS attributes of VO " + Messages.ofCertificate(ac.getVO()) + " refused: issued by "
                + Messages.ofCertificate(DnForms.slash(DnForms.rfc2253(ac.getIssuer()))) + ", " + expected + ": "
                + Messages.ofCertificate(reasons)
                + begin(ac.getNotBefore().toInstant());
    }

    private boolean isOnlyTooEarly(VOMSValidationResult result) {
        return doubts.isLater(result.getAttributes().getNotBefore().toInstant())
                && result.getValidationErrors().stream()
                        .allMatch(e -> e.getErrorCode() == VOMSValidationErrorCode.acNotValidAtCurrentTime);
    }

    /** Both clocks, where the attributes begin later than now. */
    private String begin(Instant begin) {
        return doubts.isLater(begin) ? "; " + doubts.notYet("it", begin) : "";
    }
}
