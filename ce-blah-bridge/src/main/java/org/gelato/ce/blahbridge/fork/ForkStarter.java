package org.gelato.ce.blahbridge.fork;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.gelato.ce.blahbridge.fork.ForkJob.Phase;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.NotPlainFileException;
import org.gelato.ce.core.fault.Backoff;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts queued jobs in order and finds out about starts whose fate is unknown.
 *
 * <p>STARTING is on disk before the helper is called. A later scan that finds a job in STARTING queries the wrapper's
 * claim: a process named there is the job's; without a claim the wrapper is started again, and the claim stops the slower
 * one of two. Confined to the fork batch system's thread; results of the helper come back to it through the executor.
 */
final class ForkStarter {
    private static final Logger log = LoggerFactory.getLogger(ForkStarter.class);
    private static final Duration RETRY = Duration.ofSeconds(1);
    /** Between tries for an account whose starts fail one after the other; doubled from {@link #RETRY} on. */
    private static final Backoff PAUSES = new Backoff(RETRY, Duration.ofMinutes(1));
    /** So long nothing more is logged of an account. */
    private static final Duration SILENCE = Duration.ofMinutes(10);
    /** So long a claim may lack its owner, between the wrapper's mkdir and its write. */
    private static final Duration UNREADABLE_CLAIM = Duration.ofSeconds(5);

    private static final int MAX_CLAIM_BYTES = 4096;
    private static final byte[] NOTHING = {};

    private final ForkJobs jobs;
    private final AccountCommands commands;
    private final ProcessTable processes;
    private final Clock clock;
    private final Executor executor;
    private final int slots;
    private final Set<Long> requested = new HashSet<>();
    private final Map<Long, Instant> notBefore = new HashMap<>();
    private final Map<Long, Instant> unreadableSince = new HashMap<>();
    /** By account. */
    private final Map<String, Trouble> troubles = new HashMap<>();

    /** What fails for an account, until a start succeeds. */
    private static final class Trouble {
        private int failures;
        private Instant until = Instant.MIN;
        private Instant silentUntil = Instant.MIN;
    }

    ForkStarter(
            ForkJobs jobs,
            AccountCommands commands,
            ProcessTable processes,
            Clock clock,
            Executor executor,
            int slots) {
        this.jobs = jobs;
        this.commands = commands;
        this.processes = processes;
        this.clock = clock;
        this.executor = executor;
        this.slots = slots;
    }

    /** Fills free slots in order of acceptance; a job that must wait for its next try holds up the later ones of its account alone. */
    void fillSlots() {
        long busy = jobs.all().stream()
                .filter(j -> j.phase() == Phase.STARTING || j.phase() == Phase.RUNNING)
                .count();
        // Of an account whose last start failed one is tried at a time: its result may take long.
        Set<String> heldUp = jobs.all().stream()
                .filter(j -> requested.contains(j.number()) && troubles.containsKey(j.account()))
                .map(ForkJob::account)
                .collect(Collectors.toCollection(HashSet::new));
        for (ForkJob job : jobs.all()) {
            if (busy >= slots) {
                return;
            }
            if (job.phase() != Phase.QUEUED || heldUp.contains(job.account())) {
                continue;
            }
            if (waits(job) || isPaused(job.account())) {
                heldUp.add(job.account());
            } else if (!start(job)) {
                return; // the disk takes nothing of the others either
            } else {
                busy++;
                if (troubles.containsKey(job.account())) {
                    heldUp.add(job.account());
                }
            }
        }
    }

    /** Handles jobs in STARTING for which the helper was not called. */
    void settleStarts() {
        for (ForkJob job : jobs.all()) {
            if (job.phase() == Phase.STARTING && !requested.contains(job.number()) && !waits(job)) {
                askClaim(job);
            }
        }
    }

