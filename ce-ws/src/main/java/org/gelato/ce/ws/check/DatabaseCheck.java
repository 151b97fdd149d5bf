package org.gelato.ce.ws.check;

import java.time.Clock;
import java.time.Duration;
import org.gelato.ce.core.db.ClusterRules;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.DatabaseInspection;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.ConfigurationException;

/** The site's database server; one of our own is made by the start. */
final class DatabaseCheck {
    private static final String URL = "gelato.database.url";
    private static final long LEAST_PACKET = 16L << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration APART = Duration.ofSeconds(2);

    private DatabaseCheck() {}

    static void run(CeConfig config, Clock clock, Findings findings) {
        if (config.database().isEmbedded()) {
            return;
        }
        DatabaseConfig read;
        try {
            read = config.database().external();
        } catch (ConfigurationException e) {
            return; // the file of the password has a finding of its own
        }
        Duration wait = read.connectionTimeout().compareTo(PATIENCE) < 0 ? read.connectionTimeout() : PATIENCE;
        try (Database database =
                Database.reading(new DatabaseConfig(read.url(), read.user(), read.password(), 2, wait))) {
            report(DatabaseInspection.of(database, clock), findings);
            // A rule that forbids to use the server has ended this before.
            ClusterRules.brokenBy(database)
                    .forEach(broken ->
                            findings.warning(URL, "rule " + broken.name() + ": " + broken.what(), broken.advice()));
        } catch (RuntimeException e) {
            Throwable root = e;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            findings.error(
                    URL,
                    read.url() + " cannot be used: " + root.getMessage(),
                    "check that the server runs, and gelato.database.user and password-file ("
                            + Manual.page("docs/admin/databases.md") + ")");
        }
    }

    /** What the facts of a server mean. */
    static void report(DatabaseInspection server, Findings findings) {
        if (!server.supported()) {
            findings.error(
                    URL, "the server is " + server.version(), "use MariaDB 10.6 or later, or MySQL 8.0 or later");
        }
        if (!server.innodb()) {
            findings.error(URL, "the server has no InnoDB", "enable InnoDB");
        }
        if ("STATEMENT".equalsIgnoreCase(server.binlogFormat())) {
            findings.error(
                    URL,
                    "binlog_format is STATEMENT, with which InnoDB refuses READ COMMITTED",
                    "set binlog_format to ROW or MIXED");
        }
        if (server.maxAllowedPacket() < LEAST_PACKET) {
            findings.warning(
                    URL,
                    "max_allowed_packet is " + server.maxAllowedPacket() + " bytes",
                    "set it to 16M or more, or large registrations fail");
        }
        if (!server.missingRights().isEmpty()) {
            findings.error(
                    "gelato.database.user",
                    "the user lacks the rights " + String.join(", ", server.missingRights()),
                    "run as the server's administrator: GRANT ALL on the schema ("
                            + Manual.page("docs/admin/databases.md") + ")");
        }
        if (server.isNewer()) {
            findings.error(
                    URL,
                    "the schema has version " + server.schema() + ", and this software knows " + server.newestKnown()
                            + " at most",
                    "install the newer software again, or restore the backup made before the upgrade");
        }
        if (server.offset().abs().compareTo(APART) > 0) {
            findings.warning(
                    URL,
                    "the server's clock is " + server.offset().toMillis() + " ms ahead of this host's",
                    "synchronise both clocks");
        }
    }
}
