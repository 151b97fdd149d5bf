package org.gelato.ce.core.db;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;

/**
 * Whether a site's database server suits the CE: read only, for a check before a start.
 *
 * @param version of the server, as it reports it
 * @param supported whether that is MySQL 8.0 or MariaDB 10.6, or later
 * @param maxAllowedPacket bytes of one statement
 * @param innodb whether the server has InnoDB
 * @param binlogFormat format of the binary log; null where there is none
 * @param missingRights rights on the schema that the user surely does not have
 * @param schema version of the schema; 0 when it is not made yet
 * @param newestKnown newest version that this software has; 0 when unknown
 * @param offset the server's clock minus ours
 */
public record DatabaseInspection(
        String version,
        boolean supported,
        long maxAllowedPacket,
        boolean innodb,
        String binlogFormat,
        List<String> missingRights,
        int schema,
        int newestKnown,
        Duration offset) {
    private static final Pattern VERSION = Pattern.compile("(?:5\\.5\\.5-)?(\\d{1,3})\\.(\\d{1,3})");
    private static final Pattern GRANT = Pattern.compile("GRANT (.+) ON (?:`?([^`]+?)`?)\\.\\* TO .*");
    private static final List<String> RIGHTS = List.of(
            "SELECT",
            "INSERT",
            "UPDATE",
            "DELETE",
            "CREATE",
            "ALTER",
            "DROP",
            "INDEX",
            "REFERENCES",
            "CREATE VIEW",
            "LOCK TABLES");
    private static final int MYSQL = 800;
    private static final int MARIADB = 1006;

    public DatabaseInspection {
        missingRights = List.copyOf(missingRights);
    }

    /**
     * Reads all of it.
     *
     * @throws RuntimeException when the server refuses or fails
     */
    public static DatabaseInspection of(Database database, Clock clock) {
        return database.read(h -> {
            Instant before = clock.instant();
            long micros = Long.parseLong(text(h, "SELECT CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED)"));
            Duration half = Duration.between(before, clock.instant()).dividedBy(2);
            Instant theirs = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
            String version = text(h, "SELECT VERSION()");
            String log = text(h, "SELECT @@log_bin");
            return new DatabaseInspection(
                    version,
                    isSupported(version),
                    Long.parseLong(text(h, "SELECT @@max_allowed_packet")),
                    !h.select("SELECT engine FROM information_schema.engines"
                                    + " WHERE engine = 'InnoDB' AND support IN ('YES', 'DEFAULT')")
                            .mapTo(String.class)
                            .list()
                            .isEmpty(),
                    log.equals("1") || log.equalsIgnoreCase("ON") ? text(h, "SELECT @@binlog_format") : null,
                    missing(
                            h.select("SHOW GRANTS FOR CURRENT_USER()")
                                    .mapTo(String.class)
                                    .list(),
                            text(h, "SELECT DATABASE()")),
                    schema(h),
                    newest(),
                    Duration.between(before.plus(half), theirs));
        });
    }

    /** Whether a schema is of a later version of this software. */
    public boolean isNewer() {
        return newestKnown > 0 && schema > newestKnown;
    }

    private static int newest() {
        OptionalInt newest = SchemaScripts.newest();
        return newest.isPresent() ? newest.getAsInt() : 0;
    }

    private static int schema(Handle h) {
        boolean made = !h.select("SELECT table_name FROM information_schema.tables"
                        + " WHERE table_schema = DATABASE() AND table_name = 'flyway_schema_history'")
                .mapTo(String.class)
                .list()
                .isEmpty();
        return made
                ? h.select(
                                "SELECT COALESCE(MAX(CAST(version AS UNSIGNED)), 0) FROM flyway_schema_history WHERE success")
                        .mapTo(Integer.class)
                        .one()
                : 0;
    }

    private static String text(Handle h, String sql) {
        return h.select(sql).mapTo(String.class).one();
    }

    /** By the text that both kinds of server report. */
    static boolean isSupported(String version) {
        Matcher m = VERSION.matcher(version);
        if (!m.lookingAt()) {
            return false;
        }
        int number = Integer.parseInt(m.group(1)) * 100 + Integer.parseInt(m.group(2));
        return number >= (version.toLowerCase(Locale.ROOT).contains("mariadb") ? MARIADB : MYSQL);
    }

    /** Rights that the grants of the user do not name; none where a role may bring more. */
    static List<String> missing(List<String> grants, String schema) {
        List<String> missing = new ArrayList<>(RIGHTS);
        for (String grant : grants) {
            Matcher m = GRANT.matcher(grant);
            if (m.matches()) {
                if (covers(m.group(2), schema)) {
                    List<String> given =
                            List.of(m.group(1).toUpperCase(Locale.ROOT).split(",\\s*"));
                    missing.removeIf(right -> given.contains(right) || given.contains("ALL PRIVILEGES"));
                }
            } else if (!grant.contains(" ON ")) {
                return List.of();
            }
        }
        return missing;
    }

    /** In a grant, % and _ of a schema's name stand for any text and any character unless a backslash is before them. */
    private static boolean covers(String granted, String schema) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < granted.length(); i++) {
            char c = granted.charAt(i);
            if (c == '\\' && i + 1 < granted.length()) {
                i++;
                regex.append(Pattern.quote(granted.substring(i, i + 1)));
            } else if (c == '%' || c == '_') {
                regex.append(c == '%' ? ".*" : ".");
            } else {
                regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return granted.equals("*") || schema.matches(regex.toString());
    }
}
