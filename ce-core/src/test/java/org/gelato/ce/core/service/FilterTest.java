package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Filters as docs/developer/protocol/cream2-wire.md section 7 has them, for questions and commands alike. */
class FilterTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static int owners;

    private final Caller alice = TestCe.caller("Alice" + ++owners);
    private TestCe ce;
    private JobId id;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
        id = ce.jobs
                .registration()
                .register(alice, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private List<FaultCode> faults(JobFilter filter) {
        List<FaultCode> questions = new ArrayList<>();
        ce.jobs.queries().status(alice, filter).forEach(r -> questions.add(kind(r.fault())));
        List<FaultCode> infos = new ArrayList<>();
        ce.jobs.queries().info(alice, filter).forEach(r -> infos.add(kind(r.fault())));
        List<FaultCode> commands = new ArrayList<>();
        ce.jobs.commands().setLease(alice, null, filter).forEach(r -> commands.add(kind(r.fault())));
        assertThat(infos).isEqualTo(questions);
        assertThat(commands).isEqualTo(questions);
        return questions;
    }

    private static FaultCode kind(JobFault fault) {
        return fault == null ? null : fault.code();
    }

    private JobFilter dated(Instant from, Instant to) {
        return new JobFilter(List.of(id.toString()), List.of(), from, to, null, null);
    }

    @Test
    void datesAreInclusiveAndOnTheRegistration() {
        Instant registered = ce.jobs
                .queries()
                .info(alice, dated(null, null))
                .get(0)
                .info()
                .commands()
                .get(0)
                .created();
        assertThat(faults(dated(registered, registered))).containsOnlyNulls();
        assertThat(faults(dated(registered.plusNanos(1000), null))).containsExactly(FaultCode.DATE_MISMATCH);
        assertThat(faults(dated(null, registered.minusNanos(1000)))).containsExactly(FaultCode.DATE_MISMATCH);
    }

    @Test
    void reversedDatesMeanNoJob() {
        Instant now = Instant.now();
        assertThat(faults(dated(now.plusSeconds(60), now.minusSeconds(60)))).containsExactly(FaultCode.DATE_MISMATCH);
        assertThat(faults(new JobFilter(List.of(), List.of(), now.plusSeconds(60), now.minusSeconds(60), null, null)))
                .isEmpty();
    }

    @Test
    void statesAreAlternativesAndUnknownOnesAreDropped() {
        assertThat(faults(new JobFilter(
                        List.of(id.toString()), List.of("IDLE", "SLEEPING", "REGISTERED"), null, null, null, null)))
                .containsOnlyNulls();
        for (List<String> none : List.of(List.of("registered"), List.of("SLEEPING", ""))) {
            JobFilter filter = new JobFilter(List.of(id.toString()), none, null, null, null, null);
            assertThatThrownBy(() -> ce.jobs.queries().status(alice, filter))
                    .hasFieldOrPropertyWithValue("code", FaultCode.STATUS_NOT_COMPATIBLE);
            assertThatThrownBy(() -> ce.jobs.queries().info(alice, filter))
                    .hasFieldOrPropertyWithValue("code", FaultCode.STATUS_NOT_COMPATIBLE);
            assertThatThrownBy(() -> ce.jobs.commands().cancel(alice, filter))
                    .hasFieldOrPropertyWithValue("code", FaultCode.STATUS_NOT_COMPATIBLE);
        }
        // A state that exists, but that the command has no use for.
        JobFilter held = new JobFilter(List.of(id.toString()), List.of("HELD"), null, null, null, null);
        assertThatThrownBy(() -> ce.jobs.commands().start(alice, held))
                .hasFieldOrPropertyWithValue("code", FaultCode.STATUS_NOT_COMPATIBLE);
        assertThat(ce.jobs.commands().cancel(alice, held).get(0).fault().code()).isEqualTo(FaultCode.STATUS_INVALID);
    }

    @Test
    void fiveThousandIdsTakeAFewStatements() {
        List<String> ids = new ArrayList<>(List.of(id.toString()));
        IntStream.range(0, 4999).forEach(i -> ids.add(new JobId(i * 7).toString()));
        try (Database own = new Database(DB.config());
                TestCe counted = new TestCe(own, new FakeLrms(), "counted")) {
            counted.jobs.queries().status(alice, JobFilter.all());
            long before = own.statements();
            List<JobStatusResult> results = counted.jobs.queries().status(alice, JobFilter.ofIds(ids));
            assertThat(own.statements() - before).isLessThanOrEqualTo(5);
            assertThat(results).filteredOn(r -> r.fault() == null).hasSize(1);
            assertThat(counted.jobs.commands().setLease(alice, null, JobFilter.ofIds(ids)))
                    .hasSize(results.size());
        }
    }

    @Test
    void anAdministratorMeansEverybodysJobs() {
        assertThat(ce.jobs.queries().list(TestCe.admin())).contains(id);
        assertThat(ce.jobs
                        .queries()
                        .status(TestCe.admin(), dated(null, null))
                        .get(0)
                        .fault())
                .isNull();
        assertThat(ce.jobs
                        .commands()
                        .cancel(TestCe.admin(), dated(null, null))
                        .get(0)
                        .fault())
                .isNull();
        assertThat(ce.jobs
                        .queries()
                        .status(alice, dated(null, null))
                        .get(0)
                        .status()
                        .description())
                .isEqualTo("Cancelled by CE admin");
    }
}