    /**
     * A running job's process has gone. Its end, unless the job was started twice and the other process runs on.
     *
     * @param done called on the executor's thread with the job when it has really ended
     */
    void confirmEnd(ForkJob job, Consumer<ForkJob> done) {
        if (job.starts() < 2) {
            done.accept(job);
            return;
        }
        if (!requested.add(job.number())) {
            return;
        }
        commands.get(job.account(), job.claimFile(), 0, MAX_CLAIM_BYTES)
                .whenCompleteAsync(
                        (part, failure) -> {
                            requested.remove(job.number());
                            ForkJob now = jobs.get(job.number());
                            if (now == null || now.phase() != Phase.RUNNING) {
                                return;
                            }
                            Optional<ProcessMark> owner = failure == null ? owner(part.content()) : Optional.empty();
                            if (owner.filter(processes::alive).isPresent()
                                    && !processes.isOthers(owner.get(), now.account())) {
                                jobs.note(now.running(owner.get(), clock.instant()));
                            } else if (failure == null
                                    || isCode(failure, Code.NO_SUCH_FILE)
                                    || failure instanceof NotPlainFileException) {
                                done.accept(now);
                            } else {
                                warn(job, "cannot read the claim", failure);
                            }
                        },
                        executor);
    }

    private boolean waits(ForkJob job) {
        Instant until = notBefore.get(job.number());
        return until != null && clock.instant().isBefore(until);
    }

    private void later(ForkJob job) {
        notBefore.put(job.number(), clock.instant().plus(RETRY));
    }

    private boolean isPaused(String account) {
        Trouble trouble = troubles.get(account);
        return trouble != null && clock.instant().isBefore(trouble.until);
    }

    /** Nothing more is started for the account for a while, which is longer each time; what fails meanwhile was started before. */
    private void pause(String account) {
        if (isPaused(account)) {
            return;
        }
        Trouble trouble = troubles.computeIfAbsent(account, a -> new Trouble());
        trouble.until = clock.instant().plus(PAUSES.after(++trouble.failures));
    }

    /** Logs what fails, once per account and period: it fails for all its jobs, again and again. */
    private void warn(ForkJob job, String what, Throwable failure) {
        Trouble trouble = troubles.computeIfAbsent(job.account(), a -> new Trouble());
        Instant now = clock.instant();
        if (now.isBefore(trouble.silentUntil)) {
            log.debug("{}: {}: {}", job.lrmsId(), what, Messages.of(failure));
            return;
        }
        trouble.silentUntil = now.plus(SILENCE);
        log.warn(
                "{} of account {}: {}: {}; further failures of this account are logged after {}",
                job.lrmsId(),
                job.account(),
                what,
                Messages.of(failure),
                Messages.span(SILENCE));
    }

    private boolean start(ForkJob job) {
        ForkJob starting = job.starting(clock.instant());
        try {
            jobs.record(starting);
        } catch (IOException e) {
            log.error("cannot record the start of {}: {}", job.lrmsId(), e.getMessage());
            later(job);
            return false;
        }
        requested.add(job.number());
        commands.spawn(job.account(), spawn(starting))
                .whenCompleteAsync((pid, failure) -> started(job.number(), pid, failure), executor);
        return true;
    }

