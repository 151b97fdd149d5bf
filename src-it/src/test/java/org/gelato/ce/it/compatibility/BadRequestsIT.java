package org.gelato.ce.it.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.it.compatibility.WireOperation.GET_LEASE;
import static org.gelato.ce.it.compatibility.WireOperation.GET_PROXY_REQ;
import static org.gelato.ce.it.compatibility.WireOperation.GET_TERMINATION_TIME;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_CANCEL;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_INFO;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_PURGE;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_REGISTER;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_START;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_STATUS;
import static org.gelato.ce.it.compatibility.WireOperation.QUERY_EVENT;
import static org.gelato.ce.it.compatibility.WireOperation.SET_LEASE;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.gelato.ce.it.badinput.RawClient.Reply;
import org.gelato.ce.it.compatibility.Bodies.Description;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid or hostile requests: the response names what is wrong, and nothing is stored. */
@ExtendWith(SharedSite.class)
class BadRequestsIT {
    private static final String[] TABLES = {
        "job",
        "job_text",
        "job_state_history",
        "command",
        "delegation",
        "delegation_request",
        "proxy_file",
        "lease",
        "owner",
        "subject",
        "ice",
        "queue",
        "usage_record"
    };
    private static final String LATE = "2099-01-01T00:00:00Z";
    private static final String EARLY = "1970-01-01T00:00:00Z";

    private static ConformanceSite site;
    private static OriginalClient alice;
    private static OriginalClient bob;
    private static String job;
    private static String foreign;
    private Map<String, Long> before;
    private List<String> jobs;

    @BeforeAll
    static void start(ConformanceSite shared) {
        site = shared;
        alice = site.user("Alice of bad requests").delegate("bad");
        bob = site.user("Bob of bad requests").delegate("bob");
        job = alice.register("bad", OriginalClient.echo());
        foreign = bob.register("bob", OriginalClient.echo());
        // what this package started before must be at rest when rows are counted
        ConformanceSite.eventually(
                "all commands are done",
                () -> assertThat(site.database().number("SELECT COUNT(*) FROM command WHERE state IN (0, 1, 2)"))
                        .isZero());
        ConformanceSite.eventually(
                "all jobs have ended",
                () -> assertThat(site.database().number("SELECT COUNT(*) FROM job WHERE state IN (1, 2, 3, 4, 6)"))
                        .isZero());
        assertThat(site.admin().jobs()).contains(job, foreign);
    }

    @BeforeEach
    void count() {
        before = site.database().keys(TABLES);
        jobs = site.admin().jobs();
    }

    @AfterEach
    void nothingWasStored() {
        assertThat(site.database().storedSince(before)).isEmpty();
        assertThat(site.admin().jobs()).containsExactlyInAnyOrderElementsOf(jobs);
        assertThat(alice.state(job)).isEqualTo("REGISTERED");
    }

    // ---- filters

    @ParameterizedTest
    @EnumSource(
            value = WireOperation.class,
            names = {"JOB_STATUS", "JOB_INFO", "JOB_CANCEL", "JOB_PURGE", "JOB_SUSPEND", "JOB_RESUME"})
    void unknownStatesAloneLeaveNothing(WireOperation operation) {
        for (String state : List.of("running", "DONE_OK", "' OR 1=1 --", "", "PURGED-NOT")) {
            Fault fault =
                    alice.on(operation, Filter.all().states(state, "NEITHER")).fault();
            assertThat(fault.description())
                    .as(state)
                    .isEqualTo("Status specified not compatible for the request command.");
        }
    }

    @Test
    void anUnknownStateBesideAKnownOneIsDropped() {
        assertThat(alice.on(JOB_STATUS, Filter.all().states("NOSUCH", "REGISTERED"))
                        .results())
                .hasSize(1);
    }

    @Test
    void reversedDatesMeanNoJob() {
        assertThat(alice.on(JOB_STATUS, Filter.all().from(LATE).to(EARLY)).results())
                .isEmpty();
        assertThat(alice.on(JOB_CANCEL, Filter.all().from(LATE).to(EARLY)).results())
                .isEmpty();
        assertThat(alice.on(JOB_INFO, Filter.ids(job).from(LATE).to(EARLY))
                        .jobFault()
                        .element())
                .isEqualTo("DateMismatchFault");
    }

    @ParameterizedTest
    @ValueSource(strings = {"yesterday", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "1", "", "9999999-01-01"})
    void aTextThatIsNoTimeIsNamed(String text) {
        for (WireOperation operation : List.of(JOB_CANCEL, JOB_STATUS)) {
            Fault fault = alice.on(operation, Filter.all().from(text)).fault();
            assertThat(fault.cause()).contains("fromDate must be").contains("\"" + text + "\"");
        }
    }

