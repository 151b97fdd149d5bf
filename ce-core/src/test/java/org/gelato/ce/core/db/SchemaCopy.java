package org.gelato.ce.core.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a schema that was just migrated consists of: its tables as they are now, its views, and the rows that migrations left. Made again from
 * that it costs a fraction of thirty migrations, which each class of tests would pay for.
 */
final class SchemaCopy {
    private final List<String> definitions = new ArrayList<>();
    private final Map<String, List<Object[]>> rows = new LinkedHashMap<>();

    private SchemaCopy() {}

    /** @param from has the schema as its default, and no rows but those of the migrations */
    static SchemaCopy of(Connection from) throws SQLException {
        SchemaCopy copy = new SchemaCopy();
        List<String> views = new ArrayList<>();
        for (Object[] table : all(from, "SHOW FULL TABLES")) {
            String name = "`" + table[0] + "`";
            if (table[1].equals("VIEW")) {
                String made = all(from, "SHOW CREATE VIEW " + name).get(0)[1].toString();
                views.add(made.replace("`" + from.getCatalog() + "`.", ""));
                continue;
            }
            copy.definitions.add(
                    all(from, "SHOW CREATE TABLE " + name).get(0)[1].toString());
            List<Object[]> left = all(from, "SELECT * FROM " + name);
            if (!left.isEmpty()) {
                copy.rows.put(name, left);
            }
        }
        copy.definitions.addAll(views);
        return copy;
    }

    private static List<Object[]> all(Connection from, String query) throws SQLException {
        try (Statement statement = from.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            List<Object[]> all = new ArrayList<>();
            while (result.next()) {
                Object[] row = new Object[result.getMetaData().getColumnCount()];
                for (int i = 0; i < row.length; i++) {
                    row[i] = result.getObject(i + 1);
                }
                all.add(row);
            }
            return all;
        }
    }

    /** @param to has an empty schema as its default */
    void into(Connection to) throws SQLException {
        try (Statement statement = to.createStatement()) {
            // Tables come by their names, and refer to each other.
            statement.execute("SET SESSION foreign_key_checks = 0");
            for (String definition : definitions) {
                statement.execute(definition);
            }
            for (Map.Entry<String, List<Object[]>> table : rows.entrySet()) {
                for (Object[] row : table.getValue()) {
                    insert(to, table.getKey(), row);
                }
            }
            // As the migration has it: two databases give different numbers.
            statement.execute("UPDATE db_info SET number_offset = FLOOR(RAND() * 1000000000)");
        }
    }

    private static void insert(Connection to, String table, Object[] row) throws SQLException {
        String values = String.join(", ", Collections.nCopies(row.length, "?"));
        try (PreparedStatement insert = to.prepareStatement("INSERT INTO " + table + " VALUES (" + values + ")")) {
            for (int i = 0; i < row.length; i++) {
                insert.setObject(i + 1, row[i]);
            }
            insert.execute();
        }
    }
}
