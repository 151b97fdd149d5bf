package org.gelato.ce.core.service;

import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.command.CommandKind;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.command.DirectClaims;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.DeferredPurges;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.StateSql;
import org.gelato.ce.core.service.QueuedCommands.Description;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;
import org.gelato.ce.json.FaultCode;
import org.jdbi.v3.core.Handle;

/**
 * The commands on jobs: checks the named jobs and queues what is to be done in one transaction per thousand jobs, under
 * the locks of the jobs' rows; calls that come at the same time share transactions. Once the call returned, the commands
 * survive any crash. JobSetLeaseId is done at once.
 */
public final class JobCommands implements Jobs.Commands {
    public static final String OF_DELEGATION = StateSql.of("""
            SELECT id FROM job
            WHERE delegation_id = :delegation AND state + 0 IN {NOT_ENDED} AND cancel_reason IS NULL
            """);

    /** States each command accepts (docs/developer/protocol/behaviour.md section 2). */
    private static final Map<CommandKind, Set<JobState>> ACCEPTED = Map.of(
            CommandKind.JOB_START,
            EnumSet.of(JobState.REGISTERED),
            CommandKind.JOB_CANCEL,
            EnumSet.of(JobState.REGISTERED, JobState.IDLE, JobState.RUNNING, JobState.REALLY_RUNNING, JobState.HELD),
            CommandKind.JOB_PURGE,
            EnumSet.of(
                    JobState.REGISTERED, JobState.CANCELLED, JobState.DONE_OK, JobState.DONE_FAILED, JobState.ABORTED),
            CommandKind.JOB_SUSPEND,
            EnumSet.of(JobState.IDLE, JobState.RUNNING, JobState.REALLY_RUNNING),
            CommandKind.JOB_RESUME,
            EnumSet.of(JobState.HELD),
            CommandKind.JOB_SET_LEASEID,
            EnumSet.complementOf(EnumSet.copyOf(JobState.FINAL)));

    /** States in which a job can be ended by a protocol that knows no state between registration and queue. */
    private static final Set<JobState> ALIVE = EnumSet.complementOf(EnumSet.copyOf(JobState.FINAL));

    private final Database database;
    private final JobStore jobs;
    private final OwnerStore owners;
    private final JobNumbers numbers;
    private final Clock clock;
    private final Runnable wake;
    private final DirectClaims direct;
    private final JobLeases leases;

    private final QueuedCommands queued;
    private final CommandAudit audit;

    /**
     * Who is notified of commands.
     *
     * @param wake called after commands were committed that are not executed yet
     * @param direct claims commands when they are inserted
     * @param audit of what callers do
     */
    public record Listeners(Runnable wake, DirectClaims direct, AuditTrail audit) {}

    /** Commands on the jobs of a database. */
    public JobCommands(
            Database database,
            JobStore jobs,
            CommandStore commands,
            OwnerStore owners,
            JobNumbers numbers,
            JobStateMachine machine,
            Clock clock,
            Listeners listeners) {
        this.database = database;
        this.jobs = jobs;
        this.owners = owners;
        this.numbers = numbers;
        this.clock = clock;
        this.wake = listeners.wake();
        this.direct = listeners.direct();
        this.leases = new JobLeases(commands);
        this.audit = new CommandAudit(listeners.audit());
        this.queued = new QueuedCommands(database, jobs, commands, machine, clock, direct, wake);
    }

    @Override
    public List<CommandResult> start(Caller caller, JobFilter filter) {
        // The original client sends JobStart without ids after every registration failed; taken as a filter it would
        // start all other jobs of the delegation (docs/developer/protocol/client-observations.md, Requests).
        return filter.ids().isEmpty()
                ? List.of()
                : audit.done(
                        AuditEvent.START,
                        caller,
                        filter,
                        queue(caller, filter, CommandKind.JOB_START, Description.NONE));
    }

    /** Starts jobs as a part of their registration, which reports it. */
    void startRegistered(Caller caller, List<String> ids) {
        queue(caller, JobFilter.ofIds(ids), CommandKind.JOB_START, Description.NONE);
    }

    @Override
    public List<CommandResult> cancel(Caller caller, JobFilter filter) {
        return audit.done(
                AuditEvent.CANCEL, caller, filter, queue(caller, filter, CommandKind.JOB_CANCEL, cancelled(caller)));
    }

