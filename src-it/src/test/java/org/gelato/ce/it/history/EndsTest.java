package org.gelato.ce.it.history;

import static org.gelato.ce.it.history.HandMade.ANN;
import static org.gelato.ce.it.history.HandMade.JOB;
import static org.gelato.ce.it.history.HistoryCheckerTest.legal;
import static org.gelato.ce.it.history.HistoryCheckerTest.lie;
import static org.gelato.ce.it.history.Operation.LEASE_BRIEFLY;
import static org.gelato.ce.it.history.Operation.LEASE_LONG;
import static org.gelato.ce.it.history.Operation.REGISTER;
import static org.gelato.ce.it.history.Operation.START;
import static org.gelato.ce.it.history.Operation.SUBMIT;
import static org.gelato.ce.it.history.Operation.UNLEASE;

import org.gelato.ce.core.job.JobState;
import org.gelato.ce.it.history.Violation.Kind;
import org.gelato.ce.it.history.nemesis.FaultKind;
import org.junit.jupiter.api.Test;

/** What the model has of the ends of leases and delegations. */
class EndsTest {
    private static HandMade leased(Operation made) {
        return new HandMade()
                .leased(made, "one")
                .done(SUBMIT, JOB)
                .endless(JOB)
                .ran(JOB, 1)
                .attached(JOB, "one");
    }

    @Test
    void aLeaseThatRunsOutCancelsItsJob() {
        legal(leased(LEASE_BRIEFLY)
                .is(JOB, JobState.REALLY_RUNNING)
                .leased(UNLEASE, null, "one", Answer.UNKNOWN_LEASE)
                .is(JOB, JobState.CANCELLED));
        // the renewal came too late for the cancel, or in time
        legal(leased(LEASE_BRIEFLY).leased(LEASE_LONG, "one").is(JOB, JobState.CANCELLED));
        legal(leased(LEASE_BRIEFLY).leased(LEASE_LONG, "one").is(JOB, JobState.REALLY_RUNNING));
        legal(leased(LEASE_LONG)
                .leased(LEASE_BRIEFLY, null, "one", Answer.none(""))
                .is(JOB, JobState.CANCELLED));
        // a lease that had run out did not take the place of the one before
        legal(leased(LEASE_BRIEFLY)
                .leased(UNLEASE, null, "two", Answer.UNKNOWN_LEASE)
                .attached(JOB, "two")
                .is(JOB, JobState.CANCELLED));
    }

    @Test
    void aRegisteredJobOutlivesItsLease() {
        HandMade registered =
                new HandMade().done(REGISTER, JOB).leased(LEASE_BRIEFLY, "one").attached(JOB, "one");
        registered.leased(UNLEASE, null, "one", Answer.UNKNOWN_LEASE).is(JOB, JobState.REGISTERED);
        legal(registered.done(START, JOB).is(JOB, JobState.CANCELLED));
        lie(
                new HandMade()
                        .done(REGISTER, JOB)
                        .leased(LEASE_BRIEFLY, "one")
                        .attached(JOB, "one")
                        .is(JOB, JobState.CANCELLED),
                Kind.UNEXPLAINED);
    }

    @Test
    void aCancelOfNoLeaseIsFound() {
        lie(leased(LEASE_LONG).is(JOB, JobState.CANCELLED), Kind.UNEXPLAINED);
        lie(leased(LEASE_LONG).leased(UNLEASE, "one").is(JOB, JobState.CANCELLED), Kind.UNEXPLAINED);
        lie(
                new HandMade().leased(LEASE_BRIEFLY, "one").done(SUBMIT, JOB).is(JOB, JobState.CANCELLED),
                Kind.UNEXPLAINED);
        // it had no lease any more when the lease ran out
        HandMade detached = leased(LEASE_BRIEFLY).is(JOB, JobState.REALLY_RUNNING);
        detached.leased(UNLEASE, "one").leased(LEASE_BRIEFLY, "one");
        lie(detached.is(JOB, JobState.CANCELLED), Kind.UNEXPLAINED);
    }

