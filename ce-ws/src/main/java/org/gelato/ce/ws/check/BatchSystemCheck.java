package org.gelato.ce.ws.check;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.lrms.BatchSystemInstance;
import org.gelato.ce.ws.config.CeConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the jobs of a database that CEs may share are in the batch system of this one; a start refuses otherwise. */
final class BatchSystemCheck {
    private static final Logger log = LoggerFactory.getLogger(BatchSystemCheck.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private BatchSystemCheck() {}

    /** A database or a batch system that does not respond, or a schema of another version, is another check's finding. */
    static void run(CeConfig config, AccountCommands accounts, Findings findings) {
        if (config.database().isEmbedded()) {
            return;
        }
        try {
            Optional<BatchSystemInstance> own = config.lrms()
                    .instance(
                            config.lrms().site().idName(),
                            config.lrms().identity(config.home(), accounts).get())
                    .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .join();
            DatabaseConfig read = config.database().external();
            try (Database database =
                    Database.reading(new DatabaseConfig(read.url(), read.user(), read.password(), 1, PATIENCE))) {
                own.flatMap(instance -> database.read(instance::obstacle))
                        .ifPresent(why -> findings.error("gelato.lrms.identity", why, BatchSystemInstance.ADVICE));
            }
        } catch (RuntimeException e) {
            log.debug("the batch system of the jobs is not compared: {}", Messages.of(e));
        }
    }
}
