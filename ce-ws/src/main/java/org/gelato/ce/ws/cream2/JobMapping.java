package org.gelato.ce.ws.cream2;

import static org.gelato.ce.ws.xml.XmlText.clean;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobInfo;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.ws.cream2.wsdl.Command;
import org.gelato.ce.ws.cream2.wsdl.JobDescription;
import org.gelato.ce.ws.cream2.wsdl.JobId;
import org.gelato.ce.ws.cream2.wsdl.Lease;
import org.gelato.ce.ws.cream2.wsdl.Property;
import org.gelato.ce.ws.cream2.wsdl.Status;
import org.gelato.ce.ws.soap.gate.ListForm;
import org.gelato.ce.ws.soap.gate.WireTime;
import org.gelato.ce.ws.web.SandboxAccess;

/**
 * Core records to wire types and back (docs/developer/protocol/cream2-wire.md section 4). Every mandatory element gets a value and
 * every text is fit for XML. Immutable.
 */
final class JobMapping {
    private static final QName JDL = Cream2Operation.type("JDL");
    private static final QName DELEGATION_ID = Cream2Operation.type("delegationId");
    private static final QName DELEGATION_PROXY = Cream2Operation.type("delegationProxy");
    private static final QName LEASE_ID = Cream2Operation.type("leaseId");
    private static final QName AUTO_START = Cream2Operation.type("autoStart");
    /** An attribute. */
    private static final QName DESCRIPTION_ID = new QName("jobDescriptionId");

    /** Registrations. */
    static final ListForm DESCRIPTIONS = new ListForm(
            Set.of(Cream2Operation.JOB_REGISTER.payload()),
            Cream2Operation.type("jobDescriptionList"),
            JDL,
            Set.of(DELEGATION_ID, DELEGATION_PROXY, LEASE_ID, AUTO_START),
            Set.of(DESCRIPTION_ID),
            Set.of());

    private static final String RESERVED = "[reserved]";
    private static final String CATEGORY = "JOB_MANAGEMENT";

    private final String base;
    private final String creamUrl;
    private final SandboxAccess sandboxes;
    private final Cream2Faults faults;

    JobMapping(URI baseUrl, SandboxAccess sandboxes, Cream2Faults faults) {
        this.base = baseUrl.toString();
        this.creamUrl = base + "/ce-cream/services/CREAM2";
        this.sandboxes = sandboxes;
        this.faults = faults;
    }

    Cream2Faults faults() {
        return faults;
    }

    /**
     * Reads a filter. Its creamURLs are ignored: clients write them in many ways.
     *
     * @throws ServiceException INVALID_ARGUMENT for a jobId without id, which must not read as a filter without ids
     */
    JobFilter filter(org.gelato.ce.ws.cream2.wsdl.JobFilter wire) {
        List<String> ids = new ArrayList<>();
        for (JobId id : wire.getJobId()) {
            if (id == null || id.getId() == null || id.getId().isBlank()) {
                throw ServiceException.invalid("job id not specified!");
            }
            ids.add(id.getId().strip());
        }
        List<String> states =
                wire.getStatus().stream().map(s -> s == null ? "" : s.strip()).toList();
        return new JobFilter(
                ids,
                states,
                WireTime.fromWire(wire.getFromDate()),
                WireTime.fromWire(wire.getToDate()),
                stripped(wire.getDelegationId()),
                stripped(wire.getLeaseId()));
    }

    /**
     * Reads a description.
     *
     * @throws ServiceException INVALID_ARGUMENT without a JDL
     */
    org.gelato.ce.core.service.JobDescription description(JobDescription wire) {
        if (wire == null || wire.getJDL() == null) {
            throw ServiceException.invalid("JDL not specified!");
        }
        return description(
                wire.getJobDescriptionId(),
                wire.getJDL(),
                wire.getDelegationId(),
                wire.getDelegationProxy(),
                wire.getLeaseId(),
                wire.isAutoStart() == null || wire.isAutoStart());
    }

    /** Reads a description whose texts the gate has read and checked. */
    org.gelato.ce.core.service.JobDescription description(Map<QName, String> texts) {
        String autoStart = texts.getOrDefault(AUTO_START, "").strip();
        return description(
                texts.get(DESCRIPTION_ID),
                texts.get(JDL),
                texts.get(DELEGATION_ID),
                texts.get(DELEGATION_PROXY),
                texts.get(LEASE_ID),
                autoStart.isEmpty() || autoStart.equals("true") || autoStart.equals("1"));
    }

    private static org.gelato.ce.core.service.JobDescription description(
            String id, String jdl, String delegation, String proxy, String lease, boolean autoStart) {
        return new org.gelato.ce.core.service.JobDescription(
                id, Jdl.LANGUAGE, jdl, stripped(delegation), proxy, stripped(lease), autoStart);
    }

