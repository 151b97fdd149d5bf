package org.gelato.ce.it.torque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.it.torque.TorqueUser.Outcome;
import org.gelato.ce.testkit.torque.TorqueProgram;
import org.gelato.ce.testkit.torque.TorqueStandIn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the stand-in does with jobs, and each fault it can have. Of tests alone: what the CE makes of it is held by TorqueIT. */
@Tag("long")
class TorqueStandInTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private Path work;
    private TorqueStandIn torque;
    private TorqueUser user;

    @BeforeEach
    void start() throws IOException {
        TorqueStandIn.missing().ifPresent(reason -> Skipped.because("Torque", reason));
        Path folder = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-torque-");
        work = Files.createDirectories(folder.resolve("home"));
        Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxrwxrwx"));
        torque = new TorqueStandIn(folder);
        torque.start();
        user = TorqueUser.ordinary(torque, work);
    }

    @AfterEach
    void stop() {
        if (torque != null) {
            torque.wipe();
        }
    }

    @Test
    void aJobRunsAsItsOwnerWithItsDirectives() throws IOException {
        String script = script(
                "#PBS -N cream_000000001",
                "#PBS -q short",
                "#PBS -S /bin/bash",
                "#PBS -o " + work + "/o",
                "#PBS -j oe",
                "echo $PBS_JOBID $PBS_JOBNAME $PBS_QUEUE $(id -un) $A $(cat $PBS_NODEFILE | wc -l)",
                "echo err >&2",
                "exit 7");
        String id = user.run("qsub", "-v", "A=b", "-l", "nodes=1:ppn=3", script).id();
        awaitLine(id, "job_state = C");
        assertThat(id).isEqualTo("0.torque.example");
        assertThat(full(id)).contains("exit_status = 7\n", "Job_Name = cream_000000001\n", "queue = short\n");
        assertThat(full(id)).contains("exec_host = torque.example/0-2\n");
        if (!TorqueUser.isRoot()) {
            assertThat(work.resolve("o")).hasContent(id + " cream_000000001 short " + user.name() + " b 3\nerr");
        }
        assertThat(Files.getAttribute(work.resolve("o"), "unix:uid"))
                .isEqualTo(Files.getAttribute(Path.of(script), "unix:uid").equals(0) ? uid() : ownUid());
    }

    @Test
    void filesAreStagedOrTheJobWaits() throws IOException {
        Path in = Files.writeString(work.resolve("in"), "staged\n");
        String good = user.run(
                        "qsub",
                        "-W",
                        "stagein=" + work + "/got@h:" + in,
                        "-W",
                        "stageout=" + work + "/got@h:" + work + "/back",
                        script("true"))
                .id();
        String bad = user.run("qsub", "-W", "stagein=" + work + "/x@h:" + work + "/nothing", script("true"))
                .id();
        awaitLine(good, "job_state = C");
        assertThat(work.resolve("back")).hasContent("staged");
        awaitLine(bad, "job_state = W");
        assertThat(full(bad))
                .contains("Execution_Time = ", "comment = Job started on")
                .doesNotContain("exit_status");
    }

    @Test
    void endsAreReported() {
        String deleted = user.run("qsub", script("sleep 300")).id();
        torque.settings().slots(1);
        String queued = user.run("qsub", script("true")).id();
        String late = user.run("qsub", "-l", "walltime=1", script("sleep 300")).id();
        awaitLine(deleted, "job_state = R");
        assertThat(user.run("qdel", queued).exit()).isZero();
        assertThat(full(queued)).contains("job_state = C\n").doesNotContain("exit_status", "start_time");
        assertThat(user.run("qdel", deleted).exit()).isZero();
        awaitLine(deleted, "exit_status = 271");
        awaitLine(late, "exit_status = -11");
        // trapped: the job's own code counts
        String trapped = user.run("qsub", script("trap 'exit 9' TERM", "touch " + work + "/on", "sleep 300 & wait"))
                .id();
        await().atMost(PATIENCE).until(() -> Files.exists(work.resolve("on")));
        assertThat(user.run("qdel", trapped).exit()).isZero();
        awaitLine(trapped, "exit_status = 9");
    }

    @Test
    void endedJobsAreForgotten() {
        torque.settings().keepCompleted(Duration.ofSeconds(1));
        String first = user.run("qsub", script("true")).id();
        awaitUnknown(first);
        torque.settings().keepCompleted(Duration.ofHours(1));
        torque.settings().forgetsFinished(true);
        awaitUnknown(user.run("qsub", script("true")).id());
        torque.settings().forgetsFinished(false);
        awaitLine(user.run("qsub", script("true")).id(), "job_state = C");
    }

    @Test
    void endedJobsMayGoOnShowingRunning() throws IOException {
        torque.settings().staleRunning(Duration.ofHours(1));
        String id = user.run("qsub", script("touch " + work + "/ran")).id();
        await().atMost(PATIENCE)
                .until(() -> Files.exists(work.resolve("ran")) && Files.exists(work.resolveSibling("ended/0")));
        assertThat(full(id)).contains("job_state = R\n");
        torque.settings().staleRunning(Duration.ZERO);
        awaitLine(id, "job_state = C");
    }

    @Test
    void aKilledServerForgetsNothing() {
        String runs = user.run("qsub", script("while test ! -e " + work + "/go; do sleep 0.1; done; exit 5"))
                .id();
        String held = user.run("qsub", "-h", script("true")).id();
        awaitLine(runs, "job_state = R");
        torque.kill();
        assertThat(user.run("qstat").exit()).isEqualTo(111);
        assertThat(work.resolve("go").toFile().mkdir()).isTrue();
        torque.start();
        awaitLine(runs, "exit_status = 5");
        assertThat(full(held)).contains("job_state = H\n");
        assertThat(user.run("qsub", script("true")).id()).startsWith("2.");
    }

    @Test
    void faultsOfCommands() throws InterruptedException {
        torque.faults().refusing(TorqueProgram.QSUB, 15137, "cannot connect to server (errno=15137)");
        assertThat(user.run("qsub", script("true")))
                .isEqualTo(new Outcome(33, "", "qsub: cannot connect to server (errno=15137)\n"));
        assertThat(user.run("qstat")).isEqualTo(new Outcome(0, "", ""));
        torque.faults().none();
        torque.faults().down();
        assertThat(user.run("qdel", "1").exit()).isEqualTo(111);
        assertThat(user.run("qdel", "1").err()).contains("cannot connect to server torque.example (errno=111)");
        torque.faults().none();
        torque.faults().slow(Duration.ofMinutes(30));
        stays(user.start("qstat", List.of()));
        torque.faults().none();
        torque.faults().hung(TorqueProgram.QSTAT);
        stays(user.start("qstat", List.of()));
        torque.faults().none();
        torque.settings().queueFull(0);
        awaitExit(200);
        torque.settings().queueFull(-1);
        torque.settings().disabledQueue("long");
        awaitExit(175);
        assertThat(torque.calls(TorqueProgram.QDEL)).isEqualTo(2);
        assertThat(torque.calls(TorqueProgram.QHOLD)).isZero();
    }

    @Test
    void aLostAnswerLeavesTheJob() throws InterruptedException {
        torque.settings().slots(0);
        torque.faults().responseLost(15033, "submit error (End of File)");
        assertThat(user.run("qsub", script("true")))
                .isEqualTo(new Outcome(15033 & 0xff, "", "qsub: submit error (End of File)\n"));
        assertThat(full("0.torque.example")).contains("job_state = Q\n");
        torque.faults().none();
        torque.faults().answerHangs();
        Process hanging = user.start("qsub", List.of(script("true")));
        awaitLine("1.torque.example", "job_state = Q");
        stays(hanging);
    }

    @Test
    void fiveHundredRunAndThousandsWait() {
        Outcome all = user.run(
                "/bin/sh",
                "-c",
                "for i in $(seq 500); do \"$@\" || exit; done",
                "sh",
                torque.binDirectory().resolve("qsub").toString(),
                "-o",
                "/dev/null",
                "-e",
                "/dev/null",
                script("exec sleep 300"));
        assertThat(all.exit()).as(all.err()).isZero();
        List<String> ids = all.out().lines().toList();
        assertThat(ids).hasSize(500);
        assertThat(ids).doesNotHaveDuplicates();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(states("R")).isEqualTo(500));
        String waits = user.run("qsub", script("true")).id();
        assertThat(full(waits)).contains("job_state = Q\n");
        assertThat(user.run("qdel", ids.toArray(new String[0])).exit()).isZero();
        awaitLine(waits, "job_state = C");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(states("C")).isEqualTo(501));
        assertThat(torque.calls(TorqueProgram.QSUB)).isEqualTo(501);
    }

    @Test
    void theServerMayBeNamed() {
        torque.settings().slots(0);
        String id = user.run("qsub", script("true")).id();
        assertThat(user.run("qstat", "-f", id + "@torque.example")).isEqualTo(user.run("qstat", "-f", id));
        assertThat(user.run("qstat", "-f", "-x", "@torque.example")).isEqualTo(user.run("qstat", "-f", "-x"));
        assertThat(user.run("qstat", "-Q", "@torque.example")).isEqualTo(user.run("qstat", "-Q"));
        // what is known of those that are known, all the same
        Outcome some = user.run("qstat", "-f", id, "7." + "torque.example");
        assertThat(some.exit()).isEqualTo(153);
        assertThat(some.out()).startsWith("Job Id: " + id + "\n");
        assertThat(user.run("qstat", "@elsewhere").exit()).isEqualTo(162);
        assertThat(user.run("qdel", id + "@elsewhere").exit()).isEqualTo(162);
        assertThat(user.run("qdel", id + "@torque.example")).isEqualTo(new Outcome(0, "", ""));
    }

    @Test
    void namesItsKeysForTheCe() {
        assertThat(torque.configuration())
                .containsEntry("gelato.lrms.kind", "torque")
                .containsEntry(
                        "gelato.lrms.torque.bin-directory",
                        torque.binDirectory().toString());
        assertThatThrownBy(() -> new TorqueStandIn(Path.of("relative"))).hasMessageContaining("absolute");
    }

    private long states(String state) {
        return user.run("qstat")
                .out()
                .lines()
                .filter(line -> line.matches("\\d.* " + state + " long +"))
                .count();
    }

    private void awaitExit(int code) {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(user.run("qsub", script("true")).exit()).isEqualTo(code));
    }

    private static void stays(Process process) throws InterruptedException {
        assertThat(process.waitFor(1, TimeUnit.SECONDS)).isFalse();
        process.destroyForcibly().waitFor();
    }

    private void awaitLine(String id, String line) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(full(id)).contains("    " + line + "\n"));
    }

    private void awaitUnknown(String id) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(user.run("qstat", id))
                        .isEqualTo(new Outcome(153, "", "qstat: Unknown Job Id Error " + id + "\n")));
    }

    private String full(String id) {
        return user.run("qstat", "-f", id).out();
    }

    private static Object ownUid() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }

    /** Of the account root's tests use. */
    private static Object uid() throws IOException {
        return Files.readAllLines(Path.of("/etc/passwd")).stream()
                .map(line -> line.split(":", -1))
                .filter(entry -> entry[0].equals("nobody"))
                .map(entry -> (Object) Integer.valueOf(entry[2]))
                .findFirst()
                .orElseThrow();
    }

    private String script(String... lines) {
        try {
            Path path = Files.writeString(
                    work.resolve("job" + Math.floorMod(List.of(lines).hashCode(), 1_000_000)),
                    "#!/bin/bash\n" + String.join("\n", lines) + "\n");
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
            return path.toString();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
