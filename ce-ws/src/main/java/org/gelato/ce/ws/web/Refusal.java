package org.gelato.ce.ws.web;

import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.json.FaultCode;

/** A request that is answered with a status of its own, such as one that A-REX gives, and the reason alone. */
public final class Refusal extends ServiceException {
    private static final long serialVersionUID = 2L;

    private final int status;
    private final long presentSize;

    /** @param reason for the client: what is wrong, and what to do */
    public Refusal(int status, String reason) {
        this(status, reason, -1);
    }

    /** @param presentSize bytes that are there, for a client that wants to go on; -1 where that means nothing */
    public Refusal(int status, String reason, long presentSize) {
        this(FaultCode.REQUEST_REFUSED, status, reason, presentSize);
    }

    /** One that has a code of its own. */
    public Refusal(FaultCode code, int status, String reason) {
        this(code, status, reason, -1);
    }

    private Refusal(FaultCode code, int status, String reason, long presentSize) {
        super(code, reason);
        this.status = status;
        this.presentSize = presentSize;
    }

    public int status() {
        return status;
    }

    public long presentSize() {
        return presentSize;
    }
}
