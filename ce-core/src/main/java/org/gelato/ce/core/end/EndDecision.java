package org.gelato.ce.core.end;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.wrapper.WrapperStatus;

/**
 * How a job ended, by the table {@link EndRule}: the one place that decides it. Pure: the same evidence gives the same end in whatever order
 * it is given, and nothing that is learnt after a final end changes it.
 */
public final class EndDecision {
    /**
     * What came later after the wrapper's end was composed than the clocks of two hosts may differ did not cause it: a wrapper tidies
     * up then, and administrators cancel what should not run any more.
     */
    public static final Duration CLOCKS_DIFFER = Duration.ofSeconds(30);
    /** What is requeued later than that had ended by itself. */
    public static final Duration RECENT = Duration.ofMinutes(10);

    /** What the reason of a job begins with that was ended by a signal; its name and a parenthesis follow. */
    public static final String TERMINATED = "Job has been terminated (got SIG";

    private static final String NOT_CONFIRMED = " has not confirmed this end";
    private static final String PUT_BACK =
            " has put the job back into its queue after this end, and it is cancelled there";

    private static final Comparator<Evidence> BY_TIME = Comparator.comparing(Evidence::at)
            .thenComparing(e -> e.getClass().getName())
            .thenComparing(Evidence::toString);

    private final String lrms;
    private final Lrms.Ends ends;

    /** By what wrappers report and what was requested, without the word of any batch system. */
    public EndDecision() {
        this("the batch system", Lrms.Ends.ALL);
    }

    /**
     * @param lrms name of the batch system
     * @param ends which of its own ends it shows
     */
    public EndDecision(String lrms, Lrms.Ends ends) {
        this.lrms = lrms;
        this.ends = ends;
    }

    /**
     * How a job ended.
     *
     * @param reason of a job that failed, or was cancelled with one; null otherwise
     * @param warning what its user should know nevertheless; null for nothing
     * @param word of the reason and the warning, what the batch system's word has added; null for nothing
     */
    public record Decision(EndRule rule, String exitCode, String reason, String warning, String word) {
        /** The change of a job whose row is locked; empty where that is no end yet. Of one that has ended, a repetition. */
        public Optional<JobStateMachine.Change> change(JobStateMachine machine, JobRow row, Instant at) {
            return switch (rule.end()) {
                case NONE -> Optional.empty();
                case OK -> machine.done(row, at, exitCode, row.state().isFinal() && word != null ? null : warning);
                case FAILED -> machine.failed(row, at, exitCode, reason, warning);
                case CANCELLED -> machine.cancelled(row, at, reason);
            };
        }

        /** The change of a job whose end by its wrapper's word alone is stored; empty where that stands. */
        public Optional<JobStateMachine.Change> correction(JobStateMachine machine, JobRow row, Instant at) {
            if (!corrects(row)) {
                return Optional.empty();
            }
            return switch (rule.end()) {
                case NONE -> Optional.empty();
                case OK -> machine.done(row, at, null, warning);
                case FAILED ->
                    row.state() == JobState.DONE_OK
                            ? machine.correctedToFailed(row, at, reason)
                            : machine.failed(row, at, null, word);
                case CANCELLED -> machine.correctedToCancelled(row, at, reason);
            };
        }

        /** Whether a job whose end by its wrapper's word alone is stored ended otherwise, or its user is to read more of it. */
        public boolean corrects(JobRow row) {
            return rule.end() == EndRule.End.CANCELLED
                    || (word != null
                            && !(row.status().failureReason() + row.status().description()).contains(word));
        }
    }

    /** What is known so far. */
    private static final class Known {
        private Evidence.Report report;
        private Evidence.Silence silence;
        private Evidence.Word word;
        private boolean cancel;
    }

