package org.gelato.ce.it.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_CANCEL;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_INFO;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_PURGE;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_REGISTER;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_RESUME;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_START;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_STATUS;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_SUSPEND;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.it.compatibility.Bodies.Description;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The faults of single jobs: each row of docs/developer/protocol/cream2-wire.md section 6 for each operation that can return it.
 */
@ExtendWith(SharedSite.class)
class JobFaultTableIT {
    private static final Map<WireOperation, String> METHODS = Map.of(
            JOB_STATUS, "jobStatus",
            JOB_INFO, "jobInfo",
            JOB_START, "JOB_START",
            JOB_CANCEL, "JOB_CANCEL",
            JOB_PURGE, "JOB_PURGE",
            JOB_SUSPEND, "JOB_SUSPEND",
            JOB_RESUME, "JOB_RESUME");
    /** A state each command accepts and the registered job is not in, or that no command refuses to name. */
    private static final Map<WireOperation, String> OTHER_STATE = Map.of(
            JOB_STATUS, "IDLE",
            JOB_INFO, "IDLE",
            JOB_CANCEL, "IDLE",
            JOB_PURGE, "ABORTED",
            JOB_SUSPEND, "IDLE",
            JOB_RESUME, "HELD");

    private static final String EXPIRED = "delegation expired";
    private static final String EPOCH = "1970-01-01T00:00:00Z";

    private static ConformanceSite site;
    private static OriginalClient alice;
    private static String job;
    private static String ended;

    @BeforeAll
    static void start(ConformanceSite shared) {
        site = shared;
        alice = site.user("Alice of job faults").delegate("job faults");
        job = alice.register("job faults", OriginalClient.echo());
        ended = alice.submit("job faults", OriginalClient.echo());
        alice.await(ended, "DONE-OK");
    }

    /**
     * A row for an operation.
     *
     * @param question code and text of JobStatus and JobInfo
     * @param command code and text of commands
     */
    private record Row(
            WireOperation operation, String element, String question, String command, Filter filter, String name) {
        @Override
        public String toString() {
            return name + " in " + operation.wsdlName();
        }

        boolean queries() {
            return operation == JOB_STATUS || operation == JOB_INFO;
        }

        String line() {
            return element + " " + METHODS.get(operation) + " " + (queries() ? question : command) + " | N/A";
        }
    }

    static Stream<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (WireOperation o : METHODS.keySet()) {
            String unknown = "JobUnknownFault";
            rows.add(new Row(
                    o, unknown, "2 | job not found", "1 | job not found!", Filter.ids("CREAM000000000"), "unknown"));
            String bob = site.user("Bob of job faults").delegate("bob" + o).register("bob" + o, OriginalClient.echo());
            rows.add(new Row(o, unknown, "2 | job not found", "1 | job not found!", Filter.ids(bob), "not owned"));
            String state = "JobStatusInvalidFault";
            String mismatch = "2 | the job has a status not compatible with the " + METHODS.get(o) + " command!";
            if (OTHER_STATE.containsKey(o)) {
                rows.add(new Row(
                        o,
                        state,
                        "4 | job status mismatch",
                        mismatch,
                        Filter.ids(job).states(OTHER_STATE.get(o)),
                        "status filter"));
            }
            if (o != JOB_STATUS && o != JOB_INFO && o != JOB_PURGE) {
                rows.add(new Row(o, state, "", mismatch, Filter.ids(ended), "status of the job"));
            }
            String date = "fromDate/toDate mismatch";
            rows.add(new Row(
                    o,
                    "DateMismatchFault",
                    "0 | " + date,
                    "3 | " + date,
                    Filter.ids(job).from(EPOCH).to(EPOCH),
                    "date"));
            rows.add(new Row(
                    o,
                    "DelegationIdMismatchFault",
                    "1 | delegationId mismatch",
                    "3 | delegationId mismatch",
                    Filter.ids(job).delegation("other"),
                    "delegationId"));
            rows.add(new Row(
                    o,
                    "LeaseIdMismatchFault",
                    "3 | leaseId mismatch",
                    "3 | leaseId mismatch",
                    Filter.ids(job).lease("other"),
                    "leaseId"));
        }
        return rows.stream();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theRowIsAnsweredAsWritten(Row row) {
        Response response = alice.on(row.operation, row.filter);
        assertThat(response.jobFault().line()).isEqualTo(row.line());
        Node result = response.results().get(0);
        if (row.queries()) {
            assertThat(result.attribute("jobDescriptionId")).startsWith(site.url() + "/CREAM");
        } else {
            assertThat(result.attribute("jobDescriptionId")).isNull();
            assertThat(result.names()).first().isEqualTo("jobId");
        }
    }

