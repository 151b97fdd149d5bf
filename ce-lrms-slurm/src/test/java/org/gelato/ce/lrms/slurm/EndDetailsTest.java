package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.gelato.ce.core.lrms.LrmsJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndDetailsTest {
    private static final Instant TIME = Instant.parse("2026-11-26T13:31:59Z");

    private static LrmsJob end(String state, String reason, String resources) {
        return EndDetails.of(SlurmState.job("1", "cream_000000001", state, "0:0", reason, "wn1"), TIME, resources);
    }

    /** As Slurm 22.05 showed it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "cpu=1,mem=500M,node=1,billing=1; out of memory (limit 500 MiB)",
                "cpu=8,mem=16G; out of memory (limit 16384 MiB)",
                "mem=1.50G; out of memory (limit 1536 MiB)",
                "mem=512000K; out of memory (limit 500 MiB)",
                "cpu=1,node=1; out of memory",
                "cpu=1,mem=99999999999M; out of memory",
                "gres/mem=5M; out of memory",
            })
    void aJobOutOfMemorySaysItsLimit(String resources, String reason) {
        LrmsJob job = end("OUT_OF_MEMORY", "OutOfMemory", resources);
        assertThat(job.state()).isEqualTo(LrmsJob.State.FAILED);
        assertThat(job.reason()).isEqualTo(reason);
        assertThat(job.endedAt()).as("its script may have gone on").isNull();
    }

    @Test
    void whenSlurmEndedAJobIsKnownAndWhenOneEndedByItselfIsNoMatter() {
        assertThat(end("CANCELLED by 0", "None", "").endedAt()).isEqualTo(TIME);
        assertThat(end("TIMEOUT", "TimeLimit", "").endedAt()).isNotNull();
        assertThat(end("COMPLETED", "None", "").endedAt()).isNull();
        assertThat(end("RUNNING", "None", "").endedAt()).as("when it would").isNull();
    }

    @Test
    void slurmsOwnLinesAreKnownAmongAJobsErrors() {
        assertThat(EndDetails.vendorMessage(
                        "slurmstepd-wn25412-1: error: Detected 1 oom-kill event(s) in StepId=1.batch."))
                .contains("out of memory");
        assertThat(EndDetails.vendorMessage(
                        "slurmstepd: error: Detected 2 oom_kill events in StepId=1.batch. Some of the"
                                + " step tasks have been OOM Killed."))
                .contains("out of memory");
        assertThat(
                        EndDetails.vendorMessage(
                                "slurmstepd: error: StepId=1.batch exceeded memory limit (546979840 > 524288000), being killed"))
                .contains("out of memory (limit 500 MiB), used 521 MiB");
        assertThat(EndDetails.vendorMessage("[2026-11-28T14:30:12.016] error: StepId=1.batch exceeded memory limit"
                        + " (782966784 > 524288000), being killed"))
                .as("26.05")
                .contains("out of memory (limit 500 MiB), used 746 MiB");
        assertThat(EndDetails.vendorMessage("[2026-11-28T14:28:38.018] error: *** JOB 13 ON wn1 CANCELLED AT"
                        + " 2026-11-28T14:28:38 DUE TO JOB REQUEUE ***"))
                .isEmpty();
        assertThat(EndDetails.vendorMessage("[2026-11-28T14:28:38.018] error: out of memory, tried again"))
                .as("as of any program")
                .isEmpty();
        assertThat(EndDetails.vendorMessage("[2026-11-28T14:28:38.018] Exceeded job memory limit"))
                .as("a log of the job's own")
                .isEmpty();
        assertThat(EndDetails.vendorMessage("slurmstepd-wn1: error: Exceeded job memory limit"))
                .isEmpty();
        assertThat(EndDetails.vendorMessage(
                        "slurmstepd-wn1: error: *** JOB 2 ON wn1 CANCELLED AT 2026-11-26T13:32:05 ***"))
                .as("the state says it")
                .isEmpty();
        assertThat(EndDetails.vendorMessage("payload: slurmstepd: error: no")).isEmpty();
    }
}
