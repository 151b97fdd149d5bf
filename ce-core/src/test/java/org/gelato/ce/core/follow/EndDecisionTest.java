package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.job.JobState.CANCELLED;
import static org.gelato.ce.core.job.JobState.DONE_FAILED;
import static org.gelato.ce.core.job.JobState.DONE_OK;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.lrms.Lrms.Ends;
import org.gelato.ce.core.lrms.LrmsJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each report of a wrapper beside each word of the batch system: the list in docs/developer/reliability.md. */
class EndDecisionTest {
    private static final Instant T = Instant.parse("2026-01-02T03:04:05Z");
    private static final String SAYS = "fake says: so";
    private static final String SIGTERM = "Job has been terminated (got SIGTERM)";
    private static final String ASKED = "Cancelled by user";

    /** What a wrapper reports. */
    private enum Report {
        WELL(0, null, null),
        WITH_CODE(3, null, null),
        KILLED(137, null, null),
        TERMINATED(143, null, null),
        WELL_AND_SIGNALLED(0, null, "TERM"),
        SIGNALLED(null, SIGTERM, "TERM"),
        FAILED(null, "Prologue failed with error 143", null);

        private final Integer exit;
        private final String reason;
        private final String signal;

        Report(Integer exit, String reason, String signal) {
            this.exit = exit;
            this.reason = reason;
            this.signal = signal;
        }

        WrapperEvent event() {
            return new WrapperEvent(
                    new JobId(42), 1, WrapperEvent.Kind.DONE, T, "wn1", exit, reason, null, "", null, 0, signal, null);
        }
    }

    private static JobRow row(String cancel) {
        return new JobRow(
                1,
                1,
                1,
                JobState.REALLY_RUNNING,
                null,
                T,
                JobRow.HandOver.DONE,
                1,
                cancel,
                "17",
                "wn1",
                null,
                null,
                null,
                T,
                T,
                "d",
                null,
                1);
    }

    private static LrmsJob word(LrmsJob.State state, Integer exit) {
        boolean held = state == LrmsJob.State.HELD;
        return new LrmsJob("17", "cream_000000042", state, exit, null, held ? null : "wn1");
    }

    private static JobStateMachine.Change end(Report report, LrmsJob word, String cancel, Ends ends) {
        return new EndDecision(new JobStateMachine(), ends)
                .of(row(cancel), T, report.event(), word, word == null ? null : SAYS)
                .orElseThrow();
    }

    private static JobState state(Report report, LrmsJob word, String cancel, Ends ends) {
        return end(report, word, cancel, ends).state();
    }

