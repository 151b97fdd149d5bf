package org.gelato.ce.blahbridge.fork;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.gelato.ce.blahbridge.fork.ForkJob.Phase;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels jobs: queued ones at once, running ones by SIGTERM and, after the grace, SIGKILL to the process group. Ends those whose time
 * is over in the same way.
 *
 * <p>The cancel, or that the time is over, is on disk before a signal is sent, so that a crash does not forget the second one. Confined to the fork batch
 * system's thread.
 */
final class ForkCanceller {
    private static final Logger log = LoggerFactory.getLogger(ForkCanceller.class);
    private static final int SIGKILL = 9;
    private static final int SIGTERM = 15;
    /** Of those whose time is over: their wrappers kill the payload after 10 s, and then report how it ended. */
    private static final int GRACES = 3;

    private final ForkJobs jobs;
    private final AccountCommands commands;
    private final ProcessTable processes;
    private final Clock clock;
    private final Executor executor;
    private final Duration grace;
    private final Map<Long, Instant> killAt = new HashMap<>();

    ForkCanceller(
            ForkJobs jobs,
            AccountCommands commands,
            ProcessTable processes,
            Clock clock,
            Executor executor,
            Duration grace) {
        this.jobs = jobs;
        this.commands = commands;
        this.processes = processes;
        this.clock = clock;
        this.executor = executor;
        this.grace = grace;
    }

    /** Completes with null, or with the reason why the job was not cancelled. */
    CompletableFuture<String> cancel(String account, String lrmsId) {
        ForkJob job = jobs.find(lrmsId);
        if (job == null || job.phase().isFinal()) {
            return CompletableFuture.completedFuture(null);
        }
        if (!job.account().equals(account)) {
            return CompletableFuture.completedFuture(lrmsId + " belongs to another account");
        }
        boolean waiting = job.phase() == Phase.QUEUED || job.phase() == Phase.HELD;
        // One that went back to the queue after an unclear start may run: its claim is queried first.
        boolean unclear = waiting && job.starts() > 0;
        try {
            if (unclear) {
                jobs.record(job.toBeCancelled().to(Phase.STARTING, clock.instant()));
            } else if (waiting) {
                jobs.record(job.toBeCancelled().to(Phase.CANCELLED, clock.instant()));
            } else {
                jobs.record(job.toBeCancelled());
            }
        } catch (IOException e) {
            return CompletableFuture.completedFuture("cannot record the cancellation: " + e.getMessage());
        }
        return job.phase() == Phase.RUNNING
                ? terminate(jobs.get(job.number()))
                : CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<String> terminate(ForkJob job) {
        killAt.put(job.number(), clock.instant().plus(job.cancelling() ? grace : grace.multipliedBy(GRACES)));
        if (!processes.alive(job.process())) {
            return CompletableFuture.completedFuture(null);
        }
        return commands.signal(job.account(), job.process().pid(), SIGTERM)
                .handleAsync((done, failure) -> failure == null ? null : failure.getMessage(), executor);
    }

    /** Begins to end the running jobs whose time is over; one that cannot be recorded runs on until the next scan. */
    void endOverruns() {
        for (ForkJob job : jobs.all()) {
            if (!job.isOver(clock.instant()) || job.isBeingEnded() || !processes.alive(job.process())) {
                continue;
            }
            try {
                jobs.record(job.toBeEnded());
                log.debug("{} is ended: {}", job.lrmsId(), job.overtime());
            } catch (IOException e) {
                log.error("cannot record that the time of {} is over: {}", job.lrmsId(), e.getMessage());
            }
        }
    }

    /** Signals running jobs that are to end: all of them once after a start of the CE, late ones again. */
    void pressOn() {
        for (ForkJob job : jobs.all()) {
            if (job.phase() != Phase.RUNNING || !job.isBeingEnded() || !processes.alive(job.process())) {
                continue;
            }
            Instant due = killAt.get(job.number());
            if (due == null) {
                terminate(job);
            } else if (!clock.instant().isBefore(due)) {
                killAt.put(job.number(), clock.instant().plus(grace).plusSeconds(1));
                kill(job);
            }
        }
    }

    /**
     * Kills what is left of the group, of a job whose leader was seen alive a moment ago; not when another process has the
     * leader's number by now, for then the group is that one's.
     */
    void kill(ForkJob job) {
        try {
            boolean taken = processes
                    .find(job.process().pid())
                    .filter(mark -> !mark.equals(job.process()))
                    .isPresent();
            if (taken) {
                log.debug(
                        "{} left no processes: its number {} is another's",
                        job.lrmsId(),
                        job.process().pid());
                return;
            }
        } catch (IOException e) {
            log.warn("what {} left is not killed, as it may be another's: {}", job.lrmsId(), Messages.of(e));
            return;
        }
        commands.signal(job.account(), job.process().pid(), SIGKILL).whenComplete((done, failure) -> {
            if (failure != null) {
                log.warn("cannot kill the processes of {}: {}", job.lrmsId(), failure.getMessage());
            }
        });
    }

    /** Drops what is remembered of a job. */
    void forget(long number) {
        killAt.remove(number);
    }
}
