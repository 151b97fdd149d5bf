package org.gelato.ce.ws.parts.monitoring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.admission.Admission;
import org.gelato.ce.core.command.CommandDispatcher;
import org.gelato.ce.core.command.ScopedPauses;
import org.gelato.ce.core.command.SubmissionThrottle;
import org.gelato.ce.core.command.TrashRemover;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.follow.PollHistory;
import org.gelato.ce.core.lrms.BatchSystem;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.ws.http.HealthCheck;
import org.gelato.ce.ws.push.Receiver;
import org.gelato.ce.ws.tls.directory.ClockDoubts;
import org.gelato.ce.ws.token.TokenVerifier;

/** Health checks of the parts only the wiring knows. */
public final class PartChecks {
    private static final int MAX_NAMED = 10;
    /** A word alone may stand anywhere. */
    private static final int FEW_CHARACTERS = 12;

    private PartChecks() {}

    public static HealthCheck helper(AccountCommands accounts) {
        return HealthCheck.of(
                "helper", () -> accounts.ping().thenApply(x -> new HealthCheck.Outcome(true, "reachable")));
    }

    /**
     * A paused hand-over is reported and does not make the CE not ready: registration continues. Polls that keep failing
     * do: the states of jobs are unknown then, even where the batch system responds to a smaller query. A queue that pauses
     * degrades the CE; an account that does is its user's matter, and is counted.
     */
    public static HealthCheck lrms(
            BatchSystem system, SubmissionThrottle throttle, CommandDispatcher dispatcher, PollHistory polls) {
        Lrms lrms = system.port();
        return HealthCheck.of(
                lrms.name(),
                () -> system.health()
                        .thenApply(h -> withWarnings(
                                withStuck(
                                        withPauses(
                                                outcome(
                                                        withTrouble(h, lrms.handOverTrouble()),
                                                        polls.isBroken(),
                                                        polls.trouble(),
                                                        throttle.pausedBy()),
                                                dispatcher.pauses().paused()),
                                        dispatcher.stuckLanes()),
                                List.of(
                                        dispatcher.uncounted(),
                                        Optional.ofNullable(polls.warning()),
                                        lrms.warning()))));
    }

    /** @param warnings of what degrades the CE though jobs are followed */
    static HealthCheck.Outcome withWarnings(HealthCheck.Outcome outcome, List<Optional<String>> warnings) {
        List<String> all = warnings.stream().flatMap(Optional::stream).toList();
        return all.isEmpty()
                ? outcome
                : new HealthCheck.Outcome(outcome.ok(), true, outcome.detail() + "; " + String.join("; ", all));
    }

    /** Lanes that execute nothing degrade the CE: other lanes go on. */
    static HealthCheck.Outcome withStuck(HealthCheck.Outcome outcome, Map<String, Duration> lanes) {
        if (lanes.isEmpty()) {
            return outcome;
        }
        StringBuilder detail = new StringBuilder(outcome.detail());
        lanes.forEach((lane, time) -> detail.append("; all places of the lane '")
                .append(lane)
                .append("' have been taken for ")
                .append(Messages.span(Duration.ofMinutes(time.toMinutes())))
                .append(" and nothing of it was completed: look at what its commands wait for, or restart the CE"));
        return new HealthCheck.Outcome(outcome.ok(), true, detail.toString());
    }

    /** A batch system to which no job can be handed over is as good as down, whatever it says of itself. */
    static Lrms.Health withTrouble(Lrms.Health health, Optional<String> trouble) {
        return health.up() && trouble.isPresent() ? new Lrms.Health(false, trouble.get()) : health;
    }

    private static HealthCheck.Outcome outcome(Lrms.Health health, boolean broken, String trouble, String paused) {
        return outcome(health.up(), health.detail(), broken, trouble, paused);
    }

    /** Adds the queues that pause, with their reasons, and how many accounts do. */
    public static HealthCheck.Outcome withPauses(HealthCheck.Outcome outcome, List<ScopedPauses.Paused> pauses) {
        List<String> queues = pauses.stream()
                .filter(p -> p.account() == null)
                .map(ScopedPauses.Paused::text)
                .toList();
        long accounts = pauses.stream().filter(p -> p.account() != null).count();
        StringBuilder detail = new StringBuilder(outcome.detail());
        if (!queues.isEmpty()) {
            detail.append("; hand-over pauses for ")
                    .append(String.join("; ", queues.subList(0, Math.min(MAX_NAMED, queues.size()))));
        }
        if (accounts > 0) {
            detail.append("; accounts that wait for a limit or a fault of their own: ")
                    .append(accounts);
        }
        return new HealthCheck.Outcome(outcome.ok(), outcome.degraded() || !queues.isEmpty(), detail.toString());
    }

