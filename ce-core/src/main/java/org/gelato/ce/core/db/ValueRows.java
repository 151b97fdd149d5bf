package org.gelato.ce.core.db;

import java.sql.Types;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;

/**
 * Updates of many rows, each with values of its own, by one statement: the values are a derived table that the statement
 * joins. A batch of updates would be as many statements as rows, whatever the driver packs together.
 *
 * <p>There are few different lengths of it, as of an {@link InList}: rows of NULL, which join nothing, fill it up.
 */
public final class ValueRows {
    /** Where a statement wants the rows: {@code UPDATE (<rows>) v STRAIGHT_JOIN ...}. */
    private static final String PLACE = "<rows>";
    /** Bounds the statement's length; more rows are more statements. */
    static final int SLICE = 100;

    private ValueRows() {}

    /**
     * Runs an update for all the rows. Nothing is sent for none.
     *
     * @param sql has {@code <rows>} once, before any {@code ?}, and no parameter else; joins the rows by a column that is
     *     NULL in none of them
     * @param columns names of the columns of the derived table
     * @param rows values in the order of the columns; null values are allowed
     * @return rows of the database the statements found
     */
    public static int update(Handle h, String sql, List<String> columns, List<Object[]> rows) {
        int found = 0;
        for (int from = 0; from < rows.size(); from += SLICE) {
            List<Object[]> slice = rows.subList(from, Math.min(rows.size(), from + SLICE));
            int length = InList.padded(slice.size());
            Update update = h.createUpdate(sql.replace(PLACE, derived(columns, length)));
            int position = 0;
            for (Object[] row : slice) {
                if (row.length != columns.size()) {
                    throw new IllegalArgumentException(row.length + " values for the columns " + columns);
                }
                for (Object value : row) {
                    update.bind(position++, value);
                }
            }
            while (position < length * columns.size()) {
                update.bindNull(position++, Types.NULL);
            }
            found += update.execute();
        }
        return found;
    }

    /** The derived table of so many rows, with a question mark for each value. */
    public static String derived(List<String> columns, int rows) {
        String first = "SELECT ? AS " + String.join(", ? AS ", columns);
        String next = " UNION ALL SELECT ?" + ", ?".repeat(columns.size() - 1);
        return first + next.repeat(rows - 1);
    }
}
