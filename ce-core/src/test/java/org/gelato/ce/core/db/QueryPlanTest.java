package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.gelato.ce.core.command.FakeLrms;
import org.gelato.ce.core.command.HotCommandStatements;
import org.gelato.ce.core.command.TestCe;
import org.gelato.ce.core.job.HotJobStatements;
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
                ce.jobs.register(
                        TestCe.caller("user" + i),
                        Stream.generate(() -> TestCe.description(true))
                                .limit(100)
                                .toList(),
                        null);
            }
        }
        DB.database().inTransaction(h -> {
            h.execute("UPDATE job SET state = 7, delegation_id = NULL WHERE MOD(id, 20) <> 0");
            h.execute("UPDATE command SET state = 3 WHERE MOD(id, 20) <> 0");
            return h.execute("ANALYZE TABLE job, command, job_state_history, job_text");
        });
    }

    static Stream<Arguments> statements() {
        return Stream.concat(HotJobStatements.all().entrySet().stream(), HotCommandStatements.all().entrySet().stream())
                .map(e -> Arguments.of(
                        e.getKey(), e.getValue().get(0), e.getValue().get(1)));
    }

    @ParameterizedTest(name = "{0} reads by {2}")
    @MethodSource("statements")
    void readsByItsIndex(String name, String sql, String indexes) {
        List<Map<String, Object>> plan = DB.database()
                .read(h -> h.createQuery("EXPLAIN " + sql).mapToMap().list());
        Map<String, Object> first = plan.get(0);
        assertThat(String.valueOf(first.get("key"))).as("%s", plan).isIn((Object[]) indexes.split("\\|"));
        assertThat(String.valueOf(first.get("extra"))).as("%s", plan).doesNotContain("filesort");
        assertThat(String.valueOf(first.get("type"))).as("%s", plan).isNotEqualToIgnoringCase("ALL");
    }
}
