package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
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
        int subject = bench.owners.subject(bench.caller.identity().dn());
        bench.database.inTransaction(h -> {
            for (String sql : new String[] {
                DelegationStore.LOOKUP,
                DelegationStore.RENEW,
                DelegationStore.MARK_WRITTEN,
                DelegationStore.STORED_BY_ID,
                DelegationStore.EXPIRES_AT,
                DelegationStore.FIND,
                DelegationStore.ENDING_BY_KEY
            }) {
                assertThat(explain(h, sql, subject))
                        .as(sql)
                        .allSatisfy(row -> assertThat(row.get("type")).isNotEqualTo("ALL"));
            }
            return null;
        });
    }

    private Iterable<Map<String, Object>> explain(Handle h, String sql, int subject) {
        Query query = h.createQuery("EXPLAIN " + sql)
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
                .bind("expiresAt", UtcTime.of(Instant.now()))
                .bind("now", UtcTime.of(Instant.now()));
        if (sql.contains("<ids>")) {
            query.bindList("ids", "d1", "d2");
        }
        return query.mapToMap().list();
    }
}