    /** Whether the batch system says that the job did not end by itself. */
    public boolean isAgainst(LrmsJob job) {
        EndRule.Batch word = batch(job);
        return word == EndRule.Batch.CANCELLED || word == EndRule.Batch.ENDED_IT || word == EndRule.Batch.PUT_BACK;
    }

    /** What the batch system's word begins with in a failure reason. */
    public String says() {
        return lrms + " says: ";
    }

    /** Whether a stored end is not its wrapper's word alone, or nobody has another: it is final. */
    public boolean hasWord(JobRow ended) {
        boolean wrapper = ended.state() == JobState.DONE_OK || ended.state() == JobState.DONE_FAILED;
        String known = ended.status().failureReason() + "; " + ended.status().description();
        return !wrapper
                || known.contains(says())
                || known.contains(lrms + PUT_BACK)
                || known.contains(lrms + NOT_CONFIRMED);
    }

    /** How a job ended by all that is known of that. */
    public Decision of(Collection<? extends Evidence> evidence) {
        List<Evidence> all = new ArrayList<>(evidence);
        all.sort(BY_TIME);
        Known known = new Known();
        Decision decision = decided(known);
        for (Evidence one : all) {
            if (decision.rule().isFinal()) {
                return decision;
            }
            if (one instanceof Evidence.Report report) {
                known.report = known.report == null ? report : known.report;
            } else if (one instanceof Evidence.Silence silence) {
                known.silence = silence;
            } else if (one instanceof Evidence.Word word) {
                known.word = word;
            } else {
                known.cancel |=
                        decision.rule().end() == EndRule.End.NONE; // what has ended for its user is not cancelled
            }
            decision = decided(known);
        }
        return decision;
    }

    private Decision decided(Known known) {
        EndRule rule = EndRule.of(batch(known), wrapper(known), known.cancel);
        Evidence.Report report = known.report;
        String exit = report == null || report.exitCode() == null
                ? null
                : report.exitCode().toString();
        String warning = report == null ? null : report.warning();
        String word = rule.saysWord() ? word(rule, known) : null;
        return switch (rule.end()) {
            case FAILED -> new Decision(rule, exit, joined(reason(report), word), warning, word);
            case OK -> new Decision(rule, exit, null, joined(warning, word), word);
            case CANCELLED -> new Decision(rule, null, whyCancelled(known), null, null);
            case NONE -> new Decision(rule, null, null, null, null);
        };
    }

    private static String whyCancelled(Known known) {
        return known.word == null || known.word.job() == null
                ? null
                : known.word.job().whyCancelled();
    }

    private EndRule.Batch batch(Known known) {
        if (known.word == null) {
            return known.report != null && known.report.isOld() ? EndRule.Batch.MISSED : EndRule.Batch.OPEN;
        }
        LrmsJob job = known.word.job();
        if (job == null) {
            return EndRule.Batch.ABSENT;
        }
        if (known.report == null && known.silence != null && !known.silence.hasBegun() && job.isNotBegun()) {
            return EndRule.Batch.ENDED_IT; // nobody need have cancelled it
        }
        EndRule.Batch word = batch(job);
        return known.report != null && isAgainst(job) && isLater(known.report, known.word)
                ? EndRule.Batch.UNCLEAR
                : word;
    }

    private EndRule.Batch batch(LrmsJob job) {
        return switch (job.state()) {
            // without a node it may be a guess about a job that cannot be found
            case CANCELLED ->
                ends.tellCancels() || job.workerNode() != null ? EndRule.Batch.CANCELLED : EndRule.Batch.GUESS;
            case FAILED -> ends.tellFailures() ? EndRule.Batch.ENDED_IT : EndRule.Batch.UNCLEAR;
            case DONE -> {
                if (!ends.tellCancels()) {
                    yield EndRule.Batch.UNCLEAR;
                }
                yield Integer.valueOf(0).equals(job.exitCode()) ? EndRule.Batch.WELL : EndRule.Batch.BY_ITSELF;
            }
            default -> job.isInQueue() && ends.tellRequeues() ? EndRule.Batch.PUT_BACK : EndRule.Batch.UNCLEAR;
        };
    }

