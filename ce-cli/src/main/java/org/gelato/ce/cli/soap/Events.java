package org.gelato.ce.cli.soap;

import java.util.List;
import java.util.Map;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.EventBatch;
import org.gelato.ce.cli.wire.EventReport;
import org.gelato.ce.cli.wire.EventSelector;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.StatusReport;

/** QueryEvent's request and response (docs/developer/protocol/cream2-wire.md section 7). */
final class Events {
    /** By the wire's number, which is not to change. */
    private static final List<String> STATES = List.of(
            "REGISTERED",
            "PENDING",
            "IDLE",
            "RUNNING",
            "REALLY-RUNNING",
            "CANCELLED",
            "HELD",
            "DONE-OK",
            "DONE-FAILED",
            "PURGED",
            "ABORTED");

    private Events() {}

    static Element request(EventSelector events) {
        Element request = JobServiceOperation.EVENTS
                .request()
                .add("fromEventId", events.fromId())
                .add("toEventId", events.toId())
                .add("fromDate", WireTimes.of(events.from()))
                .add("toDate", WireTimes.of(events.to()))
                .add("eventType", "JOB_STATUS")
                .add("maxQueryEventResultSize", events.size())
                .add("verbosityLevel", 0);
        for (String state : events.states()) {
            request.add(new Element("property").add("name", "status").add("value", state));
        }
        return request;
    }

    static EventBatch batch(Element result) {
        return new EventBatch(
                result.children("event").stream().map(Events::report).toList(), result.text("dbId"));
    }

    private static EventReport report(Element event) {
        Map<String, String> properties = event.properties();
        String id = event.text("id");
        String job = properties.get("jobId");
        if (job == null || !JobUrl.isLocalId(job) || id == null || !id.matches("[0-9]{1,18}")) {
            throw new CliException("the CE sent an event without its job or its number");
        }
        StatusReport status = new StatusReport(
                state(properties.get("type")),
                event.time("timestamp"),
                properties.get("exitCode"),
                properties.get("failureReason"),
                properties.get("description"));
        return new EventReport(
                Long.parseLong(id), job, status, properties.get("gridJobId"), properties.get("workerNode"));
    }

    private static String state(String code) {
        boolean known = code != null && code.matches("[0-9]{1,2}") && Integer.parseInt(code) < STATES.size();
        return known ? STATES.get(Integer.parseInt(code)) : "UNKNOWN";
    }
}
