package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DatabaseTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private final Database database = DB.database();

    @BeforeEach
    void noAccounts() {
        database.inTransaction(h -> h.execute("DELETE FROM account"));
    }

    @Test
    void a_transaction_that_returns_is_seen_by_other_pools() {
        long commits = database.commits();

        database.inTransaction(h -> h.execute("INSERT INTO account (name) VALUES ('dteam001')"));

        assertThat(accountsSeenByAnotherPool()).isEqualTo(1);
        assertThat(database.commits() - commits).isEqualTo(1);
    }

    @Test
    void a_transaction_that_throws_leaves_nothing() {
        long commits = database.commits();

        assertThatThrownBy(() -> database.inTransaction(h -> {
                    h.execute("INSERT INTO account (name) VALUES ('dteam001')");
                    throw new IllegalStateException("changed my mind");
                }))
                .hasMessage("changed my mind");

        assertThat(accountsSeenByAnotherPool()).isZero();
        assertThat(accounts(database)).isZero();
        assertThat(database.commits()).isEqualTo(commits);
    }

    @Test
    void statements_are_counted() {
        long before = database.statements();

        database.inTransaction(h -> h.execute("INSERT INTO account (name) VALUES ('dteam001')")
                + h.execute("INSERT INTO account (name) VALUES ('dteam002')"));

        assertThat(database.statements() - before).isEqualTo(2);
    }

    private static int accountsSeenByAnotherPool() {
        try (Database other = new Database(DB.config())) {
            return accounts(other);
        }
    }

    private static int accounts(Database database) {
        return database.read(h ->
                h.select("SELECT COUNT(*) FROM account").mapTo(Integer.class).one());
    }
}