    private static String stripped(String text) {
        return text == null ? null : text.strip();
    }

    /** A job id without properties; of an id the client named, the local part is shown. */
    JobId jobId(String id) {
        JobId wire = new JobId();
        wire.setId(localId(id));
        wire.setCreamURL(creamUrl);
        return wire;
    }

    /** What JobStatus and JobInfo identify a result by; clients print it as the job's id. */
    String resultRef(String id) {
        return clean(base + "/" + local(id));
    }

    /** What of an id the client named is shown. */
    static String localId(String id) {
        return clean(local(id));
    }

    /** Of this CE's job service. */
    String creamUrl() {
        return creamUrl;
    }

    private static String local(String id) {
        return id.substring(id.lastIndexOf('/') + 1);
    }

    /** A new job's id with what the client needs for uploads. */
    JobId registered(org.gelato.ce.core.job.JobId id, String sandbox, Map<String, String> more) {
        JobId wire = jobId(id.toString());
        List<Property> properties = wire.getProperty();
        properties.add(property("CREAMInputSandboxURI", sandboxes.input(sandbox)));
        properties.add(property("CREAMOutputSandboxURI", sandboxes.output(sandbox)));
        more.forEach((name, value) -> properties.add(property(name, value)));
        // Not CREAM's: its clients look properties up by name, our client uploads the input there.
        properties.add(property("HTTPSInputSandboxURI", base + "/ce-cream/input/" + id));
        properties.add(property("HTTPSOutputSandboxURI", base + "/ce-cream/output/" + id));
        return wire;
    }

    static Property property(String name, String value) {
        Property property = new Property();
        property.setName(clean(name));
        property.setValue(orNone(value));
        return property;
    }

    Status status(String id, JobStatus status) {
        Status wire = new Status();
        wire.setJobId(jobId(id));
        wire.setName(status.state().wireName());
        wire.setTimestamp(WireTime.toWire(status.since()));
        wire.setExitCode(clean(status.exitCode()));
        wire.setFailureReason(clean(status.failureReason()));
        wire.setDescription(clean(status.description()));
        return wire;
    }

    org.gelato.ce.ws.cream2.wsdl.JobInfo info(JobInfo job) {
        String id = job.id().toString();
        org.gelato.ce.ws.cream2.wsdl.JobInfo wire = new org.gelato.ce.ws.cream2.wsdl.JobInfo();
        wire.setJobId(jobId(id));
        // Not CREAM's, whose JobInfo has no place for it: its clients look properties up by name, ours shows these.
        UsageProperties.of(job.usage())
                .forEach((name, value) -> wire.getJobId().getProperty().add(property(name, value)));
        wire.setGridJobId(orNone(job.gridJobId()));
        wire.setLRMSAbsLayerJobId(job.reserved() ? RESERVED : orNone(job.lrmsId()));
        wire.setLRMSJobId(job.reserved() ? RESERVED : orNone(job.lrmsId()));
        wire.setDelegationProxyId(orNone(job.delegationId()));
        wire.setDelegationProxyInfo(orNone(job.delegationInfo()));
        wire.setWorkerNode(orNone(job.workerNode()));
        wire.setLocalUser(orNone(job.account()));
        wire.setWorkingDirectory(job.reserved() ? RESERVED : orNone(job.sandbox()));
        wire.setCREAMInputSandboxURI(orNone(sandboxes.input(job.sandbox())));
        wire.setCREAMOutputSandboxURI(orNone(sandboxes.output(job.sandbox())));
        wire.setJDL(clean(job.jdl()));
        wire.setType(orNone(job.type()));
        if (job.leaseId() != null && job.leaseTime() != null) {
            Lease lease = new Lease();
            lease.setLeaseId(clean(job.leaseId()));
            lease.setLeaseTime(WireTime.toWire(job.leaseTime()));
            wire.setLease(lease);
        }
        job.history().forEach(s -> wire.getStatus().add(status(id, s)));
        job.commands().forEach(c -> wire.getLastCommand().add(command(c)));
        return wire;
    }

    private static Command command(CommandRecord command) {
        Command wire = new Command();
        wire.setName(command.name());
        wire.setCategory(CATEGORY);
        wire.setStatus(command.status());
        wire.setDescription(clean(command.description()));
        wire.setFailureReason(clean(command.failureReason()));
        wire.setCreationTime(WireTime.toWire(command.created()));
        wire.setStartSchedulingTime(WireTime.toWire(command.created()));
        wire.setStartProcessingTime(WireTime.toWire(command.started()));
        wire.setExecutionCompletedTime(WireTime.toWire(command.completed()));
        return wire;
    }

    private static String orNone(String text) {
        return text == null || text.isEmpty() ? Cream2Faults.NONE : clean(text);
    }
}
