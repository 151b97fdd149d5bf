package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.flywaydb.core.Flyway;
import org.gelato.ce.core.db.FormerScripts.Former;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas that builds made of texts which were edited later: they are upgraded to the same schema as others. */
class FormerScriptsTest {
    /** Pairs of what the present text has and what the former one had in its place; the checksum shows whether that is all. */
    private static final Map<String, List<String>> EDITS = Map.of(
            "V1__schema.sql",
            List.of(
                    "    cancel_reason  VARCHAR(512)      NULL, -- description of the last JOB_CANCEL; NULL when none was asked\n",
                    "    cancel_requested BOOLEAN         NOT NULL DEFAULT FALSE,\n"
                            + "    token_hash     BINARY(32)        NULL, -- SHA-256 of the wrapper's secret\n",
                    "    priority         TINYINT UNSIGNED NOT NULL, -- smaller runs sooner, so that the claim reads its index forward\n",
                    "    priority         TINYINT UNSIGNED NOT NULL,\n"),
            "V2__leases_run_out.sql",
            List.of(
                    "(lease_cancel_at),                     -- the lease sweeper's scan\n"
                            + "    ADD KEY job_past_lease (owner_id, past_lease, state);           -- a lease set anew\n",
                    "(lease_cancel_at);                     -- the lease sweeper's scan\n"),
            "V8__questions_of_the_report.sql",
            List.of(
                    "-- OR REPLACE, so that a start killed between the two may be repeated.\n",
                    "",
                    "OR REPLACE SQL",
                    "SQL"),
            "V11__kinds_of_refusals.sql",
            List.of(
                    "WHERE fault_kind = 'LEASE_ID_MISMATCH';\n",
                    "WHERE fault_kind = 'LEASE_ID_MISMATCH';\n\n"
                            + "ALTER TABLE register_result DROP COLUMN fault_description;\n"),
            "V12__without_dead_parts.sql",
            List.of(
                    "-- The language a description is written in; 0 is JDL.\n"
                            + "ALTER TABLE job_text ADD COLUMN language TINYINT UNSIGNED NOT NULL DEFAULT 0;\n\n",
                    ""),
            "V24__ids_of_batch_jobs.sql",
            List.of("characters, behind what blahpd puts before them (", "characters (", "300", "280"),
            "V24__one_fault_stops_one_job.sql",
            List.of("characters, behind what blahpd puts before them (", "characters (", "300", "280"),
            "V28__numbers_of_claims.sql",
            List.of(
                    "claim, which no other claim of it has: it tells the outcome of an old claim from that of a newer one\n"
                            + "-- (decision 0048). Tries do not: one that does not count is taken back.\n",
                    "claim: it only grows, while a try that does not count is taken back. It is what tells the outcome of an old\n"
                            + "-- claim from that of a newer one (decision 0048).\n"),
            "V38__series_by_name.sql",
            List.of("hand_over_15));\n", "hand_over_15))\nWHERE numbers IS NULL;\n"));

    @RegisterExtension
    static final TestDatabase WHOLE = new TestDatabase();

    @TempDir
    private Path scripts;

