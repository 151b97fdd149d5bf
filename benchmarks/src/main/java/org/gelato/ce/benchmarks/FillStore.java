package org.gelato.ce.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.identity.OwnerStore;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;

/**
 * SQL that fills an empty schema with stored jobs, as a CE has them that has run for a while: whole histories, texts and
 * commands, written by few statements. The rows of the jobs are 1 to their number; the last {@link #OWN} belong to {@link
 * Scene#caller}, and the last {@link #ACTIVE} of these have not ended.
 */
final class FillStore {
    /** The most jobs of the caller. */
    static final int OWN = 5000;

    /** Jobs that have not ended, one fifth in each of the states that count as active. */
    static final int ACTIVE = 500;

    private static final int OTHER_OWNERS = 20;
    private static final int MAX = 999_999;

    private static final String DIGITS =
            "(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL"
                    + " SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)";
    private static final String DELEGATION = """
            INSERT INTO delegation (subject_id, account_id, client_id, fqans, chain, private_key, info, expires_at,
              created_at)
            VALUES (:subject, :account, :id, '', '', '', 'info', UTC_TIMESTAMP(6) + INTERVAL 7 DAY, UTC_TIMESTAMP(6))
            """;

    private static final String PROXY_FILE =
            "INSERT INTO proxy_file (delegation_id, path, written_at) VALUES (:id, '/proxies/d1', UTC_TIMESTAMP(6))";

    // Active ones are 1 PENDING, 2 IDLE, 3 RUNNING, 4 REALLY-RUNNING, 6 HELD; of the others most are 7 DONE-OK.
    private static final String JOBS = """
            INSERT INTO job (id, owner_id, account_id, queue_id, delegation_id, state, state_since, hand_over, attempt,
              lrms_id, worker_node, exit_code, registered_at, handed_over_at, running_at, ended_at)
            SELECT n, owner, :account, :queue, :delegation, state, at + INTERVAL 60 SECOND, IF(state > 1, 2, 0),
              IF(state > 1, 1, 0), IF(state > 1, n, NULL), IF(state > 2, 'wn1.example.org', NULL),
              IF(state = 7, '0', NULL), at, IF(state > 1, at, NULL), IF(state > 2, at + INTERVAL 20 SECOND, NULL),
              IF(state IN (5, 7, 8, 10), at + INTERVAL 60 SECOND, NULL)
            FROM (SELECT n, UTC_TIMESTAMP(6) - INTERVAL :jobs - n + 60 SECOND AS at,
                IF(n > :jobs - :own, :owner, ELT(1 + n % <others>, <other_ids>)) AS owner,
                CASE WHEN n > :jobs - :active THEN ELT(1 + n % 5, 1, 2, 3, 4, 6)
                  ELSE ELT(1 + n % 20, 5, 8, 10, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7) END AS state
              FROM <numbers> WHERE n <= :jobs) numbered ORDER BY n
            """;
    private static final String TEXTS =
            "INSERT INTO job_text (job_id, jdl) SELECT id, :jdl FROM job FORCE INDEX (PRIMARY) ORDER BY id";
    private static final String PAST = """
            INSERT INTO job_state_history (job_id, owner_id, state, at)
            SELECT j.id, j.owner_id, s.code, j.registered_at + INTERVAL s.code * 5 SECOND
            FROM job j FORCE INDEX (PRIMARY) STRAIGHT_JOIN job_state s ON s.code <= 3 AND j.state > s.code ORDER BY j.id
            """;
    private static final String PRESENT = """
            INSERT INTO job_state_history (job_id, owner_id, state, at, exit_code)
            SELECT id, owner_id, state, state_since, exit_code FROM job FORCE INDEX (PRIMARY) ORDER BY id
            """;
    private static final String STARTS = """
            INSERT INTO command (job_id, kind, state, lane, turn, tries, created_at, started_at, completed_at)
            SELECT id, 1, 3, :lane, id, 1, registered_at, registered_at, registered_at FROM job FORCE INDEX (PRIMARY)
            WHERE state > 1 ORDER BY id
            """;

    /**
     * Fills the schema of a pool with one connection, on which keys are not checked from then on.
     *
     * @param whole with the texts of the jobs, their past states and their commands; otherwise with the job and the record of
     *     its present state alone
     */
    void fill(Database database, int jobs, boolean whole) {
        if (jobs < ACTIVE || jobs > MAX) {
            throw new IllegalArgumentException("can fill in " + ACTIVE + " to " + MAX + " jobs, not " + jobs);
        }
        OwnerStore owners = new OwnerStore(database);
        int owner = owners.owner(Scene.caller().identity());
        int account = owners.account(Scene.ACCOUNT);
        int queue = owners.queue(Scene.LRMS, Scene.QUEUE);
        int subject = owners.subject(Scene.caller().identity());
        List<Integer> others = IntStream.range(0, OTHER_OWNERS)
                .mapToObj(i -> owners.owner(Scene.caller("User " + i).identity()))
                .toList();
        int delegation = database.inTransaction(h -> h.createUpdate(DELEGATION)
                .bind("subject", subject)
                .bind("account", account)
                .bind("id", Scene.DELEGATION)
                .executeAndReturnGeneratedKeys("id")
                .mapTo(Integer.class)
                .one());
        run(database, PROXY_FILE, u -> u.bind("id", delegation));
        database.inTransaction(h -> h.execute("SET SESSION foreign_key_checks = 0, unique_checks = 0"));
        database.inTransaction(h -> h.createUpdate(JOBS)
                .define("numbers", numbers(jobs))
                .define("others", OTHER_OWNERS)
                .define("other_ids", others.stream().map(String::valueOf).collect(Collectors.joining(", ")))
                .bind("account", account)
                .bind("queue", queue)
                .bind("delegation", delegation)
                .bind("jobs", jobs)
                .bind("own", OWN)
                .bind("active", ACTIVE)
                .bind("owner", owner)
                .execute());
        if (whole) {
            run(database, TEXTS, u -> u.bind("jdl", Scene.JDL));
            run(database, PAST, u -> u);
        }
        run(database, PRESENT, u -> u);
        if (whole) {
            run(database, STARTS, u -> u.bind("lane", "hand-over " + Scene.LRMS));
        }
        database.inTransaction(h -> analyse(h, List.of("job", "job_text", "job_state_history", "command")));
    }

    /** A derived table of the numbers from 1 to at least the given one. */
    private static String numbers(int most) {
        int digits = Integer.toString(most).length();
        String sum = "1";
        List<String> tables = new ArrayList<>();
        int weight = 1;
        for (int i = 0; i < digits; i++) {
            sum += " + " + weight + " * n" + i + ".d";
            tables.add(DIGITS + " n" + i);
            weight *= 10;
        }
        return "(SELECT " + sum + " AS n FROM " + String.join(" JOIN ", tables) + ") numbers";
    }

    private static void run(Database database, String sql, UnaryOperator<Update> with) {
        database.inTransaction(h -> with.apply(h.createUpdate(sql)).execute());
    }

    /** Tells the optimizer now what it would find out by itself some time later. */
    static int analyse(Handle h, List<String> tables) {
        return h.createQuery("ANALYZE TABLE " + String.join(", ", tables))
                .map((r, c) -> r.getString(1))
                .list()
                .size();
    }
}
