package org.gelato.ce.perf.site;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;

/**
 * Fills the database of a measurement with jobs that are copies of one the CE brought to its end: all rows the CE itself
 * keeps of a job, under new numbers. The CE may run meanwhile. Each slice is a transaction. Used by one thread.
 */
public final class StockStore implements AutoCloseable {
    private static final int SLICE = 10_000;
    private static final String COLUMNS = "SELECT column_name FROM information_schema.columns"
            + " WHERE table_schema = DATABASE() AND table_name = ? AND extra NOT LIKE '%STORED GENERATED%'"
            + " ORDER BY ordinal_position";
    private static final String LARGEST = "SELECT MAX(id) FROM job";
    private static final String NUMBERS = "SELECT number_offset FROM db_info";
    private static final String FRESH = "ANALYZE TABLE job, job_text, job_state_history, command, usage_record";

    private static final List<Part> PARTS = List.of(
            new Part("job", "id", false),
            new Part("job_text", "job_id", false),
            new Part("job_state_history", "job_id", false),
            new Part("command", "job_id", false),
            new Part("usage_record", "job_number", true));

    private final Connection connection;
    private final JobNumbers numbers;

    StockStore(DatabaseConfig database) throws SQLException {
        connection = DriverManager.getConnection(database.url(), database.user(), database.password());
        connection.setAutoCommit(false);
        numbers = new JobNumbers(number(NUMBERS));
    }

    /** Row numbers, both included. */
    public record Rows(int first, int last) {}

    /** What belongs to a job in one table: which column identifies the job, as the number of its row or of the wire. */
    private record Part(String table, String key, boolean isWireNumber) {}

    /**
     * Adds copies.
     *
     * @param model a job that has ended
     * @return the rows of the copies
     * @throws IllegalStateException when the database refuses them
     */
    public Rows copy(JobId model, int copies) {
        try {
            long before = number(LARGEST);
            List<String> inserts = new ArrayList<>();
            for (Part part : PARTS) {
                inserts.add(insert(part));
            }
            connection.commit();
            for (int done = 0; done < copies; done += SLICE) {
                int slice = Math.min(SLICE, copies - done);
                for (int i = 0; i < PARTS.size(); i++) {
                    try (PreparedStatement insert =
                            connection.prepareStatement(inserts.get(i).replace("SLICE", Integer.toString(slice)))) {
                        insert.setLong(1, before + done);
                        insert.setInt(2, PARTS.get(i).isWireNumber() ? model.number() : numbers.row(model));
                        insert.executeUpdate();
                    }
                }
                connection.commit();
            }
            try (PreparedStatement statistics = connection.prepareStatement(FRESH)) {
                statistics.execute();
            }
            connection.commit();
            return new Rows((int) before + 1, (int) before + copies);
        } catch (SQLException e) {
            throw new IllegalStateException("jobs could not be stored: " + e.getMessage(), e);
        }
    }

    private String insert(Part part) throws SQLException {
        List<String> into = new ArrayList<>();
        List<String> from = new ArrayList<>();
        // The key first: its parameter is the first one.
        into.add(part.key());
        from.add(part.isWireNumber() ? wireNumber() : "? + s.seq");
        try (PreparedStatement query = connection.prepareStatement(COLUMNS)) {
            query.setString(1, part.table());
            try (ResultSet columns = query.executeQuery()) {
                while (columns.next()) {
                    String column = columns.getString(1);
                    if (!column.equals(part.key()) && !column.equals("id")) {
                        into.add(column);
                        from.add("t." + column);
                    }
                }
            }
        }
        return "INSERT INTO " + part.table() + " (" + String.join(", ", into) + ") SELECT " + String.join(", ", from)
                + " FROM seq_1_to_SLICE s JOIN " + part.table() + " t WHERE t." + part.key() + " = ?"
                + (part.table().equals("job_state_history") ? " ORDER BY s.seq, t.id" : "");
    }

    /** The wire's number of row ? + s.seq: numbers grow by the same step from row to row, round the circle. */
    private String wireNumber() {
        long step = Math.floorMod((long) numbers.id(1).number() - numbers.id(0).number(), (long) JobId.SPACE);
        return "MOD((? + s.seq) * " + step + " + " + numbers.id(0).number() + ", " + JobId.SPACE + ")";
    }

    /** The wire's id of a row. */
    public JobId id(int row) {
        return numbers.id(row);
    }

    private long number(String sql) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql);
                ResultSet result = query.executeQuery()) {
            result.next();
            return result.getLong(1);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
