package org.gelato.ce.ws.cream2;

import java.time.Clock;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.gelato.ce.core.admission.Admission;
import org.gelato.ce.core.event.JobEvents;
import org.gelato.ce.core.lease.Leases;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.ws.soap.RequestRefused;
import org.gelato.ce.ws.soap.SoapCall;
import org.gelato.ce.ws.soap.SoapFault;
import org.gelato.ce.ws.soap.SoapRequest;
import org.gelato.ce.ws.soap.SoapService;
import org.gelato.ce.ws.soap.StreamedResponse;
import org.gelato.ce.ws.soap.WireType;
import org.gelato.ce.ws.web.CeInstance;
import org.gelato.ce.ws.web.RequiredScopes;
import org.gelato.ce.ws.web.SandboxAccess;

/** The job service as Metro and the gate see it. Immutable. */
public final class Cream2Wire implements SoapService {
    private static final Contract CONTRACT = new Contract(
            "CREAM2",
            RequiredScopes.Protocol.CREAM2,
            "/wsdl/cream2.wsdl",
            new QName(Cream2Operation.NAMESPACE, "Cream2Service"),
            new QName(Cream2Operation.NAMESPACE, "CREAM2"),
            Set.of(Cream2Operation.type("iceId")),
            Cream2Operation.TYPES,
            Map.of(
                    "fromDate", WireType.DATE_TIME,
                    "toDate", WireType.DATE_TIME,
                    "leaseTime", WireType.DATE_TIME,
                    "autoStart", WireType.DEFAULTED_BOOLEAN,
                    "acceptNewJobSubmissions", WireType.BOOLEAN,
                    "ServiceInfoRequest", WireType.INT,
                    "maxQueryEventResultSize", WireType.DEFAULTED_INT,
                    "verbosityLevel", WireType.DEFAULTED_INT),
            false);

    private final Jobs jobs;
    private final Admission admission;
    private final Leases leases;
    private final JobEvents events;
    private final SandboxAccess sandboxes;
    private final ServiceInfoReply info;
    private final Clock clock;
    private final JobMapping mapping;
    private final Cream2Faults faults;

    /**
     * @param sandboxes how legacy clients reach sandboxes by GridFTP
     * @param cluster the batch system as service info shows it
     */
    public Cream2Wire(
            CeInstance ce,
            Jobs jobs,
            Admission admission,
            Leases leases,
            JobEvents events,
            SandboxAccess sandboxes,
            ClusterProperties cluster,
            Clock clock) {
        this.jobs = jobs;
        this.admission = admission;
        this.leases = leases;
        this.events = events;
        this.sandboxes = sandboxes;
        this.info = new ServiceInfoReply(ce, admission, cluster, sandboxes.isThere(), clock);
        this.clock = clock;
        this.faults = new Cream2Faults(clock);
        this.mapping = new JobMapping(ce.baseUrl(), sandboxes);
    }

    @Override
    public Contract contract() {
        return CONTRACT;
    }

    @Override
    public String dispatch(String action, SoapRequest request) throws RequestRefused {
        return Cream2Operation.of(action, request).wsdlName();
    }

    @Override
    public StreamedResponse serve(SoapCall call) {
        JobOperations ofJobs = new JobOperations(jobs, sandboxes, mapping, faults, call);
        LeaseOperations ofLeases = new LeaseOperations(leases, call);
        return switch (call.operation()) {
            case "getServiceInfo" ->
                SlicedResponse.of(
                        "ServiceInfoResponse",
                        info.at(Integer.parseInt(call.payload().text())));
            case "acceptNewJobSubmissions" -> {
                admission.open(call.caller(), WireType.isTrue(call.payload().text()));
                yield null;
            }
            case "QueryEvent" -> new EventOperations(events, call, clock).query();
            case "setLease" -> ofLeases.set();
            case "getLease" -> ofLeases.get();
            case "getLeaseList" -> ofLeases.list();
            case "deleteLease" -> {
                ofLeases.delete();
                yield null;
            }
            default -> ofJobs.serve();
        };
    }

    @Override
    public SoapFault fault(String operation, Throwable failure) {
        return faults.of(operation, failure);
    }
}
