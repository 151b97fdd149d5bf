package org.gelato.ce.ws.soap;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.namespace.QName;
import org.gelato.ce.json.FaultCode;

/**
 * A fault before it has a SOAP version.
 *
 * @param code which HTTP's head has, too
 * @param client whether the client must change something; else the server is to blame
 * @param text faultstring
 * @param detail name of the one child of {@code detail}: a wrapper around it hides it from gSOAP clients
 * @param fields children of that element in their order, by local name
 * @param qualified whether the fields stand in the namespace of {@code detail}, or in none
 */
public record SoapFault(
        FaultCode code, boolean client, String text, QName detail, Map<String, String> fields, boolean qualified) {
    public SoapFault {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    QName field(String local) {
        return qualified ? new QName(detail.getNamespaceURI(), local) : new QName(local);
    }
}
