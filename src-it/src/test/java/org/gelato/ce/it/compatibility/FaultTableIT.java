package org.gelato.ce.it.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.it.compatibility.WireOperation.ACCEPT_NEW_JOBS;
import static org.gelato.ce.it.compatibility.WireOperation.DELETE_LEASE;
import static org.gelato.ce.it.compatibility.WireOperation.GET_LEASE;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_CANCEL;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_INFO;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_LIST;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_PURGE;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_REGISTER;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_START;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_STATUS;
import static org.gelato.ce.it.compatibility.WireOperation.QUERY_EVENT;
import static org.gelato.ce.it.compatibility.WireOperation.SET_LEASE;

import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.it.compatibility.Bodies.Description;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The faults of whole calls: each row of docs/developer/protocol/cream2-wire.md section 5 once. */
@ExtendWith(SharedSite.class)
class FaultTableIT {
    private static final String DISABLED = "The CREAM service cannot accept jobs at the moment";
    private static final String STATUS = "Status specified not compatible for the request command.";
    private static final String BROKEN = "database error occurred";

    private static ConformanceSite site;
    private static OriginalClient alice;
    private static OriginalClient admin;
    private static String job;

    @BeforeAll
    static void start(ConformanceSite shared) {
        site = shared;
        alice = site.user("Alice of faults").delegate("faults");
        admin = site.admin();
        job = alice.register("faults", OriginalClient.echo());
    }

    /**
     * A row of the table.
     *
     * @param line {@code Element MethodName ErrorCode | Description | FaultCause}, where {@code *} stands for any text
     */
    private record Row(String name, boolean client, String line, Supplier<Response> call) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Row> rows() {
        return Stream.of(
                new Row(
                        "not authorized",
                        true,
                        "AuthorizationFault JobList 0 | " + site.dn("Banned")
                                + " not authorized* | Authorization error",
                        () -> site.user("Banned").call(JOB_LIST, "")),
                new Row(
                        "limited proxy on JobRegister",
                        true,
                        "AuthorizationFault JobRegister 0 | Cannot submit job: proxy is limited | Authorization error",
                        () -> site.client(site.pki()
                                        .proxy(site.pki().user("Alice of faults"))
                                        .limited()
                                        .make())
                                .call(JOB_REGISTER, registration("faults", null))),
                new Row(
                        "acceptNewJobSubmissions by non-admin",
                        true,
                        "AuthorizationFault acceptNewJobSubmissions 0 | Operation reserved only to administrator!"
                                + " | Operation reserved only to administrator!",
                        () -> alice.call(ACCEPT_NEW_JOBS, Bodies.accept(false))),
                new Row(
                        "submissions disabled",
                        false,
                        "JobSubmissionDisabledFault jobRegister 0 | " + DISABLED + " | Submissions are disabled!",
                        FaultTableIT::registerWhileDisabled),
                new Row(
                        "filter status unknown",
                        false,
                        "GenericFault execute 0 | " + STATUS + " | " + STATUS,
                        () -> alice.on(JOB_STATUS, Filter.all().states("NO-SUCH-STATE"))),
                new Row(
                        "filter status not usable with the command",
                        false,
                        "GenericFault execute 0 | " + STATUS + " | " + STATUS,
                        () -> alice.on(JOB_CANCEL, Filter.all().states("DONE-OK"))),
                new Row(
                        "database down",
                        false,
                        "GenericFault execute 0 | " + BROKEN + " | " + BROKEN + "*",
                        FaultTableIT::askWithoutTable),
                new Row(
                        "eventType missing",
                        true,
                        "InvalidArgumentFault queryEvent 0 | event type not specified! | null",
                        () -> alice.call(QUERY_EVENT, Bodies.events("", null, 10, ""))),
                new Row(
                        "eventType not JOB_STATUS",
                        true,
                        "InvalidArgumentFault queryEvent 0 | event type \"X\" not supported! | null",
                        () -> alice.call(QUERY_EVENT, Bodies.events("", "X", 10, ""))),
                new Row(
                        "leaseId missing in getLease",
                        true,
                        "InvalidArgumentFault getLease 0 | leaseId not specified! | null",
                        () -> alice.call(GET_LEASE, Bodies.leaseId(GET_LEASE, ""))),
                new Row(
                        "leaseId missing in deleteLease",
                        true,
                        "InvalidArgumentFault deleteLease 0 | leaseId not specified! | null",
                        () -> alice.call(DELETE_LEASE, Bodies.leaseId(DELETE_LEASE, ""))),
                new Row(
                        "leaseId missing in setLease",
                        true,
                        "InvalidArgumentFault jobLease 0 | leaseId not specified! | null",
                        () -> alice.call(SET_LEASE, Bodies.lease(null, "2099-01-01T00:00:00Z"))),
                new Row(
                        "lease unknown",
                        false,
                        "GenericFault getLease 1 | lease nosuch not found! | N/A",
                        () -> alice.call(GET_LEASE, Bodies.leaseId(GET_LEASE, "nosuch"))),
                new Row(
                        "setLease in the past",
                        false,
                        "GenericFault jobLease 1 | CommandException occured | lease time (*) expired!",
                        () -> alice.call(SET_LEASE, Bodies.lease("past", "2001-01-01T00:00:00Z"))));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theRowIsAnsweredAsWritten(Row row) {
        Fault fault = row.call.get().fault();
        assertThat(fault.line())
                .matches(Pattern.compile(Pattern.quote(row.line).replace("*", "\\E.*\\Q"), Pattern.DOTALL));
        assertThat(fault.client()).as("the code blames the client").isEqualTo(row.client);
        if (fault.element().equals("AuthorizationFault") && fault.cause().equals("Authorization error")) {
            assertThat(fault.text()).isEqualTo("Authorization error");
        }
    }

    private static Response registerWhileDisabled() {
        admin.must(ACCEPT_NEW_JOBS, Bodies.accept(false));
        try {
            return alice.call(JOB_REGISTER, registration("faults", null));
        } finally {
            admin.must(ACCEPT_NEW_JOBS, Bodies.accept(true));
        }
    }

    /** The table of jobs is away for as long as the question takes. */
    private static Response askWithoutTable() {
        site.database().execute("RENAME TABLE job_state_history TO job_state_history_away");
        try {
            return alice.on(JOB_INFO, job);
        } finally {
            site.database().execute("RENAME TABLE job_state_history_away TO job_state_history");
        }
    }

    private static String registration(String delegation, String lease) {
        return Bodies.register(
                Description.of("d", OriginalClient.echo(), delegation).lease(lease));
    }

    @Test
    void aDisabledCeStillDoesEverythingElse() {
        String started = alice.register("faults", OriginalClient.echo());
        admin.must(ACCEPT_NEW_JOBS, Bodies.accept(false));
        try {
            assertThat(alice.state(started)).isEqualTo("REGISTERED");
            assertThat(alice.on(JOB_START, started).jobFaults()).isEmpty();
            Node info = alice.must(WireOperation.SERVICE_INFO, Bodies.serviceInfo(2))
                    .payload();
            assertThat(info.text("doesAcceptNewJobSubmissions")).isEqualTo("false");
            assertThat(info.at("message").text("type")).isEqualTo("SUBMISSION_ERROR_MESSAGE");
        } finally {
            admin.must(ACCEPT_NEW_JOBS, Bodies.accept(true));
        }
        alice.await(started, "DONE-OK");
        assertThat(alice.on(JOB_PURGE, started).jobFaults()).isEmpty();
    }
}
