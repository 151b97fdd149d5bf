package org.gelato.ce.it.history;

/**
 * One operation of a client. Times are positions in one order of all beginnings and ends.
 *
 * @param job local id; of an operation that makes a job the id that was answered; null where there is none
 * @param argument the key of a registration, with {@code ~} and its delegation behind where that ends soon, and {@code @} and its lease where it
 *     has one; a lease, a delegation, the first event that was asked for; else empty
 * @param completed {@link #NEVER} where there was no answer
 */
record Call(
        int number,
        String client,
        String owner,
        Operation operation,
        String job,
        String argument,
        Validity validity,
        long invoked,
        long completed,
        Answer answer) {
    /** What the credentials of a call were worth while it was under way: those of its client, and the delegation that it names. */
    enum Validity {
        /** They had not ended when its answer came. */
        VALID,
        ENDING,
        /** They had ended well before it began. */
        ENDED
    }

    /** An operation without an answer has no end: it may take effect at any later time. */
    static final long NEVER = Long.MAX_VALUE;

    /** The lease that it names; empty for none. */
    String lease() {
        int at = argument.indexOf('@');
        return !operation.makesJobs() ? argument : at < 0 ? "" : argument.substring(at + 1);
    }

    /** Whether it registers a job whose delegation ends soon. */
    boolean isMortal() {
        return operation.makesJobs() && argument.indexOf('~') >= 0;
    }

    /** The delegation that it renews, or by which its job is mortal. */
    String delegation() {
        return isMortal() ? argument.substring(argument.indexOf('~') + 1) : argument;
    }

    boolean isAnswered() {
        return answer.isKnown();
    }

    boolean isConfirmed() {
        return answer.kind() == Answer.Kind.DONE;
    }

    /** Whether it happened, or may have. */
    boolean mayHaveHappened() {
        return isConfirmed() || !isAnswered();
    }

    @Override
    public String toString() {
        return "#" + number + " [" + invoked + "," + (isAnswered() ? completed : "?") + "] " + client + " of " + owner
                + ": "
                + operation + (job == null ? "" : " " + job) + (argument.isEmpty() ? "" : " (" + argument + ")")
                + (validity == Validity.VALID ? "" : " " + validity)
                + " -> "
                + answer;
    }
}