    /** Administrators have jobs of their own, too. */
    private Description cancelled(Caller caller) {
        String user = "Cancelled by user";
        if (!caller.admin()) {
            return Description.of(user);
        }
        String admin = "Cancelled by CE admin";
        try {
            return new Description(admin, owners.owner(caller.identity()), user);
        } catch (ServiceException.NotAuthorized e) {
            return Description.of(admin); // whoever cannot own jobs has none of his own
        }
    }

    /** Also those on their way to the batch system: at once where that is not claimed yet. */
    @Override
    public List<CommandResult> kill(Caller caller, List<String> ids) {
        if (ids.isEmpty()) {
            return List.of();
        }
        Description description = cancelled(caller);
        JobFilter filter = JobFilter.ofIds(ids);
        return audit.done(
                AuditEvent.CANCEL,
                caller,
                filter,
                command(
                        caller,
                        filter,
                        CommandKind.JOB_CANCEL,
                        ALIVE,
                        description,
                        (h, intended) -> queued.issue(h, CommandKind.JOB_CANCEL, intended, description)));
    }

    @Override
    public List<CommandResult> purge(Caller caller, JobFilter filter) {
        return audit.done(
                AuditEvent.PURGE, caller, filter, queue(caller, filter, CommandKind.JOB_PURGE, Description.NONE));
    }

    @Override
    public List<CommandResult> clean(Caller caller, List<String> ids) {
        if (ids.isEmpty()) {
            return List.of();
        }
        List<CommandResult> results = new ArrayList<>(purge(caller, JobFilter.ofIds(ids)));
        List<String> alive = results.stream()
                .filter(result -> result.fault() != null && result.fault().code() == FaultCode.STATUS_INVALID)
                .map(CommandResult::id)
                .toList();
        if (!alive.isEmpty()) {
            Map<String, CommandResult> second = new HashMap<>();
            purgeOrDefer(caller, JobFilter.ofIds(alive)).forEach(result -> second.put(result.id(), result));
            results.replaceAll(result -> second.getOrDefault(result.id(), result));
        }
        return results;
    }

    /** Purges jobs that are being cancelled once they have ended; those that have ended since by now. */
    private List<CommandResult> purgeOrDefer(Caller caller, JobFilter filter) {
        Set<JobState> all = EnumSet.allOf(JobState.class);
        JobSelection selection = new JobSelection(filter, caller.admin() ? null : owners.owner(caller.identity()), all);
        Map<String, Integer> ids = selection.rows(numbers);
        List<CommandResult> results = new ArrayList<>();
        for (List<String> slice : JobStore.slices(List.copyOf(ids.keySet()))) {
            QueuedCommands.Call call =
                    new QueuedCommands.Call(selection, slice, ids, CommandKind.JOB_PURGE, all, Description.NONE);
            results.addAll(queued.single(call, this::purgeOrDefer));
        }
        Steps.reached(Step.DEFERRED_PURGE_STORED, ids.values(), row -> row == null ? 0 : row);
        wake.run();
        return audit.done(AuditEvent.PURGE, caller, filter, results);
    }

    private Set<Integer> purgeOrDefer(Handle h, List<JobRow> rows) {
        Map<Boolean, List<JobRow>> byEnd = rows.stream()
                .collect(Collectors.partitioningBy(
                        row -> ACCEPTED.get(CommandKind.JOB_PURGE).contains(row.state())));
        Set<Integer> refused = new HashSet<>(queued.issue(h, CommandKind.JOB_PURGE, byEnd.get(true), Description.NONE));
        List<Integer> deferred = new ArrayList<>();
        for (JobRow row : byEnd.get(false)) {
            if (row.cancelReason() == null) {
                refused.add(row.id());
            } else {
                deferred.add(row.id());
            }
        }
        if (!deferred.isEmpty()) {
            DeferredPurges.store(h, deferred);
            Steps.reached(Step.DEFERRED_PURGE_WRITTEN, deferred, row -> row);
        }
        return refused;
    }

    @Override
    public List<CommandResult> suspend(Caller caller, JobFilter filter) {
        return audit.done(
                AuditEvent.SUSPEND, caller, filter, queue(caller, filter, CommandKind.JOB_SUSPEND, Description.NONE));
    }

    @Override
    public List<CommandResult> resume(Caller caller, JobFilter filter) {
        return audit.done(
                AuditEvent.RESUME, caller, filter, queue(caller, filter, CommandKind.JOB_RESUME, Description.NONE));
    }

