package org.gelato.ce.core.service;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.gelato.ce.core.command.CancelRequests;
import org.gelato.ce.core.command.ClaimedCommand;
import org.gelato.ce.core.command.CommandKind;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.command.DirectClaims;
import org.gelato.ce.core.db.CommitInDoubtException;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.GroupCommit;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;
import org.gelato.ce.json.FaultCode;
import org.jdbi.v3.core.Handle;

/**
 * Commands on named jobs: one lock, one check and one insert for all the calls of one kind that wait (group commit). While
 * no other command waits, starts and purges are claimed by the transaction that inserts them and executed after its
 * commit. A crash between the two leaves what a crash after a claim leaves: the claim runs out, and a hand-over is looked
 * up before it is tried again.
 */
final class QueuedCommands {
    private static final Set<CommandKind> CLAIMED_AT_ONCE = Set.of(CommandKind.JOB_START, CommandKind.JOB_PURGE);

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
    private final CancelRequests cancels;
    private final JobStateMachine machine;
    private final Clock clock;
    private final DirectClaims direct;
    private final Runnable wake;
    private final Map<GroupKey, GroupCommit<Call, List<CommandResult>>> transactions = new ConcurrentHashMap<>();

    /** What a command does to locked jobs that it accepts; returns those it could not accept after all. */
    @FunctionalInterface
    interface Effect {
        Set<Integer> on(Handle h, List<JobRow> jobs);
    }

    /** Calls that share transactions do the same to their jobs. */
    private record GroupKey(CommandKind kind, Description description) {}

    /**
     * What a command shows as its reason.
     *
     * @param text null for none
     * @param owner whose jobs show another text; 0 for nobody's
     * @param ofOwner of these
     */
    record Description(String text, int owner, String ofOwner) {
        static final Description NONE = new Description(null, 0, null);

        static Description of(String text) {
            return new Description(text, 0, text);
        }

        private String of(JobRow row) {
            return row.registration().ownerId() == owner ? ofOwner : text;
        }
    }

    /**
     * One call, or a slice of it.
     *
     * @param ids as the client named the jobs
     * @param rows their rows; null for ids no job can have
     */
    record Call(
            JobSelection selection,
            List<String> ids,
            Map<String, Integer> rows,
            CommandKind kind,
            Set<JobState> accepted,
            Description description) {
        TreeSet<Integer> jobs() {
            TreeSet<Integer> jobs = new TreeSet<>();
            ids.stream().map(rows::get).filter(Objects::nonNull).forEach(jobs::add);
            return jobs;
        }
    }

    QueuedCommands(
            Database database,
            JobStore jobs,
            CommandStore commands,
            JobStateMachine machine,
            Clock clock,
            DirectClaims direct,
            Runnable wake) {
        this.database = database;
        this.jobs = jobs;
        this.commands = commands;
        this.cancels = new CancelRequests(jobs, commands, machine);
        this.machine = machine;
        this.clock = clock;
        this.direct = direct;
        this.wake = wake;
    }

    /** Executes a call in a transaction that other calls may share. */
    List<CommandResult> grouped(Call call) {
        // There are few kinds and descriptions: both are ours, never a client's.
        return transactions
                .computeIfAbsent(
                        new GroupKey(call.kind(), call.description()),
                        key -> new GroupCommit<>(
                                JobStore.SLICE,
                                a -> Math.max(1, a.ids().size()),
                                a -> a.selection().holder(),
                                this::inOneTransaction))
                .submit(call);
    }

    /** Executes a call in a transaction of its own. */
    List<CommandResult> single(Call call, Effect effect) {
        return database.inTransaction(h -> {
            Map<Integer, JobRow> rows = JobSelection.byId(jobs.lock(h, call.jobs()));
            return check(h, List.of(call), rows, effect).get(0);
        });
    }

