package org.gelato.ce.core.delegation;

import java.time.Duration;
import java.util.Objects;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.DatabaseConfig;

/** The database of these tests, its schema up to date and its tables of delegations empty. */
final class DelegationTestDatabase {
    private DelegationTestDatabase() {}

    static Database open() {
        Database database = new Database(new DatabaseConfig(
                property("gelato.test.db.url"),
                property("gelato.test.db.user"),
                property("gelato.test.db.password"),
                8,
                Duration.ofSeconds(10)));
        database.migrate();
        database.inTransaction(h -> {
            h.execute("DELETE FROM job");
            h.execute("DELETE FROM delegation_request");
            return h.execute("DELETE FROM delegation");
        });
        return database;
    }

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), () -> "these tests need the system property " + name);
    }
}
