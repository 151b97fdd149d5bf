package org.gelato.ce.it.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.it.history.HandMade.ANN;
import static org.gelato.ce.it.history.HandMade.BEN;
import static org.gelato.ce.it.history.HandMade.JOB;
import static org.gelato.ce.it.history.HandMade.OTHER;
import static org.gelato.ce.it.history.Operation.CANCEL;
import static org.gelato.ce.it.history.Operation.CLEAN;
import static org.gelato.ce.it.history.Operation.KILL;
import static org.gelato.ce.it.history.Operation.LIST;
import static org.gelato.ce.it.history.Operation.MESSAGES;
import static org.gelato.ce.it.history.Operation.PURGE;
import static org.gelato.ce.it.history.Operation.REGISTER;
import static org.gelato.ce.it.history.Operation.RENEW;
import static org.gelato.ce.it.history.Operation.RESUME;
import static org.gelato.ce.it.history.Operation.START;
import static org.gelato.ce.it.history.Operation.STATUS;
import static org.gelato.ce.it.history.Operation.SUBMIT;
import static org.gelato.ce.it.history.Operation.SUSPEND;

import java.util.List;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.it.history.Violation.Kind;
import org.junit.jupiter.api.Test;

class HistoryCheckerTest {
    private static HandMade life() {
        return new HandMade()
                .done(REGISTER, JOB)
                .is(JOB, JobState.REGISTERED)
                .done(START, JOB)
                .is(JOB, JobState.IDLE)
                .is(JOB, JobState.REALLY_RUNNING)
                .ran(JOB, 1);
    }

    static void legal(HandMade made) {
        assertThat(made.check()).isEmpty();
    }

    static void lie(HandMade made, Kind... kinds) {
        assertThat(made.check()).extracting(Violation::kind).containsExactly(kinds);
    }

    // ---- histories that can be

    @Test
    void aWholeLifeCanBe() {
        legal(life().is(JOB, JobState.DONE_OK)
                .list(JOB)
                .call(START, JOB, Answer.WRONG_STATE)
                .call(CANCEL, JOB, Answer.WRONG_STATE)
                .call(SUSPEND, JOB, Answer.WRONG_STATE)
                .done(PURGE, JOB)
                .is(JOB, JobState.DONE_OK)
                .unknown(JOB)
                .call(PURGE, JOB, Answer.UNKNOWN_JOB)
                .list());
    }

    @Test
    void aJobOfArcCanBe() {
        legal(new HandMade()
                .done(SUBMIT, JOB)
                .is(JOB, JobState.RUNNING, JobState.REALLY_RUNNING)
                .call(CLEAN, JOB, Answer.WRONG_STATE)
                .done(KILL, JOB)
                .done(CLEAN, JOB)
                .is(JOB, JobState.RUNNING, JobState.REALLY_RUNNING)
                .is(JOB, JobState.CANCELLED)
                .unknown(JOB)
                .endless(JOB)
                .ran(JOB, 1));
    }

    @Test
    void aHeldJobCanGoOn() {
        legal(new HandMade()
                .done(SUBMIT, JOB)
                .is(JOB, JobState.IDLE)
                .done(SUSPEND, JOB)
                .is(JOB, JobState.HELD)
                .call(SUSPEND, JOB, Answer.WRONG_STATE)
                .done(RESUME, JOB)
                .is(JOB, JobState.IDLE)
                .is(JOB, JobState.DONE_OK)
                .ran(JOB, 1));
    }

    @Test
    void anOperationWithoutAnswerMayHappenLateOrNever() {
        legal(new HandMade()
                .done(REGISTER, JOB)
                .lost(START, JOB)
                .is(JOB, JobState.REGISTERED)
                .is(JOB, JobState.RUNNING)
                .ran(JOB, 1));
        legal(new HandMade().done(REGISTER, JOB).lost(START, JOB).is(JOB, JobState.REGISTERED));
        legal(new HandMade()
                .done(REGISTER, JOB)
                .lost(PURGE, JOB)
                .is(JOB, JobState.REGISTERED)
                .unknown(JOB));
    }

