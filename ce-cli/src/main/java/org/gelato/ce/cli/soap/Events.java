package org.gelato.ce.cli.soap;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.EventBatch;
import org.gelato.ce.cli.wire.EventReport;
import org.gelato.ce.cli.wire.EventSelector;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.cli.wsdl.cream2.Event;
import org.gelato.ce.cli.wsdl.cream2.Property;
import org.gelato.ce.cli.wsdl.cream2.QueryEventRequest;
import org.gelato.ce.cli.wsdl.cream2.QueryEventResult;

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

    static QueryEventRequest request(EventSelector events) {
        QueryEventRequest request = new QueryEventRequest();
        request.setFromEventId(String.valueOf(events.fromId()));
        request.setToEventId(events.toId() == null ? null : String.valueOf(events.toId()));
        request.setFromDate(WireTimes.of(events.from()));
        request.setToDate(WireTimes.of(events.to()));
        request.setEventType("JOB_STATUS");
        request.setMaxQueryEventResultSize(events.size());
        request.setVerbosityLevel(0);
        for (String state : events.states()) {
            Property property = new Property();
            property.setName("status");
            property.setValue(state);
            request.getProperty().add(property);
        }
        return request;
    }

    static EventBatch batch(QueryEventResult result) {
        return new EventBatch(result.getEvent().stream().map(Events::report).toList(), result.getDbId());
    }

    private static EventReport report(Event event) {
        Map<String, String> properties = new HashMap<>();
        event.getProperty().forEach(p -> properties.put(p.getName(), p.getValue()));
        String job = properties.get("jobId");
        if (job == null
                || !JobUrl.isLocalId(job)
                || event.getId() == null
                || !event.getId().matches("[0-9]{1,18}")) {
            throw new CliException("the CE sent an event without its job or its number");
        }
        StatusReport status = new StatusReport(
                state(properties.get("type")),
                WireTimes.instant(event.getTimestamp()),
                properties.get("exitCode"),
                properties.get("failureReason"),
                properties.get("description"));
        return new EventReport(
                Long.parseLong(event.getId()), job, status, properties.get("gridJobId"), properties.get("workerNode"));
    }

    private static String state(String code) {
        boolean known = code != null && code.matches("[0-9]{1,2}") && Integer.parseInt(code) < STATES.size();
        return known ? STATES.get(Integer.parseInt(code)) : "UNKNOWN";
    }
}
