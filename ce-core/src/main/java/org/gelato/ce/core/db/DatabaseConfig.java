package org.gelato.ce.core.db;

import java.time.Duration;

/**
 * Where the database is.
 *
 * @param url {@code jdbc:mysql://…}, also for MariaDB; may name several servers, separated by commas
 * @param user account with all rights on the schema
 * @param password never logged
 * @param poolSize connections held at the most
 * @param connectionTimeout how long a caller waits for a free connection
 */
public record DatabaseConfig(String url, String user, String password, int poolSize, Duration connectionTimeout) {
    public DatabaseConfig {
        if (!url.startsWith("jdbc:mysql:")) {
            throw new IllegalArgumentException("database url must start with jdbc:mysql: but is " + url);
        }
    }

    @Override
    public String toString() {
        return "DatabaseConfig[url=" + url + ", user=" + user + "]";
    }
}