    @Test
    void fiveThousandIdsHaveOneResultEach() {
        String[] ids = IntStream.range(0, 5000)
                .mapToObj(i -> i == 2500 ? job : "CREAM%09d".formatted(i))
                .toArray(String[]::new);
        for (WireOperation operation : List.of(JOB_STATUS, JOB_INFO)) {
            Response response = alice.on(operation, ids);
            assertThat(response.results()).hasSize(5000);
            assertThat(response.jobFaults())
                    .hasSize(4999)
                    .allSatisfy(f -> assertThat(f.element()).isEqualTo("JobUnknownFault"));
        }
    }

    @Test
    void anIdGivenTwiceHasOneResult() {
        assertThat(alice.on(JOB_STATUS, job, job, job).results()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CREAM1", "cream000000001", "' OR '1'='1", "../../etc/passwd", "CREAM99999999999999999999"})
    void anIdNoJobCanHaveIsUnknown(String id) {
        assertThat(alice.on(JOB_STATUS, id).jobFault().element()).isEqualTo("JobUnknownFault");
        assertThat(alice.on(JOB_PURGE, id).jobFault().element()).isEqualTo("JobUnknownFault");
    }

    @Test
    void aJobIdWithoutIdIsNoFilterForAllJobs() {
        String empty = Bodies.t(JOB_CANCEL.request(), Bodies.t("jobId", Bodies.leaf("creamURL", "https://x")));
        assertThat(alice.call(JOB_CANCEL, empty).fault().description()).isEqualTo("job id not specified!");
    }

    // ---- jobs of others

    @ParameterizedTest
    @EnumSource(
            value = WireOperation.class,
            names = {"JOB_STATUS", "JOB_INFO", "JOB_START", "JOB_CANCEL", "JOB_PURGE", "JOB_SUSPEND", "JOB_RESUME"})
    void aForeignJobAndNoneAreReportedAlike(WireOperation operation) {
        String none = "CREAM000000001";
        for (Filter[] pair : new Filter[][] {
            {Filter.ids(foreign), Filter.ids(none)},
            {Filter.ids(foreign).delegation("bob"), Filter.ids(none).delegation("bob")},
            {Filter.ids(foreign).from(LATE), Filter.ids(none).from(LATE)}
        }) {
            assertThat(neutral(alice.on(operation, pair[0]), foreign))
                    .isEqualTo(neutral(alice.on(operation, pair[1]), none));
        }
        assertThat(bob.state(foreign)).isEqualTo("REGISTERED");
    }

    @Test
    void settingALeaseOnAForeignJobIsReportedAlikeToo() {
        String none = "CREAM000000001";
        assertThat(neutral(
                        alice.call(WireOperation.JOB_SET_LEASE_ID, Bodies.setLeaseId(null, Filter.ids(foreign))),
                        foreign))
                .isEqualTo(neutral(
                        alice.call(WireOperation.JOB_SET_LEASE_ID, Bodies.setLeaseId(null, Filter.ids(none))), none));
    }

    @Test
    void aForeignJobsOutputAndNoneAreReportedAlike() throws IOException {
        Reply theirs = alice.raw().get("/ce-cream/output/" + foreign + "/");
        Reply none = alice.raw().get("/ce-cream/output/CREAM000000001/");
        assertThat(theirs.status()).isEqualTo(404);
        assertThat(theirs).isEqualTo(none);
    }

    @Test
    void filtersWithoutIdsNeverReachOthers() {
        for (Filter filter : List.of(
                Filter.all(), Filter.all().delegation("bob"), Filter.all().states("REGISTERED"))) {
            assertThat(alice.on(JOB_STATUS, filter).document()).doesNotContain(foreign);
            assertThat(alice.on(JOB_INFO, filter).document()).doesNotContain(foreign);
        }
        assertThat(alice.jobs()).containsExactly(job);
    }

    private static String neutral(Response response, String id) {
        return response.document().replace(id, "ID").replaceAll("Timestamp>[^<]*<", "Timestamp><");
    }

    // ---- events and leases

    @Test
    void eventRangesBeyondTheEndAreEmpty() {
        for (String[] range :
                new String[][] {{"999999999999", null}, {"999999999998", "99999999999999999999999999"}, {"0", "0"}}) {
            Node result = alice.must(QUERY_EVENT, Bodies.events(range[0], range[1], 100))
                    .payload();
            assertThat(result.all("event")).isEmpty();
            assertThat(result.text("dbId")).matches("[0-9]+");
        }
    }

    @Test
    void reversedRangesOfEventsAreNamed() {
        assertThat(alice.call(QUERY_EVENT, Bodies.events("100", "1", 100))
                        .fault()
                        .line())
                .startsWith("InvalidArgumentFault")
                .contains("fromEventId 100", "toEventId 1");
        String dates = Bodies.leaf("fromDate", LATE) + Bodies.leaf("toDate", EARLY);
        assertThat(alice.call(QUERY_EVENT, Bodies.events(dates, "JOB_STATUS", 100, ""))
                        .fault()
                        .line())
                .startsWith("InvalidArgumentFault")
                .contains("fromDate", "toDate");
    }

    @Test
    void eventIdsThatAreNoneAreNamed() {
        for (String id : List.of("first", "-1", "1e3", "0x10")) {
            Fault fault = alice.call(QUERY_EVENT, Bodies.events(id, null, 100)).fault();
            assertThat(fault.line()).as(id).contains("fromEventId");
        }
    }

    @Test
    void aLeaseInThePastIsRefused() {
        assertThat(alice.call(SET_LEASE, Bodies.lease("past", EARLY)).fault().cause())
                .startsWith("lease time (")
                .endsWith(") expired!");
        assertThat(alice.call(GET_LEASE, Bodies.leaseId(GET_LEASE, "past"))
                        .fault()
                        .description())
                .isEqualTo("lease past not found!");
    }

    // ---- names

    private static final List<String> NAMES =
            List.of("a\nb", "a\"b", "$(touch /tmp/x)", "a'; DROP TABLE job; --", "../x");

    @Test
    void oddNamesOfDelegationsAreKeptApartOrRefused() {
        for (String name : NAMES) {
            Response response = alice.onDelegation(GET_TERMINATION_TIME, name);
            assertThat(response.fault().description())
                    .containsAnyOf(name + ";", "holds the control character U+000A, which is not accepted");
        }
        assertThat(alice.onDelegation(GET_PROXY_REQ, "x".repeat(256)).fault().description())
                .contains("at most 255 are accepted");
    }

    @Test
    void oddNamesInARegistrationAreNamedInTheFault() {
        for (String name : NAMES) {
            Fault delegation = alice.call(
                            JOB_REGISTER, Bodies.register(Description.of(name, OriginalClient.echo(), name)))
                    .jobFault();
            assertThat(delegation.cause()).contains("delegId=" + name.strip()).endsWith("not found!");
            Fault lease = alice.call(
                            JOB_REGISTER,
                            Bodies.register(Description.of("x", OriginalClient.echo(), "bad")
                                    .lease(name)))
                    .jobFault();
            assertThat(lease.cause()).isEqualTo("lease id \"" + name + "\" not found!");
            Fault queue = alice.call(
                            JOB_REGISTER,
                            Bodies.register(Description.of(
                                    "x",
                                    OriginalClient.echo().replace("\"long\"", "\"" + name.replace("\"", "\\\"") + "\""),
                                    "bad")))
                    .jobFault();
            assertThat(queue.line()).contains("system error").containsAnyOf("QueueName", "(line 1, column");
        }
    }

    @Test
    void aNulIsNoXml() {
        for (String nul : List.of("&#0;", "\u0000", "&#x0;")) {
            String body = Bodies.t(
                    JOB_REGISTER.request(),
                    Bodies.t("jobDescriptionList", Bodies.t("JDL", "[ Executable = \"" + nul + "\"; ]")));
            assertThat(alice.call(JOB_REGISTER, body).fault().cause()).contains("is not acceptable XML");
        }
    }

    @Test
    void numbersAndTruthsMustBeSome() {
        assertThat(alice.call(WireOperation.SERVICE_INFO, Bodies.leaf("ServiceInfoRequest", "much"))
                        .fault()
                        .cause())
                .contains("ServiceInfoRequest must be a whole number");
        assertThat(site.admin()
                        .call(WireOperation.ACCEPT_NEW_JOBS, Bodies.leaf("acceptNewJobSubmissions", "perhaps"))
                        .fault()
                        .cause())
                .contains("must be true or false");
    }

    @Test
    void aStartOfNothingStartsNothing() {
        for (Filter filter : List.of(
                Filter.all(), Filter.all().delegation("bad"), Filter.all().states("REGISTERED"))) {
            Response response = alice.on(JOB_START, filter);
            assertThat(response.results()).isEmpty();
        }
    }
}
