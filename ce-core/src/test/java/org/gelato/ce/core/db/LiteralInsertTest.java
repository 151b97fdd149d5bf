package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Random;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LiteralInsertTest {
    private static final String INTO = "INSERT INTO literal (id, name, content, at)";
    private static final Instant AT = Instant.parse("2026-11-26T01:02:03.000456789Z");
    private static final int ALL_BYTES = 256;

    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static Handle open() {
        Handle h = Jdbi.open(DB.config().url(), DB.config().user(), DB.config().password());
        h.execute(
                "CREATE TEMPORARY TABLE literal (id BIGINT PRIMARY KEY, name VARCHAR(64) CHARACTER SET utf8mb4, content"
                        + " VARBINARY(8192) NOT NULL, at DATETIME(6) NOT NULL)");
        return h;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] content(Handle h, long id) {
        return h.select("SELECT content FROM literal WHERE id = ?", id)
                .mapTo(byte[].class)
                .one();
    }

    @Test
    void whatIsWrittenIsReadWhateverTheBytesAre() {
        byte[] all = new byte[ALL_BYTES];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        try (Handle h = open()) {
            LiteralInsert rows = new LiteralInsert(h, INTO);
            rows.row().number(-1).bytes(null).bytes(new byte[0]).time(AT);
            rows.row()
                    .number(Long.MAX_VALUE)
                    .bytes(utf8("'); DROP -- é\u20ac"))
                    .bytes(all)
                    .time(AT);
            rows.send();
            rows.send();

            assertThat(content(h, -1)).isEmpty();
            assertThat(content(h, Long.MAX_VALUE)).isEqualTo(all);
            assertThat(h.select("SELECT name FROM literal ORDER BY id")
                            .mapTo(String.class)
                            .list())
                    .containsExactly(null, "'); DROP -- é\u20ac");
            assertThat(h.select("SELECT DISTINCT at FROM literal")
                            .map((r, c) -> SqlTime.get(r, 1))
                            .one())
                    .isEqualTo(Instant.parse("2026-11-26T01:02:03.000456Z"));
        }
    }

    @Test
    void manyRowsAreSeveralStatements() {
        byte[] large = new byte[8192];
        new Random(1).nextBytes(large);
        int many = 100;
        try (Handle h = open()) {
            LiteralInsert rows = new LiteralInsert(h, INTO);
            for (int id = 1; id <= many; id++) {
                rows.row().number(id).bytes(null).bytes(large).time(AT);
            }
            long before = inserts(h);
            // 16 KiB each in hexadecimal; a statement is sent when it has 256 KiB.
            assertThat(before).isEqualTo(6);
            rows.send();

            assertThat(inserts(h)).isEqualTo(before + 1);
            assertThat(h.select("SELECT COUNT(*) FROM literal WHERE LENGTH(content) = 8192")
                            .mapTo(Integer.class)
                            .one())
                    .isEqualTo(many);
        }
    }

    private static long inserts(Handle h) {
        return h.createQuery("SHOW SESSION STATUS LIKE 'Com_insert'")
                .map((r, c) -> r.getLong(2))
                .one();
    }

    @Test
    void aRefusalSaysWhereAndWhy() {
        try (Handle h = open()) {
            LiteralInsert rows = new LiteralInsert(h, INTO);
            rows.row().number(1).bytes(null).bytes(utf8("a")).time(AT);
            rows.row().number(1).bytes(null).bytes(utf8("b")).time(AT);

            assertThatThrownBy(rows::send)
                    .isInstanceOf(UnableToExecuteStatementException.class)
                    .hasMessageContaining("INSERT INTO literal")
                    .hasMessageContaining("Duplicate entry")
                    .satisfies(e -> assertThat(Database.isFailure(e)).isTrue());
        }
    }
}
