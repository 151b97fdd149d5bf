package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.event.EventQuery;
import org.gelato.ce.core.event.JobEvent;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.ws.soap.Envelopes;
import org.gelato.ce.ws.soap.SoapServer;
import org.gelato.ce.ws.soap.XmlResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryEventTest extends Cream2TestBase {
    private static final Instant T1 = Instant.parse("2026-01-01T10:00:00Z");

    @BeforeEach
    void forgetEvents() {
        server.jobEvents.events = List.of();
        server.jobEvents.query = null;
    }

    private static XmlResponse ask(String content) throws Exception {
        return ok("QueryEvent", "<t:QueryEventRequest>" + content + "</t:QueryEventRequest>", "QueryEventResult");
    }

    private static EventQuery query(String content) throws Exception {
        ask(content);
        return server.jobEvents.query;
    }

    private static List<String> property(XmlResponse event, int index) {
        XmlResponse property = event.child("property", index);
        assertThat(property.names(XmlResponse.T)).containsExactly("name", "value");
        return List.of(property.at("name").text(), property.at("value").text());
    }

    @Test
    void eventHasItsFieldsAndPropertiesInOrder() throws Exception {
        server.jobEvents.events = List.of(
                new JobEvent(
                        41,
                        new JobId(7),
                        new JobStatus(JobState.DONE_FAILED, T1.plusMillis(5), "3", "reason", "text"),
                        "https://lb/grid1",
                        "wn1"),
                new JobEvent(42, new JobId(8), new JobStatus(JobState.ABORTED, T1, null, null, null), null, null));
        XmlResponse result = ask("<t:eventType>JOB_STATUS</t:eventType>");
        assertThat(result.names(XmlResponse.T)).containsExactly("event", "event", "queryExecutionTimeInMillis", "dbId");
        assertThat(result.at("dbId").text()).isEqualTo("1767225600123");
        assertThat(result.at("queryExecutionTimeInMillis").text()).isEqualTo("0");
        XmlResponse event = result.child("event", 0);
        assertThat(event.names(XmlResponse.T)).startsWith("id", "type", "timestamp", "property");
        assertThat(event.at("id").text()).isEqualTo("41");
        assertThat(event.at("type").text()).isEqualTo("JOBSTATUS");
        assertThat(event.at("timestamp").text()).isEqualTo("2026-01-01T10:00:00.005Z");
        assertThat(properties(event))
                .containsExactly(
                        List.of("jobId", "CREAM000000007"),
                        List.of("failureReason", "reason"),
                        List.of("exitCode", "3"),
                        List.of("description", "text"),
                        List.of("type", "8"),
                        List.of("gridJobId", "https://lb/grid1"),
                        List.of("workerNode", "wn1"));
        assertThat(properties(result.child("event", 1)))
                .containsExactly(
                        List.of("jobId", "CREAM000000008"),
                        List.of("failureReason", "N/A"),
                        List.of("exitCode", "N/A"),
                        List.of("description", "N/A"),
                        List.of("type", "10"),
                        List.of("gridJobId", "N/A"),
                        List.of("workerNode", "N/A"));
    }

    private static List<List<String>> properties(XmlResponse event) {
        List<List<String>> all = new ArrayList<>();
        for (int i = 0; i < event.names(XmlResponse.T).size() - 3; i++) {
            all.add(property(event, i));
        }
        return all;
    }

    @Test
    void noEventIsAnAnswerToo() throws Exception {
        assertThat(ask("<t:eventType>job_status</t:eventType>").names(XmlResponse.T))
                .containsExactly("queryExecutionTimeInMillis", "dbId");
        EventQuery query = server.jobEvents.query;
        assertThat(query).isEqualTo(new EventQuery(0, Long.MAX_VALUE, null, null, Set.of(), null, 100));
    }

    @Test
    void everyCriterionIsPassedOn() throws Exception {
        EventQuery query =
                query("<t:fromEventId>0000000000000000000000017</t:fromEventId><t:toEventId> 99 </t:toEventId>"
                        + "<t:fromDate>1970-01-01T00:00:00Z</t:fromDate><t:toDate>2033-05-18T03:33:20Z</t:toDate>"
                        + "<t:eventType>Job_Status</t:eventType><t:maxQueryEventResultSize>7</t:maxQueryEventResultSize>"
                        + "<t:property><t:name>STATUS</t:name><t:value>DONE-OK</t:value></t:property>"
                        + "<t:property><t:name>status</t:name><t:value>aborted</t:value></t:property>"
                        + "<t:property><t:name>Status</t:name><t:value>NONSENSE</t:value></t:property>"
                        + "<t:property><t:name>colour</t:name><t:value>blue</t:value></t:property>");
        assertThat(query)
                .isEqualTo(new EventQuery(
                        17,
                        99,
                        Instant.EPOCH,
                        Instant.parse("2033-05-18T03:33:20Z"),
                        Set.of(JobState.DONE_OK, JobState.ABORTED),
                        null,
                        7));
    }

    @Test
    void iceIdComesFromTheHeader() throws Exception {
        SoapServer.Response answer = server.call(
                "/" + SoapServer.CREAM2,
                "http://glite.org/2007/11/ce/cream/QueryEvent",
                Envelopes.soap11(
                        "<t:iceId E:mustUnderstand=\"1\">ice@wms</t:iceId>",
                        "<t:QueryEventRequest><t:eventType>JOB_STATUS</t:eventType></t:QueryEventRequest>"));
        response(answer, "QueryEventResult");
        assertThat(server.jobEvents.query.iceId()).isEqualTo("ice@wms");
    }

    @ParameterizedTest
    @CsvSource({"0,100", "-5,100", "500,500", "501,500", "2147483647,500"})
    void sizeIsBounded(int requested, int given) throws Exception {
        assertThat(query("<t:eventType>JOB_STATUS</t:eventType><t:maxQueryEventResultSize>" + requested
                                + "</t:maxQueryEventResultSize>")
                        .size())
                .isEqualTo(given);
    }

    @Test
    void idsOfTwentyDigitsAreBeyondTheEnd() throws Exception {
        EventQuery query = query("<t:fromEventId>5</t:fromEventId><t:toEventId>99999999999999999999</t:toEventId>"
                + "<t:eventType>JOB_STATUS</t:eventType>");
        assertThat(query.toId()).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|event type not specified!",
                "<t:eventType/>|event type not specified!",
                "<t:eventType>X</t:eventType>|event type \"X\" not supported!",
                "<t:fromEventId>-1</t:fromEventId><t:eventType>JOB_STATUS</t:eventType>|fromEventId \"-1\" is not a number!",
                "<t:toEventId>1e3</t:toEventId><t:eventType>JOB_STATUS</t:eventType>|toEventId \"1e3\" is not a number!",
                "<t:eventType>JOB_STATUS</t:eventType><t:property><t:name>status</t:name><t:value>BLUE</t:value></t:property>"
                        + "|status \"BLUE\" is not a job status!"
            })
    void badArgumentsAreNamed(String content, String text) throws Exception {
        XmlResponse fault = fault(
                call("QueryEvent", "<t:QueryEventRequest>" + content + "</t:QueryEventRequest>"),
                "InvalidArgumentFault",
                "Client",
                text);
        assertFields(fault, "queryEvent", "0", text, null);
        assertThat(server.jobEvents.query).isNull();
    }
}
