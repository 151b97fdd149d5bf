package org.gelato.ce.core.command;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.job.CommandState;

/**
 * A command as clients and administrators see it.
 *
 * @param description null for none
 * @param failureReason null for none
 * @param started when its execution began first; null before
 * @param completed null before
 * @param tries executions begun
 */
public record CommandRecord(
        CommandKind kind,
        CommandState state,
        String description,
        String failureReason,
        Instant created,
        Instant started,
        Instant completed,
        int tries) {
    /** What is selected for {@link #of}. */
    public static final String COLUMNS =
            "kind, state, description, failure_reason, created_at, started_at, completed_at, tries";

    /** Reads the current row of a query with these columns. */
    public static CommandRecord of(ResultSet row) throws SQLException {
        return new CommandRecord(
                CommandKind.ofCode(row.getInt("kind")),
                CommandState.values()[row.getInt("state")],
                row.getString("description"),
                row.getString("failure_reason"),
                SqlTime.get(row, "created_at"),
                SqlTime.get(row, "started_at"),
                SqlTime.get(row, "completed_at"),
                row.getInt("tries"));
    }

    /** A command that was done as soon as it came, and is not stored. */
    public static CommandRecord done(CommandKind kind, String description, Instant at) {
        return new CommandRecord(kind, CommandState.SUCCESSFULL, description, null, at, at, at, 1);
    }

    /** As clients know it, for example {@code JOB_START}. */
    public String name() {
        return kind.name();
    }

    /** As clients know it, for example {@code SUCCESSFULL}. */
    public String status() {
        return state.name();
    }
}
