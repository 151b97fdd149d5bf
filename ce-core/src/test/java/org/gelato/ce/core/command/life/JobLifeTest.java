package org.gelato.ce.core.command.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.intake.WrapperEvent.Kind;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.service.CommandResult;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.JobFault;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobInfo;
import org.gelato.ce.core.service.RegisterResult;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class JobLifeTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final Caller BOB = TestCe.caller("Bob");

    private TestCe ce;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1").start();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private void awaitState(JobId id, JobState state) {
        await(id + " becomes " + state).until(() -> ce.state(ALICE, id) == state);
    }

    private JobInfo info(JobId id) {
        return ce.jobs
                .queries()
                .info(ALICE, JobFilter.ofIds(List.of(id.toString())))
                .get(0)
                .info();
    }

    private static List<JobState> states(JobInfo info) {
        return info.history().stream().map(JobStatus::state).toList();
    }

    @Test
    void aJobRunsFromRegisterToPurge() {
        RegisterResult registered = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0);
        JobId id = registered.id();
        assertThat(registered.fault()).isNull();
        assertThat(registered.clientRef()).isEqualTo("ref");
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.REGISTERED);

        assertThat(ce.jobs.commands().start(ALICE, JobFilter.ofIds(List.of(id.toString()))))
                .containsExactly(new CommandResult(id.toString(), null));
        awaitState(id, JobState.IDLE);
        assertThat(ce.lrms.submissions()).hasSize(1);
        assertThat(ce.lrms.submissions().get(0).attempt()).isEqualTo(1);
        assertThat(ce.lrms.submissions().get(0).sandbox()).isEqualTo(registered.sandbox());

        Path events = registered.sandbox().getParent().getParent().getParent().resolve("events");
        write(events.resolve("1"), ce.event(id, Kind.RUNNING, null, null));
        awaitState(id, JobState.RUNNING);
        write(events.resolve("2"), ce.event(id, Kind.REALLY_RUNNING, null, null));
        write(events.resolve("3"), ce.event(id, Kind.DONE, 3, null));
        awaitState(id, JobState.DONE_OK);
        await("spool is empty").until(() -> ce.accounts.files().isEmpty());

        JobInfo info = info(id);
        assertThat(states(info))
                .containsExactly(
                        JobState.REGISTERED,
                        JobState.PENDING,
                        JobState.IDLE,
                        JobState.RUNNING,
                        JobState.REALLY_RUNNING,
                        JobState.DONE_OK);
        assertThat(info.history().get(5).exitCode()).isEqualTo("3");
        assertThat(info.workerNode()).isEqualTo("wn1");
        assertThat(info.lrmsId()).isNull();
        assertThat(info.jdl()).isEqualTo(TestCe.JDL);
        assertThat(info.commands()).extracting(CommandRecord::name).containsExactly("JOB_REGISTER", "JOB_START");
        assertThat(info.commands()).extracting(CommandRecord::status).containsOnly("SUCCESSFULL");

        assertThat(ce.jobs
                        .commands()
                        .purge(ALICE, JobFilter.ofIds(List.of(id.toString())))
                        .get(0)
                        .fault())
                .isNull();
        await("job is gone").until(() -> !ce.jobs.queries().list(ALICE).contains(id));
        await("sandbox is removed").until(() -> ce.accounts.log().stream().anyMatch(l -> l.startsWith("remove ")));
        assertThat(ce.accounts.log()).anyMatch(l -> l.startsWith("rename " + registered.sandbox()));
        int usage = DB.database()
                .read(h -> h.select("SELECT COUNT(*) FROM usage_record WHERE job_number = ?", id.number())
                        .mapTo(Integer.class)
                        .one());
        assertThat(usage).as("usage record outlives the purge").isEqualTo(1);
    }

    private void write(Path file, WrapperEvent e) {
        ce.accounts.write(
                file,
                String.join(
                                "\n",
                                "job=" + e.job(),
                                "attempt=1",
                                "event=" + e.kind(),
                                "time=" + (Instant.now().toEpochMilli() * 1000),
                                "node=wn1",
                                "exit=" + (e.exitCode() == null ? "" : e.exitCode()),
                                "token=" + e.token())
                        .getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aBatchIsRegisteredInOneTransaction() {
        // A pool of its own and no dispatcher, so that only the registration's commits are counted.
        try (Database own = new Database(DB.config());
                TestCe quiet = new TestCe(own, new FakeLrms(), "quiet")) {
            quiet.jobs
                    .registration()
                    .register(ALICE, List.of(TestCe.description(false)), null); // numbers of owner, account, queue
            long commits = own.commits();
            List<RegisterResult> results = quiet.jobs
                    .registration()
                    .register(
                            ALICE,
                            IntStream.range(0, 100)
                                    .mapToObj(i -> TestCe.description(false))
                                    .toList(),
                            null);
            assertThat(results).hasSize(100).allMatch(r -> r.fault() == null);
            assertThat(results.stream().map(RegisterResult::id).distinct().count())
                    .isEqualTo(100);
            assertThat(own.commits() - commits).isEqualTo(1);
            assertThat(quiet.jobs.queries().list(ALICE))
                    .containsAll(results.stream().map(RegisterResult::id).toList());
        }
    }

    @Test
    void badDescriptionsAreNamedAndTheOthersStored() {
        List<RegisterResult> results = ce.jobs
                .registration()
                .register(
                        ALICE,
                        List.of(
                                TestCe.description(false),
                                new JobDescription("syntax", Jdl.LANGUAGE, "[ Executable = ", "d1", null, null, false),
                                new JobDescription(
                                        "queue",
                                        Jdl.LANGUAGE,
                                        TestCe.JDL.replace("long", "nosuch"),
                                        "d1",
                                        null,
                                        null,
                                        false),
                                new JobDescription(
                                        "lrms",
                                        Jdl.LANGUAGE,
                                        TestCe.JDL.replace("fake", "lsf"),
                                        "d1",
                                        null,
                                        null,
                                        false),
                                new JobDescription("none", Jdl.LANGUAGE, TestCe.JDL, null, null, null, false),
                                new JobDescription("unknown", Jdl.LANGUAGE, TestCe.JDL, "d2", null, null, false),
                                new JobDescription("ended", Jdl.LANGUAGE, TestCe.JDL, "ended", null, null, false),
                                new JobDescription("lease", Jdl.LANGUAGE, TestCe.JDL, "d1", null, "l1", false)),
                        null);
        assertThat(results.get(0).fault()).isNull();
        assertThat(results.get(1).fault().cause()).contains("line 1");
        assertThat(results.get(2).fault().cause()).contains("nosuch").contains("long");
        assertThat(results.get(3).fault().cause()).contains("lsf not supported");
        assertThat(results.get(4).fault()).isEqualTo(new JobFault(FaultCode.DELEGATION_MISSING, null));
        assertThat(results.get(5).fault()).isEqualTo(new JobFault(FaultCode.DELEGATION_UNKNOWN, "d2"));
        assertThat(results.get(6).fault()).isEqualTo(new JobFault(FaultCode.DELEGATION_ENDED, "ended"));
        assertThat(results.get(7).fault()).isEqualTo(new JobFault(FaultCode.LEASE_UNKNOWN, "l1"));
    }

    @Test
    void foreignJobsReadAsUnknown() {
        JobId id = ce.submit(ALICE);
        JobFilter filter = JobFilter.ofIds(List.of(id.toString(), "CREAM1", "nonsense"));
        assertThat(ce.jobs.queries().status(BOB, filter))
                .hasSize(3)
                .allMatch(r -> r.fault().code() == FaultCode.JOB_UNKNOWN);
        assertThat(ce.jobs.queries().info(BOB, filter)).allMatch(r -> r.fault().code() == FaultCode.JOB_UNKNOWN);
        assertThat(ce.jobs.commands().cancel(BOB, filter))
                .allMatch(r -> r.fault().code() == FaultCode.JOB_UNKNOWN);
        assertThat(ce.jobs.commands().purge(BOB, filter))
                .allMatch(r -> r.fault().code() == FaultCode.JOB_UNKNOWN);
        awaitState(id, JobState.IDLE);
        assertThat(ce.jobs
                        .queries()
                        .info(TestCe.admin(), JobFilter.ofIds(List.of(id.toString())))
                        .get(0)
                        .info()
                        .lrmsId())
                .isNotNull();
    }

    @Test
    void aStartWithoutIdsStartsNothing() {
        JobId id = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
        JobFilter delegationOnly = new JobFilter(List.of(), List.of(), null, null, "d1", null);
        assertThat(ce.jobs.commands().start(ALICE, delegationOnly)).isEmpty();
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.REGISTERED);
    }

    @Test
    void aJobThatIsBeingPurgedCannotBeStarted() {
        ce.accounts.broken(true);
        JobId id = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
        JobFilter filter = JobFilter.ofIds(List.of(id.toString()));
        assertThat(ce.jobs.commands().purge(ALICE, filter).get(0).fault()).isNull();
        assertThat(ce.jobs.commands().start(ALICE, filter).get(0).fault().code())
                .isEqualTo(FaultCode.STATUS_INVALID);
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.REGISTERED);
    }

    @Test
    void aRegisteredJobIsCancelledAtOnce() {
        JobId id = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
        assertThat(ce.jobs
                        .commands()
                        .cancel(ALICE, JobFilter.ofIds(List.of(id.toString())))
                        .get(0)
                        .fault())
                .isNull();
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.CANCELLED);
        assertThat(info(id).history().get(1).description()).isEqualTo("Cancelled by user");
    }

    /** The demo's user is one, too. */
    @Test
    void anAdministratorCancelsJobsOfOthersAndAsTheirUserHisOwn() {
        JobId own = ce.submit(TestCe.admin());
        JobId other = ce.submit(ALICE);
        List<String> both = List.of(own.toString(), other.toString());
        awaitState(other, JobState.IDLE);
        await().untilAsserted(() -> assertThat(ce.state(TestCe.admin(), own)).isEqualTo(JobState.IDLE));
        assertThat(ce.jobs.commands().cancel(TestCe.admin(), JobFilter.ofIds(both)))
                .allSatisfy(result -> assertThat(result.fault()).isNull());
        awaitState(other, JobState.CANCELLED);
        assertThat(ends(ALICE, other)).isEqualTo("Cancelled by CE admin");
        await().untilAsserted(() -> assertThat(ce.state(TestCe.admin(), own)).isEqualTo(JobState.CANCELLED));
        assertThat(ends(TestCe.admin(), own)).isEqualTo("Cancelled by user");
    }

    private String ends(Caller caller, JobId id) {
        List<JobStatus> history = ce.jobs
                .queries()
                .info(caller, JobFilter.ofIds(List.of(id.toString())))
                .get(0)
                .info()
                .history();
        return history.get(history.size() - 1).description();
    }

    @Test
    void aQueuedJobIsCancelledInTheBatchSystem() {
        JobId id = ce.submit(ALICE);
        awaitState(id, JobState.IDLE);
        ce.jobs.commands().cancel(ALICE, JobFilter.ofIds(List.of(id.toString())));
        awaitState(id, JobState.CANCELLED);
        assertThat(info(id).history().get(info(id).history().size() - 1).description())
                .isEqualTo("Cancelled by user");
    }

    @Test
    void filtersFaultTheFirstThingThatDoesNotFit() {
        JobId id = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
        List<String> ids = List.of(id.toString());
        assertThat(fault(new JobFilter(ids, List.of("IDLE"), null, null, "x", null)))
                .isEqualTo(FaultCode.STATUS_INVALID);
        assertThat(fault(new JobFilter(ids, List.of(), Instant.now().plusSeconds(60), null, "x", null)))
                .isEqualTo(FaultCode.DATE_MISMATCH);
        assertThat(fault(new JobFilter(ids, List.of(), null, null, "x", "y")))
                .isEqualTo(FaultCode.DELEGATION_ID_MISMATCH);
        assertThat(fault(new JobFilter(ids, List.of(), null, null, "d1", "y"))).isEqualTo(FaultCode.LEASE_ID_MISMATCH);
        assertThat(fault(new JobFilter(ids, List.of("REGISTERED", "NONSENSE"), null, null, "d1", null)))
                .isNull();
        assertThatThrownBy(() -> fault(new JobFilter(ids, List.of("NONSENSE"), null, null, null, null)))
                .hasFieldOrPropertyWithValue("code", FaultCode.STATUS_NOT_COMPATIBLE);
    }

    private FaultCode fault(JobFilter filter) {
        JobFault fault = ce.jobs.queries().status(ALICE, filter).get(0).fault();
        return fault == null ? null : fault.code();
    }

    @Test
    void aVanishedJobFailsWithAReason() {
        JobId id = ce.submit(ALICE);
        awaitState(id, JobState.IDLE);
        ce.lrms.move(id.tag(), LrmsJob.State.FAILED, 1, "TimeLimit");
        awaitState(id, JobState.DONE_FAILED);
        assertThat(info(id).history().get(info(id).history().size() - 1).failureReason())
                .isEqualTo("fake says: TimeLimit");
    }

    @Test
    void aLongListOfNodesDoesNotStopThePoller() {
        JobId id = ce.submit(ALICE);
        awaitState(id, JobState.IDLE);
        ce.lrms.run(id.tag(), "wn[" + "1234567,".repeat(100) + "1]");
        awaitState(id, JobState.RUNNING);
        assertThat(info(id).workerNode()).hasSize(255).startsWith("wn[1234567,");
    }

    @Test
    void whatDoesNotFitItsColumnIsRefusedByName() {
        JobDescription tooLong = new JobDescription(
                "r",
                Jdl.LANGUAGE,
                TestCe.JDL.replace("[", "[ edg_jobid = \"" + "x".repeat(3000) + "\";"),
                "d1",
                null,
                null,
                false);
        assertThat(ce.jobs
                        .registration()
                        .register(ALICE, List.of(tooLong), null)
                        .get(0)
                        .fault()
                        .cause())
                .isEqualTo("edg_jobid: 3000 characters, at most 2048");
        Caller manyRoles = new Caller(
                new GridIdentity(
                        ALICE.identity().subject(),
                        List.of("/dteam/" + "g".repeat(300)),
                        "dteam",
                        false,
                        ALICE.certificate().notAfter(),
                        List.of()),
                "dteam001",
                false);
        assertThatThrownBy(() -> ce.jobs.queries().list(manyRoles))
                .isInstanceOf(ServiceException.NotAuthorized.class)
                .hasMessageContaining("longer than 255");
    }

    @Test
    void theExitRecordSpeaksWhenNoEventCame() {
        RegisterResult r = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(true)), null)
                .get(0);
        awaitState(r.id(), JobState.IDLE);
        write(r.sandbox().resolve("exit"), ce.event(r.id(), Kind.DONE, 0, null));
        ce.lrms.move(r.id().tag(), LrmsJob.State.DONE, null, null);
        awaitState(r.id(), JobState.DONE_OK);
    }

    /** The batch system has the exit code of the wrapper alone. All at once: that no event is on its way takes two seconds to be sure of. */
    @Test
    void aWrappersExitCodeIsNotShownAsThePayloads() {
        Map<Integer, String> reasons = Map.of(
                1,
                "the job wrapper ended without an exit record; fake reports exit code 1",
                0,
                "the job wrapper ended without an exit record; fake reports exit code 0",
                78,
                "the payload did not run: its wrapper could not claim the job, for curl on the node does not work",
                77,
                "the payload did not run: the CE refused the claim of its wrapper; fake reports exit code 77",
                69,
                "the payload did not run: its wrapper could not claim the job, for the CE did not answer it; fake",
                75,
                "the job wrapper could not tell how the job ended; fake reports exit code 75",
                271,
                "fake says: why");
        Map<Integer, JobId> jobs = new HashMap<>();
        reasons.keySet().forEach(exit -> jobs.put(exit, ce.submit(ALICE)));
        jobs.values().forEach(id -> awaitState(id, JobState.IDLE));
        jobs.forEach((exit, id) -> {
            boolean failed = exit == 271;
            ce.lrms.move(id.tag(), failed ? LrmsJob.State.FAILED : LrmsJob.State.DONE, exit, failed ? "why" : null);
        });
        jobs.forEach((exit, id) -> {
            awaitState(id, JobState.DONE_FAILED);
            List<JobStatus> history = info(id).history();
            JobStatus end = history.get(history.size() - 1);
            assertThat(end.failureReason()).as("%s", exit).startsWith(reasons.get(exit));
            assertThat(end.exitCode()).as("%s", exit).isNull();
        });
    }

    @Test
    void whatAJobsUserShouldKnowIsADescriptionOfItsEnd() {
        JobId id = ce.submit(ALICE);
        awaitState(id, JobState.IDLE);
        WrapperEvent e = ce.event(id, Kind.DONE, 0, null);
        ce.events.apply(List.of(new WrapperEvent(
                id,
                1,
                Kind.DONE,
                Instant.now(),
                "wn1",
                0,
                null,
                null,
                e.token(),
                null,
                0,
                null,
                "Cannot read or missing file x")));
        awaitState(id, JobState.DONE_OK);
        ce.events.apply(List.of(ce.event(id, Kind.DONE, 0, null)));
        List<JobStatus> history = info(id).history();
        JobStatus end = history.get(history.size() - 1);
        assertThat(end.description()).isEqualTo("Cannot read or missing file x");
        assertThat(end.failureReason()).isNull();
        assertThat(end.exitCode()).isEqualTo("0");
    }

    @Test
    void eventsWithAWrongSecretAreDropped() {
        JobId id = ce.submit(ALICE);
        JobId other = ce.submit(ALICE);
        WrapperEvent stolen = new WrapperEvent(
                id,
                1,
                Kind.DONE,
                Instant.now(),
                "wn",
                0,
                null,
                null,
                ce.event(other, Kind.DONE, 0, null).token());
        assertThat(ce.events.apply(List.of(stolen))).isZero();
        assertThat(ce.events.dropped()).isEqualTo(1);
        assertThat(ce.state(ALICE, id)).isNotEqualTo(JobState.DONE_OK);
    }

    @Test
    void theEndOfADelegationCancelsItsJobs() {
        JobId registered = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
        JobId queued = ce.submit(ALICE);
        awaitState(queued, JobState.IDLE);
        ce.jobCommands.cancelJobsOf(ce.delegationRow(), "the delegation has ended");
        assertThat(ce.state(ALICE, registered)).isEqualTo(JobState.CANCELLED);
        awaitState(queued, JobState.CANCELLED);
        assertThat(info(queued).history().get(info(queued).history().size() - 1).description())
                .isEqualTo("the delegation has ended");
    }
}
