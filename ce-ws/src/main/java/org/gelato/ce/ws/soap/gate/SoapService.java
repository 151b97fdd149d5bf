package org.gelato.ce.ws.soap.gate;

import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.gelato.ce.ws.web.RequiredScopes;

/** What the gate and Metro must know about one service of the wire. Immutable; called from any thread. */
public interface SoapService {
    /** Last segment of the address, for example {@code CREAM2}. */
    String name();

    /** Where its operations stand in the table of scopes. */
    RequiredScopes.Protocol protocol();

    /** Class path location of the WSDL. */
    String wsdl();

    /** The name of the service in the WSDL. */
    QName wsdlService();

    /** The name of the port in the WSDL. */
    QName wsdlPort();

    /** Class with the operations; a new object of it serves each call. */
    Class<?> endpointType();

    /** Makes the object that serves one call. */
    Object endpoint(SoapCall call);

    /** Requests that may be lists, each of another payload. */
    default List<ListForm> lists() {
        return List.of();
    }

    /** Serves a call of the texts that are {@link SoapCall#listed}, in the place of {@link #endpoint}. */
    default StreamedResponse listed(SoapCall call) {
        throw new IllegalStateException(name() + " has no lists");
    }

    /** Headers that may carry {@code mustUnderstand}. */
    Set<QName> understoodHeaders();

    /** Elements of requests whose texts are checked. */
    Map<QName, WireType> typedElements();

    /** Whether the children of the payload stand in no namespace, and are to be read the same when they do. */
    boolean unqualifiedParts();

    /**
     * Finds the intended operation.
     *
     * @param action SOAPAction without quotes; null when absent
     * @throws RequestRefused when there is no such operation, or when it cannot be intended
     */
    SoapOperation dispatch(String action, SoapRequest request) throws RequestRefused;

    /**
     * The fault for a failed call. Nothing internal gets into it.
     *
     * @param operation name of the operation, or {@code request} when it is not known
     */
    SoapFault fault(String operation, Throwable failure);
}
