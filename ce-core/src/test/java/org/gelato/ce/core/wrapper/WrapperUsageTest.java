package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.job.Usage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the wrapper measures of its job, by a real bash. */
class WrapperUsageTest {
    private static final String STAT = "\"/proc/$$/stat\"";
    private static final String UPTIME = "/proc/uptime";
    private static final String CGROUP = "\"/proc/$$/cgroup\"";
    private static final String CGROUPS = "/sys/fs/cgroup";

    @TempDir
    Path directory;

    private WrapperRun job;

    @BeforeEach
    void sandbox() throws IOException {
        job = new WrapperRun(directory);
    }

    private void replace(String text, String content) throws IOException {
        Path file = Files.writeString(directory.resolve("replaced" + job.replaced.size()), content);
        job.replaced.put(text, "'" + file + "'");
    }

    private Usage used() throws IOException {
        return WrapperRun.read(job.sandbox.resolve("exit")).usage();
    }

    @Test
    void processorTimeOfThePayloadsProcessesAndTheTimeAllTook() throws IOException {
        job.run(shell("/bin/bash -c 'for ((i = 0; i < 300000; i++)); do :; done'; /bin/sleep 0.3", ""));
        assertThat(used().cpu()).isBetween(Duration.ofMillis(50), Duration.ofHours(1));
        assertThat(used().wall()).isBetween(Duration.ofMillis(290), Duration.ofHours(1));
        assertThat(used().source()).isEqualTo(Usage.Source.WRAPPER);
        assertThat(job.spooled().get(2).usage()).isEqualTo(used());
        assertThat(job.spooled().subList(0, 2))
                .allSatisfy(e -> assertThat(e.usage()).isNull());
    }

    @Test
    void aJobThatFailsIsMeasuredToo() throws IOException {
        job.run(shell("echo ran", "Prologue = \"/bin/sh\"; PrologueArguments = \"-c 'sleep 0.1; exit 7'\";"));
        assertThat(WrapperRun.read(job.sandbox.resolve("exit")).reason()).startsWith("Prologue failed");
        assertThat(used().wall()).isGreaterThan(Duration.ofMillis(80));
    }

