package org.gelato.ce.ws.soap;

import java.util.function.Consumer;
import java.util.stream.Stream;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.JobFault;

/**
 * One call that passed the gate.
 *
 * @param caller who calls
 * @param operation the WSDL's name
 * @param iceId the WMS instance of the header; null when absent
 * @param idempotencyKey the HTTP header of that name as it came, several joined by a comma and a space; null when absent
 * @param payload the Body's element; null when the Body is empty
 * @param refused gets the faults of descriptions before the response begins; null where one became a job
 */
public record SoapCall(
        Caller caller,
        String operation,
        String iceId,
        String idempotencyKey,
        RequestElement payload,
        Consumer<Stream<JobFault>> refused) {
    /** Without the texts, which may hold a proxy's key. */
    @Override
    public String toString() {
        return operation + " of " + caller.identity().subject();
    }
}
