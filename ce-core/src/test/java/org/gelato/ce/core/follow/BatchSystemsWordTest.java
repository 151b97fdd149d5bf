package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.intake.WrapperEvent.Kind;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A wrapper knows how its payload ended and not why; the batch system knows, and has the last word on what it ended itself. */
class BatchSystemsWordTest extends EndedJobs {
    @Test
    void aSignalIsNoEndBeforeTheBatchSystemSaysWhy() {
        JobId id = running();
        done(id, null, SIGTERM);
        assertThat(last(id).state()).isEqualTo(JobState.REALLY_RUNNING);
        assertThat(kept()).isEqualTo(1);

        end(id, LrmsJob.State.FAILED, "wall time limit exceeded (exit status -11)");

        becomes(id, JobState.DONE_FAILED);
        assertThat(last(id).failureReason())
                .isEqualTo(SIGTERM + "; fake says: wall time limit exceeded (exit status -11)");
        assertThat(kept()).isZero();
    }

    @Test
    void anAdministratorsCancelIsOneWhateverTheWrapperSays() {
        JobId terminated = running();
        JobId finished = running();
        JobId killed = running();
        done(terminated, null, SIGTERM);
        signalled(finished);
        done(killed, 143, null);
        List.of(terminated, finished, killed).forEach(id -> end(id, LrmsJob.State.CANCELLED, null));
        for (JobId id : List.of(terminated, finished, killed)) {
            becomes(id, JobState.CANCELLED);
            assertThat(last(id).description()).isEqualTo("Cancelled by CE admin");
            assertThat(history(id)).doesNotContain(JobState.DONE_OK, JobState.DONE_FAILED);
            assertThat(usageRecord(id)).isEqualTo(JobState.CANCELLED);
        }
    }

    /** HTCondor's {@code condor_rm -reason}. */
    @Test
    void theReasonOfACancelIsShown() {
        JobId waiting = running();
        JobId ended = running();
        done(ended, 0, null);
        List.of(waiting, ended)
                .forEach(id -> end(id, LrmsJob.State.CANCELLED, LrmsJob.CANCELLED_BECAUSE + "drain (by user condor)"));
        signalled(waiting);
        for (JobId id : List.of(waiting, ended)) {
            becomes(id, JobState.CANCELLED);
            assertThat(last(id).description()).isEqualTo("Cancelled by CE admin: drain (by user condor)");
        }
    }

