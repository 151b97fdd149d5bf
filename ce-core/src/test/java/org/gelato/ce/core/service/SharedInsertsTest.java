package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.TextQuota;
import org.gelato.ce.description.JobLabels;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Forty callers share transactions, and no failure affects another caller. */
class SharedInsertsTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Clock CLOCK = Clock.tick(Clock.systemUTC(), Duration.ofNanos(1000));

    private final ExecutorService callers = Executors.newFixedThreadPool(40);
    private Database own;
    private TestCe ce;
    private JobInserts inserts;
    private int owner;
    private int subject;
    private int account;
    private int queue;

    @BeforeEach
    void open() {
        own = new Database(DB.config());
        ce = new TestCe(own, new FakeLrms(), "host1");
        inserts = inserts(JobInserts.Turns.USERS);
        OwnerStore owners = new OwnerStore(own);
        owner = owners.owner(TestCe.caller("Alice").identity());
        subject = owners.subject(TestCe.caller("Alice").identity());
        account = owners.account("dteam001");
        queue = owners.queue("fake", "long");
        own.inTransaction(h -> h.execute("DELETE FROM job"));
    }

    @AfterEach
    void close() {
        callers.shutdownNow();
        ce.close();
        own.close();
    }

    private JobInserts inserts(JobInserts.Turns turns) {
        return new JobInserts(
                own,
                ce.commands,
                new TextQuota(own, TextQuota.NONE),
                new JobStore().counts(),
                turns,
                CLOCK,
                Duration.ZERO);
    }

    private JobInserts.Request request(int number, int jobs, JobInserts.Extra extra) {
        return request("Alice", number, jobs, extra);
    }

    private JobInserts.Request request(String user, int number, int jobs, JobInserts.Extra extra) {
        List<JobInserts.NewJob> wanted = IntStream.range(0, jobs)
                .mapToObj(i -> new JobInserts.NewJob(
                        queue,
                        null,
                        ce.delegationRow(),
                        null,
                        false,
                        0,
                        TestCe.JDL,
                        "grid-" + number + "-" + i,
                        null,
                        JobLabels.NONE))
                .toList();
        return new JobInserts.Request(
                wanted, owner, subject, TestCe.caller(user).identity(), account, null, null, extra);
    }

    private String gridJobId(int row) {
        return own.read(h -> h.select("SELECT grid_job_id FROM job_text WHERE job_id = ?", row)
                .mapTo(String.class)
                .one());
    }

    /** Calls of one to three jobs; every seventh fails on purpose. */
    private void run(BiConsumer<Handle, List<Integer>> work, Class<? extends Throwable> failure) throws Exception {
        JobInserts.Extra bad = new JobInserts.Extra() {
            @Override
            public void store(Handle h, List<Integer> rows) {
                work.accept(h, rows);
            }
        };
        List<Future<List<Integer>>> responses = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int number = i;
            responses.add(callers.submit(() -> inserts.insert(
                            request(number, 1 + number % 3, number % 7 == 0 ? bad : JobInserts.NOTHING_MORE))
                    .orElseThrow()));
        }
        Set<Integer> rows = new HashSet<>();
        for (int i = 0; i < responses.size(); i++) {
            Future<List<Integer>> response = responses.get(i);
            if (i % 7 == 0) {
                assertThatThrownBy(() -> response.get(5, TimeUnit.MINUTES))
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(failure);
                continue;
            }
            List<Integer> own = response.get(5, TimeUnit.MINUTES);
            assertThat(own).hasSize(1 + i % 3);
            for (int job = 0; job < own.size(); job++) {
                assertThat(gridJobId(own.get(job))).isEqualTo("grid-" + i + "-" + job);
            }
            rows.addAll(own);
        }
        assertThat(own.<Integer>read(h -> h.select("SELECT COUNT(*) FROM job")
                        .mapTo(Integer.class)
                        .one()))
                .as("no job without its caller")
                .isEqualTo(rows.size());
    }

    /** A call that hangs in its transaction until the latch is open; the calls begun here wait behind it, in their order. */
    private List<Future<?>> behindOneThatHangs(CountDownLatch open, List<Runnable> calls) throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        List<Future<?>> all = new ArrayList<>();
        all.add(callers.submit(() -> inserts.insert(request("Bob", 1, 1, new JobInserts.Extra() {
            @Override
            public boolean begin(Handle h) {
                waits.countDown();
                try {
                    return open.await(5, TimeUnit.MINUTES);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }))));
        assertThat(waits.await(5, TimeUnit.MINUTES)).isTrue();
        for (Runnable call : calls) {
            CompletableFuture<Thread> caller = new CompletableFuture<>();
            all.add(callers.submit(() -> {
                caller.complete(Thread.currentThread());
                call.run();
            }));
            await().until(() -> caller.get().getState() == Thread.State.WAITING);
        }
        return all;
    }

    @Test
    void whoRegistersMoreThanAllOthersTogetherIsNamed() throws Exception {
        JobInserts.Request many = request("Alice", 2, 600, JobInserts.NOTHING_MORE);
        inserts.insert(many);
        inserts.insert(many);
        CountDownLatch open = new CountDownLatch(1);
        List<Future<?>> calls = behindOneThatHangs(open, List.of(() -> inserts.insert(many)));
        assertThat(inserts.crowdedBy())
                .as("600 fit into one transaction, and others are done")
                .isEmpty();
        calls.add(callers.submit(() -> inserts.insert(many)));
        await().untilAsserted(() -> assertThat(inserts.crowdedBy())
                .contains(TestCe.caller("Alice").identity().subject()));
        open.countDown();
        for (Future<?> call : calls) {
            call.get(5, TimeUnit.MINUTES);
        }
    }

    @Test
    void noneOfOneWhoWaitsAloneIsNamed() throws Exception {
        JobInserts.Request many = request("Bob", 2, 600, JobInserts.NOTHING_MORE);
        CountDownLatch open = new CountDownLatch(1);
        List<Future<?>> calls =
                behindOneThatHangs(open, List.of(() -> inserts.insert(many), () -> inserts.insert(many)));
        assertThat(inserts.crowdedBy()).isEmpty();
        open.countDown();
        for (Future<?> call : calls) {
            call.get(5, TimeUnit.MINUTES);
        }
    }

    @ParameterizedTest
    @CsvSource({"USERS, A1 D1 E1 A2 E2", "VOS, A1 E1 D1 E2 A2"})
    void whatWaitsIsTakenInTurns(JobInserts.Turns turns, String expected) throws Exception {
        inserts = inserts(turns);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch open = new CountDownLatch(1);
        List<Runnable> waiting = Stream.of("A1", "A2", "D1", "E1", "E2")
                .<Runnable>map(name -> () -> inserts.insert(inTurn(name, order)))
                .toList();
        List<Future<?>> calls = behindOneThatHangs(open, waiting);
        open.countDown();
        for (Future<?> call : calls) {
            call.get(5, TimeUnit.MINUTES);
        }
        assertThat(order).containsExactly(expected.split(" "));
    }

    /** Of the user with that letter; E is of another VO. */
    private JobInserts.Request inTurn(String name, List<String> order) {
        String user = name.substring(0, 1);
        GridIdentity identity = new GridIdentity(
                "CN=" + user, List.of(), user.equals("E") ? "atlas" : "dteam", false, Instant.MAX, List.of());
        return new JobInserts.Request(
                request(1, 1, null).jobs(),
                owner,
                user.charAt(0),
                identity,
                account,
                null,
                null,
                new JobInserts.Extra() {
                    @Override
                    public boolean begin(Handle h) {
                        order.add(name);
                        return false;
                    }
                });
    }

    @Test
    void aStatementThatFailsIsItsCallersAlone() throws Exception {
        run((h, rows) -> h.execute("INSERT INTO no_such_table VALUES (1)"), org.jdbi.v3.core.JdbiException.class);
    }

    @Test
    void aConnectionThatIsCutInMidTransactionIsItsCallersAlone() throws Exception {
        run(
                (h, rows) -> {
                    long id =
                            h.select("SELECT CONNECTION_ID()").mapTo(Long.class).one();
                    DB.database().inTransaction(killer -> killer.execute("KILL CONNECTION " + id));
                    h.execute("DO 1");
                },
                org.jdbi.v3.core.JdbiException.class);
    }

    @Test
    void startAndPurgeOfTheSameJobsByManyAreDoneOnce() throws Exception {
        List<String> ids = inserts.insert(request(1, 5, JobInserts.NOTHING_MORE)).orElseThrow().stream()
                .map(row -> ce.numbers.id(row).toString())
                .toList();
        JobFilter all = JobFilter.ofIds(ids);
        List<Future<List<CommandResult>>> starts = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            starts.add(callers.submit(() -> ce.jobs.commands().start(TestCe.caller("Alice"), all)));
        }
        List<CommandResult> good = new ArrayList<>();
        for (Future<List<CommandResult>> start : starts) {
            List<CommandResult> results = start.get(5, TimeUnit.MINUTES);
            assertThat(results.stream().map(CommandResult::id)).containsExactlyElementsOf(ids);
            results.stream().filter(r -> r.fault() == null).forEach(good::add);
        }
        assertThat(good.stream().map(CommandResult::id)).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(own.<Integer>read(h -> h.select("SELECT COUNT(*) FROM command WHERE kind = 1")
                        .mapTo(Integer.class)
                        .one()))
                .isEqualTo(5);

        own.inTransaction(h -> h.execute("UPDATE job SET state = 7"));
        own.inTransaction(h -> h.execute("UPDATE command SET state = 3"));
        List<Future<List<CommandResult>>> purges = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            purges.add(callers.submit(() -> ce.jobs.commands().purge(TestCe.caller("Alice"), all)));
        }
        for (Future<List<CommandResult>> purge : purges) {
            assertThat(purge.get(5, TimeUnit.MINUTES)).allMatch(r -> r.fault() == null);
        }
        assertThat(own.<Integer>read(h -> h.select("SELECT COUNT(*) FROM command WHERE kind = 3 AND state = 1")
                        .mapTo(Integer.class)
                        .one()))
                .as("one purge of each job may run, the others wait for it")
                .isEqualTo(5);
    }
}
