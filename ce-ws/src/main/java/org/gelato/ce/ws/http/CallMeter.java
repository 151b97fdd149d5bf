package org.gelato.ce.ws.http;

import jakarta.servlet.http.HttpServletResponse;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.web.HttpFaults;

/** Is notified of each call that was served or refused. Called by request threads; must not wait. */
@FunctionalInterface
public interface CallMeter {
    /** For tests and benchmarks. */
    CallMeter NONE = (service, operation, outcome, nanos) -> {};

    /** How a call ended; what it did to single jobs is in its result. */
    enum Outcome {
        /** The call had a result. */
        OK,
        /** With a fault of the operation, which the client or the state of the CE caused. */
        REFUSED,
        /** The caller is not authorized. */
        UNAUTHORIZED,
        /** It is no call: not XML, too large, or of no known operation. */
        INVALID,
        /** By a defect, or because a part such as the database does not respond. */
        FAILED;

        /** How a call that failed ended. */
        public static Outcome of(FaultCode code) {
            return switch (code) {
                case REQUEST_REFUSED, TOO_LARGE -> INVALID;
                case INTERNAL, UNAVAILABLE -> FAILED;
                default -> HttpFaults.status(code) == HttpServletResponse.SC_FORBIDDEN ? UNAUTHORIZED : REFUSED;
            };
        }
    }

    /**
     * A call has ended.
     *
     * @param service the service's name
     * @param operation one of the service, or {@code unknown}
     * @param nanos from when the body was there to when the result was written or began to be streamed
     */
    void called(String service, String operation, Outcome outcome, long nanos);
}
