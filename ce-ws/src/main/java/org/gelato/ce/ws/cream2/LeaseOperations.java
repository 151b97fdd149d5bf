package org.gelato.ce.ws.cream2;

import org.gelato.ce.core.lease.Lease;
import org.gelato.ce.core.lease.Leases;
import org.gelato.ce.ws.soap.ElementWriter;
import org.gelato.ce.ws.soap.RequestElement;
import org.gelato.ce.ws.soap.SoapCall;
import org.gelato.ce.ws.soap.StreamedResponse;
import org.gelato.ce.ws.soap.WireTime;

/** The operations on leases for one call. */
final class LeaseOperations {
    private final Leases leases;
    private final SoapCall call;

    LeaseOperations(Leases leases, SoapCall call) {
        this.leases = leases;
        this.call = call;
    }

    StreamedResponse set() {
        RequestElement wanted = call.payload();
        return one(leases.set(call.caller(), id(wanted.text("leaseId")), WireTime.of(wanted.text("leaseTime"))));
    }

    StreamedResponse get() {
        return one(leases.get(call.caller(), id(call.payload().text())));
    }

    private StreamedResponse one(Lease lease) {
        return SlicedResponse.of(call.operation() + "Response", to -> write(lease, to));
    }

    StreamedResponse list() {
        return SlicedResponse.of("getLeaseListResponse", leases.list(call.caller()), (lease, to) -> {
            write(lease, to.open("result"));
            to.close("result");
        });
    }

    void delete() {
        leases.delete(call.caller(), id(call.payload().text()));
    }

    /** Without the blanks around it, as filters and descriptions are read too; null for nothing. */
    static String id(String text) {
        return text == null || text.isBlank() ? null : text.strip();
    }

    private static void write(Lease lease, ElementWriter to) {
        to.leaf("leaseId", lease.id()).leaf("leaseTime", lease.until());
    }
}
