package org.gelato.ce.ws.tls;

import java.security.cert.CertificateException;

/** A client's certificate chain is not trusted; the message is for the client and the log, without control characters and not long. */
public final class RefusedChainException extends CertificateException {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST = 300;
    private final String subject;

    RefusedChainException(String subject, String reason) {
        super(cut(reason));
        this.subject = cut(subject);
    }

    /** Both hold names that anybody may choose, as long as a handshake. At the end of a proxy's is the user's. */
    private static String cut(String text) {
        String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
        int half = LONGEST / 2;
        return line.length() <= LONGEST ? line : line.substring(0, half) + "..." + line.substring(line.length() - half);
    }

    /** Subject of the first certificate, RFC 2253, cut in the middle when it is long; empty when there was no certificate. */
    public String subject() {
        return subject;
    }
}
