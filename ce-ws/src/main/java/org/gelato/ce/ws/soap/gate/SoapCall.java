package org.gelato.ce.ws.soap.gate;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.JobFault;

/**
 * One call that passed the gate.
 *
 * @param caller who calls
 * @param operation the WSDL's name
 * @param iceId the WMS instance of the header; null when absent
 * @param idempotencyKey the HTTP header of that name as it came, several joined by a comma and a space; null when absent
 * @param listed the texts of the items of a request that is a list ({@link ListForm}), by their names; none otherwise
 * @param refused gets the faults of descriptions before the response begins; null where one became a job
 */
public record SoapCall(
        Caller caller,
        String operation,
        String iceId,
        String idempotencyKey,
        List<Map<QName, String>> listed,
        Consumer<Stream<JobFault>> refused) {
    public SoapCall {
        listed = List.copyOf(listed);
    }

    /** Without the texts, which may hold a proxy's key. */
    @Override
    public String toString() {
        return operation + " of " + caller.identity().subject();
    }

    /** Name of the request attribute that holds it. */
    static final String ATTRIBUTE = SoapCall.class.getName();
}
