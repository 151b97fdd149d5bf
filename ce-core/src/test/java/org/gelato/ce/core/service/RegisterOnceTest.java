package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.sweep.RegisterKeySweeper;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A request with a key is registered once, however often it comes. Every test has callers of its own. */
class RegisterOnceTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final AtomicInteger CALLERS = new AtomicInteger();
    private static final String UPLOADS = "[ Executable = \"run.sh\"; InputSandbox = {\"run.sh\"};"
            + " BatchSystem = \"fake\"; QueueName = \"long\" ]";

    private TestCe ce;
    private Caller alice;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), new FakeLrms(), "h");
        alice = TestCe.caller("Alice " + CALLERS.incrementAndGet());
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private static RegisterRequest request(String key, JobDescription... descriptions) {
        return new RegisterRequest(List.of(descriptions), null, key);
    }

    private static JobDescription upload() {
        return new JobDescription("ref", Jdl.LANGUAGE, UPLOADS, "d1", null, null, false);
    }

    private long rows(String table) {
        return DB.database()
                .read(h -> h.createQuery("SELECT COUNT(*) FROM " + table)
                        .mapTo(Long.class)
                        .one());
    }

    private Map<String, Long> jobRows() {
        return Map.of(
                "job", rows("job"),
                "job_text", rows("job_text"),
                "command", rows("command"),
                "job_state_history", rows("job_state_history"));
    }

    @Test
    void aRepetitionIsAnsweredAsTheRequestWasAndStoresNothing() {
        JobDescription good = TestCe.description(false);
        JobDescription bad = new JobDescription("broken", Jdl.LANGUAGE, "[ nonsense", "d1", null, null, false);
        JobDescription stranger =
                new JobDescription("stranger", Jdl.LANGUAGE, TestCe.JDL, "unknown", null, null, false);
        RegisterRequest request = new RegisterRequest(List.of(bad, good, stranger, good), "ice1", "k1");
        List<RegisterResult> first = ce.jobs.registration().register(alice, request);
        assertThat(first).extracting(r -> r.id() != null).containsExactly(false, true, false, true);
        assertThat(first.get(1).properties()).containsKey("DB_ID");
        Map<String, Long> stored = jobRows();

        assertThat(ce.jobs.registration().register(alice, request)).isEqualTo(first);
        assertThat(ce.jobs.registration().register(alice, request)).isEqualTo(first);
        assertThat(jobRows()).isEqualTo(stored);
        assertThat(ce.jobs.queries().list(alice)).hasSize(2);
    }

    @Test
    void aWarningIsRepeatedVerbatim() {
        String hungry =
                TestCe.JDL.replace(" ]", "; CERequirements = \"other.GlueCEPolicyMaxWallClockTime >= 100000\" ]");
        RegisterRequest request =
                request("warned", new JobDescription("a", Jdl.LANGUAGE, hungry, "d1", null, null, false));
        List<RegisterResult> first = ce.jobs.registration().register(alice, request);
        assertThat(first.get(0).properties()).containsKey(JobRegistration.WARNING);
        assertThat(ce.jobs.registration().register(alice, request)).isEqualTo(first);
    }

    @Test
    void aRequestOfWhichNothingWasRegisteredIsAnsweredAsItWas() {
        RegisterRequest request =
                request("k", new JobDescription("x", Jdl.LANGUAGE, TestCe.JDL, "ended", null, null, false));
        List<RegisterResult> first = ce.jobs.registration().register(alice, request);
        assertThat(first.get(0).fault()).isNotNull();
        assertThat(ce.jobs.registration().register(alice, request)).isEqualTo(first);
    }

    @Test
    void aCodeThatAnotherVersionStoredIsReadAsGeneric() {
        RegisterRequest request =
                request("later", new JobDescription("x", Jdl.LANGUAGE, TestCe.JDL, "ended", null, null, false));
        String cause =
                ce.jobs.registration().register(alice, request).get(0).fault().cause();
        DB.database().inTransaction(h -> h.execute("UPDATE register_result SET fault_kind = 'A_LATER_ONE'"));
        assertThat(ce.jobs.registration().register(alice, request).get(0).fault())
                .hasFieldOrPropertyWithValue("code", FaultCode.GENERIC)
                .hasFieldOrPropertyWithValue("cause", cause);
    }

    @Test
    void withoutKeyEachRequestRegistersWhateverItsDescriptionId() {
        JobDescription same = TestCe.description(false);
        JobId one = ce.jobs
                .registration()
                .register(alice, request(null, same))
                .get(0)
                .id();
        JobId other = ce.jobs
                .registration()
                .register(alice, request(null, same))
                .get(0)
                .id();
        JobId keyed = ce.jobs
                .registration()
                .register(alice, request("k", same))
                .get(0)
                .id();
        assertThat(ce.jobs.queries().list(alice)).containsExactlyInAnyOrder(one, other, keyed);
    }

    @Test
    void requestsWithoutKeyCostNoStatementMore() {
        ce.jobs
                .registration()
                .register(alice, request(null, TestCe.description(false))); // numbers of owner, account, queue
        long before = DB.database().statements();
        ce.jobs.registration().register(alice, request(null, TestCe.description(false)));
        long without = DB.database().statements() - before;
        ce.jobs.registration().register(alice, request("cost", TestCe.description(false)));
        long with = DB.database().statements() - before - without;
        ce.jobs.registration().register(alice, request("cost", TestCe.description(false)));
        long again = DB.database().statements() - before - without - with;
        assertThat(with - without).isEqualTo(2);
        assertThat(again).isLessThanOrEqualTo(without + 2);
    }

    @Test
    void keysBelongToTheirOwner() {
        Caller bob = TestCe.caller("Bob " + CALLERS.incrementAndGet());
        GridIdentity identity = alice.certificate();
        Caller other = new Caller(
                new GridIdentity(
                        identity.dn(),
                        List.of("/dteam/Role=x"),
                        "dteam",
                        false,
                        Instant.now().plusSeconds(60),
                        List.of()),
                alice.account(),
                false);
        RegisterRequest request = request("shared", TestCe.description(false));
        List<JobId> ids = Stream.of(alice, bob, other)
                .map(c -> ce.jobs.registration().register(c, request).get(0).id())
                .toList();
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(ce.jobs.registration().register(bob, request).get(0).id()).isEqualTo(ids.get(1));
    }

    @Test
    void anotherRequestUnderTheKeyIsRefusedAndRegistersNothing() {
        JobDescription d = TestCe.description(false);
        ce.jobs.registration().register(alice, request("k", d));
        long jobs = rows("job");
        List<RegisterRequest> others = List.of(
                request("k", d, d),
                request("k", new JobDescription("ref2", Jdl.LANGUAGE, d.text(), "d1", null, null, false)),
                request("k", new JobDescription("ref", Jdl.LANGUAGE, d.text() + " ", "d1", null, null, false)),
                request("k", new JobDescription("ref", Jdl.LANGUAGE, d.text(), "ended", null, null, false)),
                request("k", new JobDescription("ref", Jdl.LANGUAGE, d.text(), "d1", null, "lease", false)),
                request("k", TestCe.description(true)),
                new RegisterRequest(List.of(d), "ice", "k"));
        for (RegisterRequest other : others) {
            assertThatThrownBy(() -> ce.jobs.registration().register(alice, other))
                    .hasFieldOrPropertyWithValue("code", FaultCode.INVALID_ARGUMENT)
                    .hasMessageContaining("used for another JobRegister request");
        }
        assertThat(rows("job")).isEqualTo(jobs);
    }

    @Test
    void keysAreVisibleAsciiOfABoundedLength() {
        for (String bad : List.of("", "a b", "k\u00e9y", "tab\t", "k".repeat(256), "one, two", "\u007f")) {
            assertThatThrownBy(() -> request(bad, TestCe.description(false)))
                    .hasFieldOrPropertyWithValue("code", FaultCode.INVALID_ARGUMENT)
                    .hasMessage("Idempotency-Key must be one value of 1 to 255 visible ASCII characters");
        }
        ce.jobs.registration().register(alice, request("~".repeat(255), TestCe.description(false)));
        ce.jobs.registration().register(alice, request("!", TestCe.description(false)));
        assertThat(ce.jobs.queries().list(alice)).hasSize(2);
    }

    @Test
    void jobsThatStartAtOnceAreStartedOnce() {
        RegisterRequest request = request("auto", TestCe.description(true));
        JobId id = ce.jobs.registration().register(alice, request).get(0).id();
        ce.jobs.registration().register(alice, request);
        JobInfo info = ce.jobs
                .queries()
                .info(alice, JobFilter.ofIds(List.of(id.toString())))
                .get(0)
                .info();
        assertThat(info.commands()).hasSize(2);
        assertThat(ce.state(alice, id)).isEqualTo(JobState.PENDING);
    }

    @Test
    void manyAtOnceRegisterOnce() throws Exception {
        int threads = 20;
        RegisterRequest request = request("race", TestCe.description(true), upload(), TestCe.description(false));
        long jobs = rows("job");
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (TestCe otherNode = new TestCe(DB.database(), new FakeLrms(), "h2")) {
            List<Callable<List<RegisterResult>>> calls = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                TestCe node = i % 2 == 0 ? ce : otherNode;
                calls.add(() -> {
                    start.await();
                    return node.jobs.registration().register(alice, request);
                });
            }
            List<RegisterResult> first = null;
            for (Future<List<RegisterResult>> response : pool.invokeAll(calls)) {
                List<RegisterResult> results = response.get();
                first = first == null ? results : first;
                assertThat(results).isEqualTo(first);
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(rows("job") - jobs).isEqualTo(3);
        assertThat(ce.jobs.queries().list(alice)).hasSize(3);
    }

    @Test
    void afterADayTheKeyIsNew() {
        RegisterRequest request = request("day", TestCe.description(false));
        JobId first = ce.jobs.registration().register(alice, request).get(0).id();
        age("23 HOUR");
        assertThat(ce.jobs.registration().register(alice, request).get(0).id()).isEqualTo(first);
        age("1 HOUR");
        JobId second = ce.jobs.registration().register(alice, request).get(0).id();
        assertThat(second).isNotEqualTo(first);
        assertThat(ce.jobs.registration().register(alice, request).get(0).id()).isEqualTo(second);
    }

    private static void age(String interval) {
        DB.database()
                .inTransaction(
                        h -> h.execute("UPDATE register_key SET created_at = created_at - INTERVAL " + interval));
    }

    @Test
    void theSweepForgetsKeysAfterADayAndTheOldestOfTooMany() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM register_key"));
        for (int i = 0; i < 5; i++) {
            ce.jobs.registration().register(alice, request("k" + i, TestCe.description(false)));
        }
        Instant now = Instant.now();
        Clock almost = Clock.fixed(now.plus(Duration.ofHours(23)), ZoneOffset.UTC);
        assertThat(new RegisterKeySweeper(DB.database(), almost).sweep()).isZero();
        assertThat(new RegisterKeySweeper(DB.database(), almost, 3).sweep()).isEqualTo(2);
        List<JobId> known = ce.jobs.queries().list(alice);
        assertThat(known)
                .contains(ce.jobs
                        .registration()
                        .register(alice, request("k4", TestCe.description(false)))
                        .get(0)
                        .id());
        assertThat(known)
                .doesNotContain(ce.jobs
                        .registration()
                        .register(alice, request("k0", TestCe.description(false)))
                        .get(0)
                        .id());
        Clock later = Clock.fixed(now.plus(Duration.ofHours(25)), ZoneOffset.UTC);
        assertThat(new RegisterKeySweeper(DB.database(), later).sweep()).isEqualTo(4);
        assertThat(rows("register_result")).isZero();
    }

    @Test
    void aPurgedJobIsAnsweredWithItsIdAndThenUnknown() {
        RegisterRequest request = request("purged", TestCe.description(false), upload());
        List<RegisterResult> first = ce.jobs.registration().register(alice, request);
        DB.database().inTransaction(h -> h.execute("DELETE FROM job WHERE id IN (SELECT job_id FROM register_result)"));
        int asked = ce.accounts.log().size();
        assertThat(ce.jobs.registration().register(alice, request)).isEqualTo(first);
        assertThat(ce.accounts.log()).hasSize(asked);
        assertThat(ce.jobs
                        .queries()
                        .status(alice, JobFilter.ofIds(List.of(first.get(0).id().toString())))
                        .get(0)
                        .fault()
                        .code())
                .isEqualTo(FaultCode.JOB_UNKNOWN);
    }

    @Test
    void theDirectoryThatACrashLeftOutIsMadeByTheRepetition() {
        RegisterRequest request = request("isb", TestCe.description(false), upload());
        List<RegisterResult> first = ce.jobs.registration().register(alice, request);
        // As after a crash between the commit and the helper's message: a node that never sent it.
        try (TestCe restarted = new TestCe(DB.database(), new FakeLrms(), "h")) {
            assertThat(restarted.jobs.registration().register(alice, request)).isEqualTo(first);
            assertThat(restarted.accounts.log())
                    .containsExactly("mkdir " + first.get(1).sandbox().resolve("ISB"));
        }
    }

    @Test
    void aDirectoryThatCannotBeMadeAgainLeavesTheJobs() {
        RegisterRequest request = request("full", upload());
        List<RegisterResult> first = ce.jobs.registration().register(alice, request);
        ce.accounts.broken(true);
        assertThatThrownBy(() -> ce.jobs.registration().register(alice, request))
                .hasFieldOrPropertyWithValue("code", FaultCode.INTERNAL)
                .hasMessageContaining("the jobs are registered");
        ce.accounts.broken(false);
        assertThat(ce.jobs.registration().register(alice, request)).isEqualTo(first);
        assertThat(ce.state(alice, first.get(0).id())).isEqualTo(JobState.REGISTERED);
    }

    @Test
    void aJobThatWasTakenBackIsAnsweredAsRefused() {
        RegisterRequest request = request("taken-back", TestCe.description(false), upload());
        ce.accounts.broken(true);
        List<RegisterResult> first = ce.jobs.registration().register(alice, request);
        ce.accounts.broken(false);
        assertThat(first.get(1).fault().cause()).contains("cannot make the job's sandbox");
        assertThat(ce.jobs.registration().register(alice, request)).isEqualTo(first);
        assertThat(ce.jobs.queries().list(alice)).containsExactly(first.get(0).id());
    }

    @Test
    void startedJobsKeepTheirSandboxAsItIs() {
        RegisterRequest request = request("started", upload());
        JobId id = ce.jobs.registration().register(alice, request).get(0).id();
        ce.jobs.commands().start(alice, JobFilter.ofIds(List.of(id.toString())));
        int asked = ce.accounts.log().size();
        assertThat(ce.jobs.registration().register(alice, request).get(0).id()).isEqualTo(id);
        assertThat(ce.accounts.log()).hasSize(asked);
    }

    @Test
    void theAccountOfTheFirstTimeCounts() {
        RegisterRequest request = request("mapped", upload());
        List<RegisterResult> first = ce.jobs.registration().register(alice, request);
        Caller moved = new Caller(alice.identity(), "dteam002", false);
        assertThat(ce.jobs.registration().register(moved, request)).isEqualTo(first);
    }

    @Test
    void aClosedCeStillServesRepetitions() {
        RegisterRequest request = request("closed", TestCe.description(false));
        List<RegisterResult> first = ce.jobs.registration().register(alice, request);
        ce.admission.open(TestCe.admin(), false);
        try {
            assertThat(ce.jobs.registration().register(alice, request)).isEqualTo(first);
            assertThatThrownBy(
                            () -> ce.jobs.registration().register(alice, request("closed2", TestCe.description(false))))
                    .hasFieldOrPropertyWithValue("code", FaultCode.SUBMISSION_DISABLED);
        } finally {
            ce.admission.open(TestCe.admin(), true);
        }
        assertThat(ce.jobs
                        .registration()
                        .register(alice, request("closed2", TestCe.description(false)))
                        .get(0)
                        .id())
                .as("a refused request has used no key")
                .isNotNull();
    }

    @Test
    void nothingIsKeptOfARequestWhoseTransactionFailed() {
        long keys = rows("register_key");
        List<JobDescription> many =
                IntStream.range(0, 3).mapToObj(i -> TestCe.description(false)).toList();
        RegisterRequest request = new RegisterRequest(many, null, "rolled-back");
        DB.database().inTransaction(h -> h.execute("RENAME TABLE register_result TO register_result_away"));
        try {
            assertThatThrownBy(() -> ce.jobs.registration().register(alice, request))
                    .isNotNull();
        } finally {
            DB.database().inTransaction(h -> h.execute("RENAME TABLE register_result_away TO register_result"));
        }
        assertThat(ce.jobs.queries().list(alice)).isEmpty();
        assertThat(rows("register_key")).isEqualTo(keys);
        assertThat(ce.jobs.registration().register(alice, request)).hasSize(3);
        assertThat(ce.jobs.queries().list(alice)).hasSize(3);
    }
}
