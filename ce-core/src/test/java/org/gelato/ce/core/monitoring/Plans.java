package org.gelato.ce.core.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.db.Database;

/** The query plan that the server reports. */
final class Plans {
    private Plans() {}

    /** Each stored table is read by one of these indexes; what the statement itself makes is not checked. */
    static void readsBy(Database database, String sql, Set<String> indexes) {
        List<Map<String, Object>> plan = database.read(h ->
                h.createQuery("EXPLAIN FORMAT = TRADITIONAL " + sql).mapToMap().list());
        List<Map<String, Object>> stored = plan.stream()
                .filter(row -> row.get("table") != null
                        && !String.valueOf(row.get("table")).startsWith("<"))
                .toList();
        assertThat(stored).as("%s", plan).isNotEmpty().allSatisfy(row -> {
            assertThat(String.valueOf(row.get("key"))).as("%s", plan).isIn(indexes);
            assertThat(String.valueOf(row.get("type"))).as("%s", plan).isNotIn("ALL", "index");
            assertThat(String.valueOf(row.get("extra"))).as("%s", plan).doesNotContain("filesort");
        });
    }
}
