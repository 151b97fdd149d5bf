package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** V7 with a queue of the version before: nothing is lost, and owners take turns at once. */
class LanesMigrationTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static void migrate(String target) {
        Flyway.configure()
                .dataSource(DB.database().dataSource())
                .locations("classpath:db/migration")
                .target(target)
                .cleanDisabled(false)
                .load()
                .migrate();
    }

    private static void job(Handle h, int id, int owner, int queue) {
        h.execute(
                "INSERT INTO job (id, owner_id, account_id, queue_id, state, state_since, registered_at)"
                        + " VALUES (?, ?, 1, ?, 1, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))",
                id,
                owner,
                queue);
    }

    private static void command(Handle h, int id, int job, int kind, int state, int priority, String after) {
        h.execute(
                "INSERT INTO command (id, job_id, kind, state, priority, run_after, tries, created_at)"
                        + " VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(6) + INTERVAL " + after
                        + ", 3, UTC_TIMESTAMP(6))",
                id,
                job,
                kind,
                state,
                priority);
    }

    private record Row(int id, int state, String lane, long turn, boolean putOff, int tries) {}

    @Test
    void theQueueOfTheVersionBeforeGoesOn() {
        Flyway.configure()
                .dataSource(DB.database().dataSource())
                .locations("classpath:db/migration")
                .cleanDisabled(false)
                .load()
                .clean();
        migrate("6?");
        DB.database().inTransaction(h -> {
            h.execute("INSERT INTO subject (id, dn_hash, dn) VALUES (1, 'x', 'CN=Alice'), (2, 'y', 'CN=Bob')");
            h.execute("INSERT INTO owner (id, subject_id, fqan) VALUES (1, 1, ''), (2, 2, '')");
            h.execute("INSERT INTO account (id, name) VALUES (1, 'dteam001')");
            h.execute("INSERT INTO queue (id, lrms, name) VALUES (1, 'slurm', 'long'), (2, 'slurm', 'short')");
            for (int i = 1; i <= 4; i++) {
                job(h, i, i == 4 ? 2 : 1, i == 2 ? 2 : 1);
                command(h, i, i, 1, i == 3 ? 2 : 1, 1, i == 2 ? "1 HOUR" : "0 SECOND");
            }
            job(h, 5, 2, 1);
            command(h, 5, 5, 1, 3, 1, "0 SECOND");
            command(h, 6, 5, 2, 1, 0, "0 SECOND");
            command(h, 7, 5, 3, 0, 2, "0 SECOND");
            return null;
        });

        DB.database().migrate();

        List<Row> rows = DB.database()
                .read(h -> h.select(
                                "SELECT id, state, lane, turn, run_after IS NOT NULL, tries FROM command ORDER BY id")
                        .map((r, c) -> new Row(
                                r.getInt(1), r.getInt(2), r.getString(3), r.getLong(4), r.getBoolean(5), r.getInt(6)))
                        .list());
        assertThat(rows)
                .isEqualTo(List.of(
                        new Row(1, 1, "hand-over slurm", 1, false, 3),
                        new Row(2, 1, "hand-over slurm", 2, false, 3),
                        new Row(3, 2, "hand-over slurm", 3, false, 3),
                        new Row(4, 1, "hand-over slurm", 1, false, 3),
                        new Row(5, 3, "other", 0, false, 3),
                        new Row(6, 1, "control", 0, false, 3),
                        new Row(7, 0, "purge", 0, false, 3)));
    }
}
