package org.gelato.ce.it.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_REGISTER;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_START;
import static org.gelato.ce.it.compatibility.WireOperation.QUERY_EVENT;

import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.it.compatibility.Bodies.Description;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** QueryEvent as the command line client and ICE, the client of WMS, use it (docs/developer/protocol/cream2-wire.md section 7). */
@ExtendWith(SharedSite.class)
class EventsIT {
    private static ConformanceSite site;
    private static OriginalClient ice;
    private static String job;

    @BeforeAll
    static void start(ConformanceSite shared) {
        site = shared;
        ice = site.user("Ivy of ICE").delegate("events");
        job = ice.submit("events", OriginalClient.echo());
        ice.await(job, "DONE-OK");
        // an event is shown when no smaller id can appear any more
        ConformanceSite.eventually(
                "the end is shown",
                () -> assertThat(query("0", null, 500).all("event"))
                        .anySatisfy(e -> assertThat(e.property("type")).hasValue("7")));
    }

    private static Node query(String from, String to, int max) {
        return ice.must(QUERY_EVENT, Bodies.events(from, to, max)).payload();
    }

    @Test
    void anEventReportsAChangeOfState() {
        List<Node> events = query("0", null, 100).all("event");
        assertThat(events).allSatisfy(e -> {
            assertThat(e.names()).startsWith("id", "type", "timestamp", "property");
            assertThat(e.text("id")).matches("[0-9]+");
            assertThat(e.text("type")).isEqualTo("JOBSTATUS");
            assertThat(e.all("property"))
                    .extracting(p -> p.text("name"))
                    .containsExactly(
                            "jobId", "failureReason", "exitCode", "description", "type", "gridJobId", "workerNode");
        });
        List<Node> own = events.stream()
                .filter(e -> e.property("jobId").orElseThrow().equals(job))
                .toList();
        assertThat(own)
                .extracting(e -> e.property("type").orElseThrow())
                .startsWith("0")
                .endsWith("7");
        assertThat(own.get(0).property("exitCode")).hasValue("N/A");
        assertThat(own.get(own.size() - 1).property("exitCode")).hasValue("0");
        assertThat(events)
                .extracting(e -> Long.parseLong(e.text("id")))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    /** ICE remembers the last id, requests from the next one on, and sees every change once. */
    @Test
    void iceFollowsByTheLastId() {
        List<String> whole = query("0", null, 500).all("event").stream()
                .map(e -> e.text("id"))
                .toList();
        List<String> seen = new ArrayList<>();
        long next = 0;
        for (List<Node> page = query("0", null, 2).all("event");
                !page.isEmpty();
                page = query(Long.toString(next), null, 2).all("event")) {
            assertThat(page).hasSizeLessThanOrEqualTo(2);
            page.forEach(e -> seen.add(e.text("id")));
            next = Long.parseLong(seen.get(seen.size() - 1)) + 1;
        }
        assertThat(seen).doesNotHaveDuplicates().startsWith(whole.toArray(new String[0]));
    }

    @Test
    void theDatabasesIdIsSentTwice() {
        Response registered = ice.call(
                JOB_REGISTER,
                Bodies.register(Description.of("d", OriginalClient.echo(), "events")),
                Spelling.ICE_HEADER);
        Node id = registered.results().get(0).at("jobId");
        String dbId = query("0", null, 1).text("dbId");
        assertThat(dbId).matches("[0-9]{13}");
        assertThat(id.property("DB_ID")).hasValue(dbId);
        assertThat(query("0", null, 1).text("dbId")).isEqualTo(dbId);

        // with its name, ICE sees the jobs it registered under that name only
        ConformanceSite.eventually(
                "the registration is shown",
                () -> assertThat(ice.call(QUERY_EVENT, Bodies.events("0", null, 100), Spelling.ICE_HEADER)
                                .payload()
                                .all("event"))
                        .isNotEmpty()
                        .allSatisfy(e -> assertThat(e.property("jobId")).hasValue(id.text("id"))));
    }

    @Test
    void boundsAreInclusive() {
        List<Node> all = query("0", null, 500).all("event");
        String first = all.get(0).text("id");
        String second = all.get(1).text("id");
        assertThat(query(first, second, 100).all("event"))
                .extracting(e -> e.text("id"))
                .containsExactly(first, second);
        String time = all.get(0).text("timestamp");
        String dates = Bodies.leaf("fromDate", "1970-01-01T00:00:00Z") + Bodies.leaf("toDate", "2033-05-18T03:33:20Z");
        assertThat(time).endsWith("Z");
        assertThat(ice.must(QUERY_EVENT, Bodies.events(dates, "job_status", 50, ""))
                        .payload()
                        .all("event"))
                .isNotEmpty();
    }

    /** The client writes the property's name in upper case. */
    @Test
    void statesFilter() {
        String states = Bodies.property("STATUS", "DONE-OK") + Bodies.property("STATUS", "ABORTED");
        assertThat(ice.must(QUERY_EVENT, Bodies.events("", "JOB_STATUS", 100, states))
                        .payload()
                        .all("event"))
                .isNotEmpty()
                .allSatisfy(e -> assertThat(e.property("type").orElseThrow()).isIn("7", "10"));
    }

    @Test
    void noMoreThanRequestedAndFiveHundred() {
        assertThat(query("0", null, 1).all("event")).hasSize(1);
        assertThat(query("0", null, 0).all("event")).hasSizeBetween(1, 100);
        assertThat(query("0", null, 1_000_000).all("event")).hasSizeBetween(1, 500);
    }

    @Test
    void anAdministratorSeesOwnEventsOnly() {
        assertThat(site.admin().must(QUERY_EVENT, Bodies.events("0", null, 500)).document())
                .doesNotContain(job);
        assertThat(ice.on(JOB_START, job).jobFault().element()).isEqualTo("JobStatusInvalidFault");
    }
}
