package org.gelato.ce.ws.soap;

import java.util.List;
import javax.xml.namespace.QName;

/**
 * A request's document.
 *
 * @param payload first child of Body; null when Body is empty
 * @param iceId the WMS instance of the header; null when absent
 * @param notUnderstood headers that we do not know and must not ignore
 */
public record SoapRequest(RequestElement payload, String iceId, List<QName> notUnderstood) {
    public SoapRequest {
        notUnderstood = List.copyOf(notUnderstood);
    }
}