    /** The first failing check names the fault: existence, status, date, delegation, lease. */
    @Test
    void theChecksRunInTheirOrder() {
        Filter wrong = Filter.ids("CREAM000000000", job)
                .states("IDLE")
                .from(EPOCH)
                .to(EPOCH)
                .delegation("other")
                .lease("other");
        assertThat(alice.on(JOB_STATUS, wrong).jobFaults())
                .extracting(Fault::element)
                .containsExactlyInAnyOrder("JobUnknownFault", "JobStatusInvalidFault");
        Filter date = Filter.ids(job).from(EPOCH).to(EPOCH).delegation("other").lease("other");
        assertThat(alice.on(JOB_STATUS, date).jobFault().element()).isEqualTo("DateMismatchFault");
        Filter delegation = Filter.ids(job).delegation("other").lease("other");
        assertThat(alice.on(JOB_STATUS, delegation).jobFault().element()).isEqualTo("DelegationIdMismatchFault");
    }

    // ---- registrations

    /** A refused registration; {@code *} stands for any text. */
    private record Refused(String name, Description description, String line) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Refused> refusals() {
        String good = OriginalClient.echo();
        String put = "delegation error: put proxy failed!";
        return Stream.of(
                new Refused(
                        "delegationId missing",
                        Description.of("ref", good, null),
                        "DelegationIdMismatchFault jobRegister 0 | delegation id not specified! | N/A"),
                new Refused(
                        "delegation unknown",
                        Description.of("ref", good, "nosuch"),
                        "DelegationProxyFault jobRegister 0 | " + put + " | delegation [delegId=nosuch; dn="
                                + site.dn("Alice of job faults") + "; localUser="
                                + site.ce().account() + "] not found!"),
                new Refused(
                        EXPIRED,
                        Description.of("ref", good, "ended"),
                        "DelegationProxyFault jobRegister 0 | the delegation [id=ended] is not more valid!;"
                                + " | delegation proxy expired!"),
                new Refused(
                        "lease unknown",
                        Description.of("ref", good, "job faults").lease("nosuch"),
                        "LeaseIdMismatchFault jobRegister 0 | lease id not found! | lease id \"nosuch\" not found!"),
                new Refused(
                        "JDL wrong",
                        Description.of("ref", "[ Executable = 1 + ; ]", "job faults"),
                        "GenericFault jobRegister 0 | system error | *"),
                new Refused(
                        "JDL incomplete",
                        Description.of("ref", "[ BatchSystem = \"fork\"; QueueName = \"long\"; ]", "job faults"),
                        "GenericFault jobRegister 0 | system error | *Executable*"),
                new Refused(
                        "proxy given and unusable",
                        Description.of("ref", good, "job faults").proxy("no proxy"),
                        "DelegationProxyFault jobRegister 0 | " + put + " | Failed to load certificate chain*"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aRefusedRegistrationReportsWhyAndKeepsItsMark(Refused row) {
        Map<String, Long> before = site.database().keys("job");
        if (row.name.equals(EXPIRED)) {
            alice.delegate("ended");
            site.endDelegations("ended");
        }
        Response response = alice.call(JOB_REGISTER, Bodies.register(row.description));
        assertThat(response.jobFault().line())
                .matches(Pattern.compile(Pattern.quote(row.line).replace("*", "\\E.*\\Q"), Pattern.DOTALL));
        assertThat(response.results().get(0).attribute("jobDescriptionId")).isEqualTo("ref");
        assertThat(site.database().storedSince(before)).isEmpty();
    }

    @Test
    void aMarkThatWasNotGivenIsNotMadeUp() {
        Response response = alice.call(
                JOB_REGISTER,
                Bodies.register(
                        Description.of(null, OriginalClient.echo(), "job faults"),
                        Description.of(null, "[", "job faults")));
        assertThat(response.results())
                .hasSize(2)
                .allSatisfy(r -> assertThat(r.attribute("jobDescriptionId")).isNull());
        assertThat(response.jobFaults()).hasSize(1);
    }
}
