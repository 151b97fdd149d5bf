package org.gelato.ce.core.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.RegisterResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class JobPurgerTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final PurgePolicy POLICY = PurgePolicy.parse("CANCELLED 10 days; REGISTERED 2 days");

    private TestCe ce;

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private JobPurger purger(Database database, Duration later) {
        return purger(database, later, ce.dispatcher::wake);
    }

    private JobPurger purger(Database database, Duration later, Runnable wake) {
        Clock clock = Clock.offset(Clock.systemUTC(), later);
        return new JobPurger(new PurgeQueue(database, ce.jobStore, ce.commands, clock, wake), POLICY, clock);
    }

    private List<JobId> register(int count) {
        return ce
                .jobs
                .registration()
                .register(
                        ALICE,
                        Stream.generate(() -> TestCe.description(false))
                                .limit(count)
                                .toList(),
                        null)
                .stream()
                .map(RegisterResult::id)
                .toList();
    }

    private static int purges() {
        return DB.database()
                .read(h -> h.createQuery("SELECT COUNT(*) FROM command WHERE kind = 3")
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void aStateIsPurgedAtItsOwnAge() {
        List<JobId> ids = register(3);
        ce.jobs.commands().cancel(ALICE, JobFilter.ofIds(List.of(ids.get(0).toString())));
        ce.jobs.commands().start(ALICE, JobFilter.ofIds(List.of(ids.get(1).toString())));
        assertThat(purger(DB.database(), Duration.ofHours(47)).sweep()).isZero();
        // Aged instead of a clock set ahead, because these commands are to be executed now.
        age(49);
        assertThat(purger(DB.database(), Duration.ZERO).sweep()).isEqualTo(1);
        ce.start();
        await("the registered job goes")
                .until(() -> !ce.jobs.queries().list(ALICE).contains(ids.get(2)));
        assertThat(ce.jobs.queries().list(ALICE)).contains(ids.get(0), ids.get(1));
        age(11 * 24);
        assertThat(purger(DB.database(), Duration.ZERO).sweep()).isEqualTo(1);
        await("the cancelled job goes")
                .until(() -> ce.jobs.queries().list(ALICE).equals(List.of(ids.get(1))));
    }

    private static void age(int hours) {
        DB.database()
                .inTransaction(h -> h.execute(
                        "UPDATE job SET state_since = state_since - INTERVAL ? HOUR WHERE state IN (0, 5)", hours));
    }

    @Test
    void thousandsArePurgedByAFewStatementsAndOnce() {
        for (int i = 0; i < 3; i++) {
            register(1200);
        }
        // As a crash of many jobs at once leaves it: the same moment for more than a slice.
        DB.database().inTransaction(h -> h.execute("UPDATE job SET state_since = '2026-01-01 00:00:00' WHERE id > 0"));
        try (Database own = new Database(DB.config())) {
            JobPurger purger = purger(own, Duration.ofDays(300));
            long before = own.statements();
            assertThat(purger.sweep()).isEqualTo(3600);
            assertThat(own.statements() - before)
                    .as("four per thousand and the last query")
                    .isLessThanOrEqualTo(18);
            assertThat(purger.sweep()).as("queued already").isZero();
        }
        assertThat(purges()).isEqualTo(3600);
    }

    @Test
    void twoNodesDoNotQueueAJobTwice() {
        register(1500);
        try (Database one = new Database(DB.config());
                Database two = new Database(DB.config())) {
            int queued = Stream.of(one, two)
                    .map(d -> CompletableFuture.supplyAsync(
                            () -> purger(d, Duration.ofDays(3)).sweep()))
                    .toList()
                    .stream()
                    .mapToInt(CompletableFuture::join)
                    .sum();
            assertThat(queued).isEqualTo(1500);
        }
        assertThat(purges()).isEqualTo(1500);
    }

    @Test
    void aRunThatWasCutShortIsFinishedByTheNext() {
        register(2500);
        try (Database own = new Database(DB.config())) {
            JobPurger cut = purger(own, Duration.ofDays(3), () -> {
                throw new IllegalStateException("the process dies after a slice");
            });
            assertThat(catchThrowable(cut::sweep)).isNotNull();
            assertThat(purges()).isEqualTo(1000);
            assertThat(purger(own, Duration.ofDays(3)).sweep()).isEqualTo(1500);
        }
    }

    @Test
    void aRuleThatFailsKeepsNoOtherFromBeingApplied() {
        register(4);
        DB.database()
                .inTransaction(h -> h.execute("UPDATE job SET state_since = '2026-01-01 00:00:00'")
                        + h.execute("UPDATE job SET state = ? ORDER BY id LIMIT 1", JobState.CANCELLED.code()));
        AtomicInteger calls = new AtomicInteger();
        JobPurger fails = purger(DB.database(), Duration.ofDays(300), () -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("the first rule fails");
            }
        });
        assertThat(catchThrowable(fails::sweep)).hasMessage("the first rule fails");
        assertThat(purges()).isEqualTo(4);
    }
}
