package org.gelato.ce.core.command;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.command.CommandOutcome.Later;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.BatchSystem;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.route.RouteQueues;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.Languages;
import org.gelato.ce.description.RuntimeEnvironments;
import org.gelato.ce.json.RouteSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes JOB_START: hands jobs to their batch system, once (docs/developer/design.md section 4). The claim has marked the job SUBMITTING
 * and committed that before this runs. A job that was marked by an earlier claim is looked up by its tag first; only when
 * the batch system certainly does not have it is the mark taken back and the job submitted by a later claim. Each result
 * is reported to the batch system's {@link SubmissionThrottle}. Never blocks.
 */
public final class HandOver {
    private static final Logger log = LoggerFactory.getLogger(HandOver.class);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(10);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(5);
    /** Between two tries of a job that waits for a limit or for its queue. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
    /** Tries of a job that the batch system refuses in words which may be for now: 70 s with their waits. */
    static final int MAX_REFUSALS = 4;

    /** How long a job that waits for its time is left alone; it may name any year. */
    private static final Duration LONGEST_SLEEP = Duration.ofDays(1);

    private final Map<String, BatchSystem> lrms;
    private final Map<String, SubmissionThrottle> throttles;
    private final Languages languages;
    private final RuntimeEnvironments environments;
    private final SubmissionBuilder builder;
    private final RouteQueues queues;
    private final Clock clock;

    /**
     * @param lrms by name
     * @param throttles of each of them, by name
     * @param languages of stored descriptions
     * @param environments that jobs may want
     * @param builder makes of each start what its batch system gets
     * @param queues how many jobs of a route may wait in the batch system
     * @param clock for jobs that are not to start before a time
     */
    public HandOver(
            Map<String, BatchSystem> lrms,
            Map<String, SubmissionThrottle> throttles,
            Languages languages,
            RuntimeEnvironments environments,
            SubmissionBuilder builder,
            RouteQueues queues,
            Clock clock) {
        this.lrms = lrms;
        this.throttles = Map.copyOf(throttles);
        this.languages = languages;
        this.environments = environments;
        this.builder = builder;
        this.queues = queues;
        this.clock = clock;
    }

    /** How much each batch system is given at once, by name. */
    Map<String, SubmissionThrottle> throttles() {
        return throttles;
    }

    /** How many jobs of a route may wait there. */
    RouteQueues queues() {
        return queues;
    }

    void execute(List<ClaimedCommand> commands, Consumer<CommandOutcome> outcomes) {
        // Before the first outcome, which another thread may have stored before the last command is looked at.
        Steps.reached(Step.HAND_OVER_CLAIMED, commands, c -> c.job().id());
        Map<BatchSystem, List<ClaimedCommand>> inDoubt = new HashMap<>();
        Map<BatchSystem, List<ClaimedCommand.Start>> fresh = new HashMap<>();
        for (ClaimedCommand c : commands) {
            BatchSystem target = lrms.get(c.lrms());
            if (c.job().state() != JobState.PENDING) {
                outcomes.accept(notPending(c));
            } else if (target == null) {
                outcomes.accept(new CommandOutcome.Refused(c, "batch system " + c.lrms() + " is not configured"));
            } else if (c.job().cancelReason() != null && !c.lookUpFirst()) {
                outcomes.accept(Later.absent(c, Duration.ZERO, null).uncounted()); // ends as cancelled
            } else if (c.lookUpFirst()) {
                inDoubt.computeIfAbsent(target, x -> new ArrayList<>()).add(c);
            } else {
                try {
                    RouteSettings settings = c.route().settings();
                    JobRequest own = environments.check(languages.read(c.language(), c.text()));
                    JobRequest read = withEnvironment(own, settings);
                    if (read == null) {
                        outcomes.accept(Later.absent(
                                c,
                                LONGEST_RETRY,
                                "a runtime environment that the site's routes give it does not exist any more"));
                        continue;
                    }
                    JobRequest request = read.with(Routes.withDefaults(read.resources(), settings));
                    CommandOutcome held = held(c, request.session());
                    if (held != null) {
                        outcomes.accept(held);
                        continue;
                    }
                    fresh.computeIfAbsent(target, x -> new ArrayList<>()).add(new ClaimedCommand.Start(c, request));
                } catch (DescriptionException e) {
                    outcomes.accept(new CommandOutcome.Refused(c, e.getMessage()));
                } catch (RuntimeException | StackOverflowError e) {
                    // One description that we fail to read must not keep the others of its batch.
                    log.error("the description of {} is not read", c, e);
                    outcomes.accept(Later.absent(c, LONGEST_RETRY, Messages.of(e)));
                }
            }
        }
        inDoubt.forEach((target, list) -> lookUp(target, list, outcomes));
        fresh.forEach((target, list) -> submit(target, list, outcomes));
    }

