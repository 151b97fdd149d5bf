package org.gelato.ce.it.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A partition of a real Slurm that is drained stops its own jobs, and no others. */
@Tag("long")
class SlurmClosedQueueIT {
    private static final String CLOSED = "Required partition not available";

    private static SlurmControl slurm;
    private static SiteCe ce;

    @BeforeAll
    static void start() {
        slurm = SlurmControl.start();
        ce = new SiteCe(
                "closed",
                "slurm",
                "dteam001",
                Map.of("gelato.lrms.slurm.conf", slurm.conf().toString()));
        ce.start();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
        if (slurm != null) {
            slurm.close();
        }
    }

    private static String readiness() {
        try (InputStream in = ce.get("/health/ready")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void jobsOfADrainedPartitionWaitAndSayWhyAndOthersRun() {
        SiteUser user = ce.user("Cleo of closed queues");
        slurm.site().command("scontrol", "update", "PartitionName=short", "State=DRAIN");
        List<String> waiting = Stream.generate(() -> user.submit(SiteUser.sleepJob(1), "-r", ce.resource("short")))
                .limit(8)
                .toList();
        List<String> others = Stream.generate(() -> user.submit(SiteUser.sleepJob(1), "-r", ce.resource("long")))
                .limit(3)
                .toList();
        user.await(others, "DONE-OK");
        for (String id : waiting) {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> user.info(id).path("description").asText().contains(CLOSED));
            assertThat(user.state(id)).isEqualTo("PENDING");
        }
        assertThat(readiness()).contains("hand-over pauses for queue short: ", CLOSED);

        slurm.site().command("scontrol", "update", "PartitionName=short", "State=UP");
        user.await(waiting, "DONE-OK");
        await().atMost(Duration.ofMinutes(1)).until(() -> !readiness().contains("hand-over pauses"));
    }
}
