package org.gelato.ce.core.service;

import org.gelato.ce.json.FaultCode;

/**
 * Why one job of a request was refused.
 *
 * @param cause for a delegation or lease that is unknown or has ended its id as the client gave it; for what a description or the CE
 *     lacks the reason; else null
 */
public record JobFault(FaultCode code, String cause) {
    /** What is said of it where a protocol has no words of its own. */
    public String text() {
        return code.text(cause);
    }
}
