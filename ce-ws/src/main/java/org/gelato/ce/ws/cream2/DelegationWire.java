package org.gelato.ce.ws.cream2;

import jakarta.servlet.http.HttpServletResponse;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import javax.xml.namespace.QName;
import org.gelato.ce.core.delegation.Delegations;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.soap.ElementWriter;
import org.gelato.ce.ws.soap.Incident;
import org.gelato.ce.ws.soap.RequestElement;
import org.gelato.ce.ws.soap.RequestRefused;
import org.gelato.ce.ws.soap.SoapCall;
import org.gelato.ce.ws.soap.SoapFault;
import org.gelato.ce.ws.soap.SoapRequest;
import org.gelato.ce.ws.soap.SoapService;
import org.gelato.ce.ws.soap.StreamedResponse;
import org.gelato.ce.ws.web.HttpFaults;
import org.gelato.ce.ws.web.RequiredScopes;
import org.gelato.ce.ws.web.XmlText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The delegation service as Metro and the gate see it (docs/developer/protocol/delegation-wire.md sections 1 and 2). Immutable. */
public final class DelegationWire implements SoapService {
    private static final Logger log = LoggerFactory.getLogger(DelegationWire.class);
    private static final String NAMESPACE = "http://www.gridsite.org/namespaces/delegation-2";
    private static final String INTERFACE_VERSION = "2.0";
    private static final Contract CONTRACT = new Contract(
            "gridsite-delegation",
            RequiredScopes.Protocol.DELEGATION,
            "/wsdl/delegation.wsdl",
            new QName(NAMESPACE, "DelegationService"),
            new QName(NAMESPACE, "gridsite-delegation"),
            Set.of(),
            NAMESPACE,
            Map.of(),
            true);
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
    public Contract contract() {
        return CONTRACT;
    }

    /** SOAPAction has no meaning here: clients send it empty, or each its own. */
    @Override
    public String dispatch(String action, SoapRequest request) throws RequestRefused {
        if (request.payload() == null) {
            throw new RequestRefused("the SOAP Body is empty");
        }
        QName payload = request.payload().name();
        if (!payload.getNamespaceURI().equals(NAMESPACE) || !OPERATIONS.contains(payload.getLocalPart())) {
            throw new RequestRefused("no operation has the element " + XmlText.shorten(String.valueOf(payload)));
        }
        return payload.getLocalPart();
    }

    /** White space around ids is cut; a proxy's text is passed on as it came, and never logged. */
    @Override
    public StreamedResponse serve(SoapCall call) {
        Caller caller = call.caller();
        String id = part(call, "delegationID").strip();
        return switch (call.operation()) {
            case "getVersion" -> returned(call, version);
            case "getInterfaceVersion" -> returned(call, INTERFACE_VERSION);
            case "getServiceMetadata" -> returned(call, part(call, "key"));
            case "getProxyReq" -> returned(call, delegations.getProxyReq(caller, id));
            case "getNewProxyReq" -> {
                Delegations.NewProxyReq made = delegations.getNewProxyReq(caller);
                yield response(
                        call,
                        to -> to.open("getNewProxyReqReturn")
                                .leaf("proxyRequest", made.proxyRequest())
                                .leaf("delegationID", made.delegationId())
                                .close("getNewProxyReqReturn"));
            }
            case "renewProxyReq" -> returned(call, delegations.renewProxyReq(caller, id));
            case "putProxy" -> {
                String proxy = part(call, "proxy");
                if (proxy.isBlank()) {
                    throw new ServiceException.DelegationRefused(
                            "Failed to load certificate chain: the request has none");
                }
                log(call, id);
                delegations.putProxy(caller, id, proxy);
                yield response(call, null);
            }
            case "getTerminationTime" -> {
                Instant end = delegations.getTerminationTime(caller, id);
                yield response(call, to -> to.leaf("getTerminationTimeReturn", end));
            }
            case "destroy" -> {
                log(call, id);
                delegations.destroy(caller, id);
                yield response(call, null);
            }
            default -> throw new IllegalStateException(call.operation() + " is no operation");
        };
    }

    private static void log(SoapCall call, String id) {
        log.debug(
                "{} of delegation \"{}\" by {}",
                call.operation(),
                id,
                call.caller().identity().subject());
    }

    /** The last of a name; empty when absent or nil. */
    private static String part(SoapCall call, String name) {
        List<RequestElement> all = call.payload().all(name);
        return all.isEmpty() ? "" : all.get(all.size() - 1).text();
    }

    private static StreamedResponse returned(SoapCall call, String value) {
        return response(call, to -> to.leaf(call.operation() + "Return", value));
    }

    /**
     * A response, whose parts stand in no namespace.
     *
     * @param parts writes them; null for none
     */
    private static StreamedResponse response(SoapCall call, Consumer<ElementWriter> parts) {
        String element = "ns2:" + call.operation() + "Response";
        return out -> {
            ElementWriter to = new ElementWriter().xml("<" + element + " xmlns:ns2=\"" + NAMESPACE + "\"");
            if (parts == null) {
                to.xml("/>");
            } else {
                parts.accept(to.xml(">"));
                to.close(element);
            }
            to.flush(out);
            return false;
        };
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
