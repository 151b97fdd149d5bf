package org.gelato.ce.ws.web;

import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;

/** Who sent a request and by which credential, or why nobody may be taken for its sender. */
public sealed interface Authentication {
    /** What was shown, whatever came of it. */
    Credential credential();

    /**
     * The authorized caller.
     *
     * @throws ServiceException the reason, when there is none
     */
    Caller caller();

    /**
     * A credential as logs have it.
     *
     * @param fingerprint SHA-256 of the certificate or token that counts, in hexadecimal; null when none was sent
     * @param subject whom it names, proved or as the first certificate claims; null when nobody
     * @param token issuer, subject and number of a token; null for a certificate
     */
    record Credential(String fingerprint, String subject, String token) {
        public static final Credential NONE = new Credential(null, null, null);
    }

    /** The caller is authorized. */
    record Accepted(Caller caller, Credential credential) implements Authentication {}

    /**
     * Nobody is authorized.
     *
     * @param reason no, or no acceptable credential, or one whose holder is banned or not mapped
     */
    record Refused(ServiceException reason, Credential credential) implements Authentication {
        @Override
        public Caller caller() {
            throw reason;
        }
    }
}
