package org.gelato.ce.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.flywaydb.core.Flyway;
import org.gelato.ce.core.db.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** V10 with jobs of the version before: their descriptions count for whom they are of. */
class TextOfTheVersionBeforeTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    @Test
    void countsForTheUser() {
        Flyway old = Flyway.configure()
                .dataSource(DB.database().dataSource())
                .locations("classpath:db/migration")
                .cleanDisabled(false)
                .target("9")
                .load();
        old.clean();
        old.migrate();
        DB.database().inTransaction(h -> {
            h.execute("INSERT INTO subject (id, dn_hash, dn) VALUES (1, 'x', 'CN=Alice'), (2, 'y', 'CN=Bob')");
            h.execute("INSERT INTO owner (id, subject_id, fqan) VALUES (1, 1, '/a'), (2, 1, '/b'), (3, 2, '/a')");
            h.execute("INSERT INTO account (id, name) VALUES (1, 'dteam001')");
            h.execute("INSERT INTO queue (id, lrms, name) VALUES (1, 'slurm', 'long')");
            for (int i = 1; i <= 3; i++) {
                h.execute(
                        "INSERT INTO job (id, owner_id, account_id, queue_id, state, state_since, registered_at)"
                                + " VALUES (?, ?, 1, 1, 1, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))",
                        i,
                        i);
                h.execute("INSERT INTO job_text (job_id, jdl) VALUES (?, ?)", i, "\u20ac".repeat(i));
            }
            return null;
        });

        DB.database().migrate();

        for (int subject = 1; subject <= 2; subject++) {
            int whose = subject;
            long used = DB.database()
                    .read(h -> h.createQuery(TextQuota.USED)
                            .bind("subject", whose)
                            .mapTo(Long.class)
                            .one());
            assertThat(used).isEqualTo(9);
        }
    }
}
