package org.gelato.ce.core.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.gelato.ce.core.fault.Manual;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scripts that were edited after builds had applied them (decision 0118). What such a build left is brought to what the present script leaves,
 * and its row of the history to the present checksum. Every other difference is refused.
 */
final class FormerScripts {
    /**
     * A text that a script had.
     *
     * @param script its name then
     * @param present the name of the script that has the version now
     * @param checksum Flyway's, of that text
     * @param why it was edited
     * @param statements what brings its effect to that of the present text; what the server refuses as done already is done
     */
    record Former(String script, String present, int checksum, String why, List<String> statements) {
        Former(String script, int checksum, String why, String... statements) {
            this(script, script, checksum, why, List.of(statements));
        }

        Former {
            statements = List.copyOf(statements);
        }

        String version() {
            return script.substring(1, script.indexOf("__"));
        }

        /** As Flyway has it of the name. */
        String description() {
            return present.substring(present.indexOf("__") + 2, present.indexOf('.'))
                    .replace('_', ' ');
        }
    }

    /** Of V24; its first text had the first two alone, with shorter ids. */
    private static final List<String> V24 = List.of(
            "ALTER TABLE job MODIFY COLUMN lrms_id VARCHAR(300) NULL, MODIFY COLUMN claimed_lrms_id VARCHAR(300) NULL",
            "ALTER TABLE usage_record MODIFY COLUMN lrms_id VARCHAR(300) NULL",
            "ALTER TABLE register_result ADD COLUMN repeated BOOLEAN NOT NULL DEFAULT FALSE",
            "ALTER TABLE delegation ADD COLUMN ended_at DATETIME(6) NULL, ADD KEY delegation_ended (ended_at)");

    /** All there were; scripts are never edited any more, so none is added. */
    static final List<Former> ALL = List.of(
            new Former(
                    "V1__schema.sql",
                    -314183891,
                    "cancels have a reason, and wrappers no secret here",
                    "ALTER TABLE job DROP COLUMN cancel_requested, DROP COLUMN token_hash,"
                            + " ADD COLUMN cancel_reason VARCHAR(512) NULL AFTER attempt"),
            new Former(
                    "V2__leases_run_out.sql",
                    1271909461,
                    "an index was missing, which V9 drops",
                    "ALTER TABLE job ADD KEY job_past_lease (owner_id, past_lease, state)"),
            new Former("V8__questions_of_the_report.sql", 337271871, "it could not be repeated"),
            new Former(
                    "V11__kinds_of_refusals.sql",
                    380272338,
                    "V12 drops the column",
                    "ALTER TABLE register_result ADD COLUMN fault_description TEXT NULL"),
            new Former(
                    "V12__without_dead_parts.sql",
                    "V12__languages_of_descriptions.sql",
                    774847045,
                    "joined with the languages of descriptions",
                    List.of("ALTER TABLE job_text ADD COLUMN language TINYINT UNSIGNED NOT NULL DEFAULT 0")),
            new Former(
                    "V24__ids_of_batch_jobs.sql",
                    "V24__one_fault_stops_one_job.sql",
                    -210220307,
                    "joined with other changes of the day",
                    V24),
            new Former(
                    "V24__one_fault_stops_one_job.sql",
                    "V24__one_fault_stops_one_job.sql",
                    1058767790,
                    "ids of blahpd are longer",
                    V24),
            new Former("V28__numbers_of_claims.sql", 1357766800, "the comment"),
            new Former("V38__series_by_name.sql", 1878074887, "a condition that each row met"));

    private static final Logger log = LoggerFactory.getLogger(FormerScripts.class);

    private final DataSource source;
    private final Set<Integer> doneBefore;

    /** @param doneBefore codes of the server for what is there, or gone, already */
    FormerScripts(DataSource source, Set<Integer> doneBefore) {
        this.source = source;
        this.doneBefore = doneBefore;
    }