    @Test
    void operationsUnderWayTogetherHappenInEitherOrder() {
        // the purge took effect first, though it began later
        legal(new HandMade()
                .done(REGISTER, JOB)
                .call(START, JOB, Answer.UNKNOWN_JOB)
                .done(PURGE, JOB)
                .overlapping());
        legal(new HandMade()
                .done(REGISTER, JOB)
                .done(START, JOB)
                .is(JOB, JobState.REGISTERED)
                .overlapping());
    }

    @Test
    void aRegistrationWithoutAnswerMayHaveMadeAJob() {
        legal(new HandMade().lost(REGISTER, null).list(JOB).list(JOB).is(JOB, JobState.REGISTERED));
        legal(new HandMade().lost(SUBMIT, null).list(JOB).ran(JOB, 1));
        legal(new HandMade()
                .call(ANN, REGISTER, null, "one key", Answer.none("broken"))
                .list(JOB)
                .call(ANN, REGISTER, JOB, "one key", Answer.DONE));
    }

    @Test
    void whatTheBatchSystemForgotMayFail() {
        legal(new HandMade().done(SUBMIT, JOB).forgotten().closed().is(JOB, JobState.DONE_FAILED));
    }

    @Test
    void aFailureHasItsReason() {
        HandMade forgotten = new HandMade().done(SUBMIT, JOB).forgotten();
        legal(forgotten.call(STATUS, JOB, Answer.failed("the batch system does not know it")));
        lie(forgotten.call(STATUS, JOB, Answer.failed("")), Kind.UNEXPLAINED);
    }

    @Test
    void whatLostItsShadowMayFail() {
        legal(life().shadowsKilled(JOB).closed().is(JOB, JobState.DONE_FAILED));
    }

    @Test
    void anEndThatIsCorrectedCanBe() {
        legal(life().done(CANCEL, JOB).is(JOB, JobState.DONE_OK).is(JOB, JobState.CANCELLED));
    }

    @Test
    void eventsOfAPurgedJobMayBeMissing() {
        legal(life().is(JOB, JobState.DONE_OK)
                .done(REGISTER, OTHER)
                .events(0, event(1, JOB, JobState.REGISTERED), event(9, OTHER, JobState.REGISTERED))
                .done(PURGE, JOB)
                .events(0, event(9, OTHER, JobState.REGISTERED))
                .unknown(JOB));
    }

    @Test
    void eventsThatAreALifeCanBe() {
        legal(life().is(JOB, JobState.DONE_OK)
                .closed()
                .is(JOB, JobState.DONE_OK)
                .events(0, whole()));
    }

    private static SeenEvent event(long id, String job, JobState state) {
        return new SeenEvent(id, job, state);
    }

    private static SeenEvent[] whole() {
        return new SeenEvent[] {
            event(1, JOB, JobState.REGISTERED),
            event(3, JOB, JobState.PENDING),
            event(4, JOB, JobState.IDLE),
            event(7, JOB, JobState.REALLY_RUNNING),
            event(8, JOB, JobState.DONE_OK)
        };
    }

    // ---- lies

    @Test
    void aLostJobIsFound() {
        lie(new HandMade().done(REGISTER, JOB).unknown(JOB), Kind.LOST);
        lie(new HandMade().done(REGISTER, JOB).list(), Kind.LOST);
        lie(life().is(JOB, JobState.DONE_OK).unknown(JOB), Kind.LOST);
        lie(new HandMade().done(REGISTER, JOB).call(PURGE, JOB, Answer.WRONG_STATE), Kind.UNEXPLAINED);
        // the start was refused, so the purge is no reason
        lie(
                new HandMade()
                        .done(SUBMIT, JOB)
                        .call(PURGE, JOB, Answer.WRONG_STATE)
                        .unknown(JOB),
                Kind.LOST);
    }

    @Test
    void aJobThatNeverEndsIsFound() {
        lie(life().closed().is(JOB, JobState.REALLY_RUNNING), Kind.LOST);
        lie(new HandMade().done(SUBMIT, JOB).closed().is(JOB, JobState.PENDING), Kind.LOST);
    }

