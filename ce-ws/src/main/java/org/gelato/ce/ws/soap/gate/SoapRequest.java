package org.gelato.ce.ws.soap.gate;

import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;

/**
 * What the gate learned from a request's document.
 *
 * @param version of the Envelope
 * @param payload first child of Body; null when Body is empty
 * @param parts names of the payload's children, each once; when there are too many to keep, the first ones
 * @param iceId the WMS instance of the header; null when absent
 * @param listed the texts of the items of a request that is a list ({@link ListForm}), by their names; none otherwise
 */
public record SoapRequest(
        SoapVersion version, QName payload, Set<QName> parts, String iceId, List<Map<QName, String>> listed) {
    public SoapRequest {
        parts = Set.copyOf(parts);
        listed = List.copyOf(listed);
    }
}
