package org.gelato.ce.core.job;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.gelato.ce.core.command.CommandKind;
import org.gelato.ce.core.command.CommandState;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;
import org.jdbi.v3.core.Handle;

/**
 * The commands on jobs: checks the named jobs and queues what is to be done in one transaction per thousand jobs, under
 * the locks of the jobs' rows. Once the call answered, the commands survive any crash. JobSetLeaseId is done at once.
 */
public final class JobCommands {
    static final String CANCEL_ASKED = "UPDATE job SET cancel_reason = :reason WHERE id IN (<ids>)";
    static final String OF_DELEGATION =
            "SELECT id FROM job WHERE delegation_id = :delegation AND state IN (0, 1, 2, 3, 4, 6) AND cancel_reason IS NULL";

    /** States each command accepts (contract/behaviour.md section 2). */
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

    private static final Map<CommandKind, Step> WRITTEN = Map.of(
            CommandKind.JOB_START, Step.START_WRITTEN,
            CommandKind.JOB_CANCEL, Step.CANCEL_WRITTEN,
            CommandKind.JOB_PURGE, Step.PURGE_WRITTEN);
    private static final Map<CommandKind, Step> STORED = Map.of(
            CommandKind.JOB_START, Step.START_STORED,
            CommandKind.JOB_CANCEL, Step.CANCEL_STORED,
            CommandKind.JOB_PURGE, Step.PURGE_STORED);

    private final Database database;
    private final JobStore jobs;
    private final CommandStore commands;
    private final OwnerStore owners;
    private final JobNumbers numbers;
    private final JobStateMachine machine;
    private final Clock clock;
    private final Runnable wake;
    private final JobLeases leases;

    /** What a command does to locked jobs that it accepts. */
    @FunctionalInterface
    private interface Effect {
        void on(Handle h, List<JobRow> jobs, Set<Integer> busy);
    }

    /**
     * @param wake called after commands were committed
     */
    public JobCommands(
            Database database,
            JobStore jobs,
            CommandStore commands,
            OwnerStore owners,
            JobNumbers numbers,
            JobStateMachine machine,
            Clock clock,
            Runnable wake) {
        this.database = database;
        this.jobs = jobs;
        this.commands = commands;
        this.owners = owners;
        this.numbers = numbers;
        this.machine = machine;
        this.clock = clock;
        this.wake = wake;
        this.leases = new JobLeases(commands);
    }

    List<CommandResult> start(Caller caller, JobFilter filter) {
        // The original client sends JobStart without ids after every registration failed; taken as a filter it would
        // start all other jobs of the delegation (contract/client-observations.md, hazard).
        return filter.ids().isEmpty() ? List.of() : queue(caller, filter, CommandKind.JOB_START, null);
    }

    List<CommandResult> cancel(Caller caller, JobFilter filter) {
        return queue(
                caller, filter, CommandKind.JOB_CANCEL, caller.admin() ? "Cancelled by CE admin" : "Cancelled by user");
    }

    List<CommandResult> purge(Caller caller, JobFilter filter) {
        return queue(caller, filter, CommandKind.JOB_PURGE, null);
    }

    List<CommandResult> suspend(Caller caller, JobFilter filter) {
        return queue(caller, filter, CommandKind.JOB_SUSPEND, null);
    }

    List<CommandResult> resume(Caller caller, JobFilter filter) {
        return queue(caller, filter, CommandKind.JOB_RESUME, null);
    }

    List<CommandResult> setLease(Caller caller, String leaseId, JobFilter filter) {
        return command(
                caller,
                filter,
                CommandKind.JOB_SET_LEASEID,
                (h, jobsMeant, busy) -> leases.set(h, leaseId, jobsMeant, clock.instant()));
    }

    /**
     * Cancels whatever of a delegation has not ended and is not being cancelled, also what still waits for its hand-over.
     */
    public void cancelJobsOf(int delegationRow, String reason) {
        List<Integer> ids = database.read(h -> h.createQuery(OF_DELEGATION)
                .bind("delegation", delegationRow)
                .mapTo(Integer.class)
                .list());
        for (List<Integer> slice : JobStore.slices(ids)) {
            database.inTransaction(h -> {
                List<JobRow> rows = jobs.lock(h, slice).stream()
                        .filter(r -> !r.state().isFinal() && r.cancelReason() == null)
                        .toList();
                issue(h, CommandKind.JOB_CANCEL, rows, commands.busy(h, slice), reason);
                return null;
            });
        }
        wake.run();
    }