    @Test
    void anEndWithoutReasonIsFound() {
        lie(life().is(JOB, JobState.DONE_FAILED), Kind.UNEXPLAINED);
        lie(life().is(JOB, JobState.ABORTED), Kind.UNEXPLAINED);
        lie(life().is(JOB, JobState.CANCELLED), Kind.UNEXPLAINED);
        lie(life().endless(JOB).is(JOB, JobState.DONE_OK), Kind.UNEXPLAINED);
        lie(life().shadowsKilled(OTHER).is(JOB, JobState.DONE_FAILED), Kind.UNEXPLAINED);
        // forgotten before it was there
        lie(new HandMade().forgotten().done(SUBMIT, JOB).is(JOB, JobState.DONE_FAILED), Kind.UNEXPLAINED);
    }

    @Test
    void aDoubledPayloadIsFound() {
        lie(life().is(JOB, JobState.DONE_OK).ran(JOB, 2), Kind.DOUBLED);
        lie(life().shadowsKilled(JOB).is(JOB, JobState.DONE_FAILED).ran(JOB, 2), Kind.DOUBLED);
    }

    @Test
    void aRunWithoutStartIsFound() {
        lie(new HandMade().done(REGISTER, JOB).ran(JOB, 1), Kind.DOUBLED);
        lie(
                new HandMade()
                        .done(REGISTER, JOB)
                        .done(CANCEL, JOB)
                        .lost(START, JOB)
                        .ran(JOB, 1),
                Kind.DOUBLED);
        lie(new HandMade().lost(REGISTER, null).list(JOB).ran(JOB, 1), Kind.DOUBLED, Kind.DOUBLED);
    }

    @Test
    void doneWithoutARunIsFound() {
        lie(new HandMade().done(SUBMIT, JOB).is(JOB, JobState.DONE_OK), Kind.LOST);
    }

    @Test
    void aStateThatGoesBackIsFound() {
        lie(life().is(JOB, JobState.IDLE), Kind.UNEXPLAINED);
        lie(life().is(JOB, JobState.DONE_OK).is(JOB, JobState.REALLY_RUNNING), Kind.UNEXPLAINED);
        lie(life().is(JOB, JobState.DONE_OK).call(CANCEL, JOB, Answer.DONE), Kind.UNEXPLAINED);
        lie(new HandMade().done(SUBMIT, JOB).is(JOB, JobState.REGISTERED), Kind.UNEXPLAINED);
        lie(life().is(JOB, JobState.HELD), Kind.UNEXPLAINED);
        lie(life().call(START, JOB, Answer.DONE), Kind.UNEXPLAINED);
    }

    @Test
    void anAnswerAfterThePurgeIsFound() {
        HandMade gone = life().is(JOB, JobState.DONE_OK).done(PURGE, JOB).unknown(JOB);
        lie(gone.is(JOB, JobState.DONE_OK), Kind.UNEXPLAINED);
        HandMade listed = life().is(JOB, JobState.DONE_OK).done(PURGE, JOB).list();
        lie(listed.list(JOB), Kind.UNEXPLAINED);
    }

    @Test
    void aPurgeThatLeavesTheJobIsFound() {
        lie(life().is(JOB, JobState.DONE_OK).done(PURGE, JOB).closed().is(JOB, JobState.DONE_OK), Kind.NOT_PURGED);
    }

    @Test
    void aCancelThatIsIgnoredIsFound() {
        // nothing had started: it is cancelled at once
        lie(new HandMade().done(REGISTER, JOB).done(CANCEL, JOB).is(JOB, JobState.REGISTERED), Kind.UNEXPLAINED);
        lie(new HandMade().done(REGISTER, JOB).done(CANCEL, JOB).done(START, JOB), Kind.UNEXPLAINED);
        lie(life().endless(JOB).done(CANCEL, JOB).closed().is(JOB, JobState.REALLY_RUNNING), Kind.LOST);
        lie(life().endless(JOB).call(CANCEL, JOB, Answer.WRONG_STATE), Kind.UNEXPLAINED);
    }

