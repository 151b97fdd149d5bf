package org.gelato.ce.ws.cream2;

import static org.gelato.ce.ws.cream2.JobMapping.property;

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
import org.gelato.ce.ws.soap.ElementWriter;
import org.gelato.ce.ws.soap.RequestElement;
import org.gelato.ce.ws.soap.SoapCall;
import org.gelato.ce.ws.soap.StreamedResponse;
import org.gelato.ce.ws.soap.WireTime;

/** QueryEvent for one call (docs/developer/protocol/cream2-wire.md sections 5 and 7). */
final class EventOperations {
    private static final String TYPE_ASKED = "JOB_STATUS";
    private static final String TYPE_ANSWERED = "JOBSTATUS";
    private static final String STATUS = "status";
    private static final Pattern NUMBER = Pattern.compile("0*([0-9]+)");
    /** Numbers of more digits are beyond every id. */
    private static final int MAX_DIGITS = 18;

    private static final int MAX_ECHOED = 64;
    /** Of an empty element, as the WSDL says. */
    private static final int MAX_BY_DEFAULT = 100;

    private final JobEvents events;
    private final SoapCall call;
    private final Clock clock;

    EventOperations(JobEvents events, SoapCall call, Clock clock) {
        this.events = events;
        this.call = call;
        this.clock = clock;
    }

    StreamedResponse query() {
        RequestElement request = call.payload();
        Instant begin = clock.instant();
        checkType(request.text("eventType"));
        String most = request.text("maxQueryEventResultSize");
        EventParts parts = events.parts(
                call.caller(),
                new EventQuery(
                        id("fromEventId", request.text("fromEventId"), 0),
                        id("toEventId", request.text("toEventId"), Long.MAX_VALUE),
                        WireTime.of(request.text("fromDate")),
                        WireTime.of(request.text("toDate")),
                        states(request.all("property")),
                        call.iceId(),
                        most == null ? 0 : most.isEmpty() ? MAX_BY_DEFAULT : Integer.parseInt(most)));
        return new SlicedResponse<>(
                "QueryEventResult", parts.slices(), EventOperations::event, to -> end(parts, begin, to));
    }

    /** The elements after the events. */
    private void end(EventParts parts, Instant begin, ElementWriter to) {
        long millis = Math.max(0, clock.instant().toEpochMilli() - begin.toEpochMilli());
        to.leaf("queryExecutionTimeInMillis", String.valueOf(millis))
                .leaf("dbId", String.valueOf(parts.databaseMade().toEpochMilli()));
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
        return "\"" + JobStore.cut(text, MAX_ECHOED) + "\"";
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
        return digits.length() > MAX_DIGITS ? Long.MAX_VALUE : Long.parseLong(digits);
    }

    /** The states of the filter. Unknown names are dropped, as in a JobFilter, but not if no other is left. */
    private static Set<JobState> states(List<RequestElement> properties) {
        Set<JobState> states = EnumSet.noneOf(JobState.class);
        String unknown = null;
        for (RequestElement property : properties) {
            if (!STATUS.equalsIgnoreCase(property.text("name"))) {
                continue;
            }
            String value = property.stripped("value");
            String name = value == null ? "" : value;
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

    private static void event(JobEvent event, ElementWriter to) {
        JobStatus status = event.status();
        to.open("event")
                .leaf("id", String.valueOf(event.id()))
                .leaf("type", TYPE_ANSWERED)
                .leaf("timestamp", status.since());
        property("jobId", event.job().toString(), to);
        property("failureReason", status.failureReason(), to);
        property("exitCode", status.exitCode(), to);
        property("description", status.description(), to);
        property("type", String.valueOf(status.state().code()), to);
        property("gridJobId", event.gridJobId(), to);
        property("workerNode", event.workerNode(), to);
        to.close("event");
    }
}