    /** Queues a command; without ids the answer is empty. */
    private List<CommandResult> queue(Caller caller, JobFilter filter, CommandKind kind, String description) {
        List<CommandResult> results =
                command(caller, filter, kind, (h, meant, busy) -> issue(h, kind, meant, busy, description));
        Steps.reached(STORED.get(kind));
        wake.run();
        return filter.ids().isEmpty() ? List.of() : results;
    }

    /** Answers for the jobs named, or for all those meant when none is named. */
    private List<CommandResult> command(Caller caller, JobFilter filter, CommandKind kind, Effect effect) {
        Integer owner = caller.admin() ? null : (Integer) owners.owner(caller.identity());
        JobSelection selection = new JobSelection(filter, owner, ACCEPTED.get(kind));
        return filter.ids().isEmpty()
                ? commandAll(owner, selection, kind, effect)
                : commandNamed(selection, kind, effect);
    }

    private List<CommandResult> commandAll(Integer owner, JobSelection selection, CommandKind kind, Effect effect) {
        Set<JobState> usable = selection.states(ACCEPTED.get(kind));
        List<CommandResult> results = new ArrayList<>();
        for (List<Integer> slice : JobStore.slices(database.read(h -> jobs.ids(h, owner, usable)))) {
            results.addAll(database.inTransaction(h -> {
                List<JobRow> still = selection.matching(jobs.lock(h, slice)).stream()
                        .filter(r -> usable.contains(r.state()))
                        .toList();
                effect.on(h, still, commands.busy(h, slice));
                return still.stream()
                        .map(r -> new CommandResult(numbers.id(r.id()).toString(), null))
                        .toList();
            }));
        }
        return results;
    }

    private List<CommandResult> commandNamed(JobSelection selection, CommandKind kind, Effect effect) {
        List<CommandResult> results = new ArrayList<>();
        Map<String, Integer> ids = selection.rows(numbers);
        for (List<String> slice : JobStore.slices(List.copyOf(ids.keySet()))) {
            results.addAll(database.inTransaction(h -> {
                Map<Integer, JobRow> rows = JobSelection.byId(jobs.lock(
                        h, slice.stream().map(ids::get).filter(Objects::nonNull).toList()));
                Set<Integer> busy = commands.busy(h, rows.keySet());
                List<CommandResult> answers = new ArrayList<>();
                List<JobRow> good = new ArrayList<>();
                for (String id : slice) {
                    JobRow row = rows.get(ids.get(id));
                    JobFault.Kind fault = selection.mismatch(row);
                    if (fault == null && !isAccepted(kind, row, busy)) {
                        fault = JobFault.Kind.STATUS_INVALID;
                    }
                    if (fault == null) {
                        good.add(row);
                    }
                    answers.add(new CommandResult(id, fault == null ? null : JobFault.of(fault)));
                }
                effect.on(h, good, busy);
                return answers;
            }));
        }
        return results;
    }

    /** A registered job with a command under way is being purged: a start now would run it without its sandbox. */
    private static boolean isAccepted(CommandKind kind, JobRow row, Set<Integer> busy) {
        return ACCEPTED.get(kind).contains(row.state()) && !(kind == CommandKind.JOB_START && busy.contains(row.id()));
    }

    /** Queues a command for locked jobs, with what the command changes at once. */
    private void issue(Handle h, CommandKind kind, Collection<JobRow> rows, Set<Integer> busy, String description) {
        if (rows.isEmpty()) {
            return;
        }
        Instant now = clock.instant();
        List<JobStore.Stored> changes = new ArrayList<>();
        List<CommandStore.NewCommand> issued = new ArrayList<>();
        List<Integer> asked = new ArrayList<>();
        for (JobRow row : rows) {
            boolean atOnce = kind == CommandKind.JOB_CANCEL && row.state() == JobState.REGISTERED;
            issued.add(new CommandStore.NewCommand(
                    row.id(), kind, atOnce ? CommandState.SUCCESSFULL : CommandState.QUEUED, description));
            if (atOnce) {
                machine.cancelled(row.withCancelReason(description), now)
                        .ifPresent(c -> changes.add(new JobStore.Stored(row, c, null, null)));
            } else if (kind == CommandKind.JOB_START) {
                machine.started(row, now).ifPresent(c -> changes.add(new JobStore.Stored(row, c, null, null)));
            }
            if (kind == CommandKind.JOB_CANCEL) {
                asked.add(row.id());
            }
        }
        jobs.store(h, changes);
        if (!asked.isEmpty()) {
            h.createUpdate(CANCEL_ASKED)
                    .bind("reason", description)
                    .bindList("ids", asked)
                    .execute();
        }
        commands.insert(h, issued, busy, now);
        Steps.reached(WRITTEN.get(kind));
    }
}
