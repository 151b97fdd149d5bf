package org.gelato.ce.it.history;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.it.history.nemesis.Authority;

/** Whether credentials counted until their end and no longer. */
final class CredentialChecker {
    private CredentialChecker() {}

    static List<Violation> check(History history) {
        List<Violation> violations = new ArrayList<>();
        for (Call call : history.calls()) {
            Answer.Kind kind = call.answer().kind();
            boolean refused = kind == Answer.Kind.NOT_ADMITTED || kind == Answer.Kind.REFUSED;
            if (call.isAnswered() && !refused && isWorthless(history, call)) {
                violations.add(
                        new Violation(Violation.Kind.ADMITTED, call.job(), "credentials counted no more: " + call));
            }
            if (kind == Answer.Kind.NOT_ADMITTED
                    && call.validity() == Call.Validity.VALID
                    && !isInDoubt(history, call)) {
                violations.add(new Violation(Violation.Kind.REFUSED, call.job(), "credentials were valid: " + call));
            }
        }
        return violations;
    }

    /** The history without calls that had no effect, answered or not. */
    static History admitted(History history) {
        return history.with(history.calls().stream()
                .filter(c ->
                        c.answer().kind() != Answer.Kind.NOT_ADMITTED && (c.isAnswered() || !isWorthless(history, c)))
                .toList());
    }

    private static boolean isWorthless(History history, Call call) {
        return isAway(history, call) || (call.validity() == Call.Validity.ENDED && !isInDoubt(history, call));
    }

    /** Whether nobody believed who vouches for its owner while it was under way. */
    private static boolean isAway(History history, Call call) {
        // its beginning is seen by a proxy that a clock that is behind refuses, too
        return history.clocks().stream().noneMatch(f -> f.overlaps(call.invoked(), call.completed()))
                && concerning(history, history.authority(call.owner()))
                        .anyMatch(f -> f.away() != null
                                && f.away().from() <= call.invoked()
                                && call.completed() <= f.away().until());
    }

    /** Whether a fault may have led the CE to take ended credentials for valid ones or the other way round. */
    private static boolean isInDoubt(History history, Call call) {
        return concerning(history, history.authority(call.owner()))
                .anyMatch(f -> f.overlaps(call.invoked(), call.completed()));
    }

    private static Stream<History.Fault> concerning(History history, Authority authority) {
        return history.faults().stream().filter(f -> f.kind().doubts().contains(authority));
    }

    /** Whether a registration, or a renewal, may be refused for its delegation. */
    static boolean mayBeRefused(History history, Call call) {
        // a clock that was ahead ends delegations for good
        return call.validity() != Call.Validity.VALID
                || (isOfBriefDelegation(history, call)
                        && history.clocks().stream().anyMatch(f -> f.from() <= call.completed()))
                || isOfDoubtfulProxy(history, call);
    }

    private static boolean isOfBriefDelegation(History history, Call call) {
        return call.isMortal()
                || (call.operation() == Operation.RENEW && history.ends().containsKey(call.delegation()));
    }

    /** Whether it delegates a proxy, which is judged as those of clients are, while that is in doubt. */
    static boolean isOfDoubtfulProxy(History history, Call call) {
        Authority signer = history.authority(call.owner()) == Authority.OTHER_CA ? Authority.OTHER_CA : Authority.CA;
        return (call.operation() == Operation.DELEGATE || call.operation() == Operation.RENEW)
                && concerning(history, signer).anyMatch(f -> f.overlaps(call.invoked(), call.completed()));
    }
}