    /**
     * Brings the history, and where it must the tables, to the present scripts. May be killed and repeated, and several nodes may do it at
     * once: the rows of the history are locked meanwhile, and the second one finds them changed.
     *
     * @throws IllegalStateException when the schema has another difference; no table was changed
     * @throws FlywayException when the server refuses
     */
    void accept(Flyway flyway) {
        if (Stream.of(flyway.info().all())
                .anyMatch(m -> !isFormer(m) && difference(m).findAny().isPresent())) {
            throw new IllegalStateException(difference(flyway));
        }
        try (Connection history = source.getConnection();
                Statement patience = history.createStatement();
                PreparedStatement find = history.prepareStatement("SELECT installed_rank FROM flyway_schema_history"
                        + " WHERE version = ? AND checksum = ? AND success FOR UPDATE")) {
            // As long as a statement of the other node may take.
            patience.execute("SET SESSION innodb_lock_wait_timeout = "
                    + SessionBounds.SCHEMA.response().toSeconds());
            history.setAutoCommit(false);
            for (Former former : ALL) {
                find.setString(1, former.version());
                find.setInt(2, former.checksum());
                if (find.executeQuery().next()) {
                    log.info("The schema has {} in an earlier text, which is accepted: {}", former.script, former.why);
                    for (String statement : former.statements) {
                        execute(statement);
                    }
                    write(history, former, flyway);
                }
                history.commit();
            }
        } catch (SQLException e) {
            throw new FlywayException("What edited scripts left could not be brought up to date", e);
        }
    }

    /** By a connection of its own: a change of a table ends the transaction it is in. */
    private void execute(String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            if (!doneBefore.contains(e.getErrorCode())) {
                throw e;
            }
            log.info("Done before: {}", e.getMessage());
        }
    }

    private static void write(Connection history, Former former, Flyway flyway) throws SQLException {
        int checksum = Stream.of(flyway.info().all())
                .filter(m -> m.isVersioned() && m.getVersion().getVersion().equals(former.version()))
                .findFirst()
                .orElseThrow()
                .getResolvedChecksum();
        try (PreparedStatement update = history.prepareStatement("UPDATE flyway_schema_history SET checksum = ?,"
                + " description = ?, script = ? WHERE version = ? AND checksum = ?")) {
            update.setInt(1, checksum);
            update.setString(2, former.description());
            update.setString(3, former.present);
            update.setString(4, former.version());
            update.setInt(5, former.checksum());
            update.executeUpdate();
        }
    }

    /** A sentence on the first version that the schema and this software have not alike, and what to do. */
    static String difference(Flyway flyway) {
        return "the database's schema was made by other scripts than this software's: "
                + Stream.of(flyway.info().all())
                        .filter(m -> !isFormer(m))
                        .flatMap(FormerScripts::difference)
                        .findFirst()
                        .orElse("its table flyway_schema_history was changed")
                + ". No table was changed: start the software that made it, or restore a backup of a release"
                + " (" + Manual.page("docs/admin/upgrade.md") + ")";
    }

    private static boolean isFormer(MigrationInfo version) {
        return ALL.stream()
                .anyMatch(f -> version.getVersion() != null
                        && f.version().equals(version.getVersion().getVersion())
                        && Objects.equals(f.checksum(), version.getAppliedChecksum()));
    }

    private static Stream<String> difference(MigrationInfo version) {
        if (!version.isApplied()) {
            return Stream.empty();
        }
        String applied = "version " + version.getVersion() + " (" + version.getScript() + ", checksum "
                + version.getAppliedChecksum() + ", applied "
                + version.getInstalledOn().toInstant() + " by " + version.getInstalledBy() + ")";
        if (version.getResolvedChecksum() == null) {
            return Stream.of(applied + " is unknown here");
        }
        return version.isChecksumMatching()
                ? Stream.empty()
                : Stream.of(applied + " has another script here, checksum " + version.getResolvedChecksum());
    }
}
