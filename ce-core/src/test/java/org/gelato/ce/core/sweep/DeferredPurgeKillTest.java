package org.gelato.ce.core.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.command.CommandKind;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.service.CommandResult;
import org.gelato.ce.core.step.Step;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are killed at the steps of a deferred purge; others on the same database go on. */
class DeferredPurgeKillTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final String SWEEP = "sweep";

    @TempDir
    private Path directory;

    /** The process that is killed. Its argument is the job that it cleans, or the word for a sweep. */
    public static void main(String[] args) {
        Map<String, String> given = System.getenv();
        DatabaseConfig config = new DatabaseConfig(
                given.get("TEST_URL"), given.get("TEST_USER"), given.get("TEST_PASSWORD"), 2, Duration.ofMinutes(1));
        try (Database database = new Database(config);
                TestCe ce = new TestCe(database, new FakeLrms(), "host2")) {
            if (args[0].equals(SWEEP)) {
                sweeper(database, ce).sweep();
            } else {
                clean(ce, args[0]);
            }
        }
    }

    private static DeferredPurgeSweeper sweeper(Database database, TestCe ce) {
        return new DeferredPurgeSweeper(
                new PurgeQueue(database, ce.jobStore, ce.commands, Clock.systemUTC(), ce.dispatcher::wake));
    }

    private static List<CommandResult> clean(TestCe ce, String id) {
        return ce.jobs.commands().clean(ALICE, List.of(id));
    }

    private void killedAt(Step step, String action) throws IOException, InterruptedException {
        Path stop = directory.resolve(step.name());
        Path output = directory.resolve(step + ".log");
        ProcessBuilder victim = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        "-Dgelato.test.stop-file=" + stop,
                        "-Dgelato.test.stop-at=" + step,
                        DeferredPurgeKillTest.class.getName(),
                        action)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        victim.environment()
                .putAll(Map.of(
                        "TEST_URL", DB.config().url(),
                        "TEST_USER", DB.config().user(),
                        "TEST_PASSWORD", DB.config().password()));
        Process process = victim.start();
        try {
            await("it stops").until(() -> Files.exists(stop) || !process.isAlive());
            assertThat(stop)
                    .as(() -> "the process ended by itself: " + read(output))
                    .exists();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static int count(String query) {
        return DB.database()
                .read(h -> h.createQuery("SELECT COUNT(*) FROM " + query)
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void itIsDoneOnceWhateverIsKilled() throws IOException, InterruptedException {
        FakeLrms lrms = new FakeLrms();
        lrms.forgetsCancels(true);
        try (TestCe ce = new TestCe(DB.database(), lrms, "host1").start()) {
            JobId job = ce.submit(ALICE);
            await("it is in the batch system").until(() -> ce.state(ALICE, job) == JobState.IDLE);
            ce.jobs.commands().kill(ALICE, List.of(job.toString()));

            killedAt(Step.DEFERRED_PURGE_WRITTEN, job.toString());
            assertThat(count("purge_at_end")).as("nothing is committed").isZero();
            killedAt(Step.DEFERRED_PURGE_STORED, job.toString());
            assertThat(count("purge_at_end")).isEqualTo(1);
            assertThat(clean(ce, job.toString()))
                    .as("the client, without a response, purges again")
                    .allMatch(result -> result.fault() == null);

            lrms.move(job.tag(), LrmsJob.State.CANCELLED, null, null);
            await("it has ended").until(() -> ce.state(ALICE, job).isFinal());
        }
        killedAt(Step.SWEPT_PURGES_STORED, SWEEP);
        assertThat(count("command WHERE kind = " + CommandKind.JOB_PURGE.code()))
                .as("it is queued, and nobody was woken")
                .isEqualTo(1);
        try (TestCe ce = new TestCe(DB.database(), lrms, "host1")) {
            assertThat(sweeper(DB.database(), ce).sweep()).as("queued already").isZero();
            ce.start();
            await("it has gone").until(() -> ce.jobs.queries().list(ALICE).isEmpty());
        }
        assertThat(count("purge_at_end")).isZero();
    }
}
