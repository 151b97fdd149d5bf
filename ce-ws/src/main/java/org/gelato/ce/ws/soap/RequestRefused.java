package org.gelato.ce.ws.soap;

import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.json.FaultCode;

/** The request cannot be served for any caller; the message gives the reason and is for the client. */
public final class RequestRefused extends ServiceException {
    private static final long serialVersionUID = 2L;

    public RequestRefused(String message) {
        super(FaultCode.REQUEST_REFUSED, message);
    }
}