    /** Null when a runtime environment is gone since the job was registered: the site's fault, not the job's. */
    private JobRequest withEnvironment(JobRequest own, RouteSettings settings) {
        try {
            return environments.check(Routes.withEnvironment(own, settings));
        } catch (DescriptionException e) {
            return null;
        }
    }

    /** What becomes of a job whose description keeps it from the batch system; null for others. */
    private CommandOutcome held(ClaimedCommand c, JobRequest.Session session) {
        if (session.dryRun()) {
            return new CommandOutcome.Refused(
                    c, "dry run, as the description wants it: the job was checked and not run");
        }
        Duration wait = session.start() == null ? Duration.ZERO : Duration.between(clock.instant(), session.start());
        return wait.isNegative() || wait.isZero()
                ? null
                : Later.absent(c, wait.compareTo(LONGEST_SLEEP) > 0 ? LONGEST_SLEEP : wait, null)
                        .uncounted();
    }

    /**
     * The wrapper may report a job before the batch system's result is stored, and the process that had it may be dead. Its
     * word is proof of the hand-over; when it does not know its LRMS id, the poller finds that out.
     */
    private static CommandOutcome notPending(ClaimedCommand c) {
        String lrmsId = c.job().lrmsId();
        return lrmsId == null ? new CommandOutcome.Done(c) : new CommandOutcome.HandedOver(c, lrmsId);
    }

    private void lookUp(BatchSystem target, List<ClaimedCommand> commands, Consumer<CommandOutcome> outcomes) {
        List<Lrms.Lookup> lookups = commands.stream()
                .map(c -> new Lrms.Lookup(c.jobId().tag(), c.account(), null))
                .toList();
        SubmissionThrottle throttle = throttles.get(target.name());
        long call = throttle.begin();
        target.find(lookups).whenComplete((found, e) -> {
            Steps.reached(Step.LOOK_UP_ANSWERED, commands, c -> c.job().id());
            SubmissionThrottle.Verdict verdict = null;
            if (e == null) {
                throttle.succeeded(call, false);
            } else {
                verdict = throttle.failed(call, Messages.of(e));
            }
            for (ClaimedCommand c : commands) {
                if (e != null) {
                    outcomes.accept(later(c, throttle, verdict, false, Messages.of(e)));
                    continue;
                }
                outcomes.accept(lookedUp(c, found.get(c.jobId().tag())));
            }
        });
    }

    /** A job that may be there is neither bound to an id nor handed over again; it is no fault of the batch system's. */
    private static CommandOutcome lookedUp(ClaimedCommand c, LrmsJob job) {
        if (job == null) {
            return Later.absent(c, Duration.ZERO, null).uncounted(); // no try of the job
        }
        return job.isUnreadable()
                ? Later.retry(c, retryAfter(c), job.reason())
                : new CommandOutcome.HandedOver(c, job.lrmsId());
    }

    /**
     * A start whose script is written.
     *
     * @param call of the throttle, begun before the writing
     */
    private record Written(ClaimedCommand command, long call, Submission submission) {}

    /** A start that waits for its owner's first script to be written goes alone; it must not keep the others of its batch. */
    private void submit(BatchSystem target, List<ClaimedCommand.Start> starts, Consumer<CommandOutcome> outcomes) {
        SubmissionThrottle throttle = throttles.get(target.name());
        List<Written> batch = new ArrayList<>();
        for (ClaimedCommand.Start start : starts) {
            ClaimedCommand c = start.command();
            CompletableFuture<Submission> submission;
            try {
                submission = builder.of(start);
            } catch (RuntimeException | StackOverflowError e) {
                // One job we cannot write a script for must not keep the others of its batch.
                log.error("no wrapper for {}", c, e);
                outcomes.accept(Later.absent(c, LONGEST_RETRY, Messages.of(e)));
                continue;
            }
            long call = throttle.begin();
            if (submission.isDone() && !submission.isCompletedExceptionally()) {
                batch.add(new Written(c, call, submission.join()));
            } else {
                submission.whenComplete((written, failure) -> {
                    if (failure == null) {
                        submitLate(target, new Written(c, call, written), outcomes);
                    } else {
                        outcomes.accept(withoutScript(c, throttle, call, failure));
                    }
                });
            }
        }
        if (!batch.isEmpty()) {
            submitWritten(target, batch, outcomes);
        }
    }

    /** On a thread of the helper's channel, where nobody else would report a defect. */
    private void submitLate(BatchSystem target, Written start, Consumer<CommandOutcome> outcomes) {
        try {
            submitWritten(target, List.of(start), outcomes);
        } catch (RuntimeException e) {
            log.error("hand-over of {} failed", start.command(), e);
            outcomes.accept(Later.retry(start.command(), LONGEST_RETRY, Messages.of(e)));
        }
    }

    /** What is wrong with one account's files says nothing about the batch system. */
    private CommandOutcome withoutScript(ClaimedCommand c, SubmissionThrottle throttle, long call, Throwable failure) {
        SubmitResult result = withoutScript(failure);
        if (result instanceof SubmitResult.Unavailable u && u.scope() == SubmitResult.Scope.ACCOUNT) {
            throttle.withdrawn(call);
            return notNow(c, u.reason(), u.scope());
        }
        return outcome(c, throttle, call, result, null);
    }

