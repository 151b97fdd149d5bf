package org.gelato.ce.ws.cream2;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import org.gelato.ce.core.command.ScopedPauses;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.ClusterStatus;

/**
 * Why jobs of a queue wait, in one line for whoever looks at the whole CE: what concerns all of them, and no account's own limit. Each
 * source returns at once and costs no statement.
 *
 * @param lrms the batch system's name
 * @param jobs that have not ended; empty while the database does not respond
 * @param paused why nothing is handed over; empty where jobs are
 * @param pauses of queues and accounts
 * @param trouble why the batch system cannot be asked about its jobs; empty where it can
 * @param cluster what the batch system reported last
 */
public record QueueWaits(
        String lrms,
        Supplier<Optional<List<JobStore.Present>>> jobs,
        Supplier<Optional<String>> paused,
        Supplier<List<ScopedPauses.Paused>> pauses,
        Supplier<Optional<String>> trouble,
        Supplier<Optional<ClusterStatus>> cluster) {
    private static final Set<JobState> HERE = Set.of(JobState.PENDING);
    private static final Set<JobState> THERE = Set.of(JobState.IDLE);
    private static final int LONGEST = 160;

    /** How many jobs of the queue wait, and why; empty where none does, or no reason is known. */
    Optional<String> of(String queue) {
        List<JobStore.Present> present = jobs.get().orElse(List.of());
        long here = count(present, queue, HERE);
        long there = count(present, queue, THERE);
        return here + there == 0
                ? Optional.empty()
                : here(queue, here)
                        .or(this::silence)
                        .or(() -> there(queue, there))
                        .map(reason -> (here + there) + (here + there == 1 ? " job: " : " jobs: ") + reason);
    }

    private long count(List<JobStore.Present> present, String queue, Set<JobState> states) {
        return present.stream()
                .filter(p -> p.lrms().equals(lrms) && p.queue().equals(queue) && states.contains(p.state()))
                .mapToLong(JobStore.Present::jobs)
                .sum();
    }

    /** Of those that are to be handed over. */
    private Optional<String> here(String queue, long number) {
        if (number == 0) {
            return Optional.empty();
        }
        return paused.get()
                .or(() -> pauses.get().stream()
                        .filter(p -> p.account() == null && !p.routed() && queue.equals(p.queue()))
                        .map(ScopedPauses.Paused::reason)
                        .findFirst())
                .map(why -> "the hand-over to " + lrms + " pauses: " + Messages.line(why, LONGEST));
    }

    private Optional<String> silence() {
        return trouble.get().map(why -> lrms + " is not reachable: " + Messages.line(why, LONGEST));
    }

    /** Of those in the batch system's queue. */
    private Optional<String> there(String queue, long number) {
        if (number == 0) {
            return Optional.empty();
        }
        ClusterStatus now = cluster.get().orElse(ClusterStatus.UNKNOWN);
        Optional<ClusterStatus.Queue> shown = now.queue(queue);
        if (shown.isPresent() && !shown.get().starts()) {
            return Optional.of("the queue starts no jobs now");
        }
        OptionalInt free = shown.map(ClusterStatus.Queue::freeSlots)
                .filter(OptionalInt::isPresent)
                .orElse(now.freeSlots());
        return free.isPresent() && free.getAsInt() == 0 ? Optional.of("no slot is free") : Optional.empty();
    }
}
