package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DatabaseTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private final Database database = DB.database();

    @BeforeEach
    void noAccounts() {
        database.inTransaction(h -> h.execute("DELETE FROM account"));
    }

    @Test
    void aTransactionThatReturnsIsSeenByOtherPools() {
        long commits = database.commits();

        database.inTransaction(h -> h.execute("INSERT INTO account (name) VALUES ('dteam001')"));

        assertThat(accountsSeenByAnotherPool()).isEqualTo(1);
        assertThat(database.commits() - commits).isEqualTo(1);
    }

    @Test
    void aTransactionThatThrowsLeavesNothing() {
        long commits = database.commits();

        assertThatThrownBy(() -> database.inTransaction(h -> {
                    h.execute("INSERT INTO account (name) VALUES ('dteam001')");
                    throw new IllegalStateException("changed my mind");
                }))
                .hasMessage("changed my mind");

        assertThat(accountsSeenByAnotherPool()).isZero();
        assertThat(accounts(database)).isZero();
        assertThat(database.commits()).isEqualTo(commits);
    }

    @Test
    void statementsAreCounted() {
        long before = database.statements();

        database.inTransaction(h -> h.execute("INSERT INTO account (name) VALUES ('dteam001')")
                + h.execute("INSERT INTO account (name) VALUES ('dteam002')"));

        assertThat(database.statements() - before).isEqualTo(2);
    }

    @Test
    void timesKeepTheirMicrosecondsAndAreNotRounded() {
        Instant given = Instant.parse("2026-01-31T23:59:59.123456999Z");
        database.inTransaction(h -> {
            h.createUpdate("INSERT INTO node (host, pid, started_at, heartbeat_at) VALUES ('single', 1, :t, :t)")
                    .bind("t", given)
                    .execute();
            PreparedBatch batch =
                    h.prepareBatch("INSERT INTO node (host, pid, started_at, heartbeat_at) VALUES (:host, 1, :t, :t)");
            batch.bind("host", "batch1").bind("t", given).add();
            batch.bind("host", "batch2").bind("t", given).add();
            return batch.execute();
        });

        List<String> stored = database.read(h -> h.createQuery("SELECT CAST(started_at AS CHAR) FROM node")
                .mapTo(String.class)
                .list());
        List<Instant> read = database.read(
                h -> h.createQuery("SELECT heartbeat_at FROM node WHERE heartbeat_at = :t AND heartbeat_at <= :t")
                        .bind("t", given)
                        .map((row, context) -> row.getTimestamp(1).toInstant())
                        .list());

        assertThat(stored).hasSize(3).containsOnly("2026-01-31 23:59:59.123456");
        assertThat(read).hasSize(3).containsOnly(given.truncatedTo(ChronoUnit.MICROS));
    }

    @Test
    void theVictimOfADeadlockIsRunAgain() throws Exception {
        database.inTransaction(h -> h.execute("INSERT INTO account (name) VALUES ('dteam001'), ('dteam002')"));
        long deadlocks = database.deadlocks();
        Phaser bothHoldOne = new Phaser(2);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<Integer> forth = threads.submit(() -> lockBoth("dteam001", "dteam002", bothHoldOne));
            Future<Integer> back = threads.submit(() -> lockBoth("dteam002", "dteam001", bothHoldOne));

            assertThat(forth.get(5, TimeUnit.MINUTES)).isNotEqualTo(back.get(5, TimeUnit.MINUTES));
        } finally {
            threads.shutdownNow();
        }
        assertThat(database.deadlocks() - deadlocks).isEqualTo(1);
    }

    private int lockBoth(String first, String second, Phaser bothHoldOne) {
        AtomicBoolean repeated = new AtomicBoolean();
        return database.inTransaction(h -> {
            lock(h, first);
            if (!repeated.getAndSet(true)) {
                bothHoldOne.arriveAndAwaitAdvance();
            }
            return lock(h, second);
        });
    }

    private static int lock(Handle h, String account) {
        return h.select("SELECT id FROM account WHERE name = ? FOR UPDATE", account)
                .mapTo(Integer.class)
                .one();
    }

    private static int accountsSeenByAnotherPool() {
        try (Database other = new Database(DB.config())) {
            return accounts(other);
        }
    }

    private static int accounts(Database database) {
        return database.read(h ->
                h.select("SELECT COUNT(*) FROM account").mapTo(Integer.class).one());
    }
}
