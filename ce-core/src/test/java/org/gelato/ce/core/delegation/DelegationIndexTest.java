package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.db.TestDatabase;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The plans of the hot statements: every table by an index. */
class DelegationIndexTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private final DelegationBench bench = new DelegationBench(DB.database());

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void hotStatementsScanNoTable() {
        for (int i = 0; i < 3; i++) {
            bench.delegate("d" + i, Duration.ofHours(1));
        }
        int subject = bench.owners.subject(bench.caller.identity());
        fill();
        bench.database.inTransaction(h -> {
            for (String sql : new String[] {
                DelegationStore.WAITING,
                DelegationStore.LOOKUP,
                DelegationStore.RENEW,
                DelegationStore.CONFIRM,
                DelegationStore.MARK_WRITTEN,
                DelegationStore.STORED_BY_ID,
                DelegationStore.EXPIRES_AT,
                DelegationStore.FIND,
                DelegationStore.ENDING_BY_KEY,
                DelegationStore.IS_ENDED,
                DelegationStore.LEFT_ENDED.replace(":limit", "10"),
                DelegationStore.USED,
                DelegationStore.UNUSED,
                DelegationEnds.SOON
            }) {
                assertThat(explain(h, sql, subject))
                        .as(sql)
                        .allSatisfy(row -> assertThat(row).containsKey("type").doesNotContainEntry("type", "ALL"));
            }
            return null;
        });
    }

    /** Rows enough that reading a whole table is no good plan on any server. */
    private void fill() {
        bench.database.inTransaction(h -> {
            for (int n = 0; n < 8; n++) {
                h.execute(
                        "INSERT INTO delegation (subject_id, account_id, client_id, fqans, chain, private_key, info,"
                                + " expires_at, created_at) SELECT subject_id, account_id, CONCAT(client_id, '-', ?), fqans,"
                                + " chain, private_key, info, expires_at, created_at FROM delegation",
                        n);
            }
            h.execute(
                    "INSERT IGNORE INTO proxy_file (delegation_id, path) SELECT id, CONCAT('/p/', id) FROM delegation");
            return h.execute("ANALYZE TABLE delegation, proxy_file, delegation_request");
        });
    }

    private Iterable<Map<String, Object>> explain(Handle h, String sql, int subject) {
        Query query = h.createQuery("EXPLAIN FORMAT = TRADITIONAL " + sql)
                .bind("subject", subject)
                .bind("account", bench.owners.account("dteam001"))
                .bind("clientId", "d1")
                .bind("keyHash", new byte[20])
                .bind("id", bench.ref("d1").rowId())
                .bind("request", 1)
                .bind("vo", "dteam")
                .bind("fqans", "")
                .bind("chain", "")
                .bind("sealedKey", new byte[1])
                .bind("info", "")
                .bind("expiresAt", SqlTime.of(Instant.now()))
                .bind("now", SqlTime.of(Instant.now()))
                .bind("since", SqlTime.of(Instant.now()))
                .bind("before", SqlTime.of(Instant.now()))
                .bind("limit", 10)
                .bind("most", 10)
                .bind("bytes", 10)
                .bind("mostBytes", 10);
        if (sql.contains("<ids>")) {
            query.bindList("ids", "d1", "d2");
        }
        return query.mapToMap().list();
    }
}