    @Override
    public List<CommandResult> setLease(Caller caller, String leaseId, JobFilter filter) {
        List<CommandResult> results = command(
                caller,
                filter,
                CommandKind.JOB_SET_LEASEID,
                ACCEPTED.get(CommandKind.JOB_SET_LEASEID),
                Description.NONE,
                (h, intended) -> {
                    leases.set(h, leaseId, intended, clock.instant());
                    return Set.of();
                });
        return audit.done(AuditEvent.SET_LEASE, caller, filter, leaseId, results);
    }

    /**
     * Cancels whatever of a delegation has not ended and is not being cancelled, also what still waits for its hand-over.
     */
    public void cancelJobsOf(int delegationRow, String reason) {
        List<Integer> ids = database.read(h -> h.createQuery(OF_DELEGATION)
                .bind("delegation", delegationRow)
                .mapTo(Integer.class)
                .list());
        cancel(ids, reason);
    }

    /** Cancels those of some jobs that have not ended and are not being cancelled. @return how many */
    int cancel(List<Integer> ids, String reason) {
        int[] cancelled = {0};
        for (List<Integer> slice : JobStore.slices(ids)) {
            cancelled[0] += database.inTransaction(h -> {
                List<JobRow> rows = jobs.lock(h, slice).stream()
                        .filter(r -> !r.state().isFinal() && r.cancelReason() == null)
                        .toList();
                return rows.size()
                        - queued.issue(h, CommandKind.JOB_CANCEL, rows, Description.of(reason))
                                .size();
            });
        }
        wake.run();
        return cancelled[0];
    }

    /** Queues a command; without ids the result is empty. */
    private List<CommandResult> queue(Caller caller, JobFilter filter, CommandKind kind, Description description) {
        List<CommandResult> results = command(
                caller,
                filter,
                kind,
                ACCEPTED.get(kind),
                description,
                (h, intended) -> queued.issue(h, kind, intended, description));
        if (filter.ids().isEmpty()) {
            wake.run();
            return List.of();
        }
        return results;
    }

    /** Answers for the jobs named, or for all those intended when none is named. */
    private List<CommandResult> command(
            Caller caller,
            JobFilter filter,
            CommandKind kind,
            Set<JobState> accepted,
            Description description,
            QueuedCommands.Effect effect) {
        Integer owner = caller.admin() ? null : (Integer) owners.owner(caller.identity());
        JobSelection selection = new JobSelection(filter, owner, accepted);
        return filter.ids().isEmpty()
                ? commandAll(owner, selection, kind, accepted, effect)
                : commandNamed(selection, kind, accepted, description, effect);
    }

    private List<CommandResult> commandAll(
            Integer owner,
            JobSelection selection,
            CommandKind kind,
            Set<JobState> accepted,
            QueuedCommands.Effect effect) {
        Set<JobState> usable = selection.states(accepted);
        List<List<Integer>> slices = JobStore.slices(database.read(h -> jobs.ids(h, owner, usable)));
        List<CommandResult> results = new ArrayList<>();
        // Queued first and purged then: both at once would take the processors from calls that clients wait for.
        DirectClaims holder = kind == CommandKind.JOB_PURGE && slices.size() > 1 ? direct : DirectClaims.NONE;
        DirectClaims.Hold hold = holder.hold(kind);
        try {
            slices.forEach(slice -> results.addAll(commandSlice(selection, usable, slice, effect)));
        } finally {
            hold.close();
        }
        return results;
    }

    private List<CommandResult> commandSlice(
            JobSelection selection, Set<JobState> usable, List<Integer> slice, QueuedCommands.Effect effect) {
        return database.inTransaction(h -> {
            List<JobRow> still = selection.matching(jobs.lock(h, slice)).stream()
                    .filter(r -> usable.contains(r.state()))
                    .toList();
            Set<Integer> refused = effect.on(h, still);
            return still.stream()
                    .filter(r -> !refused.contains(r.id()))
                    .map(r -> new CommandResult(numbers.id(r.id()).toString(), null))
                    .toList();
        });
    }

    private List<CommandResult> commandNamed(
            JobSelection selection,
            CommandKind kind,
            Set<JobState> accepted,
            Description description,
            QueuedCommands.Effect effect) {
        List<CommandResult> results = new ArrayList<>();
        Map<String, Integer> ids = selection.rows(numbers);
        for (List<String> slice : JobStore.slices(List.copyOf(ids.keySet()))) {
            QueuedCommands.Call call = new QueuedCommands.Call(selection, slice, ids, kind, accepted, description);
            results.addAll(kind == CommandKind.JOB_SET_LEASEID ? queued.single(call, effect) : queued.grouped(call));
        }
        return results;
    }
}
