package org.gelato.ce.core.follow;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.RepeatedFault;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.lrms.BatchSystem;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.sandbox.SandboxStore;

/** Looks jobs up in a batch system, also those that it shows no more. Blocks its caller, the poller. */
final class BatchHistory {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final BatchSystem system;
    private final RepeatedFault faults;
    private final String unknown;

    /** @param unknown what stays unknown where it fails: {@code jobs not found out} */
    BatchHistory(BatchSystem system, RepeatedFault faults, String unknown) {
        this.system = system;
        this.faults = faults;
        this.unknown = unknown;
    }

    /** The batch system, for all that is no look-up. */
    Lrms port() {
        return system.port();
    }

    /** What is looked up for a job: its name of ours, and its id where that is known. */
    Lrms.Lookup lookup(JobRow row, SandboxStore.Place place) {
        String id = row.lrmsId() == null || port().isId(row.lrmsId()) ? row.lrmsId() : null;
        return new Lrms.Lookup(
                place.id().tag(), place.account(), id, row.batchJob().at());
    }

    /**
     * Looks jobs up.
     *
     * @return what was found, by tag; empty where the batch system failed or gave no response in time, which the log has
     */
    Optional<Map<String, LrmsJob>> find(Collection<Lrms.Lookup> lookups) throws InterruptedException {
        try {
            Map<String, LrmsJob> found = system.find(lookups).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            faults.over();
            return Optional.of(found);
        } catch (ExecutionException | TimeoutException e) {
            faults.failed(lookups.size() + " " + unknown + ": " + Messages.of(e));
            return Optional.empty();
        }
    }
}
