package org.gelato.ce.blahbridge.blahp;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How a site's blahpd is reached.
 *
 * @param command absolute program and arguments that start it
 * @param gridType what selects its scripts, for example {@code lsf}; also the name of the batch system in CE ids
 * @param sudo whether it runs its commands as the job's account; otherwise jobs run as {@code ownAccount} only
 * @param ownAccount the account blahpd itself runs as
 * @param hostSmpSize CPUs of a whole node
 * @param accountingLog the log of submissions without its date, {@code BLAHPD_ACCOUNTING_INFO_LOG}: the only witness of a
 *     submission whose result was lost
 * @param timeout of one command
 */
public record BlahpConfig(
        List<String> command,
        String gridType,
        boolean sudo,
        String ownAccount,
        int hostSmpSize,
        Path accountingLog,
        Duration timeout) {
    public BlahpConfig {
        command = List.copyOf(command);
    }
}