    @Test
    void theFourTimesOfAProcessAreAdded() throws IOException {
        replace(STAT, "7 (a) S b) R 1 7 7 0 -1 4194304 9 9 9 9 150 50 1000 34 20 0 1 0 777 1 1\n");
        job.run(shell("true", ""));
        assertThat(used().cpu()).isEqualTo(Duration.ofMillis(12_340));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "7",
                "7 (bash) R",
                "7 (bash) R 1 7 7 0 -1 4194304 9 9 9 9 x 50 1000 34 20",
                "7 (bash) R 1 7 7 0 -1 4194304 9 9 9 9 -1 50 1000 34 20"
            })
    void whatTheNodeDoesNotTellIsLeftOut(String stat) throws IOException {
        replace(STAT, stat);
        replace(UPTIME, stat);
        assertThat(job.run(shell("true", "")).stderr()).isEmpty();
        assertThat(WrapperRun.read(job.sandbox.resolve("exit")).exitCode()).isZero();
        assertThat(used()).isEqualTo(new Usage(null, null, 1, null, Usage.Source.WRAPPER));
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "SLURM_JOB_CPUS_PER_NODE;4(x2),2;10",
                "SLURM_JOB_CPUS_PER_NODE;16;16",
                "SLURM_JOB_CPUS_PER_NODE;08(x02),010;26",
                "SLURM_CPUS_ON_NODE;3;3",
                "SLURM_JOB_CPUS_PER_NODE;4(x;1",
                "SLURM_JOB_CPUS_PER_NODE;4,;1",
                "SLURM_JOB_CPUS_PER_NODE;4,x;1",
                "SLURM_JOB_CPUS_PER_NODE;$(touch forged);1",
                "SLURM_JOB_CPUS_PER_NODE;a[$(touch forged)];1",
                "SLURM_JOB_CPUS_PER_NODE;*;1",
                "PBS_NP;8;1",
                "OMP_NUM_THREADS;8;1"
            },
            delimiter = ';')
    void coresAreWhatSlurmGave(String name, String value, Integer cores) throws IOException {
        job.environment.put(name, value);
        assertThat(job.run(shell("true", "")).stderr()).isEmpty();
        assertThat(used().cores()).isEqualTo(cores);
        assertThat(directory.resolve("forged")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "PBS_JOBID,PBS_NP,8,8",
        "PBS_JOBID,PBS_NP,a[$(touch forged)],1",
        "LSB_JOBID,LSB_DJOB_NUMPROC,012,12",
        "JOB_ID,NSLOTS,6,6",
        "GELATO_LRMS_ID,SLURM_CPUS_ON_NODE,6,1",
        "PBS_JOBID,NSLOTS,6,1"
    })
    void coresAreWhatItsOwnBatchSystemGave(String id, String name, String value, Integer cores) throws IOException {
        job.environment.remove("SLURM_JOB_ID");
        job.environment.put(id, "17.t");
        job.environment.put(name, value);
        job.run(shell("true", ""));
        assertThat(used().cores()).isEqualTo(cores);
        assertThat(directory.resolve("forged")).doesNotExist();
    }

    /** The built-in batch system says nothing of cores. */
    @ParameterizedTest
    @CsvSource(
            value = {
                "|1",
                "CpuNumber = 2;|2",
                "NodeNumber = 3;|3",
                "CpuNumber = 2; HostNumber = 4;|4",
                "WholeNodes = true; HostNumber = 2; SMPGranularity = 8;|16"
            },
            delimiter = '|')
    void coresAreThoseRequestedWhereNoBatchSystemSays(String attributes, int cores) throws IOException {
        job.environment.remove("SLURM_JOB_ID");
        job.run(shell("true", attributes == null ? "" : attributes));
        assertThat(used().cores()).isEqualTo(cores);
    }

    @Test
    void whatTheBatchSystemGaveCountsAndNotWhatWasRequested() throws IOException {
        job.environment.put("SLURM_JOB_CPUS_PER_NODE", "4");
        job.run(shell("true", "CpuNumber = 2;"));
        assertThat(used().cores()).isEqualTo(4);
    }

    private void group(String file, String bytes) throws IOException {
        Path at = directory.resolve("groups").resolve(file);
        Files.createDirectories(at.getParent());
        Files.writeString(at, bytes);
        job.replaced.put(CGROUPS, directory.resolve("groups").toString());
    }

    @Test
    void memoryIsThatOfTheJobsOwnControlGroup() throws IOException {
        replace(CGROUP, "0::/system.slice/slurmstepd.scope/job_4711/step_batch/user/task_0\n");
        group("system.slice/slurmstepd.scope/job_4711/memory.peak", "126418944\n");
        job.run(shell("true", ""));
        assertThat(used().peakMemoryKib()).isEqualTo(123_456);
    }

    @Test
    void memoryIsThatOfAGroupOfTheFirstVersionToo() throws IOException {
        job.environment.remove("SLURM_JOB_ID");
        job.environment.put("PBS_JOBID", "17.t");
        replace(CGROUP, "12:pids:/torque/17.t\n4:cpu,memory:/torque/17.t\n0::/torque/17.t\n");
        group("memory/torque/17.t/memory.max_usage_in_bytes", "2048\n");
        job.run(shell("true", ""));
        assertThat(used().peakMemoryKib()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0::/system.slice/gelato.service",
                "0::/slurm/job_47110/step_batch",
                "0::/slurm/xjob_4711/step_batch",
                "0::/slurm/job_4711/step_batch",
                ""
            })
    void memoryOfOthersIsNotTheJobs(String groups) throws IOException {
        replace(CGROUP, groups + "\n");
        for (String group : new String[] {"system.slice/gelato.service", "slurm/job_47110", "slurm/xjob_4711"}) {
            group(group + "/memory.peak", "2048\n");
        }
        group("slurm/job_4711/memory.peak", "max\n");
        assertThat(job.run(shell("true", "")).stderr()).isEmpty();
        assertThat(used().peakMemoryKib()).isNull();
    }
}
