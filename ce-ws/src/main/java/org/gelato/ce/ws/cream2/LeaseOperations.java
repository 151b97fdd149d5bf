package org.gelato.ce.ws.cream2;

import org.gelato.ce.core.lease.Leases;
import org.gelato.ce.ws.cream2.wsdl.GetLeaseListResponse;
import org.gelato.ce.ws.cream2.wsdl.Lease;
import org.gelato.ce.ws.soap.gate.SoapCall;
import org.gelato.ce.ws.soap.gate.WireTime;
import org.gelato.ce.ws.xml.XmlText;

/** The operations on leases for one call. */
final class LeaseOperations {
    private final Leases leases;
    private final SoapCall call;

    LeaseOperations(Leases leases, SoapCall call) {
        this.leases = leases;
        this.call = call;
    }

    Lease set(Lease wanted) {
        return wire(leases.set(call.caller(), id(wanted.getLeaseId()), WireTime.fromWire(wanted.getLeaseTime())));
    }

    Lease get(String id) {
        return wire(leases.get(call.caller(), id(id)));
    }

    GetLeaseListResponse list() {
        GetLeaseListResponse response = new GetLeaseListResponse();
        leases.list(call.caller()).forEach(lease -> response.getResult().add(wire(lease)));
        return response;
    }

    void delete(String id) {
        leases.delete(call.caller(), id(id));
    }

    /** Without the blanks around it, as filters and descriptions are read too; null for nothing. */
    static String id(String text) {
        return text == null || text.isBlank() ? null : text.strip();
    }

    private static Lease wire(org.gelato.ce.core.lease.Lease lease) {
        Lease wire = new Lease();
        wire.setLeaseId(XmlText.clean(lease.id()));
        wire.setLeaseTime(WireTime.toWire(lease.until()));
        return wire;
    }
}
