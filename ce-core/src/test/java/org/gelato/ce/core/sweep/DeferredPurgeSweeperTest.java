package org.gelato.ce.core.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.service.CommandResult;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients that cancel and purge in a row, and forget the job then. */
class DeferredPurgeSweeperTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final Caller BOB = TestCe.caller("Bob");

    private final FakeLrms lrms = new FakeLrms();
    private TestCe ce;
    private DeferredPurgeSweeper purges;

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        ce = new TestCe(DB.database(), lrms, "host1");
        purges = new DeferredPurgeSweeper(
                new PurgeQueue(DB.database(), ce.jobStore, ce.commands, Clock.systemUTC(), ce.dispatcher::wake));
        ce.start();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    /** A job that the batch system has. */
    private String submitted() {
        String id = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(true)), null)
                .get(0)
                .id()
                .toString();
        await("it is in the batch system").until(() -> state(id) == JobState.IDLE);
        return id;
    }

    private JobState state(String id) {
        return ce.jobs
                .queries()
                .status(ALICE, JobFilter.ofIds(List.of(id)))
                .get(0)
                .status()
                .state();
    }

    private FaultCode clean(Caller caller, String id) {
        CommandResult result = ce.jobs.commands().clean(caller, List.of(id)).get(0);
        assertThat(result.id()).isEqualTo(id);
        return result.fault() == null ? null : result.fault().code();
    }

    private static int commands(int kind) {
        return DB.database()
                .read(h -> h.createQuery("SELECT COUNT(*) FROM command WHERE kind = :kind")
                        .bind("kind", kind)
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void aJobThatIsBeingCancelledGoesAsSoonAsItHasEnded() {
        lrms.forgetsCancels(true);
        String id = submitted();
        assertThat(clean(ALICE, id)).as("nobody has cancelled it").isEqualTo(FaultCode.STATUS_INVALID);
        ce.jobs.commands().kill(ALICE, List.of(id));
        assertThat(clean(ALICE, id)).isNull();
        assertThat(clean(ALICE, id)).as("again").isNull();
        assertThat(clean(BOB, id)).isEqualTo(FaultCode.JOB_UNKNOWN);
        assertThat(purges.sweep()).as("it has not ended").isZero();

        lrms.move(JobId.parse(id).orElseThrow().tag(), LrmsJob.State.CANCELLED, null, null);
        await("it has ended").until(() -> state(id).isFinal());
        assertThat(purges.sweep()).isEqualTo(1);
        await("it has gone").until(() -> ce.jobs.queries().list(ALICE).isEmpty());
        assertThat(deferred()).isZero();
    }

    private static int deferred() {
        return DB.database()
                .read(h -> h.createQuery("SELECT COUNT(*) FROM purge_at_end")
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void whatHasEndedIsPurgedAtOnceAndDefersNothing() {
        String id = submitted();
        ce.jobs.commands().kill(ALICE, List.of(id));
        await("it has ended").until(() -> state(id).isFinal());
        assertThat(clean(ALICE, id)).isNull();
        await("it has gone").until(() -> ce.jobs.queries().list(ALICE).isEmpty());
        assertThat(deferred()).isZero();
    }

    @Test
    void twoNodesQueueAPurgeOnce() {
        lrms.forgetsCancels(true);
        List<String> ids = Stream.generate(this::submitted).limit(3).toList();
        ce.jobs.commands().kill(ALICE, ids);
        assertThat(ce.jobs.commands().clean(ALICE, ids)).allMatch(result -> result.fault() == null);
        ce.close(); // purges stay queued
        DB.database().inTransaction(h -> h.execute("UPDATE job SET state = 5"));
        DB.database().inTransaction(h -> h.execute("DELETE FROM command"));
        int queued = Stream.generate(() -> CompletableFuture.supplyAsync(purges::sweep)).limit(2).toList().stream()
                .mapToInt(CompletableFuture::join)
                .sum();
        assertThat(queued).isEqualTo(3);
        assertThat(commands(3)).isEqualTo(3);
    }
}
