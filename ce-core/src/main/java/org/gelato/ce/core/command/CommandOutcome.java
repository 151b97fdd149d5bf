package org.gelato.ce.core.command;

import java.time.Duration;

/** How one execution of a command ended; the completer turns outcomes into rows, many in one transaction. */
sealed interface CommandOutcome {
    ClaimedCommand command();

    /** The batch system has the job. */
    record HandedOver(ClaimedCommand command, String lrmsId) implements CommandOutcome {}

    /** The batch system will never take the job, or its description cannot be used any more. */
    record Refused(ClaimedCommand command, String reason) implements CommandOutcome {}

    /** Try again later. {@code surelyAbsent}: the batch system has not got the job. */
    record Later(ClaimedCommand command, Duration delay, boolean surelyAbsent, String reason)
            implements CommandOutcome {}

    /** Done; the job's state follows by other ways. */
    record Done(ClaimedCommand command) implements CommandOutcome {}

    /** It cannot be done; the job stays as it is. */
    record Failed(ClaimedCommand command, String reason) implements CommandOutcome {}

    /** The sandbox is out of the way: remove the job's rows, this command with them. */
    record Purged(ClaimedCommand command) implements CommandOutcome {}
}
