package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ValueRowsTest {
    private static final String RENAME = "UPDATE (<rows>) v STRAIGHT_JOIN account a ON a.id = v.id SET a.name = v.name";
    private static final List<String> COLUMNS = List.of("id", "name");
    private static final int ACCOUNTS = 260;

    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static List<Object[]> renamed(int rows, String prefix) {
        return IntStream.rangeClosed(1, rows)
                .mapToObj(id -> new Object[] {id, prefix + id})
                .toList();
    }

    private static List<String> names(Handle h) {
        return h.select("SELECT name FROM account ORDER BY id")
                .mapTo(String.class)
                .list();
    }

    @Test
    void eachRowFindsItsOwnAndFewLengthsOfTheStatementServeAll() {
        Set<String> texts = new HashSet<>();
        Jdbi jdbi =
                Jdbi.create(DB.config().url(), DB.config().user(), DB.config().password());
        jdbi.setSqlLogger(new SqlLogger() {
            @Override
            public void logBeforeExecution(StatementContext context) {
                if (context.getRenderedSql().startsWith("UPDATE")) {
                    texts.add(context.getRenderedSql());
                }
            }
        });
        jdbi.useHandle(h -> {
            for (int id = 1; id <= ACCOUNTS; id++) {
                h.execute("INSERT INTO account (id, name) VALUES (?, ?)", id, "a" + id);
            }
            for (int rows : new int[] {0, 1, 2, 3, 4, 5, 9, 31, 64, 65, 99, 100, 101, 200, 250}) {
                List<String> expected = new ArrayList<>(names(h));
                IntStream.rangeClosed(1, rows).forEach(id -> expected.set(id - 1, "r" + rows + "_" + id));

                assertThat(ValueRows.update(h, RENAME, COLUMNS, renamed(rows, "r" + rows + "_")))
                        .isEqualTo(rows);
                assertThat(names(h)).isEqualTo(expected);
                // Found are also those that have these values already.
                assertThat(ValueRows.update(h, RENAME, COLUMNS, renamed(rows, "r" + rows + "_")))
                        .isEqualTo(rows);
            }
        });
        assertThat(texts).hasSize(8); // 1, 2, 4, ... 128
    }

    @Test
    void aRowOfAnotherLengthIsADefect() {
        assertThatThrownBy(() -> DB.database()
                        .inTransaction(
                                h -> ValueRows.update(h, RENAME, COLUMNS, List.of(new Object[] {1}, new Object[] {2}))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
