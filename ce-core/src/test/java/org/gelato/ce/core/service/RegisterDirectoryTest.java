package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.gelato.ce.core.command.DirectClaims;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.description.jdl.Jdl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs that are started by their registration and whose directory for uploads takes long, or is never made. */
class RegisterDirectoryTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String WITH_UPLOAD =
            "[ Executable = \"run.sh\"; InputSandbox = \"run.sh\";" + " BatchSystem = \"fake\"; QueueName = \"long\" ]";
    private static final List<JobDescription> STARTED =
            List.of(new JobDescription("r", Jdl.LANGUAGE, WITH_UPLOAD, "d1", null, null, true));

    private final FakeLrms lrms = new FakeLrms();
    private TestCe ce;

    @BeforeEach
    void start() {
        ce = new TestCe(DB.database(), lrms, "h1").start();
    }

    @AfterEach
    void close() {
        ce.close();
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
    }

    private static int count(String what) {
        return DB.database()
                .read(h -> h.select("SELECT COUNT(*) FROM " + what)
                        .mapTo(Integer.class)
                        .one());
    }

    private RegisterResult register() {
        return ce.jobs.registration().register(ALICE, STARTED, null).get(0);
    }

    private RegisterRequest keyed(String key) {
        return new RegisterRequest(STARTED, null, key);
    }

    private void awaitIdle(JobId id) {
        await().atMost(SOON).untilAsserted(() -> assertThat(ce.state(ALICE, id)).isEqualTo(JobState.IDLE));
    }

    @Test
    void nothingIsHandedOverBeforeTheDirectoryIsThere() {
        ce.accounts.before("mkdir", () -> {
            assertThat(count("job WHERE state = 0")).isOne();
            assertThat(count("command")).as("starts").isZero();
        });
        RegisterResult result = register();
        assertThat(result.started()).isTrue();
        awaitIdle(result.id());
        assertThat(lrms.submissions()).hasSize(1);
    }

    @Test
    void aJobThatIsRefusedForItsDirectoryWasNeverStarted() {
        ce.accounts.broken(true);
        assertThat(register().fault().cause()).contains("cannot make the job's sandbox");
        assertThat(count("job")).isZero();
        assertThat(lrms.submissions()).isEmpty();
    }

    @Test
    void aJobThatWasHandedOverMeanwhileIsNotTakenBack() {
        ce.accounts.before("mkdir", () -> {
            JobId found = ce.jobs.queries().list(ALICE).get(0);
            ce.jobs.commands().start(ALICE, JobFilter.ofIds(List.of(found.toString())));
            awaitIdle(found);
            ce.accounts.broken(true);
        });
        RegisterResult result = register();
        assertThat(result.fault()).isNull();
        assertThat(lrms.jobs()).hasSize(1);
        assertThat(count("job WHERE lrms_id IS NOT NULL"))
                .as("rows of batch jobs")
                .isOne();
    }

    /** Who came again without a key would register them once more. */
    @Test
    void jobsThatABusyDatabaseDoesNotStartAreNamedAndTheCallIsRepeatedByItsKeyAlone() {
        ce.direct = (kind, count) -> {
            throw new IllegalStateException(new SQLException("Lock wait timeout exceeded", "HY000", 1205));
        };
        assertThatThrownBy(this::register).isInstanceOfSatisfying(ServiceException.class, e -> {
            assertThat(Database.isBusy(e)).isFalse();
            assertThat(e)
                    .hasMessageContaining(
                            "registered and could not be started: start them, or purge them: %s",
                            ce.jobs.queries().list(ALICE).get(0));
        });
        assertThatThrownBy(() -> ce.jobs.registration().register(ALICE, keyed("busy")))
                .satisfies(e -> assertThat(Database.isBusy(e)).isTrue());
        assertThat(count("job WHERE state = 0")).isEqualTo(2);
        ce.direct = DirectClaims.NONE;
        awaitIdle(ce.jobs.registration().register(ALICE, keyed("busy")).get(0).id());
        assertThat(count("job")).isEqualTo(2);
    }

    @Test
    void aRepetitionStartsWhatACrashLeftRegistered() {
        ce.accounts.before("mkdir", () -> {
            throw new StackOverflowError("as if the process had ended here");
        });
        assertThatThrownBy(() -> ce.jobs.registration().register(ALICE, keyed("crash")))
                .isInstanceOf(StackOverflowError.class);
        assertThat(count("job WHERE state = 0")).isOne();
        ce.accounts.before("mkdir", () -> {});
        RegisterResult again =
                ce.jobs.registration().register(ALICE, keyed("crash")).get(0);
        awaitIdle(again.id());
        assertThat(ce.jobs.registration().register(ALICE, keyed("crash")).get(0))
                .isEqualTo(again);
        assertThat(count("job")).isOne();
        assertThat(lrms.submissions()).hasSize(1);
    }

    @Test
    void aJobThatARepetitionHasReturnedIsNotTakenBack() {
        AtomicReference<RegisterResult> repeated = new AtomicReference<>();
        try (TestCe other = new TestCe(DB.database(), lrms, "h2")) {
            List<JobDescription> uploads =
                    List.of(new JobDescription("r", Jdl.LANGUAGE, WITH_UPLOAD, "d1", null, null, false));
            RegisterRequest request = new RegisterRequest(uploads, null, "slow");
            ce.accounts.before("mkdir", () -> {
                repeated.set(other.jobs.registration().register(ALICE, request).get(0));
                ce.accounts.broken(true);
            });
            RegisterResult first =
                    ce.jobs.registration().register(ALICE, request).get(0);
            assertThat(repeated.get().fault()).isNull();
            assertThat(first).isEqualTo(repeated.get());
            assertThat(ce.state(ALICE, first.id())).isEqualTo(JobState.REGISTERED);
        }
    }
}