    @Test
    void aLeaseThatEndsAndCancelsNothingIsFound() {
        lie(leased(LEASE_BRIEFLY).closed().is(JOB, JobState.REALLY_RUNNING), Kind.LOST);
        // of the job, and of the leases
        lie(leased(LEASE_LONG).leased(UNLEASE, null, "one", Answer.UNKNOWN_LEASE), Kind.UNEXPLAINED, Kind.UNEXPLAINED);
        lie(new HandMade().leased(LEASE_LONG, "one").leased(UNLEASE, "one").leased(UNLEASE, "one"), Kind.UNEXPLAINED);
    }

    private static HandMade born(Operation made) {
        return new HandMade()
                .leased(made, "one")
                .call(ANN, SUBMIT, JOB, "k@one", Answer.DONE)
                .endless(JOB)
                .ran(JOB, 1)
                .is(JOB, JobState.REALLY_RUNNING);
    }

    @Test
    void aJobMayBeRegisteredWithALease() {
        legal(born(LEASE_BRIEFLY).is(JOB, JobState.CANCELLED));
        legal(born(LEASE_LONG).leased(UNLEASE, "one"));
        // refused, as the lease had run out: also the same key once more
        legal(new HandMade()
                .leased(LEASE_BRIEFLY, "one")
                .call(ANN, SUBMIT, null, "k@one", Answer.UNKNOWN_LEASE)
                .list());
        legal(new HandMade()
                .call(ANN, SUBMIT, null, "k@one", Answer.none("broken"))
                .leased(LEASE_LONG, "one")
                .call(ANN, SUBMIT, null, "k@one", Answer.UNKNOWN_LEASE));
        legal(new HandMade()
                .leased(LEASE_BRIEFLY, "one")
                .call(ANN, SUBMIT, null, "k@one", Answer.none("broken"))
                .leased(UNLEASE, null, "one", Answer.UNKNOWN_LEASE)
                .call(ANN, SUBMIT, JOB, "k@one", Answer.DONE)
                .endless(JOB)
                .is(JOB, JobState.CANCELLED));
    }

    @Test
    void aRegistrationThatIgnoresItsLeaseIsFound() {
        lie(born(LEASE_LONG).is(JOB, JobState.CANCELLED), Kind.UNEXPLAINED);
        lie(born(LEASE_BRIEFLY).leased(UNLEASE, "one").is(JOB, JobState.CANCELLED), Kind.UNEXPLAINED);
        lie(born(LEASE_BRIEFLY).closed().is(JOB, JobState.REALLY_RUNNING), Kind.LOST);
        // there was none, of the job and of the leases
        lie(new HandMade().call(ANN, REGISTER, JOB, "k@one", Answer.DONE), Kind.UNEXPLAINED, Kind.UNEXPLAINED);
        lie(
                new HandMade().leased(LEASE_LONG, "one").call(ANN, REGISTER, null, "k@one", Answer.UNKNOWN_LEASE),
                Kind.UNEXPLAINED);
        // the key was refused
        lie(
                new HandMade()
                        .call(ANN, REGISTER, null, "k@one", Answer.none("broken"))
                        .call(ANN, REGISTER, null, "k@one", Answer.UNKNOWN_LEASE)
                        .list(JOB),
                Kind.UNEXPLAINED,
                Kind.STRANGER);
    }

    @Test
    void aLeaseThatAClockEndedMayBeThereAgain() {
        legal(new HandMade()
                .leased(LEASE_BRIEFLY, "one")
                .leased(UNLEASE, null, "one", Answer.UNKNOWN_LEASE)
                .during(FaultKind.CE_CLOCK_MOVED)
                .leased(UNLEASE, "one"));
        HandMade job = leased(LEASE_BRIEFLY).leased(UNLEASE, null, "one", Answer.UNKNOWN_LEASE);
        legal(job.during(FaultKind.CE_CLOCK_MOVED).leased(UNLEASE, "one").is(JOB, JobState.CANCELLED));
        // by another fault, or when the clock was right again
        lie(
                new HandMade()
                        .leased(LEASE_BRIEFLY, "one")
                        .leased(UNLEASE, null, "one", Answer.UNKNOWN_LEASE)
                        .during(FaultKind.CRL_ENDED)
                        .leased(UNLEASE, "one"),
                Kind.UNEXPLAINED);
        lie(
                new HandMade()
                        .leased(LEASE_BRIEFLY, "one")
                        .during(FaultKind.CE_CLOCK_MOVED)
                        .leased(UNLEASE, null, "one", Answer.UNKNOWN_LEASE)
                        .leased(UNLEASE, "one"),
                Kind.UNEXPLAINED);
    }

