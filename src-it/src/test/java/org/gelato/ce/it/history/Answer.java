package org.gelato.ce.it.history;

import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.core.job.JobState;

/**
 * What a client got back.
 *
 * @param text the CE's words, for people
 * @param states of {@link Kind#STATE}: those that the answer may stand for, as ARC has fewer names; else empty
 * @param jobs of {@link Kind#JOBS}, else empty
 * @param events of {@link Kind#EVENTS}, in the order in which they came; else empty
 * @param page of {@link Kind#MESSAGES}, else empty
 */
record Answer(
        Kind kind, String text, Set<JobState> states, List<String> jobs, List<SeenEvent> events, MessagePage page) {
    enum Kind {
        /** The operation was confirmed. */
        DONE,
        STATE,
        JOBS,
        EVENTS,
        MESSAGES,
        /** Refused, because the job is in another state. */
        WRONG_STATE,
        /** Refused, because there is no such job. */
        UNKNOWN_JOB,
        /** Refused, because there is no such lease. */
        UNKNOWN_LEASE,
        /** Refused, because the client's credentials are not accepted. */
        NOT_ADMITTED,
        /** Refused for another reason. */
        REFUSED,
        /** None, or that of a CE that failed: the operation happened, will happen, or never happens. */
        NONE
    }

    /** The text of a failed job without one. */
    static final String NO_REASON = "no reason";

    static final Answer DONE = of(Kind.DONE, "");
    static final Answer WRONG_STATE = of(Kind.WRONG_STATE, "");
    static final Answer UNKNOWN_JOB = of(Kind.UNKNOWN_JOB, "");
    static final Answer UNKNOWN_LEASE = of(Kind.UNKNOWN_LEASE, "");

    static Answer of(Kind kind, String text) {
        return new Answer(kind, text, Set.of(), List.of(), List.of(), MessagePage.EMPTY);
    }

    static Answer state(JobState first, JobState... more) {
        Set<JobState> states = EnumSet.of(first, more);
        return new Answer(Kind.STATE, "", states, List.of(), List.of(), MessagePage.EMPTY);
    }

    /** A failed job. */
    static Answer failed(String reason) {
        String text = reason.isBlank() || reason.equals("N/A") ? NO_REASON : reason;
        return new Answer(Kind.STATE, text, EnumSet.of(JobState.DONE_FAILED), List.of(), List.of(), MessagePage.EMPTY);
    }

    static Answer jobs(List<String> ids) {
        return new Answer(Kind.JOBS, "", Set.of(), ids, List.of(), MessagePage.EMPTY);
    }

    static Answer events(List<SeenEvent> events) {
        return new Answer(Kind.EVENTS, "", Set.of(), List.of(), events, MessagePage.EMPTY);
    }

    static Answer messages(MessagePage page) {
        return new Answer(Kind.MESSAGES, "", Set.of(), List.of(), List.of(), page);
    }

    static Answer none(String why) {
        return of(Kind.NONE, why);
    }

    boolean isKnown() {
        return kind != Kind.NONE;
    }

    /** Whether it is a state that the job cannot leave; false where it may stand for another. */
    boolean isFinal() {
        return kind == Kind.STATE && states.stream().allMatch(JobState::isFinal);
    }

    @Override
    public String toString() {
        String words = switch (kind) {
            case STATE ->
                states.stream()
                                .sorted(Comparator.naturalOrder())
                                .map(JobState::wireName)
                                .collect(Collectors.joining(" or "))
                        + (text.isEmpty() ? "" : " (" + text + ")");
            case JOBS -> String.join(" ", jobs);
            case EVENTS ->
                events.stream()
                        .map(e -> e.id() + ":" + e.job() + ":" + e.state().wireName())
                        .collect(Collectors.joining(" "));
            case MESSAGES -> page.toString();
            default -> text;
        };
        return words.isEmpty() ? kind.toString() : kind + " " + words;
    }
}