    /**
     * @param trouble the error of the polls; null for none
     * @param paused why the hand-over pauses; null when it does not
     */
    public static HealthCheck.Outcome outcome(
            boolean up, String detail, boolean broken, String trouble, String paused) {
        String message = !up || trouble == null ? detail : trouble;
        String pause = paused == null ? "" : "; hand-over pauses" + (isReported(paused, message) ? "" : ": " + paused);
        return new HealthCheck.Outcome(up && !broken, message + pause);
    }

    /** A batch system that is down says the same to whatever is asked of it, behind the name of the command. */
    private static boolean isReported(String words, String message) {
        String core = words.substring(words.lastIndexOf(": ") + 1).strip();
        return message.contains(core.length() < FEW_CHARACTERS ? words : core);
    }

    /** Issuers whose keys can't be fetched degrade the CE: users of other issuers are served. */
    public static HealthCheck tokens(TokenVerifier verifier) {
        return HealthCheck.ofState("tokens", () -> {
            Map<String, String> problems = verifier.problems();
            return problems.isEmpty()
                    ? new HealthCheck.Outcome(true, "keys of all issuers are there")
                    : HealthCheck.Outcome.degraded("keys that could not be read last time: " + problems);
        });
    }

    /** Receivers of events whose secret can't be used get nothing; the CE works for all others. */
    public static HealthCheck webhooks(List<Receiver> receivers) {
        return HealthCheck.ofState("webhooks", () -> {
            List<String> problems = new ArrayList<>();
            for (Receiver receiver : receivers) {
                try {
                    receiver.checkSecret();
                } catch (IOException e) {
                    problems.add(receiver.name() + " (" + Messages.of(e) + ")");
                }
            }
            return problems.isEmpty()
                    ? new HealthCheck.Outcome(true, "their secrets can be used")
                    : HealthCheck.Outcome.degraded(
                            "nothing is delivered to " + String.join(", ", problems) + ", as its secret can't be used");
        });
    }

    /** A clock that the proxies of several users contradict: their owners are refused, other users are served. */
    public static HealthCheck clock(ClockDoubts doubts) {
        return HealthCheck.of(
                "clock",
                () -> CompletableFuture.completedFuture(doubts.doubt()
                        .map(HealthCheck.Outcome::degraded)
                        .orElseGet(() -> new HealthCheck.Outcome(true, "no proxies contradict it"))));
    }

    /** Refusing new jobs is a decision of limits or administrators: the CE works for the jobs it has. */
    public static HealthCheck admission(Admission admission) {
        return HealthCheck.ofState("admission", () -> {
            List<String> closed = new ArrayList<>();
            if (!admission.state().accepting()) {
                closed.add(admission.state().message());
            }
            closed.addAll(admission.drained());
            return closed.isEmpty()
                    ? new HealthCheck.Outcome(true, "new jobs are accepted")
                    : HealthCheck.Outcome.degraded(
                            "new jobs are refused: " + String.join("; ", closed).replace("\n", "; "));
        });
    }

    /** Until the first fence after a start nobody knows which events were shown: followers would get the whole history. */
    public static HealthCheck events(BooleanSupplier readable) {
        return HealthCheck.ofState(
                "events",
                () -> readable.getAsBoolean()
                        ? new HealthCheck.Outcome(true, "can be read")
                        : new HealthCheck.Outcome(
                                false,
                                "cannot be read yet: since before the start a transaction holds the table"
                                        + " job_state_history; end it, SHOW PROCESSLIST names it"));
    }

    /** Leftovers of jobs that only root can remove: they cost space and stop nothing. */
    public static HealthCheck trash(TrashRemover trash) {
        return HealthCheck.ofState("trash", () -> {
            String advice = trash.advice();
            return new HealthCheck.Outcome(true, advice.isEmpty() ? "what purged jobs left is removed" : advice);
        });
    }

    /** Registers how much stays of what purged jobs left. */
    public static void meterTrash(TrashRemover trash, MeterRegistry meters) {
        Gauge.builder("ce.trash.stuck", trash, TrashRemover::stuck)
                .description("Directories with what purged jobs left that cannot be removed")
                .register(meters);
    }
}
