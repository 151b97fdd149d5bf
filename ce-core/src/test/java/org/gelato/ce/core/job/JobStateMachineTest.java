package org.gelato.ce.core.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.job.JobState.ABORTED;
import static org.gelato.ce.core.job.JobState.CANCELLED;
import static org.gelato.ce.core.job.JobState.DONE_FAILED;
import static org.gelato.ce.core.job.JobState.DONE_OK;
import static org.gelato.ce.core.job.JobState.HELD;
import static org.gelato.ce.core.job.JobState.IDLE;
import static org.gelato.ce.core.job.JobState.PENDING;
import static org.gelato.ce.core.job.JobState.REALLY_RUNNING;
import static org.gelato.ce.core.job.JobState.REGISTERED;
import static org.gelato.ce.core.job.JobState.RUNNING;

import java.time.Instant;
import java.util.Optional;
import org.gelato.ce.core.job.JobStateMachine.Change;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JobStateMachineTest {
    private static final Instant T = Instant.parse("2026-01-02T03:04:05Z");
    private static final Instant LATER = T.plusSeconds(1);
    private static final Instant EARLIER = T.minusSeconds(1);

    private final JobStateMachine machine = new JobStateMachine();

    private static JobRow job(JobState state) {
        return job(state, null, null, null, null);
    }

    private static JobRow job(JobState state, JobState beforeHold, String cancel, String exit, String reason) {
        return new JobRow(
                1,
                new JobRow.Registration(1, 1, 1, T, "d", null),
                new JobStatus(state, T, exit, reason, null),
                beforeHold,
                cancel,
                new JobRow.BatchJob(JobRow.HandOver.NONE, 0, null, null, null));
    }

    private static Optional<JobState> state(Optional<Change> change) {
        return change.map(Change::state);
    }

    @Test
    void theWayOfAJob() {
        assertThat(state(machine.started(job(REGISTERED), LATER))).contains(PENDING);
        assertThat(state(machine.queued(job(PENDING), LATER))).contains(IDLE);
        assertThat(state(machine.running(job(IDLE), LATER))).contains(RUNNING);
        assertThat(state(machine.reallyRunning(job(RUNNING), LATER))).contains(REALLY_RUNNING);
        assertThat(machine.done(job(REALLY_RUNNING), LATER, "3"))
                .contains(new Change(DONE_OK, LATER, null, "3", null, null, false));
    }

    @ParameterizedTest
    @EnumSource(JobState.class)
    void onlyARegisteredJobIsStarted(JobState state) {
        assertThat(machine.started(job(state), LATER).isPresent()).isEqualTo(state == REGISTERED);
    }

    @ParameterizedTest
    @EnumSource(
            value = JobState.class,
            names = {"CANCELLED", "DONE_OK", "DONE_FAILED", "ABORTED"})
    void nothingLeavesAFinalState(JobState state) {
        JobRow job = job(state);
        assertThat(machine.queued(job, LATER)).isEmpty();
        assertThat(machine.held(job, LATER)).isEmpty();
        assertThat(machine.running(job, LATER)).isEmpty();
        assertThat(machine.reallyRunning(job, LATER)).isEmpty();
        assertThat(machine.cancelled(job, LATER)).isEmpty();
        assertThat(machine.aborted(job, LATER, "x")).isEmpty();
        assertThat(machine.refused()).isEqualTo(6);
    }

    @Test
    void staleObservationsAreIgnored() {
        assertThat(machine.queued(job(PENDING), EARLIER)).isEmpty();
        assertThat(machine.held(job(IDLE), EARLIER)).isEmpty();
        assertThat(machine.running(job(IDLE), T)).isEmpty();
        assertThat(machine.running(job(REALLY_RUNNING), LATER)).isEmpty();
        assertThat(machine.queued(job(REALLY_RUNNING), LATER)).isEmpty();
        assertThat(machine.queued(job(IDLE), LATER)).isEmpty();
    }

    @Test
    void aHeldJobReturnsToWhatItWas() {
        assertThat(machine.held(job(REALLY_RUNNING), LATER))
                .contains(new Change(HELD, LATER, REALLY_RUNNING, null, null, null, false));
        assertThat(state(machine.running(job(HELD, REALLY_RUNNING, null, null, null), LATER)))
                .contains(REALLY_RUNNING);
        assertThat(state(machine.running(job(HELD, RUNNING, null, null, null), LATER)))
                .contains(RUNNING);
        assertThat(state(machine.queued(job(HELD, IDLE, null, null, null), LATER)))
                .contains(IDLE);
    }

    @Test
    void aFailureAfterACancelIsACancel() {
        JobRow cancelRequested = job(RUNNING, null, "Cancelled by user", null, null);
        assertThat(machine.failed(cancelRequested, LATER, "143", "killed"))
                .contains(new Change(CANCELLED, LATER, null, null, null, "Cancelled by user", false));
        assertThat(state(machine.done(cancelRequested, LATER, "0"))).contains(DONE_OK);
        assertThat(state(machine.done(cancelRequested, LATER, "143")))
                .as("the wrapper saw the payload's end before its own signal")
                .contains(CANCELLED);
        assertThat(state(machine.done(job(RUNNING), LATER, "143"))).contains(DONE_OK);
        assertThat(machine.cancelled(job(RUNNING), LATER).orElseThrow().description())
                .isEqualTo("Cancelled by CE admin");
    }

    @Test
    void aRepeatedEndUpdatesItsRecord() {
        JobRow failed = job(DONE_FAILED, null, null, "W", "first");
        assertThat(machine.failed(failed, LATER, "3", "second"))
                .contains(new Change(DONE_FAILED, T, null, "3", "first; second", null, true));
        JobRow done = job(DONE_OK, null, null, "3", null);
        assertThat(machine.done(done, LATER, "W").orElseThrow().exitCode()).isEqualTo("3");
        assertThat(machine.done(failed, LATER, "0")).isEmpty();
        assertThat(machine.failed(done, LATER, "1", "no")).isEmpty();
    }

    @Test
    void anEndNeverLiesBeforeTheStateItEnds() {
        assertThat(machine.aborted(job(PENDING), EARLIER, "no"))
                .contains(new Change(ABORTED, T, null, null, "no", null, false));
    }
}
