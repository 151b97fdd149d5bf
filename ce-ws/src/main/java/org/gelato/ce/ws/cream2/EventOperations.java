package org.gelato.ce.ws.cream2;

import static org.gelato.ce.ws.cream2.JobMapping.property;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.gelato.ce.core.event.EventParts;
import org.gelato.ce.core.event.EventQuery;
import org.gelato.ce.core.event.JobEvent;
import org.gelato.ce.core.event.JobEvents;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.ws.cream2.wsdl.Event;
import org.gelato.ce.ws.cream2.wsdl.Property;
import org.gelato.ce.ws.cream2.wsdl.QueryEventRequest;
import org.gelato.ce.ws.soap.gate.SoapCall;
import org.gelato.ce.ws.soap.gate.StreamedResponse;
import org.gelato.ce.ws.soap.gate.WireTime;

/** QueryEvent for one call (docs/developer/protocol/cream2-wire.md sections 5 and 7). */
final class EventOperations {
    private static final String TYPE_ASKED = "JOB_STATUS";
    private static final String TYPE_ANSWERED = "JOBSTATUS";
    private static final String STATUS = "status";
    private static final Pattern NUMBER = Pattern.compile("0*([0-9]+)");
    /** Numbers of more digits are beyond every id. */
    private static final int MOST_DIGITS = 18;

    private static final int MOST_ECHOED = 64;

    private final JobEvents events;
    private final SoapCall call;
    private final Clock clock;

    EventOperations(JobEvents events, SoapCall call, Clock clock) {
        this.events = events;
        this.call = call;
        this.clock = clock;
    }

    StreamedResponse query(QueryEventRequest request) {
        Instant begin = clock.instant();
        checkType(request.getEventType());
        EventParts parts = events.parts(
                call.caller(),
                new EventQuery(
                        id("fromEventId", request.getFromEventId(), 0),
                        id("toEventId", request.getToEventId(), Long.MAX_VALUE),
                        WireTime.fromWire(request.getFromDate()),
                        WireTime.fromWire(request.getToDate()),
                        states(request.getProperty()),
                        call.iceId(),
                        request.getMaxQueryEventResultSize()));
        return new SlicedResponse<>(
                "QueryEventResult",
                parts.slices(),
                ResultWriter.EVENT.by(EventOperations::event),
                (nothing, out) -> out.write(end(parts, begin).getBytes(StandardCharsets.UTF_8)));
    }

    /** The elements after the events. */
    private String end(EventParts parts, Instant begin) {
        long millis = Math.max(0, clock.instant().toEpochMilli() - begin.toEpochMilli());
        return "<queryExecutionTimeInMillis>" + millis + "</queryExecutionTimeInMillis><dbId>"
                + parts.databaseMade().toEpochMilli() + "</dbId>";
    }

    private static void checkType(String type) {
        if (type == null || type.isBlank()) {
            throw ServiceException.invalid("event type not specified!");
        }
        if (!type.strip().equalsIgnoreCase(TYPE_ASKED)) {
            throw ServiceException.invalid("event type " + quoted(type) + " not supported!");
        }
    }

    private static String quoted(String text) {
        return "\"" + JobStore.cut(text, MOST_ECHOED) + "\"";
    }

    private static long id(String name, String text, long absent) {
        if (text == null || text.isBlank()) {
            return absent;
        }
        var number = NUMBER.matcher(text.strip());
        if (!number.matches()) {
            throw ServiceException.invalid(name + " " + quoted(text) + " is not a number!");
        }
        String digits = number.group(1);
        return digits.length() > MOST_DIGITS ? Long.MAX_VALUE : Long.parseLong(digits);
    }

    /** The states of the filter. Unknown names are dropped, as in a JobFilter, but not if no other is left. */
    private static Set<JobState> states(List<Property> properties) {
        Set<JobState> states = EnumSet.noneOf(JobState.class);
        String unknown = null;
        for (Property property : properties) {
            if (property == null || !STATUS.equalsIgnoreCase(property.getName())) {
                continue;
            }
            String name = property.getValue() == null ? "" : property.getValue().strip();
            var state = JobState.ofWireName(name.toUpperCase(Locale.ROOT));
            if (state.isPresent()) {
                states.add(state.get());
            } else {
                unknown = name;
            }
        }
        if (states.isEmpty() && unknown != null) {
            throw ServiceException.invalid("status " + quoted(unknown) + " is not a job status!");
        }
        return states;
    }

    private static Event event(JobEvent event) {
        JobStatus status = event.status();
        Event wire = new Event();
        wire.setId(String.valueOf(event.id()));
        wire.setType(TYPE_ANSWERED);
        wire.setTimestamp(WireTime.toWire(status.since()));
        List<Property> properties = wire.getProperty();
        properties.add(property("jobId", event.job().toString()));
        properties.add(property("failureReason", status.failureReason()));
        properties.add(property("exitCode", status.exitCode()));
        properties.add(property("description", status.description()));
        properties.add(property("type", String.valueOf(status.state().code())));
        properties.add(property("gridJobId", event.gridJobId()));
        properties.add(property("workerNode", event.workerNode()));
        return wire;
    }
}