    /** Whether the batch system did that only after the wrapper's end, so that it is not its cause. */
    private static boolean isLater(Evidence.Report report, Evidence.Word word) {
        LrmsJob job = word.job();
        boolean memory = job.reason() != null && job.reason().startsWith(LrmsJob.OUT_OF_MEMORY);
        if (report.signal() != null || memory) {
            return false;
        }
        return job.state().isEnd()
                ? job.endedAt() != null && job.endedAt().isAfter(report.ended().plus(CLOCKS_DIFFER))
                : word.at().isAfter(report.ended().plus(RECENT));
    }

    private static EndRule.Wrapper wrapper(Known known) {
        Evidence.Report report = known.report;
        if (report == null) {
            return known.silence == null ? EndRule.Wrapper.UNHEARD : silent(known);
        }
        if (report.exitCode() == null || report.failure() != null) {
            return report.signal() == null ? EndRule.Wrapper.FAILED : EndRule.Wrapper.CUT;
        }
        if (report.signal() != null) {
            return EndRule.Wrapper.SIGNALLED;
        }
        return JobStateMachine.isKilled(report.exitCode()) ? EndRule.Wrapper.KILLED : EndRule.Wrapper.WHOLE;
    }

    /** A wrapper that could not claim its job ends so, and none that had it. */
    private static EndRule.Wrapper silent(Known known) {
        LrmsJob job = known.word == null ? null : known.word.job();
        boolean refused = known.silence.claim() == Evidence.Claim.WORKING
                && job != null
                && job.state() == LrmsJob.State.DONE
                && WrapperStatus.isOfUnclaimed(job.exitCode());
        return refused ? EndRule.Wrapper.REFUSED : EndRule.Wrapper.SILENT;
    }

    private static String reason(Evidence.Report report) {
        if (report == null || report.failure() != null) {
            return report == null ? null : report.failure();
        }
        return report.signal() == null ? null : TERMINATED + report.signal() + ")";
    }

    private String word(EndRule rule, Known known) {
        String text = known.word == null ? null : known.word.text();
        return switch (rule) {
            case UNCONFIRMED -> lrms + NOT_CONFIRMED;
            case PUT_BACK_AFTER_ITS_END -> lrms + PUT_BACK;
            case VANISHED ->
                (known.silence.lrmsId() == null ? "the job" : "job " + known.silence.lrmsId()) + " vanished from "
                        + lrms + ": no event, no exit record, and its history does not know it" + refused(known);
            case NOTHING_LEFT, ENDED_THERE -> known.report == null ? left(known, text) + refused(known) : text;
            default -> text;
        };
    }

    /** Without an exit code: the batch system has the wrapper's, and that of the payload is known to the wrapper alone. */
    private String left(Known known, String text) {
        LrmsJob job = known.word.job();
        if (job.state() == LrmsJob.State.FAILED || job.isNotBegun()) {
            return text;
        }
        String nothing = known.silence.claim() == Evidence.Claim.CE
                ? "the CE had taken the job back before its wrapper began"
                : "the job wrapper ended without an exit record";
        return WrapperStatus.words(job.exitCode()).orElse(nothing)
                + "; " + lrms + " reports exit code " + (job.exitCode() == null ? "unknown" : job.exitCode())
                + (job.reason() == null ? "" : " (" + job.reason() + ")")
                + (text == null ? "" : text);
    }

    private static String refused(Known known) {
        String refusal = known.silence == null ? null : known.silence.refusal();
        return refusal == null ? "" : "; what was left as its exit record does not count: " + refusal;
    }

    private static String joined(String first, String added) {
        if (first == null || first.isEmpty()) {
            return added;
        }
        return added == null || added.isEmpty() ? first : first + "; " + added;
    }
}
