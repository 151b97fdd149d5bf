package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SetLeaseIdTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static int owners;

    private final Caller alice = TestCe.caller("Alice" + ++owners);
    private final Caller bob = TestCe.caller("Bob" + owners);
    private TestCe ce;
    private JobId id;
    private Instant end;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
        id = ce.jobs
                .registration()
                .register(alice, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
        end = ce.leases
                .set(alice, "L1", Instant.now().plus(Duration.ofHours(1)))
                .until();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private static JobFilter only(JobId id) {
        return JobFilter.ofIds(List.of(id.toString()));
    }

    private JobInfo info() {
        return ce.jobs.queries().info(alice, only(id)).get(0).info();
    }

    private CommandRecord last() {
        return info().commands().get(info().commands().size() - 1);
    }

    @Test
    void aLeaseIsSetAndTakenAway() {
        assertThat(ce.jobs.commands().setLease(alice, "L1", only(id)))
                .containsExactly(new CommandResult(id.toString(), null));
        assertThat(info().leaseId()).isEqualTo("L1");
        assertThat(info().leaseTime()).isEqualTo(end);
        assertThat(last().name()).isEqualTo("JOB_SET_LEASEID");
        assertThat(last().status()).isEqualTo("SUCCESSFULL");
        assertThat(last().completed()).isNotNull();

        ce.jobs.commands().setLease(alice, null, only(id));
        assertThat(info().leaseId()).isNull();
        assertThat(info().leaseTime()).isNull();
        assertThat(last().status()).isEqualTo("SUCCESSFULL");
    }

    @Test
    void anUnknownLeaseShowsInTheCommandOnly() {
        ce.jobs.commands().setLease(alice, "L1", only(id));
        ce.leases.set(bob, "of Bob", Instant.now().plus(Duration.ofHours(1)));
        for (String unknown : List.of("nosuch", "of Bob")) {
            assertThat(ce.jobs.commands().setLease(alice, unknown, only(id)))
                    .containsExactly(new CommandResult(id.toString(), null));
            assertThat(last().status()).isEqualTo("ERROR");
            assertThat(last().failureReason()).isEqualTo("lease id \"" + unknown + "\" not found!");
            assertThat(info().leaseId()).isEqualTo("L1");
        }
    }

    @Test
    void anAdministratorGivesAJobALeaseOfItsOwner() {
        ce.leases.set(TestCe.admin(), "L1", Instant.now().plus(Duration.ofHours(9)));
        ce.jobs.commands().setLease(TestCe.admin(), "L1", only(id));
        assertThat(info().leaseTime()).isEqualTo(end);
    }

    @Test
    void jobsThatEndedOrAreOthersAreRefused() {
        assertThat(ce.jobs.commands().setLease(bob, null, only(id)).get(0).fault())
                .isEqualTo(new JobFault(FaultCode.JOB_UNKNOWN, null));
        ce.jobs.commands().cancel(alice, only(id));
        assertThat(ce.jobs.commands().setLease(alice, "L1", only(id)).get(0).fault())
                .isEqualTo(new JobFault(FaultCode.STATUS_INVALID, null));
        assertThat(info().leaseId()).isNull();
    }

    @Test
    void withoutIdsAllThatMatchGetItAndAreAnswered() {
        JobId other = ce.jobs
                .registration()
                .register(alice, List.of(TestCe.description(true)), null)
                .get(0)
                .id();
        assertThat(ce.jobs
                        .commands()
                        .setLease(alice, "L1", new JobFilter(List.of(), List.of("REGISTERED"), null, null, null, null)))
                .containsExactly(new CommandResult(id.toString(), null));
        assertThat(ce.jobs.commands().setLease(alice, "L1", JobFilter.all()))
                .extracting(CommandResult::id)
                .containsExactly(id.toString(), other.toString());
        assertThat(ce.jobs.queries().status(alice, new JobFilter(List.of(), List.of(), null, null, null, "L1")))
                .hasSize(2);
    }

    @Test
    void aRegistrationNamesALeaseThatIsGone() {
        JobDescription leased = new JobDescription("r", Jdl.LANGUAGE, TestCe.JDL, "d1", null, "L1", false);
        assertThat(ce.jobs
                        .registration()
                        .register(alice, List.of(leased), null)
                        .get(0)
                        .fault())
                .isNull();
        ce.leases.delete(alice, "L1");
        RegisterResult refused =
                ce.jobs.registration().register(alice, List.of(leased), null).get(0);
        assertThat(refused.fault()).isEqualTo(new JobFault(FaultCode.LEASE_UNKNOWN, "L1"));
    }
}