    @Test
    void twoJobsOfOneKeyAreFound() {
        lie(
                new HandMade()
                        .call(ANN, REGISTER, JOB, "one key", Answer.DONE)
                        .call(ANN, REGISTER, OTHER, "one key", Answer.DONE),
                Kind.DOUBLED);
    }

    @Test
    void aJobOfNobodyIsFound() {
        assertThat(new HandMade().done(REGISTER, JOB).list(JOB, OTHER).check())
                .extracting(Violation::kind)
                .contains(Kind.STRANGER);
        assertThat(new HandMade().lost(SUBMIT, null).list(JOB, OTHER).check())
                .extracting(Violation::kind)
                .containsExactly(Kind.STRANGER);
        lie(
                new HandMade().done(REGISTER, JOB).call(BEN, STATUS, JOB, "", Answer.state(JobState.REGISTERED)),
                Kind.STRANGER);
        lie(new HandMade().done(REGISTER, JOB).call(BEN, LIST, null, "", Answer.jobs(List.of(JOB))), Kind.STRANGER);
    }

    @Test
    void aRefusalWithoutReasonIsFound() {
        lie(new HandMade().call(RENEW, null, Answer.of(Answer.Kind.REFUSED, "no such delegation")), Kind.REFUSED);
        lie(new HandMade().done(REGISTER, JOB).call(START, JOB, Answer.WRONG_STATE), Kind.UNEXPLAINED);
    }

    @Test
    void eventsOutOfOrderAreFound() {
        lie(life().events(0, event(4, JOB, JobState.IDLE), event(3, JOB, JobState.PENDING)), Kind.EVENT_ORDER);
        lie(
                life().events(0, event(4, JOB, JobState.IDLE)).events(4, event(4, JOB, JobState.PENDING)),
                Kind.EVENT_ORDER);
        lie(life().events(5, event(4, JOB, JobState.IDLE)), Kind.EVENT_ORDER);
    }

    @Test
    void anEventThatWasSkippedIsFound() {
        lie(
                life().events(0, event(1, JOB, JobState.REGISTERED), event(4, JOB, JobState.IDLE))
                        .events(3, event(3, JOB, JobState.PENDING), event(4, JOB, JobState.IDLE)),
                Kind.EVENT_GAP);
        lie(
                life().is(JOB, JobState.DONE_OK)
                        .events(0, whole())
                        .done(REGISTER, OTHER)
                        .events(0, event(1, JOB, JobState.REGISTERED), event(9, OTHER, JobState.REGISTERED)),
                Kind.EVENT_GAP,
                Kind.EVENT_GAP,
                Kind.EVENT_GAP,
                Kind.EVENT_GAP);
        lie(new HandMade().done(REGISTER, JOB).closed().events(0), Kind.EVENT_GAP);
    }

    @Test
    void eventsThatAreNoLifeAreFound() {
        HandMade without = life().is(JOB, JobState.DONE_OK).closed().is(JOB, JobState.DONE_OK);
        lie(without.events(0, event(1, JOB, JobState.REGISTERED), event(8, JOB, JobState.DONE_OK)), Kind.EVENT_STATES);
        HandMade back = new HandMade().done(SUBMIT, JOB).ran(JOB, 1).closed();
        lie(
                back.events(
                        0,
                        event(1, JOB, JobState.REGISTERED),
                        event(2, JOB, JobState.PENDING),
                        event(3, JOB, JobState.RUNNING),
                        event(4, JOB, JobState.IDLE)),
                Kind.EVENT_STATES);
        // an answer that no event has
        HandMade unseen = life().is(JOB, JobState.DONE_OK).closed();
        lie(
                unseen.events(
                        0,
                        event(1, JOB, JobState.REGISTERED),
                        event(2, JOB, JobState.PENDING),
                        event(4, JOB, JobState.IDLE),
                        event(8, JOB, JobState.DONE_OK)),
                Kind.EVENT_STATES);
        HandMade unended = life().closed().is(JOB, JobState.DONE_OK);
        lie(
                unended.events(
                        0,
                        event(1, JOB, JobState.REGISTERED),
                        event(2, JOB, JobState.PENDING),
                        event(4, JOB, JobState.IDLE),
                        event(5, JOB, JobState.REALLY_RUNNING)),
                Kind.EVENT_STATES,
                Kind.EVENT_STATES);
    }

