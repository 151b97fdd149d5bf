package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.core.lrms.LrmsJob;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlurmStateTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "PENDING, 0, Resources, QUEUED, -, Resources",
                "'PENDING', 0, 'ReqNodeNotAvail, UnavailableNodes:wn1', QUEUED, -, 'ReqNodeNotAvail, UnavailableNodes:wn1'",
                "PENDING, 0, QOSMaxJobsPerUserLimit, QUEUED, -, QOSMaxJobsPerUserLimit",
                "PENDING, 0, None, QUEUED, -, -",
                "RUNNING, 0, JobHeldUser, RUNNING, -, JobHeldUser",
                "PENDING, 0, Dependency, QUEUED, -, Dependency",
                "PENDING, 0, JobHeldUser, HELD, -, JobHeldUser",
                "PENDING, 0, JobHeldAdmin, HELD, -, JobHeldAdmin",
                "PENDING, 0, JobHoldMaxRequeue, HELD, -, JobHoldMaxRequeue",
                "PENDING, 0, launch_failed_requeued_held, HELD, -, launch_failed_requeued_held",
                "'PENDING,REQUEUED', 0, None, QUEUED, -, -",
                "CONFIGURING, 0, None, QUEUED, -, -",
                "REQUEUED, 0, None, QUEUED, -, -",
                "REQUEUE_FED, 0, None, QUEUED, -, -",
                "REQUEUE_HOLD, 0, None, HELD, -, REQUEUE_HOLD",
                "SPECIAL_EXIT, 768, JobHeldUser, HELD, -, JobHeldUser",
                "SUSPENDED, 0, None, HELD, -, SUSPENDED",
                "STOPPED, 0, None, HELD, -, STOPPED",
                "RUNNING, 0, None, RUNNING, -, -",
                "COMPLETING, 0, None, RUNNING, -, -",
                "SIGNALING, 0, None, RUNNING, -, -",
                "RESIZING, 0, None, RUNNING, -, -",
                "STAGE_OUT, 0, None, RUNNING, -, -",
                "COMPLETED, 0, None, DONE, 0, -",
                "FAILED, 768, NonZeroExitCode, DONE, 3, -",
                "FAILED, 3:0, NonZeroExitCode, DONE, 3, -",
                "FAILED, 9, JobLaunchFailure, DONE, 137, -",
                "FAILED, 4021, JobLaunchFailure, FAILED, -, FAILED: JobLaunchFailure",
                "FAILED, 0, None, FAILED, -, FAILED",
                "CANCELLED, 15, None, CANCELLED, -, -",
                "CANCELLED by 1001, 0:15, None, CANCELLED, -, -",
                "CANCELLED+, 0, TimeLimit, CANCELLED, -, TimeLimit",
                "REVOKED, 0, None, UNKNOWN, -, -",
                "TIMEOUT, 0, TimeLimit, FAILED, -, TIMEOUT: TimeLimit",
                "NODE_FAIL, 0, NodeDown, FAILED, -, NODE_FAIL: NodeDown",
                "OUT_OF_MEMORY, 0:125, OutOfMemory, FAILED, -, OUT_OF_MEMORY: OutOfMemory",
                "PREEMPTED, 0, None, FAILED, -, PREEMPTED",
                "BOOT_FAIL, 0, None, FAILED, -, BOOT_FAIL",
                "DEADLINE, 0, DeadLine, FAILED, -, DEADLINE: DeadLine",
            })
    void everyStateHasItsMeaning(
            String word, String exit, String reason, LrmsJob.State state, Integer code, String message) {
        LrmsJob job = SlurmState.job("7", "cream_000000042", word, exit, reason, "wn0");
        assertThat(job.state()).isEqualTo(state);
        assertThat(job.exitCode()).isEqualTo(code);
        assertThat(job.reason()).isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource({
        "SUSPENDED, None, false",
        "STOPPED, None, false",
        "RUNNING, None, false",
        "COMPLETING, None, false",
        "PENDING, JobHeldUser, true",
        "PENDING, Resources, true",
        "REQUEUE_HOLD, None, true",
        "SPECIAL_EXIT, JobHeldUser, true",
        "RESV_DEL_HOLD, None, true",
        "REQUEUED, None, true"
    })
    void aSuspendedJobKeepsItsNodesAndOneThatWaitsHasNone(String word, String reason, boolean isInQueue) {
        LrmsJob job = SlurmState.job("7", "cream_000000042", word, "0", reason, "wn0");
        assertThat(job.isInQueue()).isEqualTo(isInQueue);
        assertThat(job.workerNode()).isEqualTo(isInQueue ? null : "wn0");
    }

    @ParameterizedTest
    @CsvSource({"''", "GLOWING", "1", "|"})
    void anUnknownStateIsNull(String word) {
        assertThat(SlurmState.job("7", "cream_000000042", word, "0", "None", ""))
                .isNull();
    }

    @Property
    void takesAnyText(@ForAll String word, @ForAll String exit, @ForAll String reason, @ForAll String nodes) {
        LrmsJob job = SlurmState.job("7", "cream_000000042", word, exit, reason, nodes);
        assertThat(job == null || job.state() != null).isTrue();
    }
}
