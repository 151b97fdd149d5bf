package org.gelato.ce.it.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.gelato.ce.core.job.JobState;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
    private static final String JOB = HandMade.JOB;
    private static final String OTHER = HandMade.OTHER;

    private static History small(HandMade made) {
        History whole = made.history();
        Violation violation = HistoryChecker.check(whole).get(0);
        History small = Shrinker.shrink(whole, violation);
        assertThat(HistoryChecker.check(small))
                .extracting(Violation::kind, Violation::job)
                .contains(tuple(violation.kind(), violation.job()));
        return small;
    }

    private static List<Operation> operations(History history) {
        return history.calls().stream().map(Call::operation).toList();
    }

    @Test
    void otherJobsAndWhatExplainsNothingGo() {
        History small = small(new HandMade()
                .done(Operation.REGISTER, OTHER)
                .done(Operation.SUBMIT, JOB)
                .is(JOB, JobState.PENDING)
                .is(JOB, JobState.IDLE)
                .done(Operation.START, OTHER)
                .call(Operation.START, JOB, Answer.WRONG_STATE)
                .is(JOB, JobState.RUNNING)
                .list(JOB, OTHER)
                .is(OTHER, JobState.IDLE)
                .lost(Operation.CANCEL, JOB)
                .is(JOB, JobState.IDLE)
                .list(JOB, OTHER));
        assertThat(operations(small))
                .containsExactly(Operation.SUBMIT, Operation.STATUS, Operation.CANCEL, Operation.STATUS);
        assertThat(small.calls()).extracting(Call::job).containsOnly(JOB);
    }

    /** Without the start each answer of a running job would be a lie, and another one than that which was found. */
    @Test
    void whatExplainsStays() {
        History small = small(new HandMade()
                .done(Operation.REGISTER, JOB)
                .lost(Operation.START, JOB)
                .is(JOB, JobState.RUNNING)
                .is(JOB, JobState.REGISTERED)
                .ran(JOB, 1));
        assertThat(operations(small))
                .containsExactly(Operation.REGISTER, Operation.START, Operation.STATUS, Operation.STATUS);
    }

    @Test
    void aDoubledPayloadNeedsItsRegistrationAlone() {
        History small = small(new HandMade()
                .done(Operation.SUBMIT, JOB)
                .done(Operation.SUBMIT, OTHER)
                .is(JOB, JobState.DONE_OK)
                .list(JOB, OTHER)
                .ran(JOB, 2)
                .ran(OTHER, 1));
        assertThat(operations(small)).containsExactly(Operation.SUBMIT);
        assertThat(small.runs()).containsOnlyKeys(JOB);
    }

    @Test
    void eventsOfOthersGo() {
        History small = small(new HandMade()
                .done(Operation.SUBMIT, JOB)
                .done(Operation.SUBMIT, OTHER)
                .ran(JOB, 1)
                .events(
                        0,
                        new SeenEvent(1, JOB, JobState.REGISTERED),
                        new SeenEvent(2, OTHER, JobState.REGISTERED),
                        new SeenEvent(4, JOB, JobState.IDLE))
                .events(5)
                .events(
                        0,
                        new SeenEvent(1, JOB, JobState.REGISTERED),
                        new SeenEvent(2, OTHER, JobState.REGISTERED),
                        new SeenEvent(3, JOB, JobState.PENDING),
                        new SeenEvent(4, JOB, JobState.IDLE)));
        assertThat(operations(small)).containsExactly(Operation.SUBMIT, Operation.EVENTS, Operation.EVENTS);
        assertThat(small.calls().stream()
                        .flatMap(c -> c.answer().events().stream())
                        .map(SeenEvent::job))
                .containsOnly(JOB);
    }

    @Test
    void aHistoryIsWrittenForPeople() {
        HandMade made = new HandMade().done(Operation.REGISTER, JOB).unknown(JOB);
        assertThat(made.history().text(made.check()))
                .contains(
                        "-Dgelato.history.seed=1",
                        "LOST " + JOB,
                        "#2 [3,4] c of Ann: STATUS " + JOB + " -> UNKNOWN_JOB");
    }
}
