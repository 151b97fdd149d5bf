package org.gelato.ce.ws.cream2;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobInfo;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.ws.soap.ElementWriter;
import org.gelato.ce.ws.soap.RequestElement;
import org.gelato.ce.ws.soap.WireTime;
import org.gelato.ce.ws.soap.WireType;
import org.gelato.ce.ws.web.SandboxAccess;

/**
 * Core records as elements of the wire and back (docs/developer/protocol/cream2-wire.md section 4). Every mandatory element gets a
 * value. Immutable.
 */
final class JobMapping {
    private static final String RESERVED = "[reserved]";
    private static final String CATEGORY = "JOB_MANAGEMENT";
    private static final String JOB_ID = "jobId";
    private static final String STATUS = "status";
    private static final String LEASE = "lease";

    private final String base;
    private final String creamUrl;
    private final SandboxAccess sandboxes;

    JobMapping(URI baseUrl, SandboxAccess sandboxes) {
        this.base = baseUrl.toString();
        this.creamUrl = base + "/ce-cream/services/CREAM2";
        this.sandboxes = sandboxes;
    }

    /**
     * Reads a filter. Its creamURLs are ignored: clients write them in many ways.
     *
     * @throws ServiceException INVALID_ARGUMENT for a jobId without id, which must not read as a filter without ids
     */
    static JobFilter filter(RequestElement wire) {
        List<String> ids = new ArrayList<>();
        for (RequestElement jobId : wire.all(JOB_ID)) {
            String id = jobId.stripped("id");
            if (id == null || id.isEmpty()) {
                throw ServiceException.invalid("job id not specified!");
            }
            ids.add(id);
        }
        return new JobFilter(
                ids,
                wire.all(STATUS).stream().map(state -> state.text().strip()).toList(),
                WireTime.of(wire.text("fromDate")),
                WireTime.of(wire.text("toDate")),
                wire.stripped("delegationId"),
                wire.stripped("leaseId"));
    }

    /**
     * Reads a description.
     *
     * @throws ServiceException INVALID_ARGUMENT without a JDL
     */
    static JobDescription description(RequestElement wire) {
        String jdl = wire.text("JDL");
        if (jdl == null) {
            throw ServiceException.invalid("JDL not specified!");
        }
        String autoStart = wire.text("autoStart");
        return new JobDescription(
                wire.attribute("jobDescriptionId"),
                Jdl.LANGUAGE,
                jdl,
                wire.stripped("delegationId"),
                wire.text("delegationProxy"),
                wire.stripped("leaseId"),
                autoStart == null || autoStart.isEmpty() || WireType.isTrue(autoStart));
    }

    /** A job id without properties; of an id the client named, the local part is shown. */
    void jobId(String element, String id, ElementWriter to) {
        id(element, id, to).close(element);
    }

    private ElementWriter id(String element, String id, ElementWriter to) {
        return to.open(element).leaf("id", localId(id)).leaf("creamURL", creamUrl);
    }

    /** What JobStatus and JobInfo identify a result by; clients print it as the job's id. */
    String resultRef(String id) {
        return base + "/" + localId(id);
    }

    /** What of an id the client named is shown. */
    static String localId(String id) {
        return id.substring(id.lastIndexOf('/') + 1);
    }

    /** Of this CE's job service. */
    String creamUrl() {
        return creamUrl;
    }

    /** A new job's id with what the client needs for uploads. */
    void registered(JobId id, String sandbox, Map<String, String> more, ElementWriter to) {
        id(JOB_ID, id.toString(), to);
        property("CREAMInputSandboxURI", sandboxes.input(sandbox), to);
        property("CREAMOutputSandboxURI", sandboxes.output(sandbox), to);
        more.forEach((name, value) -> property(name, value, to));
        // Not CREAM's: its clients look properties up by name, our client uploads the input there.
        property("HTTPSInputSandboxURI", base + "/ce-cream/input/" + id, to);
        property("HTTPSOutputSandboxURI", base + "/ce-cream/output/" + id, to);
        to.close(JOB_ID);
    }

    static void property(String name, String value, ElementWriter to) {
        to.open("property").leaf("name", name).leaf("value", orNone(value)).close("property");
    }

    private void status(String id, JobStatus status, ElementWriter to) {
        to.open(STATUS);
        jobId(JOB_ID, id, to);
        state(status, to);
        to.close(STATUS);
    }

    /** A status after its job's id. */
    static void state(JobStatus status, ElementWriter to) {
        to.leaf("name", status.state().wireName())
                .leaf("timestamp", status.since())
                .leaf("exitCode", status.exitCode())
                .leaf("failureReason", status.failureReason())
                .leaf("description", status.description());
    }

    void info(JobInfo job, ElementWriter to) {
        String id = job.id().toString();
        to.open("jobInfo");
        id(JOB_ID, id, to);
        // Not CREAM's, whose JobInfo has no place for it: its clients look properties up by name, ours shows these.
        job.details().forEach((detail, value) -> {
            if (detail.property() != null) {
                property(detail.property(), value, to);
            }
        });
        to.close(JOB_ID)
                .leaf("GridJobId", orNone(job.gridJobId()))
                .leaf("LRMSAbsLayerJobId", job.reserved() ? RESERVED : orNone(job.lrmsId()))
                .leaf("LRMSJobId", job.reserved() ? RESERVED : orNone(job.lrmsId()))
                .leaf("delegationProxyId", orNone(job.delegationId()))
                .leaf("delegationProxyInfo", orNone(job.delegationInfo()))
                .leaf("workerNode", orNone(job.workerNode()))
                .leaf("localUser", orNone(job.account()))
                .leaf("workingDirectory", job.reserved() ? RESERVED : orNone(job.sandbox()))
                .leaf("CREAMInputSandboxURI", orNone(sandboxes.input(job.sandbox())))
                .leaf("CREAMOutputSandboxURI", orNone(sandboxes.output(job.sandbox())))
                .leaf("JDL", job.jdl())
                .leaf("type", orNone(job.type()));
        if (job.leaseId() != null && job.leaseTime() != null) {
            to.open(LEASE)
                    .leaf("leaseId", job.leaseId())
                    .leaf("leaseTime", job.leaseTime())
                    .close(LEASE);
        }
        job.history().forEach(status -> status(id, status, to));
        job.commands().forEach(command -> command(command, to));
        to.close("jobInfo");
    }

    private static void command(CommandRecord command, ElementWriter to) {
        to.open("lastCommand")
                .leaf("name", command.name())
                .leaf("category", CATEGORY)
                .leaf("status", command.status())
                .leaf("description", command.description())
                .leaf("failureReason", command.failureReason())
                .leaf("creationTime", command.created())
                .leaf("startSchedulingTime", command.created())
                .leaf("startProcessingTime", command.started())
                .leaf("executionCompletedTime", command.completed())
                .close("lastCommand");
    }

    private static String orNone(String text) {
        return text == null || text.isEmpty() ? Cream2Faults.NONE : text;
    }
}
