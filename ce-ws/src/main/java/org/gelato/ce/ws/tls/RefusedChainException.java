package org.gelato.ce.ws.tls;

import java.security.cert.CertificateException;
import org.gelato.ce.core.fault.Messages;

/** A client's certificate chain is not trusted; the message is for the client and the log, without control characters and not long. */
public final class RefusedChainException extends CertificateException {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST_REASON = 300;
    private final String subject;

    RefusedChainException(String subject, String reason) {
        // Both hold names that anybody may choose, as long as a handshake; a reason also names files of the site, and
        // what to do.
        super(Messages.ofCertificate(reason, LONGEST_REASON));
        this.subject = Messages.ofCertificate(subject);
    }

    /** Subject of the first certificate, RFC 2253, cut in the middle when it is long; empty when there was no certificate. */
    public String subject() {
        return subject;
    }
}
