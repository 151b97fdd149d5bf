package org.gelato.ce.ws.soap.gate;

/** The request cannot be served for any caller; the message gives the reason and is for the client. */
public final class RequestRefused extends Exception {
    private static final long serialVersionUID = 1L;

    public RequestRefused(String message) {
        super(message);
    }
}
