package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What {@link Database} counts is what the server counts: one connection, compared by the server's own counters. */
class CountersTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private Database own;

    @BeforeEach
    void open() {
        DatabaseConfig config = DB.config();
        own = new Database(
                new DatabaseConfig(config.url(), config.user(), config.password(), 1, config.connectionTimeout()));
    }

    @AfterEach
    void close() {
        own.close();
    }

    private Map<String, Long> server() {
        return own.read(h -> h.createQuery(
                        "SHOW SESSION STATUS WHERE Variable_name IN" + " ('Questions', 'Com_commit', 'Com_rollback')")
                .reduceRows(new HashMap<String, Long>(), (map, row) -> {
                    map.put(row.getColumn(1, String.class), row.getColumn(2, Long.class));
                    return map;
                }));
    }

    /** Runs work; the counters must have moved alike. */
    private void compare(Runnable work) {
        Map<String, Long> before = server();
        long statements = own.statements();
        long commits = own.commits();
        long rollbacks = own.rollbacks();
        work.run();
        commits = own.commits() - commits;
        rollbacks = own.rollbacks() - rollbacks;
        long all = own.statements() - statements + commits + rollbacks;
        Map<String, Long> after = server();
        // The first query of the server's counters ended, and the second was sent, in between.
        assertThat(after.get("Com_commit") - before.get("Com_commit")).isEqualTo(commits);
        assertThat(after.get("Com_rollback") - before.get("Com_rollback")).isEqualTo(rollbacks + 1);
        assertThat(after.get("Questions") - before.get("Questions")).isEqualTo(all + 2);
    }

    @Test
    void aTransaction() {
        compare(() -> own.inTransaction(h -> h.execute("DELETE FROM account") + h.execute("DELETE FROM account")));
    }

    @Test
    void aReadAndAFailedTransaction() {
        compare(() -> {
            own.read(h -> h.select("SELECT 1").mapTo(Integer.class).one());
            assertThatThrownBy(() -> own.inTransaction(h -> {
                        h.execute("DELETE FROM account");
                        throw new IllegalStateException("no");
                    }))
                    .hasMessage("no");
        });
    }

    @Test
    void insertsOfManyRowsAreOneStatement() {
        compare(() -> own.inTransaction(h -> {
            PreparedBatch batch =
                    h.prepareBatch("INSERT INTO node (host, pid, started_at, heartbeat_at) VALUES (:h, 1, :t, :t)");
            for (int i = 0; i < 50; i++) {
                batch.bind("h", "n" + i).bind("t", Instant.now()).add();
            }
            return batch.executePreparedBatch("id").mapTo(Integer.class).list();
        }));
    }

    @Test
    void updatesOfManyRowsAreOneStatementForEachHundred() {
        List<Integer> ids = own.inTransaction(h -> {
            PreparedBatch batch =
                    h.prepareBatch("INSERT INTO node (host, pid, started_at, heartbeat_at) VALUES (:h, 1, :t, :t)");
            for (int i = 0; i < 150; i++) {
                batch.bind("h", "u" + i).bind("t", Instant.now()).add();
            }
            return batch.executePreparedBatch("id").mapTo(Integer.class).list();
        });
        long statements = own.statements();
        compare(() -> {
            int found = own.inTransaction(h -> ValueRows.update(
                    h,
                    "UPDATE (<rows>) v STRAIGHT_JOIN node n ON n.id = v.id SET n.pid = v.pid",
                    List.of("id", "pid"),
                    ids.stream().map(id -> new Object[] {id, 7 * id}).toList()));
            assertThat(found).isEqualTo(150);
        });
        assertThat(own.statements() - statements)
                .as("two, and one query of the comparison after it began")
                .isEqualTo(2 + 2);
        Map<Integer, Long> pids = own.read(h -> h.createQuery("SELECT id, pid FROM node WHERE host LIKE 'u%'")
                .reduceRows(new HashMap<Integer, Long>(), (map, row) -> {
                    map.put(row.getColumn("id", Integer.class), row.getColumn("pid", Long.class));
                    return map;
                }));
        assertThat(pids).hasSize(150).allSatisfy((id, pid) -> assertThat(pid).isEqualTo(7L * id));
    }

    @Test
    void aConnectionThatIsCutAtTheCommitIsInDoubt() {
        assertThatThrownBy(() -> own.inTransaction(h -> {
                    long id =
                            h.select("SELECT CONNECTION_ID()").mapTo(Long.class).one();
                    h.execute("DELETE FROM account");
                    DB.database().inTransaction(killer -> killer.execute("KILL CONNECTION " + id));
                    return null;
                }))
                .isInstanceOf(CommitInDoubtException.class)
                .matches(Database::isFailure);
        assertThat(own.<Integer>read(
                        h -> h.select("SELECT 1").mapTo(Integer.class).one()))
                .isEqualTo(1);
    }

    @Test
    void aConnectionThatIsCutBeforeIsNot() {
        assertThatThrownBy(() -> own.inTransaction(h -> {
                    long id =
                            h.select("SELECT CONNECTION_ID()").mapTo(Long.class).one();
                    DB.database().inTransaction(killer -> killer.execute("KILL CONNECTION " + id));
                    return h.execute("DELETE FROM account");
                }))
                .isNotInstanceOf(CommitInDoubtException.class)
                .matches(Database::isFailure);
    }
}
