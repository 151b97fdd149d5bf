package org.gelato.ce.ws.tls;

import java.security.cert.CertificateException;

/** A client's certificate chain is not trusted; the message is for the client and the log, without control characters. */
public final class RefusedChainException extends CertificateException {
    private static final long serialVersionUID = 1L;
    private final String subject;

    RefusedChainException(String subject, String reason) {
        super(reason.replaceAll("\\p{Cntrl}+", " ").strip());
        this.subject = subject;
    }

    /** Subject of the first certificate, RFC 2253; empty when there was no certificate. */
    public String subject() {
        return subject;
    }
}
