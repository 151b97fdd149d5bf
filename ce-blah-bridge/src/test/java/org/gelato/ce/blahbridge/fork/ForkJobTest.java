package org.gelato.ce.blahbridge.fork;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.gelato.ce.blahbridge.fork.ForkJob.Phase;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.description.JobRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForkJobTest {
    private static final Instant NOW = Instant.ofEpochMilli(1_790_000_000_123L);

    private static ForkJob job() {
        return ForkJob.queued(
                12, new Submission(new JobId(4), 2, "dteam001", "fork", Path.of("/s/v/h/x y=z"), "", null), NOW);
    }

    @Test
    void aStateFileIsReadAsItWasWritten() {
        ForkJob job = job();
        ForkJob running = job.starting(NOW).running(new ProcessMark(99, 12345, "boot-id"), NOW);
        assertThat(ForkJob.decode(job.encode())).isEqualTo(job);
        assertThat(ForkJob.decode(running.encode())).isEqualTo(running);
        assertThat(ForkJob.decode(job.to(Phase.FAILED, NOW, "two\nlines").encode())
                        .reason())
                .isEqualTo("two lines");
    }

    @Test
    void itsTimeCountsFromTheStartOfItsWrapper() {
        ForkJob waiting = ForkJob.queued(
                12,
                Submissions.with(Submissions.ONE_CPU, new JobRequest.Limits(Duration.ofMinutes(90), null, null)),
                NOW);
        ForkJob running = ForkJob.decode(waiting.encode())
                .starting(NOW)
                .running(new ProcessMark(99, 12345, "boot-id"), NOW.plusSeconds(7200));
        assertThat(waiting.isOver(NOW.plusSeconds(7200))).isFalse();
        assertThat(running.isOver(NOW.plusSeconds(7200 + 5400))).isFalse();
        assertThat(running.isOver(NOW.plusSeconds(7200 + 5401))).isTrue();
        assertThat(running.overtime()).isEqualTo("the job ran longer than its limit of 1 h 30 min");
        assertThat(ForkJob.decode(running.toBeEnded().encode())).isEqualTo(running.toBeEnded());
        assertThat(job().starting(NOW).running(new ProcessMark(99, 1, "b"), NOW).isOver(Instant.MAX))
                .isFalse();
    }

    /** As the CE wrote it before jobs had limits. */
    @Test
    void anOlderStateFileHasNoLimit() {
        String older = job().encode().replaceAll("(?m)^(limit|overrun)=.*\n", "");
        assertThat(older).isNotEqualTo(job().encode());
        assertThat(ForkJob.decode(older)).isEqualTo(job());
    }

    /** Its wrapper may have reported already. */
    @Test
    void aJobWhoseStartIsNotConfirmedIsNotShownAsQueued() {
        assertThat(job().starting(NOW).shown("wn1").state()).isEqualTo(LrmsJob.State.UNKNOWN);
        assertThat(job().shown("wn1").isInQueue()).isTrue();
    }

    @Test
    void aCutFileIsNoJob() {
        String text = job().encode();
        for (int length = 0; length < text.length() - 1; length++) {
            String cut = text.substring(0, length);
            assertThatThrownBy(() -> ForkJob.decode(cut)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aProcessIsDistinguishedFromALaterOneWithItsNumber(@TempDir Path proc) throws IOException {
        Files.createDirectories(proc.resolve("sys/kernel/random"));
        Files.writeString(proc.resolve("sys/kernel/random/boot_id"), "b1\n");
        Files.createDirectories(proc.resolve("1"));
        Files.writeString(proc.resolve("1/stat"), "1 (init) S 0");
        ProcessTable table = new ProcessTable(proc);
        stat(proc, 50, "S", 700);
        ProcessMark mark = table.find(50).orElseThrow();
        assertThat(mark).isEqualTo(new ProcessMark(50, 700, "b1"));
        assertThat(table.alive(mark)).isTrue();

        stat(proc, 50, "S", 701);
        assertThat(table.alive(mark)).isFalse();
        stat(proc, 50, "Z", 700);
        assertThat(table.alive(mark)).isFalse();
        assertThat(table.alive(new ProcessMark(50, 700, "another boot"))).isFalse();
        assertThat(table.find(51)).isEmpty();
    }

    /** As without a free file descriptor, or when /proc is mounted with hidepid meanwhile. */
    @Test
    void aProcessOfWhichTheKernelSaysNothingCountsAsAlive(@TempDir Path proc) throws IOException {
        Files.createDirectories(proc.resolve("sys/kernel/random"));
        Files.writeString(proc.resolve("sys/kernel/random/boot_id"), "b1\n");
        stat(proc, 1, "S", 0);
        ProcessTable table = new ProcessTable(proc);
        ProcessMark mark = new ProcessMark(50, 700, "b1");
        assertThat(table.alive(mark)).isFalse();
        Files.createDirectories(proc.resolve("50/stat"));
        assertThat(table.alive(mark)).as("that cannot be read").isTrue();
        assertThatThrownBy(() -> table.find(50)).isInstanceOf(IOException.class);
        Files.delete(proc.resolve("50/stat"));
        Files.delete(proc.resolve("1/stat"));
        assertThat(table.alive(mark)).as("hidden").isTrue();
    }

    private static void stat(Path proc, int pid, String state, long start) throws IOException {
        Files.createDirectories(proc.resolve("" + pid));
        Files.writeString(
                proc.resolve(pid + "/stat"),
                pid + " (a) b (c)) " + state + " 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 " + start + " 0 0\n");
    }
}
