package org.gelato.ce.core.end;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.job.JobState.CANCELLED;
import static org.gelato.ce.core.job.JobState.DONE_FAILED;
import static org.gelato.ce.core.job.JobState.DONE_OK;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.lrms.Lrms.Ends;
import org.gelato.ce.core.lrms.LrmsJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each report of a wrapper beside each word of the batch system: the table in docs/developer/reliability.md. */
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

        Evidence.Report at(Instant at) {
            return new Evidence.Report(at, T, exit, reason, signal, null, false);
        }

        boolean isWhole() {
            return this == WELL || this == WITH_CODE;
        }
    }

    private static JobRow row(String cancel) {
        return new JobRow(
                1,
                new JobRow.Registration(1, 1, 1, T, "d", null),
                new JobStatus(JobState.REALLY_RUNNING, T, null, null, null),
                null,
                cancel,
                new JobRow.BatchJob(JobRow.HandOver.DONE, 1, T, "17", "wn1"));
    }

    private static LrmsJob job(LrmsJob.State state, Integer exit) {
        boolean held = state == LrmsJob.State.HELD;
        return new LrmsJob("17", "cream_000000042", state, exit, null, held ? null : "wn1");
    }

    private static Evidence.Word word(LrmsJob job) {
        return new Evidence.Word(T.plusSeconds(2), job, job == null ? null : SAYS);
    }

    private static EndDecision.Decision decided(Ends ends, String cancel, Evidence... evidence) {
        List<Evidence> all = new ArrayList<>(Arrays.asList(evidence));
        if (cancel != null) {
            all.add(new Evidence.CancelRequest(T.minusSeconds(60)));
        }
        return new EndDecision("fake", ends).of(all);
    }

    private static JobStateMachine.Change end(Report report, LrmsJob word, String cancel, Ends ends) {
        return decided(ends, cancel, report.at(T), word(word))
                .change(new JobStateMachine(), row(cancel), T)
                .orElseThrow();
    }

    private static JobState state(Report report, LrmsJob word, String cancel, Ends ends) {
        return end(report, word, cancel, ends).state();
    }

    @ParameterizedTest
    @EnumSource
    void whatTheBatchSystemCancelledIsCancelledWhateverTheWrapperSays(Report report) {
        LrmsJob cancelled = job(LrmsJob.State.CANCELLED, null);
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
            boolean stands = state != LrmsJob.State.FAILED && report.isWhole();
            for (Ends ends : List.of(Ends.ALL, Ends.NOT_CANCELS)) {
                JobStateMachine.Change end = end(report, job(state, null), null, ends);
                assertThat(end.state()).isEqualTo(stands ? DONE_OK : DONE_FAILED);
                assertThat(stands ? end.description() : end.failureReason())
                        .endsWith(
                                stands
                                        ? "fake has put the job back into its queue after this end, and it is cancelled there"
                                        : SAYS);
                assertThat(state(report, job(state, null), ASKED, ends)).isEqualTo(CANCELLED);
            }
        }
    }

    /** Its own crash, before it had written the end, puts a job back into the queue. */
    @ParameterizedTest
    @EnumSource(names = {"NOT_REQUEUES", "FAILURES"})
    void aJobThatWaitsAgainEndedAsItsWrapperSaysWhereTheBatchSystemMayHaveLostItsEnd(Ends ends) {
        for (LrmsJob.State state : List.of(LrmsJob.State.QUEUED, LrmsJob.State.HELD)) {
            LrmsJob waits = new LrmsJob("17", "cream_000000042", state, null, null, null);
            assertThat(end(Report.WELL, waits, null, ends)).satisfies(end -> {
                assertThat(end.state()).isEqualTo(DONE_OK);
                assertThat(end.description()).isNull();
            });
            assertThat(state(Report.WELL, waits, ASKED, ends)).isEqualTo(CANCELLED);
            assertThat(state(Report.SIGNALLED, waits, null, ends)).isEqualTo(DONE_FAILED);
        }
        assertThat(state(Report.WELL, job(LrmsJob.State.FAILED, null), null, ends))
                .isEqualTo(DONE_FAILED);
    }

    @ParameterizedTest
    @EnumSource
    void aSuspendedJobWasNotRequeued(Ends ends) {
        LrmsJob suspended = new LrmsJob("17", "cream_000000042", LrmsJob.State.HELD, null, "SUSPENDED", "wn1");
        assertThat(new EndDecision("fake", ends).isAgainst(suspended)).isFalse();
        assertThat(state(Report.WELL, suspended, null, ends)).isEqualTo(DONE_OK);
    }

    /** What is reported of a job that was deleted while queued is reported of one that is not found as well. */
    @ParameterizedTest
    @EnumSource
    void aGuessThatAJobWasCancelledCountsLessThanItsWrapper(Report report) {
        LrmsJob guess = new LrmsJob("17", "cream_000000042", LrmsJob.State.CANCELLED, null, "not found", null);
        assertThat(new EndDecision("fake", Ends.NOT_CANCELS).isAgainst(guess)).isFalse();
        assertThat(state(report, guess, null, Ends.NOT_CANCELS))
                .isEqualTo(state(report, null, null, Ends.NOT_CANCELS))
                .isNotEqualTo(CANCELLED);
        assertThat(state(report, guess, ASKED, Ends.NOT_CANCELS)).isEqualTo(CANCELLED);
        assertThat(state(report, guess, null, Ends.ALL)).isEqualTo(CANCELLED);
    }

    /** A host that was restarted after the wrapper had reported. */
    @Test
    void aBatchSystemThatKnowsLessThanTheWrapperDoesNotFailAJob() {
        LrmsJob failed = job(LrmsJob.State.FAILED, null);
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
        LrmsJob done = job(LrmsJob.State.DONE, exit);
        for (Ends ends : List.of(Ends.ALL, Ends.CANCELS)) {
            assertThat(state(report, done, null, ends)).isEqualTo(plain);
            assertThat(state(report, done, ASKED, ends)).isEqualTo(asked);
        }
    }

    /** It may show what it cancelled as ended by itself. */
    @ParameterizedTest
    @EnumSource
    void withoutTheWordOfTheBatchSystemARequestedCancelCounts(Report report) {
        assertThat(state(report, job(LrmsJob.State.DONE, 0), ASKED, Ends.NOT_CANCELS))
                .isEqualTo(CANCELLED);
        for (Ends ends : Ends.values()) {
            assertThat(state(report, null, ASKED, ends)).isEqualTo(CANCELLED);
        }
    }

    @Test
    void aSignalThatNobodyExplainsFailsTheJob() {
        for (Report report : List.of(Report.WELL_AND_SIGNALLED, Report.SIGNALLED)) {
            assertThat(end(report, null, null, Ends.ALL).failureReason()).isEqualTo(SIGTERM);
            assertThat(end(report, job(LrmsJob.State.DONE, 0), null, Ends.NOT_CANCELS)
                            .failureReason())
                    .isEqualTo(SIGTERM + "; " + SAYS);
        }
    }

    @Test
    void anEndThatTheBatchSystemHasNotConfirmedSaysSo() {
        assertThat(end(Report.WELL, null, null, Ends.ALL).description()).isEqualTo("fake has not confirmed this end");
        assertThat(end(Report.WELL, job(LrmsJob.State.DONE, 0), null, Ends.ALL).description())
                .isNull();
    }

    /** It finds the job claimed, and ends with 0: that says nothing of the one that works. */
    @Test
    void theEndOfAWrapperThatWasRefusedIsNoEndWhileTheOtherMayWork() {
        Evidence.Silence silence = new Evidence.Silence(T, "17", null, Evidence.Claim.WORKING);
        Evidence.Word well = word(job(LrmsJob.State.DONE, 0));
        assertThat(decided(Ends.ALL, null, silence, well).rule()).isEqualTo(EndRule.ANOTHER_WRAPPER_WORKS);
        assertThat(decided(Ends.ALL, null, silence, well, Report.WELL.at(T.plusSeconds(600)))
                        .rule())
                .isEqualTo(EndRule.CONFIRMED);
        Evidence.Silence over = new Evidence.Silence(T.plusSeconds(600), "17", null, Evidence.Claim.WRAPPER);
        assertThat(decided(Ends.ALL, null, silence, well, over)).satisfies(end -> {
            assertThat(end.rule()).isEqualTo(EndRule.NOTHING_LEFT);
            assertThat(end.reason())
                    .isEqualTo("the job wrapper ended without an exit record; fake reports exit code 0fake says: so");
        });
        Evidence.Silence ours = new Evidence.Silence(T, "17", null, Evidence.Claim.CE);
        assertThat(decided(Ends.ALL, null, ours, well).reason())
                .startsWith("the CE had taken the job back before its wrapper began; fake reports exit code 0");
        assertThat(decided(Ends.ALL, ASKED, silence, well).rule()).isEqualTo(EndRule.CANCEL_CARRIED_OUT);
        for (int status : new int[] {1, 69, 72, 77, 78, 254}) {
            assertThat(decided(Ends.ALL, null, silence, word(job(LrmsJob.State.DONE, status)))
                            .rule())
                    .isEqualTo(EndRule.ANOTHER_WRAPPER_WORKS);
        }
        assertThat(decided(Ends.ALL, null, silence, word(job(LrmsJob.State.DONE, 75)))
                        .rule())
                .isEqualTo(EndRule.NOTHING_LEFT);
        Evidence.Word killed = word(job(LrmsJob.State.DONE, 137));
        assertThat(decided(Ends.ALL, null, silence, killed).rule()).isEqualTo(EndRule.NOTHING_LEFT);
    }

    /** A batch system that shows no more than that may mean a node that could not begin it, or somebody's cancel. */
    @Test
    void aJobThatIsCancelledBeforeItBeganHasFailedUnlessAWrapperHasClaimedIt() {
        Evidence.Word cancelled = word(job(LrmsJob.State.CANCELLED, null).because(LrmsJob.NOT_BEGUN));
        Evidence.Silence never = new Evidence.Silence(T, "17", null, Evidence.Claim.NOBODY);
        Evidence.Silence begun = new Evidence.Silence(T, "17", null, Evidence.Claim.WRAPPER);
        assertThat(decided(Ends.ALL, null, never, cancelled).rule()).isEqualTo(EndRule.ENDED_THERE);
        assertThat(decided(Ends.ALL, ASKED, never, cancelled).rule()).isEqualTo(EndRule.CANCEL_CARRIED_OUT);
        assertThat(decided(Ends.ALL, null, begun, cancelled).rule()).isEqualTo(EndRule.CANCELLED_THERE);
        assertThat(decided(Ends.ALL, null, Report.WELL.at(T), cancelled).rule()).isEqualTo(EndRule.CANCELLED_THERE);
    }

    @Test
    void aProvisionalEndIsNotCancelledAndYieldsToTheBatchSystem() {
        Evidence.CancelRequest late = new Evidence.CancelRequest(T.plusSeconds(1));
        assertThat(decided(Ends.ALL, null, Report.WELL.at(T), late).rule()).isEqualTo(EndRule.SHOWN_AT_ONCE);
        assertThat(decided(Ends.ALL, null, Report.WELL.at(T), late, word(job(LrmsJob.State.FAILED, null)))
                        .rule())
                .isEqualTo(EndRule.ENDED_THERE);
    }

    /** Out of memory is what a wrapper that was through does not cause. */
    @Test
    void whatTheBatchSystemDidLaterDoesNotCountUnlessItIsForMemory() {
        LrmsJob failed = job(LrmsJob.State.FAILED, null).endedAt(T.plusSeconds(40));
        assertThat(state(Report.WELL, failed, null, Ends.ALL)).isEqualTo(DONE_OK);
        assertThat(state(Report.WELL, failed.endedAt(T.plusSeconds(20)), null, Ends.ALL))
                .isEqualTo(DONE_FAILED);
        assertThat(state(Report.WELL, failed.because(LrmsJob.OUT_OF_MEMORY), null, Ends.ALL))
                .isEqualTo(DONE_FAILED);
        assertThat(state(Report.WELL_AND_SIGNALLED, failed, null, Ends.ALL)).isEqualTo(DONE_FAILED);
    }

    /** The state machine has its own rules of cancels; they are the same. */
    @Test
    void eachRowIsReachedAndIsStoredAsItSays() {
        Set<EndRule> reached = EnumSet.noneOf(EndRule.class);
        for (List<Evidence> evidence : cases()) {
            for (Ends ends : Ends.values()) {
                boolean cancel = evidence.stream().anyMatch(Evidence.CancelRequest.class::isInstance);
                EndDecision.Decision end = new EndDecision("fake", ends).of(evidence);
                reached.add(end.rule());
                JobState stored = end.change(new JobStateMachine(), row(cancel ? ASKED : null), T)
                        .map(JobStateMachine.Change::state)
                        .orElse(null);
                assertThat(stored)
                        .as("%s of %s", end, evidence)
                        .isEqualTo(
                                switch (end.rule().end()) {
                                    case NONE -> null;
                                    case OK -> DONE_OK;
                                    case FAILED -> DONE_FAILED;
                                    case CANCELLED -> CANCELLED;
                                });
            }
        }
        assertThat(reached).containsExactly(EndRule.values());
    }

    private static List<List<Evidence>> cases() {
        List<Evidence> wrappers = new ArrayList<>(Arrays.asList((Evidence) null));
        for (Report report : Report.values()) {
            wrappers.add(report.at(T));
            wrappers.add(new Evidence.Report(T, T, report.exit, report.reason, report.signal, null, true));
        }
        wrappers.add(new Evidence.Silence(T, "17", null, Evidence.Claim.NOBODY));
        wrappers.add(new Evidence.Silence(T, "17", "of another job", Evidence.Claim.WORKING));
        List<Evidence> words = new ArrayList<>(Arrays.asList(null, word(null)));
        for (LrmsJob.State state : LrmsJob.State.values()) {
            for (Integer exit : Arrays.asList(null, 0, 137)) {
                words.add(word(job(state, exit)));
            }
        }
        words.add(word(new LrmsJob("17", "t", LrmsJob.State.CANCELLED, null, null, null)));
        words.add(word(job(LrmsJob.State.QUEUED, null).because("x")));
        List<List<Evidence>> all = new ArrayList<>();
        for (Evidence wrapper : wrappers) {
            for (Evidence word : words) {
                for (Evidence cancel : Arrays.asList(null, new Evidence.CancelRequest(T.minusSeconds(60)))) {
                    all.add(Stream.of(wrapper, word, cancel)
                            .filter(one -> one != null)
                            .toList());
                }
            }
        }
        return all;
    }

    private static Evidence random(Random choice, Instant at) {
        return switch (choice.nextInt(6)) {
            case 0 -> new Evidence.CancelRequest(at);
            case 1 -> {
                Evidence.Claim[] claims = Evidence.Claim.values();
                yield new Evidence.Silence(at, "17", null, claims[choice.nextInt(claims.length)]);
            }
            case 2 -> new Evidence.Word(at, null, null);
            case 3 -> {
                LrmsJob.State[] states = LrmsJob.State.values();
                LrmsJob job = job(states[choice.nextInt(states.length)], choice.nextBoolean() ? 0 : 143);
                yield new Evidence.Word(at, job.endedAt(T.plusSeconds(choice.nextInt(60))), SAYS);
            }
            default -> Report.values()[choice.nextInt(Report.values().length)].at(at);
        };
    }

    @Property
    void theOrderOfCollectionChangesNothingAndNothingLaterTurnsAFinalEnd(@ForAll Random choice) {
        EndDecision rule = new EndDecision("fake", Ends.values()[choice.nextInt(Ends.values().length)]);
        List<Evidence> known = new ArrayList<>();
        EndDecision.Decision last = rule.of(known);
        for (int i = 0; i < 8; i++) {
            known.add(random(choice, T.plus(Duration.ofSeconds(10L * i + choice.nextInt(10)))));
            List<Evidence> shuffled = new ArrayList<>(known);
            shuffled.add(known.get(choice.nextInt(known.size()))); // learnt twice
            Collections.shuffle(shuffled, choice);
            EndDecision.Decision now = rule.of(shuffled);
            assertThat(now).isEqualTo(rule.of(known));
            if (last.rule().isFinal()) {
                assertThat(now).isEqualTo(last);
            }
            if (last.rule().end() != EndRule.End.NONE) {
                assertThat(now.rule().end()).isNotEqualTo(EndRule.End.NONE);
            }
            last = now;
        }
    }

    @Test
    void theDocumentationHasTheTable() throws IOException {
        List<String> rows = Arrays.stream(EndRule.values()).map(EndRule::row).toList();
        List<String> page = Files.readAllLines(Path.of("..", "docs", "developer", "reliability.md"));
        int from = page.indexOf("| batch system | wrapper | cancel requested | end | its words | asked next |");
        assertThat(page.subList(from + 2, from + 2 + rows.size())).isEqualTo(rows);
        assertThat(page.get(from + 2 + rows.size())).isEmpty();
    }
}