    @ParameterizedTest
    @EnumSource
    void whatTheBatchSystemCancelledIsCancelledWhateverTheWrapperSays(Report report) {
        LrmsJob cancelled = word(LrmsJob.State.CANCELLED, null);
        for (Ends ends : Ends.values()) {
            assertThat(end(report, cancelled, null, ends).state()).isEqualTo(CANCELLED);
            assertThat(end(report, cancelled, null, ends).description()).isEqualTo("Cancelled by CE admin");
            assertThat(end(report, cancelled, ASKED, ends).description()).isEqualTo(ASKED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatTheBatchSystemEndedHasFailedWhateverTheWrapperSays(Report report) {
        for (LrmsJob.State state : List.of(LrmsJob.State.FAILED, LrmsJob.State.QUEUED, LrmsJob.State.HELD)) {
            for (Ends ends : List.of(Ends.ALL, Ends.NOT_CANCELS)) {
                JobStateMachine.Change end = end(report, word(state, null), null, ends);
                assertThat(end.state()).isEqualTo(DONE_FAILED);
                assertThat(end.failureReason()).endsWith(SAYS);
                assertThat(state(report, word(state, null), ASKED, ends)).isEqualTo(CANCELLED);
            }
        }
    }

    /** Its own crash, before it had written the end, puts a job back into the queue. */
    @ParameterizedTest
    @EnumSource(names = {"NOT_REQUEUES", "FAILURES"})
    void aJobThatWaitsAgainEndedAsItsWrapperSaysWhereTheBatchSystemMayHaveLostItsEnd(Ends ends) {
        for (LrmsJob.State state : List.of(LrmsJob.State.QUEUED, LrmsJob.State.HELD)) {
            LrmsJob waits = new LrmsJob("17", "cream_000000042", state, null, null, null);
            assertThat(state(Report.WELL, waits, null, ends)).isEqualTo(DONE_OK);
            assertThat(state(Report.WELL, waits, ASKED, ends)).isEqualTo(CANCELLED);
            assertThat(state(Report.SIGNALLED, waits, null, ends)).isEqualTo(DONE_FAILED);
        }
        assertThat(state(Report.WELL, word(LrmsJob.State.FAILED, null), null, ends))
                .isEqualTo(DONE_FAILED);
    }

    @ParameterizedTest
    @EnumSource
    void aSuspendedJobWasNotRequeued(Ends ends) {
        LrmsJob suspended = new LrmsJob("17", "cream_000000042", LrmsJob.State.HELD, null, "SUSPENDED", "wn1");
        assertThat(new EndDecision(new JobStateMachine(), ends).isAgainst(suspended))
                .isFalse();
        assertThat(state(Report.WELL, suspended, null, ends)).isEqualTo(DONE_OK);
    }

    /** What is reported of a job that was deleted while queued is reported of one that is not found as well. */
    @ParameterizedTest
    @EnumSource
    void aGuessThatAJobWasCancelledCountsLessThanItsWrapper(Report report) {
        LrmsJob guess = new LrmsJob("17", "cream_000000042", LrmsJob.State.CANCELLED, null, "not found", null);
        assertThat(new EndDecision(new JobStateMachine(), Ends.NOT_CANCELS).isAgainst(guess))
                .isFalse();
        assertThat(state(report, guess, null, Ends.NOT_CANCELS))
                .isEqualTo(state(report, null, null, Ends.NOT_CANCELS))
                .isNotEqualTo(CANCELLED);
        assertThat(state(report, guess, ASKED, Ends.NOT_CANCELS)).isEqualTo(CANCELLED);
        assertThat(state(report, guess, null, Ends.ALL)).isEqualTo(CANCELLED);
    }

    /** A host that was restarted after the wrapper had reported. */
    @Test
    void aBatchSystemThatKnowsLessThanTheWrapperDoesNotFailAJob() {
        LrmsJob failed = word(LrmsJob.State.FAILED, null);
        assertThat(state(Report.WELL, failed, null, Ends.CANCELS)).isEqualTo(DONE_OK);
        assertThat(state(Report.KILLED, failed, null, Ends.CANCELS)).isEqualTo(DONE_OK);
        assertThat(state(Report.SIGNALLED, failed, null, Ends.CANCELS)).isEqualTo(DONE_FAILED);
    }

    static Stream<Arguments> ownEnds() {
        return Stream.of(
                // report, exit code that the batch system shows, its state after no cancel, after a requested cancel
                Arguments.of(Report.WELL, 0, DONE_OK, DONE_OK),
                Arguments.of(Report.WITH_CODE, 0, DONE_OK, DONE_OK),
                Arguments.of(Report.KILLED, 0, DONE_OK, CANCELLED),
                Arguments.of(Report.TERMINATED, 0, DONE_OK, CANCELLED),
                Arguments.of(Report.WELL_AND_SIGNALLED, 0, DONE_OK, CANCELLED),
                Arguments.of(Report.WELL_AND_SIGNALLED, 1, DONE_FAILED, CANCELLED),
                Arguments.of(Report.SIGNALLED, 1, DONE_FAILED, CANCELLED),
                Arguments.of(Report.FAILED, 1, DONE_FAILED, CANCELLED));
    }

    @ParameterizedTest
    @MethodSource("ownEnds")
    void whatEndedByItselfEndedAsItsWrapperSays(Report report, int exit, JobState plain, JobState asked) {
        LrmsJob done = word(LrmsJob.State.DONE, exit);
        for (Ends ends : List.of(Ends.ALL, Ends.CANCELS)) {
            assertThat(state(report, done, null, ends)).isEqualTo(plain);
            assertThat(state(report, done, ASKED, ends)).isEqualTo(asked);
        }
    }

    /** It may show what it cancelled as ended by itself. */
    @ParameterizedTest
    @EnumSource
    void withoutTheWordOfTheBatchSystemARequestedCancelCounts(Report report) {
        assertThat(state(report, word(LrmsJob.State.DONE, 0), ASKED, Ends.NOT_CANCELS))
                .isEqualTo(CANCELLED);
        for (Ends ends : Ends.values()) {
            assertThat(state(report, null, ASKED, ends)).isEqualTo(CANCELLED);
        }
    }

    @Test
    void aSignalThatNobodyExplainsFailsTheJob() {
        for (Report report : List.of(Report.WELL_AND_SIGNALLED, Report.SIGNALLED)) {
            assertThat(end(report, null, null, Ends.ALL).failureReason()).isEqualTo(SIGTERM);
            assertThat(end(report, word(LrmsJob.State.DONE, 0), null, Ends.NOT_CANCELS)
                            .failureReason())
                    .isEqualTo(SIGTERM + "; " + SAYS);
        }
    }
}