    private List<List<CommandResult>> inOneTransaction(List<Call> calls) {
        TreeSet<Integer> ids = new TreeSet<>();
        calls.forEach(call -> ids.addAll(call.jobs()));
        CommandKind kind = calls.get(0).kind();
        Optional<DirectClaims.Reservation> room =
                CLAIMED_AT_ONCE.contains(kind) && !ids.isEmpty() ? direct.reserve(kind, ids.size()) : Optional.empty();
        if (room.isPresent()) {
            return insertClaimed(calls, ids, kind, room.get());
        }
        Description description = calls.get(0).description();
        Set<Integer> stored = new HashSet<>();
        List<List<CommandResult>> responses = database.inTransaction(h ->
                check(h, calls, JobSelection.byId(jobs.lock(h, ids)), (handle, accepted) -> {
                    Set<Integer> refused = issue(handle, kind, accepted, description);
                    note(stored, accepted, refused);
                    return refused;
                }));
        Steps.reached(STORED.get(kind), stored, row -> row);
        wake.run();
        return responses;
    }

    private List<List<CommandResult>> insertClaimed(
            List<Call> calls, Collection<Integer> ids, CommandKind kind, DirectClaims.Reservation room) {
        List<ClaimedCommand> claimed = new ArrayList<>();
        Set<Integer> stored = new HashSet<>();
        List<List<CommandResult>> responses;
        try {
            responses = database.inTransaction(h -> {
                claimed.clear(); // the victim of a deadlock runs again
                Map<Integer, ClaimedCommand> found = new HashMap<>();
                Map<Integer, JobRow> rows = new HashMap<>();
                for (ClaimedCommand c : commands.lockToClaim(h, ids, kind)) {
                    found.put(c.job().id(), c);
                    rows.put(c.job().id(), c.job());
                }
                return check(h, calls, rows, (handle, accepted) -> {
                    Set<Integer> refused = claim(handle, kind, accepted, found, room, claimed);
                    note(stored, accepted, refused);
                    return refused;
                });
            });
        } catch (CommitInDoubtException e) {
            room.doubt(claimed);
            throw e;
        } catch (RuntimeException | Error e) {
            room.release();
            throw e;
        }
        Steps.reached(STORED.get(kind), stored, row -> row);
        room.execute(claimed);
        return responses;
    }

    /** Remembers what a transaction stores; the victim of a deadlock runs again. */
    private static void note(Set<Integer> stored, List<JobRow> accepted, Set<Integer> refused) {
        stored.clear();
        stored.addAll(ids(accepted));
        stored.removeAll(refused);
    }

