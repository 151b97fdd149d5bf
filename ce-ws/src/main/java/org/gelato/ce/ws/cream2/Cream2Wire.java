package org.gelato.ce.ws.cream2;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.gelato.ce.core.admission.Admission;
import org.gelato.ce.core.event.JobEvents;
import org.gelato.ce.core.lease.Leases;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.ws.soap.gate.ListForm;
import org.gelato.ce.ws.soap.gate.RequestRefused;
import org.gelato.ce.ws.soap.gate.SoapCall;
import org.gelato.ce.ws.soap.gate.SoapFault;
import org.gelato.ce.ws.soap.gate.SoapOperation;
import org.gelato.ce.ws.soap.gate.SoapRequest;
import org.gelato.ce.ws.soap.gate.SoapService;
import org.gelato.ce.ws.soap.gate.StreamedResponse;
import org.gelato.ce.ws.soap.gate.WireType;
import org.gelato.ce.ws.web.CeInstance;
import org.gelato.ce.ws.web.RequiredScopes;
import org.gelato.ce.ws.web.SandboxAccess;

/** The job service as the gate and Metro see it. Immutable. */
public final class Cream2Wire implements SoapService {
    private static final Map<QName, WireType> TYPED = Map.of(
            Cream2Operation.type("fromDate"), WireType.DATE_TIME,
            Cream2Operation.type("toDate"), WireType.DATE_TIME,
            Cream2Operation.type("leaseTime"), WireType.DATE_TIME,
            Cream2Operation.type("autoStart"), WireType.DEFAULTED_BOOLEAN,
            Cream2Operation.type("acceptNewJobSubmissions"), WireType.BOOLEAN,
            Cream2Operation.type("ServiceInfoRequest"), WireType.INT,
            Cream2Operation.type("maxQueryEventResultSize"), WireType.DEFAULTED_INT,
            Cream2Operation.type("verbosityLevel"), WireType.DEFAULTED_INT);

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
        this.mapping = new JobMapping(ce.baseUrl(), sandboxes, faults);
    }

    @Override
    public String name() {
        return "CREAM2";
    }

    @Override
    public RequiredScopes.Protocol protocol() {
        return RequiredScopes.Protocol.CREAM2;
    }

    @Override
    public String wsdl() {
        return "/wsdl/cream2.wsdl";
    }

    @Override
    public QName wsdlService() {
        return new QName(Cream2Operation.NAMESPACE, "Cream2Service");
    }

    @Override
    public QName wsdlPort() {
        return new QName(Cream2Operation.NAMESPACE, "CREAM2");
    }

    @Override
    public Class<?> endpointType() {
        return Cream2Endpoint.class;
    }

    @Override
    public Object endpoint(SoapCall call) {
        return new Cream2Endpoint(
                new JobOperations(jobs, sandboxes, mapping, call),
                info,
                accepting -> admission.open(call.caller(), accepting),
                new LeaseOperations(leases, call),
                new EventOperations(events, call, clock));
    }

    @Override
    public List<ListForm> lists() {
        return List.of(Cream2Operation.BY_IDS, JobMapping.DESCRIPTIONS);
    }

    @Override
    public StreamedResponse listed(SoapCall call) {
        return new JobOperations(jobs, sandboxes, mapping, call).listed();
    }

    @Override
    public Set<QName> understoodHeaders() {
        return Set.of(Cream2Operation.type("iceId"));
    }

    @Override
    public Map<QName, WireType> typedElements() {
        return TYPED;
    }

    @Override
    public boolean unqualifiedParts() {
        return false;
    }

    @Override
    public SoapOperation dispatch(String action, SoapRequest request) throws RequestRefused {
        return Cream2Operation.of(action, request).soap();
    }

    @Override
    public SoapFault fault(String operation, Throwable failure) {
        return faults.of(operation, failure);
    }
}
