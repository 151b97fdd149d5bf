package org.gelato.ce.it.history;

import java.util.ArrayList;
import java.util.List;

/** Whether credentials counted until their end and no longer. */
final class CredentialChecker {
    private CredentialChecker() {}

    static List<Violation> check(History history) {
        List<Violation> violations = new ArrayList<>();
        for (Call call : history.calls()) {
            Answer.Kind kind = call.answer().kind();
            boolean refused = kind == Answer.Kind.NOT_ADMITTED || kind == Answer.Kind.REFUSED;
            if (call.validity() == Call.Validity.ENDED && call.isAnswered() && !refused && !isInDoubt(history, call)) {
                violations.add(new Violation(Violation.Kind.ADMITTED, call.job(), "credentials had ended: " + call));
            }
            if (call.validity() == Call.Validity.VALID
                    && kind == Answer.Kind.NOT_ADMITTED
                    && !isInDoubt(history, call)) {
                violations.add(new Violation(Violation.Kind.REFUSED, call.job(), "credentials were valid: " + call));
            }
        }
        return violations;
    }

    /** The history without calls that had no effect, answered or not. */
    static History admitted(History history) {
        return history.with(history.calls().stream()
                .filter(c -> c.answer().kind() != Answer.Kind.NOT_ADMITTED
                        && (c.isAnswered() || c.validity() != Call.Validity.ENDED || isInDoubt(history, c)))
                .toList());
    }

    /** Whether a fault may have led the CE to take ended credentials for valid ones or the other way round. */
    private static boolean isInDoubt(History history, Call call) {
        return history.faults().stream()
                .anyMatch(f -> f.doubts() && f.from() <= call.completed() && call.invoked() <= f.until());
    }

    /** Whether a registration may be refused for its delegation. */
    static boolean mayBeRefused(History history, Call call) {
        // a clock that was ahead ends delegations for good
        return call.validity() != Call.Validity.VALID
                || (call.isMortal()
                        && history.faults().stream().anyMatch(f -> f.doubts() && f.from() <= call.completed()));
    }
}
