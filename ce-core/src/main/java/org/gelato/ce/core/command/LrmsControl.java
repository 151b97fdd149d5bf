package org.gelato.ce.core.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.command.CommandOutcome.Later;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.BatchSystem;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.sandbox.SandboxClaim;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;

/**
 * Executes JOB_CANCEL, JOB_SUSPEND and JOB_RESUME: one batch command for all jobs of an account. The job's state changes
 * when the batch system or the wrapper reports it. Never blocks. A crash after the batch command leaves the claim to
 * return: the repeated command finds the job where it wanted it, or requests the same once more.
 */
public final class LrmsControl {
    private static final Duration RETRY = Duration.ofSeconds(10);
    private static final Set<JobState> MOVING = EnumSet.of(JobState.IDLE, JobState.RUNNING, JobState.REALLY_RUNNING);
    private static final Set<JobState> HELD = EnumSet.of(JobState.HELD);
    private static final Set<JobState> NOT_HANDED_OVER = EnumSet.of(JobState.REGISTERED, JobState.PENDING);
    /** Tries, ten seconds apart, after which no wrapper comes any more: an hour. */
    private static final int MAX_CLAIMS = 360;

    private static final String UNKNOWN = "the job is no longer known to the batch system";
    private static final String ALIVE = "the batch system does not show the job under its id, but may have it";
    private static final Map<CommandKind, Control> CONTROLS = Map.of(
            CommandKind.JOB_CANCEL, new Control(Lrms::cancel, JobState.IN_LRMS, Set.of(), null),
            CommandKind.JOB_SUSPEND, new Control(Lrms::hold, MOVING, HELD, UNKNOWN),
            CommandKind.JOB_RESUME, new Control(Lrms::release, HELD, MOVING, UNKNOWN));

    private final Map<String, BatchSystem> lrms;
    private final Database database;
    private final CommandStore commands;
    private final SandboxClaim claim;
    private final SandboxLayout layout;
    private final Runnable afterControl;

    /** A call to a batch system; returns as {@link Lrms#cancel}. */
    @FunctionalInterface
    private interface Verb {
        CompletableFuture<Map<String, String>> send(Lrms lrms, String account, Collection<String> ids);
    }

    /**
     * How one kind of command is executed.
     *
     * @param from states a job may be in
     * @param to states in which a repeated command was done by its first execution
     * @param unknown what is wrong when the batch system has lost the job; null when the command is done then
     */
    private record Control(Verb verb, Set<JobState> from, Set<JobState> to, String unknown) {}

    /** @param ours whether the jobs are to be resumed that we suspended */
    private record Target(String lrms, String account, CommandKind kind, boolean ours) {}

    /**
     * @param lrms by name
     * @param accounts in whose sandboxes jobs are taken from wrappers that come late
     * @param afterControl called when a cancel, hold or release went to the batch system, so that its effect is polled
     *     for soon
     */
    public LrmsControl(
            Map<String, BatchSystem> lrms,
            Database database,
            CommandStore commands,
            AccountCommands accounts,
            SandboxLayout layout,
            Runnable afterControl) {
        this.lrms = lrms;
        this.database = database;
        this.commands = commands;
        this.claim = new SandboxClaim(accounts);
        this.layout = layout;
        this.afterControl = afterControl;
    }

    /** The commands this executes. */
    static Set<CommandKind> kinds() {
        return CONTROLS.keySet();
    }

    /** After the outcomes of executed commands are stored. */
    void committed() {
        afterControl.run();
    }

    void execute(List<ClaimedCommand> claimed, Consumer<CommandOutcome> outcomes) {
        Map<Target, List<ClaimedCommand>> targets = new HashMap<>();
        Set<Integer> suspended = suspended(claimed);
        for (ClaimedCommand c : claimed) {
            Control control = CONTROLS.get(c.kind());
            JobState state = c.job().state();
            if ((c.tries() > 1 && control.to().contains(state)) || wasNeverThere(c)) {
                outcomes.accept(new CommandOutcome.Done(c));
            } else if (c.kind() == CommandKind.JOB_CANCEL && NOT_HANDED_OVER.contains(state)) {
                cancelWaiting(c, outcomes);
            } else if (!control.from().contains(state)) {
                outcomes.accept(new CommandOutcome.Failed(c, "status not compatible with the specified command!"));
            } else if (c.job().lrmsId() == null) {
                outcomes.accept(Later.retry(c, RETRY, "the LRMS id is not known yet"));
            } else if (!lrms.containsKey(c.lrms())) {
                outcomes.accept(new CommandOutcome.Failed(c, "batch system " + c.lrms() + " is not configured"));
            } else {
                Target target = new Target(
                        c.lrms(),
                        c.account(),
                        c.kind(),
                        suspended.contains(c.job().id()));
                targets.computeIfAbsent(target, x -> new ArrayList<>()).add(c);
            }
        }
        targets.forEach((target, list) -> send(target, list, outcomes));
    }

    /**
     * Cancels a job whose start was taken back. A hand-over that was in doubt may still arrive: the wrapper that comes with it must find
     * the job claimed before anybody reads that it is cancelled.
     */
    private void cancelWaiting(ClaimedCommand c, Consumer<CommandOutcome> outcomes) {
        take(c).whenComplete((taken, e) -> {
            if (e != null && c.tries() < MAX_CLAIMS) {
                outcomes.accept(
                        Later.retry(c, RETRY, "it is not known whether a wrapper runs the job: " + Messages.of(e)));
            } else if (e != null || taken) {
                outcomes.accept(new CommandOutcome.Cancelled(c));
            } else {
                outcomes.accept(new CommandOutcome.Appeared(
                        Later.retry(c, RETRY, "a wrapper runs the job, its LRMS id is not known yet")));
            }
        });
    }