    /** The batch system got nothing. */
    private static SubmitResult withoutScript(Throwable failure) {
        Throwable cause = Causes.of(failure);
        String reason = "cannot write the common part of job wrappers: " + cause.getMessage();
        return cause instanceof AccountCommandException refused
                        && refused.code() == AccountCommandException.Code.REFUSED
                ? new SubmitResult.Refused(reason)
                : new SubmitResult.Unavailable(reason, SubmitResult.Scope.ofFailure(cause));
    }

    private void submitWritten(BatchSystem target, List<Written> batch, Consumer<CommandOutcome> outcomes) {
        SubmissionThrottle throttle = throttles.get(target.name());
        List<CompletableFuture<SubmitResult>> results;
        try {
            results = target.submit(batch.stream().map(Written::submission).toList());
        } catch (RuntimeException e) {
            batch.forEach(start -> throttle.failed(start.call(), Messages.of(e)));
            throw e;
        }
        Steps.reached(Step.HAND_OVER_SENT, batch, start -> start.command().job().id());
        for (int i = 0; i < results.size(); i++) {
            ClaimedCommand c = batch.get(i).command();
            long call = batch.get(i).call();
            results.get(i).whenComplete((result, e) -> {
                Steps.reached(Step.HAND_OVER_ANSWERED, c.job().id());
                outcomes.accept(outcome(c, throttle, call, result, e));
            });
        }
    }

    private CommandOutcome outcome(
            ClaimedCommand c, SubmissionThrottle throttle, long call, SubmitResult result, Throwable error) {
        if (result instanceof SubmitResult.Accepted r) {
            throttle.succeeded(call, true);
            return new CommandOutcome.HandedOver(c, r.lrmsId());
        } else if (result instanceof SubmitResult.Refused r) {
            throttle.succeeded(call, false);
            return r.again() && c.tries() < MAX_REFUSALS
                    ? Later.absent(c, retryAfter(c), r.reason())
                    : new CommandOutcome.Refused(c, r.reason());
        }
        if (result instanceof SubmitResult.Unavailable u && u.scope() == SubmitResult.Scope.SANDBOXES) {
            throttle.denied(call, u.reason(), SubmissionThrottle.PauseCause.DISK_FULL);
            return Later.absent(c, Duration.ZERO, u.reason()).uncounted();
        }
        if (result instanceof SubmitResult.Unavailable u && u.scope() != SubmitResult.Scope.LRMS) {
            // The batch system responds: what it does not take is one account's, or one queue's.
            throttle.succeeded(call, false);
            return notNow(c, u.reason(), u.scope());
        }
        String reason = result instanceof SubmitResult.Unavailable u
                ? u.reason()
                : result instanceof SubmitResult.Unclear u ? u.reason() : String.valueOf(error);
        boolean surelyAbsent = result instanceof SubmitResult.Unavailable;
        return later(c, throttle, throttle.failed(call, reason), surelyAbsent, reason);
    }

    /** What is no fault of the job's is no try of it: it waits a quarter of what it has waited. */
    private CommandOutcome notNow(ClaimedCommand c, String reason, SubmitResult.Scope scope) {
        Duration wait = Duration.between(c.job().since(), clock.instant()).dividedBy(4);
        Duration bounded = wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
        return Later.absent(c, bounded.compareTo(FIRST_RETRY) < 0 ? FIRST_RETRY : bounded, reason)
                .uncounted()
                .byFaultOf(scope);
    }

    /**
     * A fault of the batch system is not counted as the job's: it keeps its place while the hand-over is paused. Only where
     * the job may be on its way a look-up waits a moment, for what was killed here may still arrive there.
     */
    private CommandOutcome later(
            ClaimedCommand c,
            SubmissionThrottle throttle,
            SubmissionThrottle.Verdict verdict,
            boolean surelyAbsent,
            String reason) {
        return switch (verdict) {
            // The batch system responds, and did not take the job: its account's fault as far as others of it meet it.
            case OWN ->
                surelyAbsent ? notNow(c, reason, SubmitResult.Scope.ACCOUNT) : Later.retry(c, retryAfter(c), reason);
            case OF_LRMS ->
                surelyAbsent
                        ? Later.absent(c, Duration.ZERO, reason).uncounted()
                        : Later.retry(c, FIRST_RETRY, reason).uncounted();
            case TRIED ->
                surelyAbsent
                        ? Later.absent(c, throttle.afterTrial(), reason).uncounted()
                        : Later.retry(c, throttle.afterTrial(), reason).uncounted();
        };
    }

    private static Duration retryAfter(ClaimedCommand c) {
        Duration wait = FIRST_RETRY.multipliedBy(1L << Math.min(c.tries() - 1, 6));
        return wait.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : wait;
    }
}
