package org.gelato.ce.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.gelato.ce.core.command.HotCommandStatements;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.event.HotEventStatements;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.job.HotJobStatements;
import org.gelato.ce.core.lease.HotLeaseStatements;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each hot statement reads by an index, on tables with rows enough that the server has a choice. */
class QueryPlanTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    @BeforeAll
    static void fill() {
        try (TestCe ce = new TestCe(DB.database(), new FakeLrms(), "h")) {
            for (int i = 0; i < 20; i++) {
                ce.jobs
                        .registration()
                        .register(
                                TestCe.caller("user" + i),
                                Stream.generate(() -> TestCe.description(true))
                                        .limit(100)
                                        .toList(),
                                null);
            }
        }
        DB.database().inTransaction(h -> {
            // Each owner has a delegation, as in life; the first keeps the one all jobs were made with.
            h.execute("INSERT INTO delegation (subject_id, account_id, client_id, fqans, chain, private_key, info,"
                    + " expires_at, created_at) SELECT o.subject_id, d.account_id, 'own', '', '', '', 'info',"
                    + " d.expires_at, d.created_at FROM owner o JOIN delegation d ON d.id = 1"
                    + " WHERE o.id IN (SELECT owner_id FROM job)");
            h.execute("UPDATE job j JOIN owner o ON o.id = j.owner_id JOIN delegation d ON d.subject_id = o.subject_id"
                    + " AND d.client_id = 'own' SET j.delegation_id = d.id WHERE o.id > 1");
            h.execute("INSERT INTO lease (owner_id, client_id, expires_at)"
                    + " WITH RECURSIVE s AS (SELECT 1 AS seq UNION ALL SELECT seq + 1 FROM s WHERE seq < 50)"
                    + " SELECT o.id, CONCAT('L', s.seq), UTC_TIMESTAMP(6) FROM owner o JOIN s");
            h.execute("INSERT INTO register_key (owner_id, key_hash, request_hash, account_id, created_at)"
                    + " SELECT o.id, UNHEX(SHA2('k', 256)), '', a.id, UTC_TIMESTAMP(6) FROM owner o"
                    + " JOIN (SELECT MIN(id) AS id FROM account) a");
            h.execute("INSERT INTO job_label (job_id, name, owner_id, value)"
                    + " SELECT id, '', owner_id, CONCAT('j', MOD(id, 50)) FROM job"
                    + " UNION ALL SELECT id, 'run', owner_id, CONCAT(MOD(id, 10)) FROM job");
            h.execute("UPDATE job SET lease_id = 1 + MOD(id, 900) WHERE MOD(id, 20) = 0");
            h.execute("UPDATE job SET past_lease = CONCAT('L', MOD(id, 50)) WHERE MOD(id, 20) <> 0");
            h.execute("UPDATE job SET state = 7 WHERE MOD(id, 20) <> 0");
            h.execute("UPDATE command SET state = 3 WHERE MOD(id, 20) <> 0");
            h.execute("INSERT INTO usage_record (job_number, owner_id, account_id, queue_id, lrms_id, state,"
                    + " registered_at, ended_at) SELECT id, owner_id, account_id, queue_id, id, 7, registered_at,"
                    + " registered_at - INTERVAL id MINUTE FROM job");
            return null;
        });
        // Rebuilt, not only analysed: estimates count the old index entries of updated rows until they are purged.
        DB.database()
                .inTransaction(
                        h -> h.execute("OPTIMIZE TABLE job, lease, command, job_state_history, job_text, register_key,"
                                + " usage_record, job_label"));
    }

    static Stream<Arguments> statements() {
        return Stream.of(
                        HotJobStatements.all(),
                        HotCommandStatements.all(),
                        HotLeaseStatements.all(),
                        HotEventStatements.all())
                .flatMap(statements -> statements.entrySet().stream())
                .map(e -> Arguments.of(
                        e.getKey(), e.getValue().get(0), e.getValue().get(1)));
    }

    @ParameterizedTest(name = "{0} reads by {2}")
    @MethodSource("statements")
    void readsByItsIndex(String name, String sql, String indexes) {
        // The format is named, because newer MySQL returns a tree of text otherwise.
        List<Map<String, Object>> plan = DB.database()
                .read(h -> h.createQuery("EXPLAIN FORMAT = TRADITIONAL " + sql)
                        .mapToMap()
                        .list());
        Map<String, Object> first = plan.get(0);
        assertThat(String.valueOf(first.get("key"))).as("%s", plan).isIn((Object[]) indexes.split("\\|"));
        assertThat(String.valueOf(first.get("extra"))).as("%s", plan).doesNotContain("filesort");
        assertThat(String.valueOf(first.get("type"))).as("%s", plan).isNotEqualToIgnoringCase("ALL");
    }

    static Stream<Arguments> updatesOfSets() {
        return Stream.of(HotJobStatements.sets(), HotCommandStatements.sets())
                .flatMap(statements -> statements.entrySet().stream())
                .map(e -> Arguments.of(e.getKey(), e.getValue()));
    }

    @ParameterizedTest(name = "{0} finds its rows by key")
    @MethodSource("updatesOfSets")
    void findsItsRowsByKey(String name, String sql) {
        List<Map<String, Object>> plan = DB.database()
                .read(h -> h.createQuery("EXPLAIN FORMAT = TRADITIONAL " + sql)
                        .mapToMap()
                        .list());
        List<Map<String, Object>> stored = plan.stream()
                .filter(row -> row.get("table") != null
                        && !String.valueOf(row.get("table")).startsWith("<"))
                .toList();
        assertThat(stored).as("%s", plan).isNotEmpty().allSatisfy(row -> {
            assertThat(String.valueOf(row.get("type"))).as("%s", plan).isNotEqualToIgnoringCase("ALL");
            assertThat(String.valueOf(row.get("key")))
                    .as("%s", plan)
                    .isIn("PRIMARY", "command_of_job", "usage_record_job");
        });
    }
}