    private static AccountCommands.Spawn spawn(ForkJob job) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("PATH", "/usr/local/bin:/usr/bin:/bin");
        environment.put("HOME", job.sandbox().toString());
        environment.put("LANG", "C");
        environment.put("USER", job.account());
        environment.put("LOGNAME", job.account());
        environment.put("GELATO_LRMS_ID", job.lrmsId());
        if (job.account().equals(AccountCommands.SELF)) {
            environment.put("USER", System.getProperty("user.name"));
            environment.put("LOGNAME", System.getProperty("user.name"));
        }
        Path wrapper = job.wrapper();
        return new AccountCommands.Spawn(
                List.of("/bin/bash", wrapper.toString()),
                job.sandbox(),
                environment,
                List.of(),
                job.stdout(),
                job.stderr());
    }

    private void started(long number, Long pid, Throwable failure) {
        requested.remove(number);
        ForkJob job = jobs.get(number);
        if (job == null || job.phase() != Phase.STARTING) {
            return;
        }
        if (failure == null) {
            troubles.remove(job.account());
            try {
                // One that has ended meanwhile is noted as running too: the next scan ends it like every other.
                jobs.note(job.running(
                        processes.find(pid).orElse(new ProcessMark(pid, 0, processes.boot())), clock.instant()));
            } catch (IOException e) {
                log.warn("process {} of {} cannot be looked at: {}", pid, job.lrmsId(), Messages.of(e));
                later(job); // by its claim
            }
        } else if (isCode(failure, Code.BUSY)) {
            jobs.note(job.to(Phase.QUEUED, clock.instant(), "its start is tried again: " + Messages.of(failure)));
            later(job);
        } else if (failure instanceof AccountCommandException) {
            warn(job, "cannot be started", failure);
            Phase end = job.cancelling() ? Phase.CANCELLED : Phase.FAILED;
            jobs.note(job.to(end, clock.instant(), "cannot be started: " + failure.getMessage()));
        } else {
            warn(job, "it is not known whether it was started", failure);
            jobs.note(job.to(job.phase(), clock.instant(), "its start is tried again: " + Messages.of(failure)));
            pause(job.account());
            later(job);
        }
    }

    private void askClaim(ForkJob job) {
        requested.add(job.number());
        commands.get(job.account(), job.claimFile(), 0, MAX_CLAIM_BYTES)
                .whenCompleteAsync((part, failure) -> claimed(job.number(), part, failure), executor);
    }

    private void claimed(long number, AccountCommands.FilePart part, Throwable failure) {
        requested.remove(number);
        ForkJob job = jobs.get(number);
        if (job == null || job.phase() != Phase.STARTING) {
            return;
        }
        if (failure == null) {
            adopt(job, part.content());
        } else if (failure instanceof NotPlainFileException) {
            adopt(job, NOTHING);
        } else if (!isCode(failure, Code.NO_SUCH_FILE)) {
            warn(job, "cannot read the claim", failure);
            // An answer is about the job's own file.
            if (!(failure instanceof AccountCommandException)) {
                pause(job.account());
            }
            later(job);
        } else if (job.cancelling()) {
            fence(job);
        } else {
            log.debug("{} has no claim: its start is tried again", job.lrmsId());
            jobs.note(job.to(Phase.QUEUED, clock.instant(), job.reason()));
        }
    }

    private void adopt(ForkJob job, byte[] claim) {
        Optional<ProcessMark> owner = owner(claim);
        // The claim is the account's file: with a process of another one its job would never end and could not be
        // cancelled.
        if (owner.isPresent() && processes.isOthers(owner.get(), job.account())) {
            jobs.note(job.to(Phase.FAILED, clock.instant(), "the wrapper's claim names a process of another account"));
            return;
        }
        if (owner.isPresent()) {
            log.debug("{} runs as process {}", job.lrmsId(), owner.get().pid());
            unreadableSince.remove(job.number());
            jobs.note(job.running(owner.get(), clock.instant()));
            return;
        }
        Instant since = unreadableSince.computeIfAbsent(job.number(), n -> clock.instant());
        if (clock.instant().isBefore(since.plus(UNREADABLE_CLAIM))) {
            later(job);
        } else {
            jobs.note(job.to(Phase.FAILED, clock.instant(), "the wrapper's claim does not name its process"));
        }
    }

    /** A cancelled job that may still be about to start: with its claim taken, its wrapper ends without the payload. */
    private void fence(ForkJob job) {
        requested.add(job.number());
        commands.makeDirectory(job.account(), job.claim())
                .whenCompleteAsync(
                        (done, failure) -> {
                            requested.remove(job.number());
                            ForkJob now = jobs.get(job.number());
                            if (failure == null && now != null && now.phase() == Phase.STARTING) {
                                jobs.note(now.to(Phase.CANCELLED, clock.instant()));
                            } else {
                                later(job);
                            }
                        },
                        executor);
    }

    /** The process a claim names; empty when it names none (yet). */
    private Optional<ProcessMark> owner(byte[] claim) {
        Map<String, String> fields = ForkJob.fields(new String(claim, StandardCharsets.UTF_8));
        try {
            return Optional.of(new ProcessMark(
                    Long.parseLong(fields.getOrDefault("pid", "").trim()),
                    Long.parseLong(fields.getOrDefault("start", "").trim()),
                    processes.boot()));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static boolean isCode(Throwable failure, Code code) {
        return failure instanceof AccountCommandException e && e.code() == code;
    }

    /** Drops what is remembered of a job. */
    void forget(long number) {
        notBefore.remove(number);
        unreadableSince.remove(number);
    }
}
