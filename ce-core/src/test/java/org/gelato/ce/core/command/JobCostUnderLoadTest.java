package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.intake.WrapperEvent.Kind;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.service.CommandResult;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a job costs the database when 40 clients register, start and purge jobs one by one (docs/developer/design.md section 9). */
class JobCostUnderLoadTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final int CLIENTS = 40;
    private static final int JOBS = 300;
    // The budget; the look-up of the delegation, which this core has not, is one of the 15 statements.
    private static final int STATEMENTS = 14;
    private static final int COMMITS = 3;

    private final Map<JobId, CompletableFuture<Void>> ended = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Database own;
    private TestCe ce;
    private volatile boolean stopped;

    @BeforeEach
    void open() throws Exception {
        own = new Database(DB.config());
        fillPool();
        ce = new TestCe(own, new FakeLrms(), "host1");
        ce.dispatcher.start(null);
        ce.dispatcher.work();
    }

    @AfterEach
    void close() {
        stopped = true;
        threads.shutdownNow();
        ce.dispatcher.close();
        ce.close();
        own.close();
    }

    /** Opens all connections, so that what a driver sends on a new one is not in the server's count. */
    private void fillPool() throws Exception {
        int connections = DB.config().poolSize();
        CountDownLatch all = new CountDownLatch(connections);
        List<Future<Integer>> reads = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            reads.add(threads.submit(() -> own.read(h -> {
                all.countDown();
                try {
                    all.await(5, TimeUnit.MINUTES);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return h.select("SELECT 1").mapTo(Integer.class).one();
            })));
        }
        for (Future<Integer> read : reads) {
            read.get(5, TimeUnit.MINUTES);
        }
    }

    private record Standing(JobId id, int state) {}

    /** Brings the next event of every job there is, all that are due at once, as scans of the spools do. */
    private void wrappers() {
        while (!stopped) {
            List<Standing> jobs = DB.database()
                    .read(h -> h.createQuery("SELECT id, state FROM job WHERE state IN (2, 3, 4)")
                            .map((r, c) -> new Standing(ce.numbers.id(r.getInt(1)), r.getInt(2)))
                            .list());
            List<WrapperEvent> events = new ArrayList<>();
            List<JobId> ends = new ArrayList<>();
            for (Standing job : jobs) {
                Kind next = Kind.values()[job.state() - 2];
                events.add(ce.event(job.id(), next, next == Kind.DONE ? 0 : null, null));
                if (next == Kind.DONE) {
                    ends.add(job.id());
                }
            }
            if (!events.isEmpty()) {
                ce.events.apply(events);
            }
            ends.forEach(id ->
                    ended.computeIfAbsent(id, x -> new CompletableFuture<>()).complete(null));
        }
    }

    private List<JobId> client(AtomicInteger left, Caller caller) throws Exception {
        List<JobId> mine = new ArrayList<>();
        while (left.getAndDecrement() > 0) {
            JobId id = ce.jobs
                    .registration()
                    .register(caller, List.of(TestCe.description(false)), null)
                    .get(0)
                    .id();
            mine.add(id);
            JobFilter it = JobFilter.ofIds(List.of(id.toString()));
            assertThat(ce.jobs.commands().start(caller, it)).containsExactly(new CommandResult(id.toString(), null));
            ended.computeIfAbsent(id, x -> new CompletableFuture<>()).get(5, TimeUnit.MINUTES);
            assertThat(ce.jobs.commands().purge(caller, it)).containsExactly(new CommandResult(id.toString(), null));
        }
        return mine;
    }

    private List<JobId> lives(int jobs) throws Exception {
        AtomicInteger left = new AtomicInteger(jobs);
        List<Future<List<JobId>>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Caller caller = TestCe.caller("user" + i % 5);
            clients.add(threads.submit(() -> client(left, caller)));
        }
        List<JobId> ids = new ArrayList<>();
        for (Future<List<JobId>> client : clients) {
            ids.addAll(client.get(300, TimeUnit.SECONDS));
        }
        await().until(() -> count("SELECT COUNT(*) FROM job") == 0);
        return ids;
    }

    private static long count(String sql) {
        return DB.database().read(h -> h.select(sql).mapTo(Long.class).one());
    }

    /** Statements the server was sent by everybody; and those sent by others than the CE. */
    private static long server() {
        return DB.database()
                .read(h -> h.createQuery("SHOW GLOBAL STATUS LIKE 'Questions'")
                        .map((r, c) -> r.getLong(2))
                        .one());
    }

    private static long all(Database database) {
        return database.statements() + database.commits() + database.rollbacks();
    }

    @Test
    void fortyClientsShareTransactions() throws Exception {
        Future<?> wrappers = threads.submit(this::wrappers);
        lives(CLIENTS); // what is read once is known from here on
        long statements = own.statements();
        long commits = own.commits();
        long before = all(own) + all(DB.database());
        long serverBefore = server();
        long afterServerBefore = all(own) + all(DB.database());
        Set<JobId> ids = new HashSet<>(lives(JOBS));
        statements = own.statements() - statements;
        commits = own.commits() - commits;
        stopped = true;
        wrappers.get(5, TimeUnit.MINUTES);
        long beforeServer = all(own) + all(DB.database());
        long sent = server() - serverBefore;
        // The CE works on while the server is read: its own count is between these two.
        long least = beforeServer - afterServerBefore;
        long most = all(own) + all(DB.database()) - before;

        assertThat(ids).hasSize(JOBS);
        assertThat(count("SELECT COUNT(*) FROM usage_record")).isEqualTo(JOBS + CLIENTS);
        assertThat(ce.lrms.submissions().stream().map(Submission::id))
                .doesNotHaveDuplicates()
                .hasSize(JOBS + CLIENTS);
        assertThat(statements).isLessThanOrEqualTo((long) STATEMENTS * JOBS);
        assertThat(commits).isLessThanOrEqualTo((long) COMMITS * JOBS);
        // What is under way at the ends, and what a driver sends on a new connection, may differ.
        assertThat(sent).as("counted by the server").isBetween(least - 20, most + 100);
    }
}