    @Test
    void usageThatDisagreesIsFound() {
        legal(life().closed().is(JOB, JobState.DONE_OK).used(JOB, JobState.DONE_OK, true));
        lie(life().closed().is(JOB, JobState.DONE_OK).used(OTHER, JobState.CANCELLED, false), Kind.USAGE);
        lie(
                life().is(JOB, JobState.DONE_OK).done(PURGE, JOB).unknown(JOB).used(OTHER, JobState.CANCELLED, false),
                Kind.USAGE);
        lie(life().closed().is(JOB, JobState.DONE_OK).used(JOB, JobState.CANCELLED, true), Kind.USAGE);
        lie(life().closed().is(JOB, JobState.DONE_OK).used(JOB, JobState.DONE_OK, false), Kind.USAGE);
    }

    // ---- messages

    private static HandMade talking(JobState end) {
        return life().says(JOB, 3).closed().is(JOB, end);
    }

    private static MessagePage.Seen message(long id, String job, int number) {
        return new MessagePage.Seen(id, job, number, job + " " + number);
    }

    @Test
    void messagesInTheirPlacesCanBe() {
        legal(life().says(JOB, 3)
                .messages(JOB, 0, false, message(4, JOB, 1))
                .messages(null, 0, false, message(4, JOB, 1), message(6, JOB, 2))
                .messages(JOB, 6, false)
                .is(JOB, JobState.DONE_OK)
                .closed()
                .is(JOB, JobState.DONE_OK)
                .messages(JOB, 0, true, message(4, JOB, 1), message(6, JOB, 2), message(9, JOB, 3)));
        legal(life().says(JOB, 3)
                .messages(JOB, 0, false, message(4, JOB, 1), message(5, JOB, 2))
                .lost(PURGE, JOB)
                .messages(JOB, 0, false, message(5, JOB, 2)));
    }

    @Test
    void messagesThatAreSkippedAreFound() {
        lie(talking(JobState.DONE_OK).messages(JOB, 0, true, message(1, JOB, 1)), Kind.MESSAGE_GAP);
        lie(life().messages(JOB, 0, false, message(2, JOB, 2)), Kind.MESSAGE_GAP);
        lie(life().messages(JOB, 1, false, message(2, JOB, 2), message(4, JOB, 4)), Kind.MESSAGE_GAP);
        // seen before, and passed over
        lie(life().messages(JOB, 0, false, message(2, JOB, 1)).messages(null, 0, false), Kind.MESSAGE_GAP);
        lie(
                life().messages(JOB, 3, false, message(5, JOB, 2))
                        .messages(JOB, 0, false, message(3, JOB, 1))
                        .messages(JOB, 1, false, message(5, JOB, 2)),
                Kind.MESSAGE_GAP,
                Kind.MESSAGE_GAP);
    }

    @Test
    void messagesInWrongPlacesAreFound() {
        lie(
                life().messages(JOB, 0, false, message(1, JOB, 1), message(2, JOB, 1)),
                Kind.MESSAGE_ORDER,
                Kind.MESSAGE_ORDER);
        lie(life().messages(JOB, 0, false, new MessagePage.Seen(1, JOB, 1, "else")), Kind.MESSAGE_ORDER);
        lie(life().done(REGISTER, OTHER).messages(JOB, 0, false, message(1, OTHER, 1)), Kind.MESSAGE_ORDER);
        lie(
                life().messages(JOB, 0, true, message(1, JOB, 1)).messages(JOB, 1, true, message(2, JOB, 2)),
                Kind.MESSAGE_ORDER);
        lie(
                life().call(
                                BEN,
                                MESSAGES,
                                null,
                                "0",
                                Answer.messages(new MessagePage(List.of(message(1, JOB, 1)), 1, false, false))),
                Kind.STRANGER);
    }
}
