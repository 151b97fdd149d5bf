package org.gelato.ce.cli.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.cli.command.CeCommand.JobResponse;
import org.gelato.ce.cli.display.Lines;
import org.gelato.ce.cli.wire.EventReport;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.LeaseReport;
import org.gelato.ce.cli.wire.ServiceReport;
import org.gelato.ce.cli.wire.SiteJob;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.cli.wire.UsageReport;
import org.gelato.ce.cli.wire.WireFault;

/**
 * The JSON form of results. Absent values, the wire's {@code N/A} among them, are left out; loaded only for {@code
 * --json}.
 */
final class JsonResult {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JsonResult() {}

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    static void print(PrintStream out, ObjectNode object) {
        try {
            out.println(MAPPER.writeValueAsString(object));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values has no JSON form", e);
        }
    }

    /** {@code {"jobs": [...]}} with one object per job: its id and either its values or its fault. */
    static <T> ObjectNode jobs(List<JobResponse<T>> responses, java.util.function.BiConsumer<ObjectNode, T> values) {
        ObjectNode root = object();
        ArrayNode jobs = root.putArray("jobs");
        for (JobResponse<T> response : responses) {
            ObjectNode job = jobs.addObject().put("id", response.job().toString());
            if (response.response().fault() != null) {
                fault(job, response.response().fault());
            } else {
                values.accept(job, response.response().value());
            }
        }
        return root;
    }

    static void fault(ObjectNode target, WireFault fault) {
        ObjectNode node = target.putObject("fault").put("kind", fault.kind());
        put(node, "code", fault.code());
        put(node, "description", fault.description());
        put(node, "cause", fault.cause());
    }

    static void status(ObjectNode target, StatusReport status) {
        target.put("status", status.name());
        put(target, "time", status.time());
        put(target, "exitCode", status.exitCode());
        put(target, "failureReason", status.failureReason());
        put(target, "description", status.description());
    }

    static void report(ObjectNode target, JobReport report) {
        status(target, report.status());
        put(target, "type", report.type());
        put(target, "gridJobId", report.gridJobId());
        put(target, "lrmsJobId", report.lrmsJobId());
        put(target, "delegationId", report.delegationId());
        put(target, "delegationProxy", report.delegationProxy());
        put(target, "workerNode", report.workerNode());
        if (report.usage() != null) {
            usage(target.putObject("usage"), report.usage());
        }
        put(target, "localUser", report.localUser());
        put(target, "workingDirectory", report.workingDirectory());
        put(target, "leaseId", report.leaseId());
        put(target, "leaseTime", report.leaseTime());
        put(target, "jdl", report.jdl());
        ArrayNode history = target.putArray("history");
        report.history().forEach(status -> status(history.addObject(), status));
        ArrayNode commands = target.putArray("commands");
        for (JobReport.CommandReport command : report.commands()) {
            ObjectNode node = commands.addObject().put("name", command.name()).put("status", command.status());
            put(node, "category", command.category());
            put(node, "failureReason", command.failureReason());
            put(node, "created", command.created());
            put(node, "completed", command.completed());
        }
    }

    private static void usage(ObjectNode target, UsageReport usage) {
        if (usage.cpuSeconds() != null) {
            target.put("cpuSeconds", usage.cpuSeconds());
        }
        if (usage.wallSeconds() != null) {
            target.put("wallSeconds", usage.wallSeconds());
        }
        if (usage.cores() != null) {
            target.put("cores", usage.cores());
        }
        if (usage.peakMemoryKib() != null) {
            target.put("peakMemoryKib", usage.peakMemoryKib());
        }
        put(target, "source", usage.source());
    }

    static void event(ObjectNode target, EventReport event) {
        status(target, event.status());
        put(target, "gridJobId", event.gridJobId());
        put(target, "workerNode", event.workerNode());
    }

    static void lease(ObjectNode target, LeaseReport lease) {
        target.put("leaseId", lease.id());
        put(target, "leaseTime", lease.end());
    }

    static ObjectNode service(ServiceReport report) {
        ObjectNode root = object().put("acceptsJobs", report.acceptsJobs());
        put(root, "interfaceVersion", report.interfaceVersion());
        put(root, "serviceVersion", report.serviceVersion());
        put(root, "description", report.description());
        put(root, "startedAt", report.startedAt());
        put(root, "status", report.status());
        ObjectNode properties = root.putObject("properties");
        report.properties().forEach(properties::put);
        ArrayNode messages = root.putArray("messages");
        report.messages().forEach(messages::add);
        return root;
    }

    static void siteJob(ObjectNode node, SiteJob job) {
        node.put("id", job.id()).put("dn", job.dn());
        put(node, "fqan", job.fqan());
        put(node, "vo", job.vo());
        node.put("account", job.account()).put("state", job.state());
        put(node, "exitCode", job.exitCode());
        put(node, "since", job.since());
        put(node, "registered", job.registered());
        put(node, "running", job.running());
        put(node, "ended", job.ended());
        node.put("lrms", job.lrms()).put("queue", job.queue());
        put(node, "lrmsJobId", job.lrmsJobId());
        put(node, "workerNode", job.workerNode());
    }

    static void put(ObjectNode node, String name, String value) {
        if (Lines.known(value)) {
            node.put(name, value);
        }
    }

    static void put(ObjectNode node, String name, Instant value) {
        if (value != null) {
            node.put(name, value.toString());
        }
    }
}