    /**
     * What becomes of starts. One that is refused ends its job: where an earlier hand-over may still arrive, the job is taken from its
     * wrapper first.
     */
    Consumer<CommandOutcome> ofStarts(Consumer<CommandOutcome> outcomes) {
        return o -> {
            if (o instanceof CommandOutcome.Refused r
                    && r.command().job().batchJob().attempt() > 0) {
                take(r.command()).whenComplete((taken, e) -> outcomes.accept(refused(r, taken, e)));
            } else {
                outcomes.accept(o);
            }
        };
    }

    private static CommandOutcome refused(CommandOutcome.Refused refused, Boolean taken, Throwable e) {
        ClaimedCommand c = refused.command();
        if (e == null && !taken && c.tries() < MAX_CLAIMS) {
            return Later.retry(c, RETRY, "a wrapper runs the job, though: " + refused.reason());
        }
        return e == null || c.tries() >= MAX_CLAIMS
                ? refused
                : Later.undone(c, RETRY, "it is not known whether a wrapper runs the job: " + Messages.of(e));
    }

    private CompletableFuture<Boolean> take(ClaimedCommand c) {
        return claim.take(c.account(), layout.sandbox(layout.home(c.owner(), c.account()), c.jobId()));
    }

    /** A job that was cancelled before its hand-over, while its cancel waited. */
    private static boolean wasNeverThere(ClaimedCommand c) {
        return c.kind() == CommandKind.JOB_CANCEL
                && c.job().state() == JobState.CANCELLED
                && c.job().lrmsId() == null;
    }

    /** Of the jobs to resume those that were suspended by a command: others were by the site, which alone resumes them. */
    private Set<Integer> suspended(List<ClaimedCommand> claimed) {
        List<Integer> held = claimed.stream()
                .filter(c -> c.kind() == CommandKind.JOB_RESUME)
                .map(c -> c.job().id())
                .toList();
        return held.isEmpty() ? Set.of() : database.read(h -> commands.suspended(h, held));
    }

    private void send(Target target, List<ClaimedCommand> claimed, Consumer<CommandOutcome> outcomes) {
        Steps.reached(Step.CONTROL_CLAIMED, claimed, c -> c.job().id());
        BatchSystem system = lrms.get(target.lrms());
        Control control = CONTROLS.get(target.kind());
        Verb verb = target.ours() ? Lrms::resume : control.verb();
        CompletableFuture<Map<String, String>> response = system.port()
                .stillOwned(lookups(system, claimed)
                        .filter(job -> job.lrmsId() != null)
                        .toList())
                .thenCompose(theirs -> send(system, control, verb, target.account(), claimed, theirs));
        Steps.reached(Step.CONTROL_SENT, claimed, c -> c.job().id());
        response.whenComplete((responses, e) -> {
            Steps.reached(Step.CONTROL_ANSWERED, claimed, c -> c.job().id());
            for (ClaimedCommand c : claimed) {
                String words = e == null ? responses.get(c.job().lrmsId()) : null;
                if (e != null || ALIVE.equals(words)) {
                    outcomes.accept(Later.retry(c, RETRY, e == null ? words : Messages.of(e)));
                } else if (words != null) {
                    outcomes.accept(new CommandOutcome.Failed(c, words));
                } else {
                    outcomes.accept(new CommandOutcome.Done(c));
                }
            }
        });
    }

    /** One batch command for the jobs whose ids still mean them. */
    private static CompletableFuture<Map<String, String>> send(
            BatchSystem system,
            Control control,
            Verb verb,
            String account,
            List<ClaimedCommand> claimed,
            Set<String> theirs) {
        List<String> ids = new ArrayList<>();
        List<ClaimedCommand> lost = new ArrayList<>();
        for (ClaimedCommand c : claimed) {
            if (theirs.contains(c.job().lrmsId())) {
                ids.add(c.job().lrmsId());
            } else {
                lost.add(c);
            }
        }
        CompletableFuture<Map<String, String>> sent =
                ids.isEmpty() ? CompletableFuture.completedFuture(Map.of()) : verb.send(system.port(), account, ids);
        return lost.isEmpty()
                ? sent
                : sent.thenCompose(responses -> ofLost(system, control, lost).thenApply(others -> {
                    Map<String, String> all = new HashMap<>(responses);
                    all.putAll(others);
                    return all;
                }));
    }

    /** Of jobs that are not shown under their ids. A cancel is done once the history has no living job, either. */
    private static CompletableFuture<Map<String, String>> ofLost(
            BatchSystem system, Control control, List<ClaimedCommand> lost) {
        Map<String, String> words = new HashMap<>();
        if (control.unknown() != null) {
            lost.forEach(c -> words.put(c.job().lrmsId(), control.unknown()));
            return CompletableFuture.completedFuture(words);
        }
        return system.find(lookups(system, lost).toList()).thenApply(found -> {
            for (ClaimedCommand c : lost) {
                LrmsJob job = found.get(c.jobId().tag());
                words.put(c.job().lrmsId(), job == null || job.state().isEnd() ? null : ALIVE);
            }
            return words;
        });
    }

    private static Stream<Lrms.Lookup> lookups(BatchSystem system, List<ClaimedCommand> claimed) {
        return claimed.stream().map(c -> {
            String id = c.job().lrmsId();
            return new Lrms.Lookup(
                    c.jobId().tag(),
                    c.account(),
                    system.port().isId(id) ? id : null,
                    c.job().batchJob().at());
        });
    }
}
