package org.gelato.ce.blahbridge.blahp;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.lrms.Submission;

/**
 * How a site's blahpd is reached.
 *
 * @param command absolute program and arguments that start it
 * @param gridType what selects its scripts, for example {@code lsf}; also the name of the batch system in CE ids
 * @param schedd of HTCondor, which blahpd takes as the queue; empty for the one of this host's configuration
 * @param sudo whether it runs its commands as the job's account; otherwise jobs run as {@code ownAccount} only
 * @param ownAccount the account blahpd itself runs as
 * @param hostSmpSize CPUs of a whole node
 * @param accountingLog the log of submissions without its date, {@code BLAHPD_ACCOUNTING_INFO_LOG}: the only witness of a
 *     submission whose result was lost
 * @param timeout of one command
 */
public record BlahpConfig(
        @Key List<String> command,

        @Key(form = "[a-z][a-z0-9_]{0,15}", accepted = BlahpType.SCRIPTS, optional = true)
        String gridType,

        @Key(form = BlahJobId.SCHEDD, accepted = "the name of a schedd", optional = true)
        String schedd,

        @Key boolean sudo,
        String ownAccount,
        @Key(min = "1", max = "10000") int hostSmpSize,
        @Key(optional = true) Path accountingLog,
        Duration timeout) {
    public BlahpConfig {
        command = List.copyOf(command);
    }

    /** What blahpd is given as a job's queue; empty for nothing. HTCondor has no queues. */
    String queue(Submission submission) {
        return BlahJobId.isCondor(gridType) ? schedd : submission.queue();
    }

    /**
     * blahpd's id of a job of which only the batch system's is known; null where that is none.
     *
     * @param day as {@link BlahJobId#of}
     */
    String id(String day, String batchId) {
        return BlahJobId.of(gridType, day, schedd, batchId);
    }
}