    /** What builds had together, behind their newest version; without text where they had none of it yet. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2 V1__schema.sql V2__leases_run_out.sql",
                "11 V8__questions_of_the_report.sql V11__kinds_of_refusals.sql",
                "27 V12__without_dead_parts.sql V24__one_fault_stops_one_job.sql",
                "27 V24__ids_of_batch_jobs.sql V26__",
                "39 V28__numbers_of_claims.sql V38__series_by_name.sql",
            })
    void whatAnEditedScriptLeftBecomesTheSameSchema(String build) throws Exception {
        List<String> names = List.of(build.split(" "));
        List<String> former = names.subList(1, names.size());
        for (Map.Entry<String, byte[]> present : SchemaScripts.read().entrySet()) {
            if (former.stream().noneMatch(name -> isOf(present.getKey(), name))) {
                Files.write(scripts.resolve(present.getKey()), present.getValue());
            }
        }
        for (String name : former) {
            if (EDITS.containsKey(name)) {
                Files.writeString(scripts.resolve(name), text(name));
            }
        }
        try (TestDatabase database = TestDatabase.empty()) {
            Flyway.configure()
                    .dataSource(database.database().dataSource())
                    .locations("filesystem:" + scripts)
                    .target(names.get(0))
                    .load()
                    .migrate();
            assertThat(applied(database)).containsAll(checksums(former));

            InterruptedMigrationTest.migration(database.database().dataSource()).run();

            assertThat(InterruptedMigrationTest.schema(database))
                    .containsExactlyInAnyOrderElementsOf(InterruptedMigrationTest.schema(WHOLE));
        }
    }

    /** Nor two nodes that start at once. */
    @Test
    void aKillInBetweenDoesNoHarm() throws Exception {
        try (TestDatabase database = TestDatabase.open()) {
            database.database().inTransaction(h -> {
                h.execute("UPDATE flyway_schema_history SET checksum = 1058767790 WHERE version = '24'");
                return h.execute("DELETE FROM schema_made");
            });
            SchemaMigration here =
                    InterruptedMigrationTest.migration(database.database().dataSource());
            SchemaMigration there =
                    InterruptedMigrationTest.migration(database.database().dataSource());

            CompletableFuture<Void> other = CompletableFuture.runAsync(there::run);
            here.run();
            other.get();

            assertThat(InterruptedMigrationTest.schema(database)).isEqualTo(InterruptedMigrationTest.schema(WHOLE));
            assertThat(applied(database)).isEqualTo(applied(WHOLE));
        }
    }

    @Test
    void besideAnUnknownTextAKnownOneStaysAsItIs() throws Exception {
        try (TestDatabase database = TestDatabase.open()) {
            database.database().inTransaction(h -> {
                h.execute("UPDATE flyway_schema_history SET checksum = 1058767790 WHERE version = '24'");
                h.execute("UPDATE flyway_schema_history SET checksum = 1 WHERE version = '30'");
                return h.execute("DELETE FROM schema_made");
            });
            SchemaMigration here =
                    InterruptedMigrationTest.migration(database.database().dataSource());

            assertThatThrownBy(here::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("version 30 ")
                    .hasMessageContaining("No table was changed");
            assertThat(applied(database)).contains(1058767790);
        }
    }

    @Test
    void aLateVersionThatFailedIsTriedAgain() throws Exception {
        try (TestDatabase database = TestDatabase.open()) {
            database.database().inTransaction(h -> {
                h.execute("UPDATE flyway_schema_history SET success = FALSE WHERE version = '36'");
                return h.execute("DELETE FROM schema_made");
            });

            InterruptedMigrationTest.migration(database.database().dataSource()).run();

            assertThat(applied(database)).containsExactlyInAnyOrderElementsOf(applied(WHOLE));
        }
    }

    @Test
    void eachKnownTextIsTested() {
        assertThat(FormerScripts.ALL).extracting(Former::script).containsExactlyInAnyOrderElementsOf(EDITS.keySet());
    }

    private static boolean isOf(String script, String name) {
        return script.startsWith(name.substring(0, name.indexOf("__") + 2));
    }

    private static String text(String name) throws Exception {
        String text = SchemaScripts.read().entrySet().stream()
                .filter(present -> isOf(present.getKey(), name))
                .map(present -> new String(present.getValue(), StandardCharsets.UTF_8))
                .findFirst()
                .orElseThrow();
        if (name.equals("V24__ids_of_batch_jobs.sql")) {
            text = text.substring(0, text.indexOf("\n-- Whether"));
        }
        List<String> edits = EDITS.get(name);
        for (int i = 0; i < edits.size(); i += 2) {
            text = text.replace(edits.get(i), edits.get(i + 1));
        }
        return text;
    }

    private static List<Integer> checksums(List<String> names) {
        return FormerScripts.ALL.stream()
                .filter(former -> names.contains(former.script()))
                .map(Former::checksum)
                .toList();
    }

    private static List<Integer> applied(TestDatabase database) {
        return database.database()
                .read(h -> h.createQuery("SELECT checksum FROM flyway_schema_history WHERE checksum IS NOT NULL")
                        .mapTo(Integer.class)
                        .list());
    }
}