    /** Checks what each call names, does the effect on all that is accepted, and returns a result for each call. */
    private static List<List<CommandResult>> check(
            Handle h, List<Call> calls, Map<Integer, JobRow> rows, Effect effect) {
        List<JobRow> accepted = new ArrayList<>();
        Set<Integer> taken = new HashSet<>();
        List<Map<String, FaultCode>> faults = new ArrayList<>();
        for (Call call : calls) {
            Map<String, FaultCode> own = new LinkedHashMap<>();
            for (String id : call.ids()) {
                JobRow row = rows.get(call.rows().get(id));
                FaultCode fault = call.selection().mismatch(row);
                // What an earlier call of this transaction starts or cancels is not registered any more.
                if (fault == null && (!call.accepted().contains(row.state()) || isTaken(call.kind(), row, taken))) {
                    fault = FaultCode.STATUS_INVALID;
                }
                if (fault == null) {
                    accepted.add(row);
                }
                own.put(id, fault);
            }
            faults.add(own);
        }
        Set<Integer> refused = effect.on(h, accepted);
        List<List<CommandResult>> responses = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            List<CommandResult> results = new ArrayList<>();
            faults.get(i).forEach((id, fault) -> {
                boolean late = fault == null && refused.contains(call.rows().get(id));
                FaultCode kind = late ? FaultCode.STATUS_INVALID : fault;
                results.add(new CommandResult(id, kind == null ? null : new JobFault(kind, null)));
            });
            responses.add(results);
        }
        return responses;
    }

    private static boolean isTaken(CommandKind kind, JobRow row, Set<Integer> taken) {
        boolean moves =
                row.state() == JobState.REGISTERED && (kind == CommandKind.JOB_START || kind == CommandKind.JOB_CANCEL);
        return moves && !taken.add(row.id());
    }

    /**
     * Queues a command for locked jobs, with what the command changes at once.
     *
     * @return jobs it could not be queued for: a registered job with a command under way is being purged, and a start
     *     would run it without its sandbox
     */
    Set<Integer> issue(Handle h, CommandKind kind, List<JobRow> rows, Description description) {
        if (rows.isEmpty()) {
            return Set.of();
        }
        Instant now = clock.instant();
        if (kind == CommandKind.JOB_START) {
            Set<Integer> busy = start(h, rows, false, now);
            List<CommandStore.NewCommand> starts = starts(rows, busy);
            commands.insert(h, starts, Set.of(), now);
            Steps.reached(WRITTEN.get(kind), starts, CommandStore.NewCommand::job);
            return busy;
        }
        if (kind == CommandKind.JOB_CANCEL) {
            rows.stream()
                    .collect(Collectors.groupingBy(description::of))
                    .forEach((text, some) -> cancels.request(h, some, text, now));
        } else {
            List<CommandStore.NewCommand> issued = rows.stream()
                    .map(row -> CommandStore.NewCommand.queued(row, kind, null))
                    .toList();
            commands.insert(h, issued, commands.busy(h, ids(rows)), now);
        }
        Steps.reached(WRITTEN.get(kind), rows, JobRow::id);
        return Set.of();
    }

    /** Queues starts or purges and claims them, but those that wait for another command of their job. */
    private Set<Integer> claim(
            Handle h,
            CommandKind kind,
            List<JobRow> rows,
            Map<Integer, ClaimedCommand> found,
            DirectClaims.Reservation room,
            List<ClaimedCommand> claimed) {
        if (rows.isEmpty()) {
            return Set.of();
        }
        Instant now = clock.instant();
        if (kind == CommandKind.JOB_START) {
            Set<Integer> busy = start(h, rows, true, now);
            List<CommandStore.NewCommand> starts = starts(rows, busy);
            claimed.addAll(commands.insertClaimed(h, starts, Set.of(), now, room, found));
            claimed.replaceAll(c -> started(c, now));
            written(kind, starts, claimed);
            return busy;
        }
        List<CommandStore.NewCommand> issued = rows.stream()
                .map(row -> CommandStore.NewCommand.queued(row, kind, null))
                .toList();
        claimed.addAll(commands.insertClaimed(h, issued, commands.busy(h, ids(rows)), now, room, found));
        written(kind, issued, claimed);
        return Set.of();
    }

    /** The command and its claim are one transaction's. */
    private static void written(CommandKind kind, List<CommandStore.NewCommand> issued, List<ClaimedCommand> claimed) {
        Steps.reached(WRITTEN.get(kind), issued, CommandStore.NewCommand::job);
        Steps.reached(Step.CLAIM_WRITTEN, claimed, c -> c.job().id());
    }

    private ClaimedCommand started(ClaimedCommand c, Instant now) {
        return machine.started(c.job(), now)
                .map(change -> c.withJob(c.job().after(change)))
                .orElse(c);
    }

    /** Starts registered jobs; returns those that have a command under way and stay as they are. */
    private Set<Integer> start(Handle h, List<JobRow> rows, boolean handOver, Instant now) {
        List<JobStore.Stored> changes = new ArrayList<>();
        rows.forEach(row -> machine.started(row, now)
                .ifPresent(change -> changes.add(new JobStore.Stored(row, change, null, null))));
        if (jobs.start(h, changes, handOver, now)) {
            return Set.of();
        }
        Set<Integer> busy = commands.busy(h, ids(rows));
        changes.removeIf(change -> busy.contains(change.job().id()));
        jobs.record(h, changes);
        return busy;
    }

    private static List<CommandStore.NewCommand> starts(List<JobRow> rows, Set<Integer> busy) {
        return rows.stream()
                .filter(row -> !busy.contains(row.id()))
                .map(row -> CommandStore.NewCommand.start(
                        row.id(),
                        row.registration().ownerId(),
                        row.registration().queueId()))
                .toList();
    }

    private static List<Integer> ids(List<JobRow> rows) {
        return rows.stream().map(JobRow::id).distinct().toList();
    }
}
