package org.gelato.ce.ws.parts.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.admission.Admission;
import org.gelato.ce.core.command.ScopedPauses.Paused;
import org.gelato.ce.core.command.TrashRemover;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.ws.http.HealthCheck;
import org.gelato.ce.ws.http.HealthCheck.Outcome;
import org.junit.jupiter.api.Test;

class PartChecksTest {
    private static final String GOOD = "qstat -Q responds";

    @Test
    void aReachableBatchSystemWhosePollsFailIsNotReady() {
        List<Outcome> outcomes = new ArrayList<>();
        for (boolean broken : new boolean[] {false, true}) {
            outcomes.add(PartChecks.outcome(true, GOOD, broken, "the last 3 polls failed: cut", null));
        }
        assertThat(outcomes)
                .containsExactly(
                        new Outcome(true, "the last 3 polls failed: cut"),
                        new Outcome(false, "the last 3 polls failed: cut"));
    }

    @Test
    void withoutErrorsTheBatchSystemsOwnMessageStands() {
        assertThat(PartChecks.outcome(true, GOOD, false, null, null)).isEqualTo(new Outcome(true, GOOD));
        assertThat(PartChecks.outcome(true, GOOD, false, null, "too slow"))
                .isEqualTo(new Outcome(true, GOOD + "; hand-over pauses: too slow"));
    }

    @Test
    void whatABatchSystemSaysTwiceIsSaidOnce() {
        String down = "Slurmctld(primary) at vm is DOWN; RESTORE SLURMCTLD DAEMON TO SERVICE";
        assertThat(PartChecks.outcome(false, down, false, null, down))
                .isEqualTo(new Outcome(false, down + "; hand-over pauses"));
        String polls = "the last 3 polls failed: squeue: error: Unable to contact slurm controller (connect failure)";
        assertThat(PartChecks.outcome(
                                true,
                                GOOD,
                                true,
                                polls,
                                "sbatch: error: Unable to contact slurm controller (connect failure)")
                        .detail())
                .isEqualTo(polls + "; hand-over pauses");
        assertThat(PartChecks.outcome(true, "all is up", false, null, "sbatch: up")
                        .detail())
                .isEqualTo("all is up; hand-over pauses: sbatch: up");
    }

    @Test
    void aBatchSystemThatIsUpIsNotReadyWhereNoJobCanBeHandedOver() {
        Lrms.Health up = new Lrms.Health(true, GOOD);
        Lrms.Health down = new Lrms.Health(false, "down");
        assertThat(PartChecks.withTrouble(up, Optional.empty())).isEqualTo(up);
        assertThat(PartChecks.withTrouble(down, Optional.of("no daemon"))).isEqualTo(down);
        assertThat(PartChecks.withTrouble(up, Optional.of("no daemon"))).isEqualTo(new Lrms.Health(false, "no daemon"));
    }

    @Test
    void aLaneWhosePlacesAreAllTakenForLongDegradesTheCe() {
        Outcome good = new Outcome(true, GOOD);
        assertThat(PartChecks.withStuck(good, Map.of())).isEqualTo(good);
        assertThat(PartChecks.withWarnings(good, List.of())).isEqualTo(good);
        assertThat(PartChecks.withWarnings(good, List.of(Optional.empty(), Optional.of("leave the name alone"))))
                .isEqualTo(new Outcome(good.ok(), true, good.detail() + "; leave the name alone"));
        Outcome stuck = PartChecks.withStuck(good, Map.of("hand-over slurm", Duration.ofMinutes(7)));
        assertThat(stuck.ok()).isTrue();
        assertThat(stuck.degraded()).isTrue();
        assertThat(stuck.detail()).contains("lane 'hand-over slurm'", "7 min", "restart the CE");
    }

    @Test
    void aQueueThatPausesDegradesTheCeAndAccountsAreCounted() {
        Outcome good = new Outcome(true, GOOD);
        Paused queue = new Paused("hand-over slurm", null, "long", "inactive or drain");
        Paused account = new Paused("hand-over slurm", "dteam001", "long", "job submit limit");
        assertThat(PartChecks.withPauses(good, List.of())).isEqualTo(good);
        assertThat(PartChecks.withPauses(good, List.of(account)))
                .isEqualTo(new Outcome(true, GOOD + "; accounts that wait for a limit or a fault of their own: 1"));
        assertThat(PartChecks.withPauses(good, List.of(queue)))
                .isEqualTo(Outcome.degraded(GOOD + "; hand-over pauses for queue long: inactive or drain"));
        assertThat(PartChecks.withPauses(new Outcome(false, "down"), List.of(queue))
                        .ok())
                .isFalse();
    }

