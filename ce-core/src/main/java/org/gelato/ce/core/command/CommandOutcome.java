package org.gelato.ce.core.command;

import java.time.Duration;
import org.gelato.ce.core.lrms.SubmitResult;

/** How one execution of a command ended; the completer turns outcomes into rows, many in one transaction. */
sealed interface CommandOutcome {
    ClaimedCommand command();

    /** The batch system has the job. */
    record HandedOver(ClaimedCommand command, String lrmsId) implements CommandOutcome {}

    /** The batch system will never take the job, or its description cannot be used any more. */
    record Refused(ClaimedCommand command, String reason) implements CommandOutcome {}

    /**
     * Try again later.
     *
     * @param delay zero: it stays in the queue
     * @param surelyAbsent the batch system has not got the job
     * @param counted whether the next delay grows by this try
     * @param scope whose fault it was, as far as others meet it too
     * @param lane in which it waits for the end of a pause; null for its usual one
     */
    record Later(
            ClaimedCommand command,
            Duration delay,
            boolean surelyAbsent,
            String reason,
            boolean counted,
            SubmitResult.Scope scope,
            String lane)
            implements CommandOutcome {
        /** A try that counts, after which the batch system may have the job. */
        static Later retry(ClaimedCommand command, Duration delay, String reason) {
            return new Later(command, delay, false, reason, true, SubmitResult.Scope.LRMS, null);
        }

        /** A try that counts, after which the batch system has not got the job. */
        static Later absent(ClaimedCommand command, Duration delay, String reason) {
            return new Later(command, delay, true, reason, true, SubmitResult.Scope.LRMS, null);
        }

        /** Nothing was done; where an earlier hand-over is in doubt, it stays so. */
        static Later undone(ClaimedCommand command, Duration delay, String reason) {
            return command.lookUpFirst() ? retry(command, delay, reason) : absent(command, delay, reason);
        }

        /** The same as no try of the command. */
        Later uncounted() {
            return new Later(command, delay, surelyAbsent, reason, false, scope, lane);
        }

        /** The same by a fault that others of its account or queue meet, too. */
        Later byFaultOf(SubmitResult.Scope other) {
            return new Later(command, delay, surelyAbsent, reason, counted, other, lane);
        }

        /** The same, waiting in the lane of a pause. */
        Later inLane(String other) {
            return new Later(command, delay, surelyAbsent, reason, counted, scope, other);
        }

        /** Whether it was an account's or a queue's, or a pause of them, of which the reason is shown elsewhere. */
        boolean isOfPause() {
            return lane != null || scope != SubmitResult.Scope.LRMS;
        }
    }

    /**
     * What became of the command can't be stored: it is put off with the reason, to be looked into by whoever reads it, and tried again.
     *
     * @param later what is stored instead
     */
    record Parked(Later later) implements CommandOutcome {
        @Override
        public ClaimedCommand command() {
            return later.command();
        }
    }

    /**
     * A wrapper runs a job of which no hand-over is known: the job is followed from now on.
     *
     * @param later when the command is tried again
     */
    record Appeared(Later later) implements CommandOutcome {
        @Override
        public ClaimedCommand command() {
            return later.command();
        }
    }

    /** Not handed over, and to be cancelled: nothing is left to be done. */
    record Cancelled(ClaimedCommand command) implements CommandOutcome {}

    /** Done; the job's state follows by other ways. */
    record Done(ClaimedCommand command) implements CommandOutcome {}

    /** It cannot be done; the job stays as it is. */
    record Failed(ClaimedCommand command, String reason) implements CommandOutcome {}

    /** The sandbox is out of the way: remove the job's rows, this command with them. */
    record Purged(ClaimedCommand command) implements CommandOutcome {}
}