    /** The payload's child died first, and the wrapper was through before its own signal came. */
    @Test
    void aJobThatWasCancelledIsCorrectedThoughItsWrapperSawNothing() {
        JobId id = running();
        done(id, 0, null);
        assertThat(last(id).state()).isEqualTo(JobState.DONE_OK);
        DB.database().inTransaction(h -> h.execute("UPDATE usage_record SET message_id = 5"));
        end(id, LrmsJob.State.CANCELLED, null);
        becomes(id, JobState.CANCELLED);
        assertThat(history(id)).endsWith(JobState.DONE_OK, JobState.CANCELLED);
        assertThat(usageRecord(id)).isEqualTo(JobState.CANCELLED);
        assertThat(count("SELECT COUNT(*) FROM usage_record WHERE message_id IS NULL"))
                .as("it is published again")
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TIMEOUT", "out of memory (limit 500 MiB)", "NODE_FAIL", "PREEMPTED"})
    void whatTheBatchSystemEndedHasFailedThoughItsWrapperSawNothing(String reason) {
        JobId id = running();
        done(id, 0, null);
        end(id, LrmsJob.State.FAILED, reason);
        becomes(id, JobState.DONE_FAILED);
        assertThat(last(id).failureReason()).isEqualTo("fake says: " + reason);
        assertThat(history(id)).endsWith(JobState.DONE_OK, JobState.DONE_FAILED);
        assertThat(usageRecord(id)).isEqualTo(JobState.DONE_FAILED);
    }

    @Test
    void theBatchSystemsReasonStandsBesideTheWrappersFailure() {
        JobId id = running();
        done(id, 0, "Cannot upload o");
        int records = history(id).size();
        end(id, LrmsJob.State.FAILED, "NODE_FAIL");
        await().untilAsserted(
                        () -> assertThat(last(id).failureReason()).isEqualTo("Cannot upload o; fake says: NODE_FAIL"));
        assertThat(history(id)).hasSize(records);
    }

    private void errors(JobId id, String text) {
        ce.accounts.write(
                ce.layout
                        .sandbox(ce.layout.home(ALICE.identity().owner(), "dteam001"), id)
                        .resolve("StandardError"),
                text.getBytes(StandardCharsets.UTF_8));
    }

    /** The batch system shows it as killed, and says why only to the job. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWasKilledForItsMemorySaysSo(boolean heard) {
        JobId id = running();
        errors(id, "x\n".repeat(10_000) + "fake: out of memory (limit 500 MiB), used 521 MiB\n");
        if (heard) {
            done(id, 137, null);
        }
        lrms.move(id.tag(), LrmsJob.State.DONE, 137, "JobLaunchFailure");
        becomes(id, JobState.DONE_FAILED);
        assertThat(last(id).failureReason()).isEqualTo("fake says: out of memory (limit 500 MiB), used 521 MiB");
    }

    @Test
    void aKilledPayloadOutOfMemoryFailsTheJobWithTheBatchSystemsOwnLines() {
        JobId id = running();
        errors(id, "fake: exceeded memory limit (1534000 > 512000)\u0007\nanything else\n");
        done(id, 137, null);
        end(id, LrmsJob.State.FAILED, "out of memory (limit 500 MiB)");
        becomes(id, JobState.DONE_FAILED);
        assertThat(last(id).failureReason())
                .isEqualTo("fake says: out of memory (limit 500 MiB); exceeded memory limit (1534000 > 512000)?");
    }

    @Test
    void aPayloadThatKilledItselfEndedByItself() {
        JobId id = running();
        done(id, 137, null);
        assertThat(last(id).state()).isEqualTo(JobState.REALLY_RUNNING);
        end(id, LrmsJob.State.DONE, null);
        becomes(id, JobState.DONE_OK);
        assertThat(last(id).exitCode()).isEqualTo("137");
    }

    @ParameterizedTest
    @EnumSource(
            value = LrmsJob.State.class,
            names = {"DONE", "CANCELLED"})
    void aRequestedCancelCountsWhenTheBatchSystemCarriedItOut(LrmsJob.State said) {
        JobId id = running();
        cancelRequested(id);
        done(id, 0, null);
        assertThat(last(id).state()).isEqualTo(JobState.REALLY_RUNNING);
        end(id, said, null);
        becomes(id, said == LrmsJob.State.DONE ? JobState.DONE_OK : JobState.CANCELLED);
    }

    /** As Slurm shows a job whose node's prolog failed: it never ran. */
    @Test
    void aJobThatNobodyCancelledHasFailed() {
        JobId prolog = ce.submit(ALICE);
        JobId cancelled = ce.submit(ALICE);
        for (JobId id : List.of(prolog, cancelled)) {
            becomes(id, JobState.IDLE);
        }
        cancelRequested(cancelled);
        for (JobId id : List.of(prolog, cancelled)) {
            end(id, LrmsJob.State.CANCELLED, LrmsJob.NOT_BEGUN + ": the prolog failed");
        }
        becomes(prolog, JobState.DONE_FAILED);
        assertThat(last(prolog).failureReason()).isEqualTo("fake says: " + LrmsJob.NOT_BEGUN + ": the prolog failed");
        becomes(cancelled, JobState.CANCELLED);
        assertThat(last(cancelled).description()).isEqualTo("Cancelled by user");
    }

    /** As Torque shows one that was deleted, 271, where it has no record of the deletion. */
    @Test
    void aRequestedCancelOfAWrapperThatWasNotHeardIsOneByTheSignalAlone() {
        JobId cancelled = running();
        cancelRequested(cancelled);
        JobId terminated = running();
        for (JobId id : List.of(cancelled, terminated)) {
            lrms.move(id.tag(), LrmsJob.State.DONE, 143, "ended by signal 15");
        }
        becomes(cancelled, JobState.CANCELLED);
        assertThat(last(cancelled).description()).isEqualTo("Cancelled by user");
        becomes(terminated, JobState.DONE_FAILED);
        assertThat(last(terminated).failureReason()).contains("ended by signal 15");
    }

    @Test
    void aJobThatTheHistoryShowsUnreadablyIsNotLostAndHoldsUpNoOther() {
        JobId unreadable = running();
        JobId gone = running();
        lrms.unreadable().add(unreadable.tag());
        lrms.hideAll(true);
        lrms.forget(gone.tag());
        DB.database().inTransaction(h -> h.execute("UPDATE job SET handed_over_at = '2020-01-01'"));
        becomes(gone, JobState.DONE_FAILED);
        assertThat(last(unreadable).state()).isEqualTo(JobState.REALLY_RUNNING);
    }

    @Test
    void aRequestedCancelWhoseSignalCameNeedsNoWord() {
        JobId id = running();
        cancelRequested(id);
        signalled(id);
        assertThat(last(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(last(id).description()).isEqualTo("Cancelled by user");
    }

    @Test
    void aKeptEndSurvivesARestartAndTheHistoryIsAskedForAJobThatIsNotShown() {
        JobId id = running();
        done(id, null, SIGTERM);
        ce.close();
        lrms.move(id.tag(), LrmsJob.State.CANCELLED, null, null);
        lrms.hideEnded(true);
        DB.database().inTransaction(h -> h.execute("UPDATE job SET handed_over_at = '2020-01-01'"));
        ce = new TestCe(DB.database(), lrms, "host1").start();
        becomes(id, JobState.CANCELLED);
    }

    @Test
    void aKilledCeCorrectsAfterItsStart() {
        JobId id = running();
        done(id, 0, null);
        ce.close();
        lrms.move(id.tag(), LrmsJob.State.CANCELLED, null, null);
        restart();
        becomes(id, JobState.CANCELLED);
    }

    @Test
    void aKilledCeCorrectsAfterItsStartWhatTheBatchSystemShowsNoMore() {
        JobId id = running();
        done(id, 0, null);
        ce.close();
        lrms.move(id.tag(), LrmsJob.State.FAILED, null, "TIMEOUT");
        lrms.hideEnded(true);
        restart();
        becomes(id, JobState.DONE_FAILED);
    }

    /** It lay in the spool while the CE was away. */
    @Test
    void anOldReportWaitsForTheHistory() {
        JobId id = running();
        DB.database()
                .inTransaction(
                        h -> h.execute(
                                "UPDATE job SET registered_at = '2020-01-01', state_since = '2020-01-01', handed_over_at = '2020-01-01'"));
        WrapperEvent e = ce.event(id, Kind.DONE, 0, null);
        ce.events.apply(List.of(new WrapperEvent(
                id, 1, Kind.DONE, Instant.now().minus(Duration.ofHours(1)), "wn1", 0, null, null, e.token())));
        assertThat(last(id).state()).isEqualTo(JobState.REALLY_RUNNING);
        lrms.hideEnded(true);
        lrms.move(id.tag(), LrmsJob.State.FAILED, null, "TIMEOUT");
        becomes(id, JobState.DONE_FAILED);
    }

    @Test
    void anEndIsStoredThoughTheBatchSystemShowsTheJobForEver() {
        JobId id = running();
        done(id, null, SIGTERM);
        keptForLong();
        becomes(id, JobState.DONE_FAILED);
        assertThat(last(id).failureReason()).isEqualTo(SIGTERM);
    }

    @Test
    void aReportedEndIsSettledOnceThoughItIsReportedTwice() {
        JobId id = running();
        done(id, null, SIGTERM);
        done(id, null, SIGTERM);
        end(id, LrmsJob.State.FAILED, "TIMEOUT");
        becomes(id, JobState.DONE_FAILED);
        done(id, null, SIGTERM);
        assertThat(last(id).failureReason()).isEqualTo(SIGTERM + "; fake says: TIMEOUT");
        assertThat(kept()).isZero();
    }

    /** An administrator cancels in the batch system what should not run there any more. */
    @Test
    void aCancelAfterTheEndChangesNothing() {
        JobId id = running();
        done(id, 0, null);
        JobId other = running();
        done(other, 0, null);
        lrms.show(shown(id).endedAt(Instant.now().plusSeconds(600)));
        lrms.show(shown(other).endedAt(Instant.now()));
        becomes(other, JobState.CANCELLED);
        assertThat(last(id).state()).isEqualTo(JobState.DONE_OK);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRequeuedJobSaysSoAndIsCancelledThere(boolean heard) {
        JobId id = running();
        if (heard) {
            done(id, null, SIGTERM);
        } else {
            done(id, 0, null);
        }
        end(id, LrmsJob.State.QUEUED, null);
        if (heard) {
            becomes(id, JobState.DONE_FAILED);
            assertThat(last(id).failureReason()).isEqualTo(SIGTERM + "; fake says: requeued");
        } else {
            await().untilAsserted(() -> assertThat(last(id).description())
                    .isEqualTo("fake has put the job back into its queue after this end, and it is cancelled there"));
        }
        await().until(() -> lrms.cancels() == 1);
        // it is shown as cancelled now, which is our doing
        JobId next = running();
        done(next, 0, null);
        end(next, LrmsJob.State.CANCELLED, null);
        becomes(next, JobState.CANCELLED);
        assertThat(last(id).state()).isEqualTo(heard ? JobState.DONE_FAILED : JobState.DONE_OK);
        assertThat(lrms.cancels()).isEqualTo(1);
    }

    /** A batch job that is begun once more, while its first run works on a node that the batch system has lost. */
    @Test
    void theEndOfAWrapperThatFoundTheJobClaimedIsNoEndOfIt() throws Exception {
        JobId id = running();
        JobId unclaimed = running();
        DB.database()
                .inTransaction(h -> h.execute(
                        "UPDATE job SET claimed_by = 'wn1 4711', claimed_lrms_id = lrms_id WHERE id = ?",
                        ce.numbers.row(id)));
        end(id, LrmsJob.State.DONE, null);
        end(unclaimed, LrmsJob.State.DONE, null);
        becomes(unclaimed, JobState.DONE_FAILED);
        int looked = lrms.lookUps();
        await().until(() -> lrms.lookUps() > looked + 1);
        assertThat(last(id).state()).isEqualTo(JobState.REALLY_RUNNING);
        done(id, 0, null);
        assertThat(last(id).state()).isEqualTo(JobState.DONE_OK);
    }

    /** Its cancel comes so late that nobody takes it for the cause of the end, another node and this one after a crash included. */
    @Test
    void whatWaitsAgainAfterACrashOfTheBatchSystemKeepsItsEndAndIsCancelledThereLater() throws Exception {
        JobId id = running();
        done(id, 0, null);
        ce.close();
        lrms.ends(Lrms.Ends.NOT_REQUEUES);
        end(id, LrmsJob.State.QUEUED, null);
        rounds(3, lrms);
        assertThat(lrms.cancels()).isZero();
        DB.database().inTransaction(h -> h.execute("UPDATE job SET state_since = state_since - INTERVAL 2 MINUTE"));
        rounds(3, lrms);
        assertThat(lrms.cancels()).isEqualTo(1);
        lrms.show(shown(id).endedAt(Instant.now()));
        rounds(3, lrms);
        assertThat(last(id).state()).isEqualTo(JobState.DONE_OK);
    }

    /** Nothing takes it out of the queue: an array's task that is requeued again and again, an administrator's hold. */
    @Test
    void aRequeuedJobThatNoCancelTakesOutOfTheQueueIsLoggedOnce() throws Exception {
        JobId id = running();
        done(id, 0, null);
        ce.close();
        lrms.forgetsCancels(true);
        end(id, LrmsJob.State.QUEUED, null);
        Logger logger = (Logger) LoggerFactory.getLogger(ShownAfterEnd.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            rounds(33, lrms);
        } finally {
            logger.detachAppender(log);
        }
        assertThat(lrms.cancels()).isEqualTo(4);
        assertThat(log.list)
                .filteredOn(e -> e.getLevel() == Level.WARN)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .isEqualTo("fake has jobs that have ended here, they are cancelled there: "
                        + lrms.jobs().iterator().next().lrmsId());
    }

    /** Its hand-over was in doubt, no lookup found it, and its user was shown a cancelled job. */
    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "RUNNING"})
    void aJobThatComesAfterItsCancelFoundNoneIsCancelledInTheBatchSystem(LrmsJob.State state) throws Exception {
        JobId late = cancelledWithoutId(JobRow.HandOver.SUBMITTING);
        if (state == LrmsJob.State.RUNNING) {
            lrms.run(late.tag(), "wn1");
        }
        rounds(4, lrms);
        assertThat(lrms.cancels()).isEqualTo(1);
        assertThat(lrms.jobs())
                .filteredOn(job -> job.state() == LrmsJob.State.CANCELLED)
                .extracting(LrmsJob::tag)
                .containsExactly(late.tag());
    }

    /** Two CEs on one batch system may give the same tag. */
    @Test
    void anotherCesJobWithTheTagOfOneThatWasNeverHandedOverIsLeftAlone() throws Exception {
        JobId never = cancelledWithoutId(JobRow.HandOver.NONE);
        lrms.run(never.tag(), "wn1");
        rounds(4, lrms);
        assertThat(lrms.cancels()).isZero();
    }

    /** Beside one that runs, as a CE without jobs does not poll; what the batch system has of it stays there. */
    private JobId cancelledWithoutId(JobRow.HandOver handOver) {
        JobId id = ce.submit(ALICE);
        await().until(() -> ce.state(ALICE, id) == JobState.IDLE);
        running();
        ce.close();
        DB.database()
                .inTransaction(h -> h.createUpdate(
                                "UPDATE job SET state = :state, lrms_id = NULL, hand_over = :handOver, attempt = :handOver WHERE id = :id")
                        .bind("state", JobState.CANCELLED.code())
                        .bind("handOver", handOver.ordinal())
                        .bind("id", ce.numbers.row(id))
                        .execute());
        return id;
    }

    /** A wrapper tidies up when its end is stored. */
    @Test
    void aJobThatIsSuspendedAfterItsEndWasNotRequeued() throws Exception {
        JobId id = running();
        done(id, 0, null);
        end(id, LrmsJob.State.HELD, "SUSPENDED");
        rounds(4, lrms);
        assertThat(last(id).state()).isEqualTo(JobState.DONE_OK);
        assertThat(lrms.cancels()).isZero();
    }

    /** Any local user can give a job its name. */
    @Test
    void aJobIsCorrectedThoughOthersHaveItsName() {
        JobId id = running();
        done(id, 0, null);
        for (int other = 900; other < 950; other++) {
            lrms.show(new LrmsJob("" + other, id.tag(), LrmsJob.State.CANCELLED, null, null, "wn9"));
        }
        end(id, LrmsJob.State.CANCELLED, null);
        becomes(id, JobState.CANCELLED);
    }

    @Test
    void anothersJobThatIsHeldForEverKeepsNoPollGoing() throws Exception {
        FakeLrms other = new FakeLrms();
        other.show(new LrmsJob("900", "cream_000000099", LrmsJob.State.HELD, null, "JobHeldUser", null));
        rounds(40, other);
        assertThat(other.polls()).isBetween(2, 12);
    }

    /** The wrapper's end is stored some time before the batch system shows one. */
    @Test
    void aCancelIsNotMissedThoughTheJobWasShownAsRunningAfterItsEnd() throws Exception {
        JobId id = running();
        done(id, 0, null);
        ce.close();
        try (TestCe other = new TestCe(DB.database(), lrms, "host3")) {
            for (int round = 0; round < 3; round++) {
                other.poller.round();
            }
            lrms.move(id.tag(), LrmsJob.State.CANCELLED, null, null);
            other.poller.round();
            assertThat(other.state(ALICE, id)).isEqualTo(JobState.CANCELLED);
        }
    }

    /** Some batch systems do not tell when they ended a job. */
    @Test
    void aCancelLongAfterTheEndChangesNothingThoughItHasNoTime() throws Exception {
        ce.close();
        FakeLrms untold = new FakeLrms();
        try (TestCe other = new TestCe(DB.database(), untold, "host3")) {
            JobId id = other.submit(ALICE);
            DB.database()
                    .inTransaction(h -> h.execute("UPDATE job SET state = " + JobState.DONE_OK.code()
                            + ", lrms_id = '7', state_since = '2026-01-02 03:04:05'"));
            untold.show(new LrmsJob("7", id.tag(), LrmsJob.State.RUNNING, null, null, "wn1"));
            other.poller.round();
            untold.move(id.tag(), LrmsJob.State.CANCELLED, null, null);
            other.poller.round();
            assertThat(other.state(ALICE, id)).isEqualTo(JobState.DONE_OK);
        }
    }

    @Test
    void aReasonIsTakenOverInPrintableCharactersAndBounded() {
        JobId id = running();
        done(id, 0, null);
        end(id, LrmsJob.State.FAILED, "NODE_FAIL: \u001b[31m\n" + "x".repeat(1000));
        becomes(id, JobState.DONE_FAILED);
        assertThat(last(id).failureReason())
                .startsWith("fake says: NODE_FAIL: ?[31m?x")
                .matches("[\\x20-\\x7E]{1,250}");
    }

    @Test
    void aCorrectedJobCountsOnce() {
        JobId id = running();
        done(id, 0, null);
        end(id, LrmsJob.State.CANCELLED, null);
        becomes(id, JobState.CANCELLED);
        assertThat(JobState.FINAL.stream()
                        .mapToLong(ce.jobStore.counts()::ended)
                        .sum())
                .isEqualTo(1);
    }

    @Test
    void twoNodesCorrectOnce() {
        try (TestCe second = new TestCe(DB.database(), lrms, "host2")) {
            second.start();
            List<JobId> ids = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                ids.add(running());
                done(ids.get(i), 0, null);
            }
            ids.forEach(id -> end(id, LrmsJob.State.CANCELLED, null));
            for (JobId id : ids) {
                becomes(id, JobState.CANCELLED);
                assertThat(history(id).stream().filter(s -> s == JobState.CANCELLED))
                        .hasSize(1);
            }
        }
    }

    @Test
    void jobsThatEndByThemselvesCostNoStatement() throws Exception {
        try (Database own = new Database(DB.config());
                TestCe idle = new TestCe(own, lrms, "host3")) {
            JobId id = running();
            done(id, 0, null);
            end(id, LrmsJob.State.DONE, null);
            JobId alive = running();
            idle.poller.round();
            long before = own.statements();
            idle.poller.round();
            assertThat(own.statements() - before)
                    .as("the jobs that are followed")
                    .isEqualTo(1);
            assertThat(Map.of(id, last(id).state(), alive, last(alive).state()))
                    .containsEntry(id, JobState.DONE_OK)
                    .containsEntry(alive, JobState.REALLY_RUNNING);
        }
    }
}
