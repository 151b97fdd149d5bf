package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.gelato.ce.core.job.JobState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SchemaTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    @Test
    void applies_and_a_second_migration_changes_nothing() {
        int before = migrations();

        DB.database().migrate();

        assertThat(before).isPositive();
        assertThat(migrations()).isEqualTo(before);
        assertThat(count("db_info")).isEqualTo(1);
        assertThat(count("admission_state")).isEqualTo(1);
    }

    @Test
    void names_every_job_state_with_its_code() {
        Map<Integer, String> expected = new TreeMap<>();
        Arrays.stream(JobState.values()).forEach(s -> expected.put(s.code(), s.wireName() + " " + s.isFinal()));

        Map<Integer, String> stored = new TreeMap<>();
        DB.database()
                .read(h -> h.createQuery("SELECT code, name, is_final FROM job_state")
                        .map((row, context) -> stored.put(
                                row.getInt("code"), row.getString("name") + " " + row.getBoolean("is_final")))
                        .list());

        assertThat(stored).isEqualTo(expected);
    }

    @Test
    void runs_transactions_at_read_committed_in_utc() {
        String settings = DB.database()
                .read(h -> h.createQuery("SELECT CONCAT(@@transaction_isolation, ' ',"
                                + " TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), NOW()))")
                        .mapTo(String.class)
                        .one());

        assertThat(settings).isEqualTo("READ-COMMITTED 0");
    }

    private static int migrations() {
        return count("flyway_schema_history");
    }

    private static int count(String table) {
        return DB.database()
                .read(h -> h.createQuery("SELECT COUNT(*) FROM " + table)
                        .mapTo(Integer.class)
                        .one());
    }
}
