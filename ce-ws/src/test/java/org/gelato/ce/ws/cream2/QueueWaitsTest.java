package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.gelato.ce.core.command.ScopedPauses.Paused;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.junit.jupiter.api.Test;

class QueueWaitsTest {
    private final List<JobStore.Present> jobs = new ArrayList<>();
    private final List<Paused> pauses = new ArrayList<>();
    private String paused;
    private String trouble;
    private ClusterStatus cluster = cluster(true, 3);

    private final QueueWaits waits = new QueueWaits(
            "slurm",
            () -> Optional.of(jobs),
            () -> Optional.ofNullable(paused),
            () -> pauses,
            () -> Optional.ofNullable(trouble),
            () -> Optional.of(cluster));

    private static ClusterStatus cluster(boolean starts, int free) {
        return new ClusterStatus(
                null,
                OptionalInt.empty(),
                OptionalInt.empty(),
                List.of(new ClusterStatus.Queue(
                        "long", true, starts, OptionalInt.of(4), OptionalInt.of(free), null, OptionalInt.empty())));
    }

    private void present(JobState state, String queue, int number) {
        jobs.add(new JobStore.Present(state, "slurm", queue, null, 1, number));
    }

    @Test
    void aQueueWithoutJobsThatWaitHasNoLine() {
        paused = "down";
        present(JobState.REALLY_RUNNING, "long", 5);
        present(JobState.PENDING, "short", 5);
        assertThat(waits.of("long")).isEmpty();
        assertThat(waits.of("short")).hasValue("5 jobs: the hand-over to slurm pauses: down");
    }

    @Test
    void jobsThatNothingHoldsUpHaveNone() {
        present(JobState.PENDING, "long", 1);
        present(JobState.IDLE, "long", 1);
        assertThat(waits.of("long")).isEmpty();
    }

    @Test
    void theBatchSystemOrTheQueueIsNamed() {
        present(JobState.IDLE, "long", 1);
        cluster = cluster(true, 0);
        assertThat(waits.of("long")).hasValue("1 job: no slot is free");
        cluster = cluster(false, 3);
        assertThat(waits.of("long")).hasValue("1 job: the queue starts no jobs now");
        trouble = "the last poll failed\nconnect failure";
        assertThat(waits.of("long")).hasValue("1 job: slurm is not reachable: the last poll failed; connect failure");
        // Those that are there already wait for no hand-over.
        paused = "Slurmctld(primary) at vm is DOWN";
        assertThat(waits.of("long").orElseThrow()).contains("is not reachable");
        present(JobState.PENDING, "long", 2);
        assertThat(waits.of("long"))
                .hasValue("3 jobs: the hand-over to slurm pauses: Slurmctld(primary) at vm is DOWN");
    }

    /** What holds up one account is no matter of the others. */
    @Test
    void aPauseOfTheQueueCountsAndThatOfAnAccountDoesNot() {
        present(JobState.PENDING, "long", 2);
        pauses.add(new Paused("hand-over slurm", "dteam001", "long", "job submit limit"));
        assertThat(waits.of("long")).isEmpty();
        pauses.add(new Paused("hand-over slurm", null, "long", "inactive or drain"));
        assertThat(waits.of("long")).hasValue("2 jobs: the hand-over to slurm pauses: inactive or drain");
    }
}
