package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.junit.jupiter.api.Test;

class RestJobTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path SANDBOX = Path.of("/sandboxes/vo/a%b/00/00/CREAM000000042");
    private static final String SCRIPT = "\"#!/bin/bash -l\\n/bin/sleep 3\\n\"";

    private static JsonNode json(Submission submission, SlurmConfig config, int version) {
        try {
            return JSON.readTree(RestJob.of(submission, config, version));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode json(NodeRequest nodes, int version) {
        return json(Submissions.of("long", SANDBOX, nodes), SlurmConfig.DEFAULT, version);
    }

    private static JsonNode parsed(String text) throws IOException {
        return JSON.readTree(text.replace('\'', '"'));
    }

    @Test
    void aJobOfSlurm2205() throws IOException {
        SlurmConfig config = Records.with(SlurmConfig.DEFAULT, "confFile", Path.of("/etc/slurm/slurm.conf"));
        assertThat(json(Submissions.of("long", SANDBOX, Submissions.ONE_CPU), config, 38))
                .isEqualTo(parsed("{'script':" + SCRIPT + """
                        ,'job':{'name':'cream_000000042','comment':'cream_000000042','partition':'long',
                         'current_working_directory':'/sandboxes/vo/a%b/00/00/CREAM000000042',
                         'standard_output':'/sandboxes/vo/a%%b/00/00/CREAM000000042/StandardOutput',
                         'standard_error':'/sandboxes/vo/a%%b/00/00/CREAM000000042/StandardError',
                         'no_requeue':true,'tasks':1,
                         'environment':{'PATH':'/usr/local/bin:/usr/bin:/bin','LANG':'C',
                          'SLURM_CONF':'/etc/slurm/slurm.conf','HOME':'/sandboxes/vo/a%b/00/00/CREAM000000042',
                          'USER':'dteam001','LOGNAME':'dteam001','SLURM_UMASK':'0077',
                          'SLURM_SUBMIT_DIR':'/sandboxes/vo/a%b/00/00/CREAM000000042'}}}"""));
    }

    @Test
    void fromVersion39OnTheScriptIsTheJobs() {
        for (int version = 39; version <= SlurmRest.NEWEST; version++) {
            JsonNode all = json(Submissions.ONE_CPU, version);
            assertThat(all.has("script")).isFalse();
            assertThat(all.at("/job/script").asText()).startsWith("#!/bin/bash -l\n");
            assertThat(all.at("/job/requeue").asBoolean(true)).isFalse();
            assertThat(all.at("/job").has("no_requeue")).isFalse();
            assertThat(all.at("/job/environment/USER").asText()).isEqualTo("dteam001");
        }
    }

    @Test
    void nodesTasksAndWholeNodes() throws IOException {
        JsonNode job = json(new NodeRequest(10, null, 2, false), 38).path("job");
        assertThat(job.path("nodes")).isEqualTo(parsed("'2'"));
        assertThat(job.path("tasks")).isEqualTo(parsed("10"));
        assertThat(job.path("tasks_per_node")).isEqualTo(parsed("5"));
        assertThat(job.at("/environment/SLURM_NTASKS_PER_NODE").asText()).isEqualTo("5");
        NodeRequest whole = new NodeRequest(1, 4, 2, true);
        assertThat(json(whole, 38).path("job")).isEqualTo(json(whole, 36).path("job"));
        assertThat(json(whole, 38).at("/job/exclusive").asText()).isEqualTo("exclusive");
        assertThat(json(whole, 38).at("/job/minimum_cpus_per_node").isInt()).isTrue();
        assertThat(json(whole, 40).at("/job").has("exclusive")).isFalse();
        assertThat(json(whole, 40).at("/job/shared")).isEqualTo(parsed("['none']"));
    }

    @Test
    void memoryIsANodesOrAllOfIt() throws IOException {
        NodeRequest whole = new NodeRequest(1, null, null, true);
        Submission job = Submissions.with(
                Submissions.ONE_CPU, new JobRequest.Limits(Duration.ofMinutes(60), null, null, 3000L << 20, 8));
        for (int version : new int[] {SlurmRest.OLDEST, 38, 39, 40, SlurmRest.NEWEST}) {
            assertThat(json(whole, version).at("/job/memory_per_node")).isEqualTo(parsed("0"));
            JsonNode sent = json(job, SlurmConfig.DEFAULT, version).path("job");
            assertThat(sent.path("memory_per_node")).isEqualTo(parsed("3000"));
            assertThat(sent.path("time_limit")).isEqualTo(parsed("60"));
            assertThat(sent.path("minimum_cpus_per_node")).isEqualTo(parsed("8"));
        }
    }

    @Test
    void genericResourcesHaveThreeForms() {
        NodeRequest gpus = new NodeRequest(1, null, null, false, 2, null, "tesla", 1, null);
        assertThat(json(gpus, 38).at("/job/gres").asText()).isEqualTo("gpu:tesla:2,mic:1");
        assertThat(json(gpus, 39).at("/job/tres_per_node").asText()).isEqualTo("gres:gpu:tesla:2,gres:mic:1");
        assertThat(json(gpus, 40).at("/job/tres_per_node").asText()).isEqualTo("gres/gpu:tesla:2,gres/mic:1");
    }

    @Test
    void aLowerPriorityIsNice() {
        JobRequest.Resources low = new JobRequest.Resources(
                "slurm", "long", Submissions.ONE_CPU, JobRequest.Limits.NONE, JobRequest.FurtherRequirements.NONE, 40);
        Submission submission = Submissions.of("long", SANDBOX, low);
        assertThat(json(submission, SlurmConfig.DEFAULT, 38).at("/job/nice").asInt())
                .isEqualTo(1000);
    }

    @Test
    void aNodeThatDoesNotSeeTheSandboxGetsNoPathOfIt() {
        JsonNode job = json(
                        Submissions.plain(),
                        Records.with(SlurmConfig.DEFAULT, "nodesSeeSandboxes", false, "nodeOutput", "/var/tmp/%j.out"),
                        38)
                .path("job");
        assertThat(job.path("current_working_directory").asText()).isEqualTo("/");
        assertThat(job.path("standard_output").asText()).isEqualTo("/var/tmp/%j.out");
        assertThat(job.has("standard_error")).isFalse();
        assertThat(job.toString()).doesNotContain("/sandboxes");
    }

    @Test
    void whatSlurmNeverRunsIsNotSent() {
        assertThatThrownBy(() -> json(Submissions.of("a b", SANDBOX, Submissions.ONE_CPU), SlurmConfig.DEFAULT, 38))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no such partition");
        JobRequest request = JobRequest.of(
                new JobRequest.Executable("/bin/sleep", "3"),
                new JobRequest.Resources("slurm", "long", Submissions.ONE_CPU));
        Submission without = new Submission(new JobId(1), 1, "dteam001", "long", SANDBOX, "no script", request);
        assertThatThrownBy(() -> json(without, SlurmConfig.DEFAULT, 38))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("batch script");
    }
}
