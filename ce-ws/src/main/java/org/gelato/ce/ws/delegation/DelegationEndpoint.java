package org.gelato.ce.ws.delegation;

import jakarta.jws.WebService;
import javax.xml.datatype.XMLGregorianCalendar;
import org.gelato.ce.core.delegation.Delegations;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.ws.delegation.wsdl.Delegation;
import org.gelato.ce.ws.delegation.wsdl.NewProxyReq;
import org.gelato.ce.ws.soap.gate.SoapCall;
import org.gelato.ce.ws.soap.gate.WireTime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port type of the delegation service for one call: made, used and dropped by the thread that serves it. White space
 * around ids is cut; a proxy's text is passed on as it came, and never logged.
 */
@WebService(endpointInterface = "org.gelato.ce.ws.delegation.wsdl.Delegation")
public final class DelegationEndpoint implements Delegation {
    private static final Logger log = LoggerFactory.getLogger(DelegationEndpoint.class);
    private static final String INTERFACE_VERSION = "2.0";

    private final Delegations delegations;
    private final String version;
    private final SoapCall call;

    DelegationEndpoint(Delegations delegations, String version, SoapCall call) {
        this.delegations = delegations;
        this.version = version;
        this.call = call;
    }

    @Override
    public String getVersion() {
        return version;
    }

    @Override
    public String getInterfaceVersion() {
        return INTERFACE_VERSION;
    }

    @Override
    public String getServiceMetadata(String key) {
        return key == null ? "" : key;
    }

    @Override
    public String getProxyReq(String delegationId) {
        return delegations.getProxyReq(call.caller(), id(delegationId));
    }

    @Override
    public NewProxyReq getNewProxyReq() {
        Delegations.NewProxyReq made = delegations.getNewProxyReq(call.caller());
        NewProxyReq wire = new NewProxyReq();
        wire.setProxyRequest(made.proxyRequest());
        wire.setDelegationID(made.delegationId());
        return wire;
    }

    @Override
    public String renewProxyReq(String delegationId) {
        return delegations.renewProxyReq(call.caller(), id(delegationId));
    }

    @Override
    public void putProxy(String delegationId, String proxy) {
        if (proxy == null || proxy.isBlank()) {
            throw new ServiceException.DelegationRefused("Failed to load certificate chain: the request has none");
        }
        log(delegationId);
        delegations.putProxy(call.caller(), id(delegationId), proxy);
    }

    @Override
    public XMLGregorianCalendar getTerminationTime(String delegationId) {
        return WireTime.toWire(delegations.getTerminationTime(call.caller(), id(delegationId)));
    }

    @Override
    public void destroy(String delegationId) {
        log(delegationId);
        delegations.destroy(call.caller(), id(delegationId));
    }

    private static String id(String text) {
        return text == null ? "" : text.strip();
    }

    private void log(String delegationId) {
        log.debug(
                "{} of delegation \"{}\" by {}",
                call.operation(),
                id(delegationId),
                call.caller().identity().subject());
    }
}
