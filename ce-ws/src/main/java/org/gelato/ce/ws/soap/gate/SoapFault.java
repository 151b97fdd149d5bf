package org.gelato.ce.ws.soap.gate;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.namespace.QName;

/**
 * A fault before it has a SOAP version.
 *
 * @param client whether the client must change something; else the server is to blame
 * @param text faultstring
 * @param detail name of the one child of {@code detail}: a wrapper around it hides it from gSOAP clients
 * @param fields children of that element in their order, by local name
 * @param qualified whether the fields stand in the namespace of {@code detail}, or in none
 * @param passing whether nothing was done and the call may succeed as it is a little later: HTTP's status says so, too
 */
public record SoapFault(
        boolean client, String text, QName detail, Map<String, String> fields, boolean qualified, boolean passing) {
    public SoapFault {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    public SoapFault(boolean client, String text, QName detail, Map<String, String> fields, boolean qualified) {
        this(client, text, detail, fields, qualified, false);
    }

    /** The same fault of a call that may succeed a little later. */
    public SoapFault thatPasses() {
        return new SoapFault(client, text, detail, fields, qualified, true);
    }

    QName field(String local) {
        return qualified ? new QName(detail.getNamespaceURI(), local) : new QName(local);
    }
}
