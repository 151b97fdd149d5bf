package org.gelato.ce.ws.soap;

import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.gelato.ce.ws.web.RequiredScopes;

/** What Metro and the gate must know about one service of the wire. Immutable; called from any thread. */
public interface SoapService {
    /**
     * How the wire names it, and what its requests hold.
     *
     * @param name last segment of the address, for example {@code CREAM2}
     * @param protocol where its operations stand in the table of scopes
     * @param wsdl class path location of the WSDL
     * @param wsdlService the name of the service in the WSDL
     * @param wsdlPort the name of the port in the WSDL
     * @param understoodHeaders headers that may carry {@code mustUnderstand}
     * @param namespace of its elements
     * @param typedElements names of elements in it whose texts are checked in requests
     * @param unqualifiedParts whether the children of the payload stand in no namespace, and are to be read the same when they do
     */
    record Contract(
            String name,
            RequiredScopes.Protocol protocol,
            String wsdl,
            QName wsdlService,
            QName wsdlPort,
            Set<QName> understoodHeaders,
            String namespace,
            Map<String, WireType> typedElements,
            boolean unqualifiedParts) {}

    Contract contract();

    /**
     * Finds the intended operation; returns the WSDL's name.
     *
     * @param action SOAPAction without quotes; null when absent
     * @throws RequestRefused when there is no such operation, or when it cannot be intended
     */
    String dispatch(String action, SoapRequest request) throws RequestRefused;

    /**
     * Does the work of a call, or as much of it as can fail with a fault.
     *
     * @return what the Body holds, with its first slice read; null for nothing
     * @throws RuntimeException any that {@link #fault} has a fault for
     */
    StreamedResponse serve(SoapCall call);

    /**
     * The fault for a failed call. Nothing internal gets into it.
     *
     * @param operation name of the operation, or {@code request} when it is not known
     */
    SoapFault fault(String operation, Throwable failure);
}