    // ---- delegations

    private static HandMade mortal(Operation operation) {
        return new HandMade()
                .call(ANN, operation, JOB, "k~d", Answer.DONE)
                .endless(JOB)
                .ran(JOB, operation == SUBMIT ? 1 : 0);
    }

    private static final Answer REFUSED = Answer.of(Answer.Kind.REFUSED, "not found");

    @Test
    void aDelegationThatEndsEndsItsJobs() {
        legal(mortal(SUBMIT).ends("d").is(JOB, JobState.DONE_FAILED));
        legal(mortal(SUBMIT)
                .ends("d")
                .renew("d", REFUSED)
                .by(Call.Validity.ENDING)
                .is(JOB, JobState.CANCELLED));
        legal(mortal(REGISTER).ends("d").is(JOB, JobState.CANCELLED));
        lie(mortal(SUBMIT).is(JOB, JobState.DONE_FAILED).ends("d"), Kind.UNEXPLAINED);
        lie(mortal(REGISTER).is(JOB, JobState.CANCELLED).ends("d"), Kind.UNEXPLAINED);
        // for a clock that was ahead
        legal(mortal(REGISTER)
                .is(JOB, JobState.CANCELLED)
                .during(FaultKind.CE_CLOCK_MOVED)
                .ends("d"));
    }

    @Test
    void aDelegationThatIsRenewedKeepsItsJobs() {
        legal(mortal(REGISTER).renew("d", Answer.DONE).ends("d").is(JOB, JobState.REGISTERED));
        legal(mortal(REGISTER).ends("d").renew("d", Answer.DONE).is(JOB, JobState.REGISTERED));
        lie(mortal(REGISTER).renew("d", Answer.DONE).ends("d").is(JOB, JobState.CANCELLED), Kind.UNEXPLAINED);
        lie(mortal(SUBMIT).renew("d", Answer.DONE).ends("d").is(JOB, JobState.DONE_FAILED), Kind.UNEXPLAINED);
        lie(mortal(SUBMIT).renew("d", Answer.DONE).ends("d").closed().is(JOB, JobState.REALLY_RUNNING), Kind.LOST);
        // its own copy had ended before
        legal(mortal(SUBMIT).ends("d").renew("d", Answer.DONE).is(JOB, JobState.DONE_FAILED));
        // nobody was told
        legal(mortal(SUBMIT).renew("d", Answer.none("broken")).ends("d").is(JOB, JobState.DONE_FAILED));
        legal(mortal(REGISTER).renew("d", Answer.none("broken")).ends("d").is(JOB, JobState.CANCELLED));
        legal(mortal(REGISTER).renew("d", Answer.none("broken")).ends("d").is(JOB, JobState.REGISTERED));
        // another one
        legal(mortal(REGISTER).renew("e", Answer.DONE).ends("d").is(JOB, JobState.CANCELLED));
    }

    @Test
    void aDelegationThatWasRemovedIsNotRenewed() {
        lie(mortal(REGISTER).ends("d").is(JOB, JobState.CANCELLED).renew("d", Answer.DONE), Kind.UNEXPLAINED);
        lie(
                mortal(REGISTER)
                        .ends("d")
                        .renew("d", REFUSED)
                        .by(Call.Validity.ENDING)
                        .renew("d", Answer.DONE),
                Kind.UNEXPLAINED);
        // it was asked for before, and made anew
        legal(mortal(REGISTER)
                .ends("d")
                .renew("d", Answer.DONE)
                .is(JOB, JobState.CANCELLED)
                .overlapping()
                .renew("d", Answer.DONE)
                .is(JOB, JobState.CANCELLED));
        // refused too early, also for a reason of its own
        lie(mortal(REGISTER).renew("d", REFUSED).ends("d"), Kind.UNEXPLAINED, Kind.REFUSED);
        legal(mortal(REGISTER).renew("d", REFUSED).during(FaultKind.CRL_ENDED).ends("d"));
        HandMade ahead = mortal(REGISTER).is(JOB, JobState.CANCELLED).during(FaultKind.CE_CLOCK_MOVED);
        legal(ahead.renew("d", REFUSED).ends("d"));
    }
}