    @Test
    void aCeWhoseEventsCannotBeReadIsNotReady() {
        assertThat(PartChecks.events(() -> true).check().join()).isEqualTo(new Outcome(true, "can be read"));
        Outcome held = PartChecks.events(() -> false).check().join();
        assertThat(held.ok()).isFalse();
        assertThat(held.detail()).contains("job_state_history");
    }

    @Test
    void aCeThatRefusesNewJobsIsDegradedWithTheReasons() {
        String disk = "Threshold for Disk Usage(home): 95 => Detected value for Disk Usage(home): 99.00%";
        assertThat(admission(new Admission.State(true, null, "")))
                .isEqualTo(new Outcome(true, "new jobs are accepted"));
        assertThat(admission(new Admission.State(false, disk + "\nmore", ""), "queue long is drained"))
                .isEqualTo(Outcome.degraded("new jobs are refused: " + disk + "; more; queue long is drained"));
        assertThat(admission(new Admission.State(true, null, ""), "VO dteam is drained"))
                .isEqualTo(Outcome.degraded("new jobs are refused: VO dteam is drained"));
    }

    private static Outcome admission(Admission.State state, String... drained) {
        Admission admission = (Admission) Proxy.newProxyInstance(
                Admission.class.getClassLoader(),
                new Class<?>[] {Admission.class},
                (self, method, args) -> switch (method.getName()) {
                    case "state" -> state;
                    case "drained" -> List.of(drained);
                    default -> throw new IllegalStateException(method.getName());
                });
        return PartChecks.admission(admission).check().join();
    }

    /** Leftovers stop nothing, so the CE stays ready and is not degraded. */
    @Test
    void trashThatStaysIsNamedWithItsNumberReasonAndWhatRootCanType() {
        CompletableFuture<Void> notOurs = CompletableFuture.failedFuture(
                new AccountCommandException(AccountCommandException.Code.FAILED, "cannot remove: not permitted"));
        AccountCommands accounts = (AccountCommands) Proxy.newProxyInstance(
                AccountCommands.class.getClassLoader(),
                new Class<?>[] {AccountCommands.class},
                (self, method, args) -> switch (method.getName()) {
                    case "remove" -> notOurs;
                    case "renameAway" -> CompletableFuture.completedFuture(null);
                    default -> throw new IllegalStateException(method.getName());
                });
        TrashRemover trash = new TrashRemover(accounts, new SandboxLayout(Path.of("/sandbox")), Clock.systemUTC());
        MeterRegistry meters = new SimpleMeterRegistry();
        HealthCheck check = PartChecks.trash(trash);
        PartChecks.meterTrash(trash, meters);
        assertThat(check.name()).isEqualTo("trash");
        assertThat(check.check().join()).isEqualTo(new Outcome(true, "what purged jobs left is removed"));
        assertThat(meters.get("ce.trash.stuck").gauge().value()).isZero();
        trash.empty(IntStream.range(0, 7)
                .mapToObj(i -> new SandboxStore.Home("dteam001", Path.of("/sandbox/dteam/home" + i)))
                .toList());
        assertThat(meters.get("ce.trash.stuck").gauge().value()).isEqualTo(7);
        Outcome outcome = check.check().join();
        assertThat(outcome.ok()).isTrue();
        assertThat(outcome.degraded()).isFalse();
        assertThat(outcome.detail())
                .contains(
                        "in 7 directories",
                        "cannot remove: not permitted",
                        "As root on the host of the sandboxes, for the first of them: rm -rf --one-file-system"
                                + " '/sandbox/dteam/home0/trash.aside' '/sandbox/dteam/home1/trash.aside'")
                .doesNotContain("home5");
    }

    @Test
    void anUnreachableOneReportsWhyItself() {
        assertThat(PartChecks.outcome(false, "cannot connect", true, "the last 3 polls failed: cut", null))
                .isEqualTo(new Outcome(false, "cannot connect"));
    }
}
