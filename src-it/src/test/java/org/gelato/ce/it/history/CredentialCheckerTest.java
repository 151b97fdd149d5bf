package org.gelato.ce.it.history;

import static org.gelato.ce.it.history.HandMade.ANN;
import static org.gelato.ce.it.history.HandMade.JOB;
import static org.gelato.ce.it.history.HistoryCheckerTest.legal;
import static org.gelato.ce.it.history.HistoryCheckerTest.lie;
import static org.gelato.ce.it.history.Operation.REGISTER;
import static org.gelato.ce.it.history.Operation.START;
import static org.gelato.ce.it.history.Operation.SUBMIT;

import org.gelato.ce.core.job.JobState;
import org.gelato.ce.it.history.Call.Validity;
import org.gelato.ce.it.history.Violation.Kind;
import org.gelato.ce.it.history.nemesis.Authority;
import org.gelato.ce.it.history.nemesis.FaultKind;
import org.junit.jupiter.api.Test;

class CredentialCheckerTest {
    private static final Answer REFUSED = Answer.of(Answer.Kind.REFUSED, "the delegation has ended");
    private static final Answer NOT_ADMITTED = Answer.of(Answer.Kind.NOT_ADMITTED, "certificate_expired");

    @Test
    void credentialsThatEndAreRefused() {
        legal(new HandMade()
                .done(REGISTER, JOB)
                .call(START, JOB, NOT_ADMITTED)
                .by(Validity.ENDED)
                .is(JOB, JobState.REGISTERED));
        // about to end, or by a clock that is wrong
        legal(new HandMade().done(REGISTER, JOB).by(Validity.ENDING));
        legal(new HandMade().done(REGISTER, JOB).by(Validity.ENDED).during(FaultKind.CE_CLOCK_MOVED));
        legal(new HandMade().call(REGISTER, null, NOT_ADMITTED).during(FaultKind.CE_CLOCK_MOVED));
        legal(new HandMade().call(SUBMIT, null, REFUSED).by(Validity.ENDED));
    }

    @Test
    void credentialsThatCountAfterTheirEndAreFound() {
        lie(new HandMade().done(REGISTER, JOB).by(Validity.ENDED), Kind.ADMITTED);
        lie(new HandMade().list().by(Validity.ENDED), Kind.ADMITTED);
        // a start without an answer, which must not take effect
        lie(
                new HandMade()
                        .done(REGISTER, JOB)
                        .lost(START, JOB)
                        .by(Validity.ENDED)
                        .ran(JOB, 1),
                Kind.DOUBLED);
        lie(
                new HandMade()
                        .done(REGISTER, JOB)
                        .call(START, JOB, NOT_ADMITTED)
                        .by(Validity.ENDED)
                        .is(JOB, JobState.PENDING),
                Kind.UNEXPLAINED);
    }

    @Test
    void validCredentialsThatAreRefusedAreFound() {
        lie(new HandMade().call(REGISTER, null, NOT_ADMITTED), Kind.REFUSED);
        lie(new HandMade().call(REGISTER, null, REFUSED), Kind.REFUSED);
    }

    @Test
    void aJobMayEndWithItsDelegation() {
        HandMade mortal = new HandMade()
                .call(ANN, SUBMIT, JOB, "k~", Answer.DONE)
                .endless(JOB)
                .ran(JOB, 1);
        legal(mortal.closed().is(JOB, JobState.DONE_FAILED));
        HandMade still = new HandMade()
                .call(ANN, SUBMIT, JOB, "k~", Answer.DONE)
                .endless(JOB)
                .ran(JOB, 1);
        lie(still.closed().is(JOB, JobState.REALLY_RUNNING), Kind.LOST);
    }

    @Test
    void aJobThatIsNotStartedIsCancelledByTheEndOfItsDelegationAlone() {
        legal(new HandMade()
                .call(ANN, REGISTER, JOB, "k~", Answer.DONE)
                .is(JOB, JobState.REGISTERED)
                .is(JOB, JobState.CANCELLED)
                .call(START, JOB, Answer.WRONG_STATE));
        lie(
                new HandMade()
                        .call(ANN, REGISTER, JOB, "k", Answer.DONE)
                        .is(JOB, JobState.REGISTERED)
                        .is(JOB, JobState.CANCELLED),
                Kind.UNEXPLAINED);
        lie(
                new HandMade()
                        .call(ANN, REGISTER, JOB, "k~", Answer.DONE)
                        .is(JOB, JobState.REGISTERED)
                        .is(JOB, JobState.IDLE),
                Kind.UNEXPLAINED);
    }

    // ---- authorities

    private static HandMade of(Authority authority) {
        return new HandMade().vouches(authority, ANN).done(REGISTER, JOB);
    }

    @Test
    void tokensAreJudgedByTheirEndsAndByClocks() {
        legal(of(Authority.ISSUER).call(START, JOB, NOT_ADMITTED).by(Validity.ENDED));
        legal(of(Authority.ISSUER).call(START, JOB, NOT_ADMITTED).during(FaultKind.CE_CLOCK_MOVED));
        lie(of(Authority.ISSUER).is(JOB, JobState.REGISTERED).by(Validity.ENDED), Kind.ADMITTED);
        lie(of(Authority.ISSUER).call(START, JOB, NOT_ADMITTED), Kind.REFUSED);
        // what becomes of CAs does not concern them
        lie(of(Authority.ISSUER).call(START, JOB, NOT_ADMITTED).during(FaultKind.CRL_ENDED), Kind.REFUSED);
        lie(of(Authority.ISSUER).list(JOB).by(Validity.ENDED).during(FaultKind.CRL_ENDED), Kind.ADMITTED);
        lie(of(Authority.ISSUER).call(START, JOB, NOT_ADMITTED).away(1), Kind.REFUSED);
    }

    @Test
    void usersOfACaThatIsAwayAreRefusedAndNobodyElse() {
        legal(of(Authority.OTHER_CA)
                .call(START, JOB, NOT_ADMITTED)
                .call(START, JOB, NOT_ADMITTED)
                .away(2)
                .is(JOB, JobState.REGISTERED));
        // just before and after nobody knows
        legal(of(Authority.OTHER_CA)
                .call(START, JOB, NOT_ADMITTED)
                .during(FaultKind.CA_REMOVED)
                .is(JOB, JobState.REGISTERED)
                .during(FaultKind.CA_REMOVED));
        lie(of(Authority.OTHER_CA).is(JOB, JobState.REGISTERED).away(1), Kind.ADMITTED);
        lie(
                of(Authority.OTHER_CA)
                        .call(START, JOB, NOT_ADMITTED)
                        .away(1)
                        .list(JOB)
                        .call(START, JOB, NOT_ADMITTED),
                Kind.REFUSED);
        lie(of(Authority.CA).call(START, JOB, NOT_ADMITTED).away(1), Kind.REFUSED);
        legal(of(Authority.CA).is(JOB, JobState.REGISTERED).away(1));
        // a start that was refused, and took effect
        lie(of(Authority.OTHER_CA).call(START, JOB, NOT_ADMITTED).away(1).is(JOB, JobState.PENDING), Kind.UNEXPLAINED);
    }
}
