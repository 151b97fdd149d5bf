package org.gelato.ce.ws.delegation;

import jakarta.servlet.http.HttpServletResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.gelato.ce.core.delegation.Delegations;
import org.gelato.ce.core.fault.FaultCode;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.ws.soap.gate.Incident;
import org.gelato.ce.ws.soap.gate.RequestRefused;
import org.gelato.ce.ws.soap.gate.SoapCall;
import org.gelato.ce.ws.soap.gate.SoapFault;
import org.gelato.ce.ws.soap.gate.SoapOperation;
import org.gelato.ce.ws.soap.gate.SoapRequest;
import org.gelato.ce.ws.soap.gate.SoapService;
import org.gelato.ce.ws.soap.gate.WireType;
import org.gelato.ce.ws.web.HttpFaults;
import org.gelato.ce.ws.web.RequiredScopes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The delegation service as the gate and Metro see it (docs/developer/protocol/delegation-wire.md sections 1 and 2). Immutable. */
public final class DelegationWire implements SoapService {
    private static final Logger log = LoggerFactory.getLogger(DelegationWire.class);
    private static final String NAMESPACE = "http://www.gridsite.org/namespaces/delegation-2";
    static final Set<String> OPERATIONS = Set.of(
            "getVersion",
            "getInterfaceVersion",
            "getServiceMetadata",
            "getProxyReq",
            "getNewProxyReq",
            "renewProxyReq",
            "putProxy",
            "getTerminationTime",
            "destroy");

    private final Delegations delegations;
    private final String version;

    /** @param version of this software */
    public DelegationWire(Delegations delegations, String version) {
        this.delegations = delegations;
        this.version = version;
    }

    @Override
    public String name() {
        return "gridsite-delegation";
    }

    @Override
    public RequiredScopes.Protocol protocol() {
        return RequiredScopes.Protocol.DELEGATION;
    }

    @Override
    public String wsdl() {
        return "/wsdl/delegation.wsdl";
    }

    @Override
    public QName wsdlService() {
        return new QName(NAMESPACE, "DelegationService");
    }

    @Override
    public QName wsdlPort() {
        return new QName(NAMESPACE, "gridsite-delegation");
    }

    @Override
    public Class<?> endpointType() {
        return DelegationEndpoint.class;
    }

    @Override
    public Object endpoint(SoapCall call) {
        return new DelegationEndpoint(delegations, version, call);
    }

    @Override
    public Set<QName> understoodHeaders() {
        return Set.of();
    }

    @Override
    public Map<QName, WireType> typedElements() {
        return Map.of();
    }

    @Override
    public boolean unqualifiedParts() {
        return true;
    }

    /** SOAPAction has no meaning here: clients send it empty, or each its own. */
    @Override
    public SoapOperation dispatch(String action, SoapRequest request) throws RequestRefused {
        QName payload = request.payload();
        if (payload == null) {
            throw new RequestRefused("the SOAP Body is empty");
        }
        if (!payload.getNamespaceURI().equals(NAMESPACE) || !OPERATIONS.contains(payload.getLocalPart())) {
            throw new RequestRefused("no operation has the element " + payload);
        }
        return new SoapOperation(payload.getLocalPart(), "", false);
    }

    /** The text goes into faultstring too: some clients see only that. */
    @Override
    public SoapFault fault(String operation, Throwable failure) {
        FaultCode code = HttpFaults.code(failure);
        String text = HttpFaults.text(failure);
        return switch (HttpFaults.status(code)) {
            case HttpServletResponse.SC_FORBIDDEN -> fault(code, true, ((ServiceException) failure).faultCause(), text);
            case HttpServletResponse.SC_SERVICE_UNAVAILABLE -> fault(code, false, text, text);
            case HttpServletResponse.SC_INTERNAL_SERVER_ERROR -> {
                String named = text + " (" + Incident.log(log, operation, failure) + ")";
                yield fault(code, false, named, named);
            }
            default -> fault(code, true, text, text);
        };
    }

    private static SoapFault fault(FaultCode code, boolean client, String text, String message) {
        Map<String, String> fields = new HashMap<>();
        fields.put("msg", message == null ? "" : message);
        return new SoapFault(
                code, client, text == null ? "" : text, new QName(NAMESPACE, "DelegationException"), fields, false);
    }
}
