package org.gelato.ce.benchmarks;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * SQL that puts jobs before their start into the queues that are compared, and of the two foreign queues: a table with an
 * unindexed flag that is taken from by {@code FOR UPDATE}, as CREAM's was, and the table db-scheduler wants. The jobs are
 * rows of {@link FillStore}; each queue keeps as many commands that are done as there are other jobs.
 */
final class QueueStore {
    private static final List<String> TABLES = List.of("""
            CREATE TABLE naive_command (
              id           BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
              job_id       INT UNSIGNED     NOT NULL,
              kind         TINYINT UNSIGNED NOT NULL,
              processed    BOOLEAN          NOT NULL,
              description  VARCHAR(512)     NULL,
              created_at   DATETIME(6)      NOT NULL,
              started_at   DATETIME(6)      NULL,
              completed_at DATETIME(6)      NULL,
              KEY naive_command_job (job_id)
            ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
            """, """
            CREATE TABLE scheduled_tasks (
              task_name            VARCHAR(100) NOT NULL,
              task_instance        VARCHAR(100) NOT NULL,
              task_data            BLOB         NULL,
              execution_time       TIMESTAMP(6) NOT NULL,
              picked               BOOLEAN      NOT NULL,
              picked_by            VARCHAR(50)  NULL,
              last_success         TIMESTAMP(6) NULL,
              last_failure         TIMESTAMP(6) NULL,
              consecutive_failures INT          NULL,
              last_heartbeat       TIMESTAMP(6) NULL,
              version              BIGINT       NOT NULL,
              priority             SMALLINT     NULL,
              PRIMARY KEY (task_name, task_instance),
              INDEX execution_time_idx (execution_time),
              INDEX last_heartbeat_idx (last_heartbeat)
            ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
            """, """
            INSERT INTO naive_command (job_id, kind, processed, created_at, started_at, completed_at)
            SELECT job_id, kind, TRUE, created_at, started_at, completed_at FROM command ORDER BY id
            """);

    // The jobs that wait are the last ones; nothing else of them is left from the time before.
    private static final List<String> PUT_BACK = List.of(
            "DELETE FROM command WHERE job_id > :first",
            "DELETE FROM naive_command WHERE job_id > :first",
            "DELETE FROM job_state_history WHERE job_id > :first AND state > 1",
            """
            UPDATE job SET state = 1, state_since = registered_at, hand_over = 0, attempt = 0, lrms_id = NULL,
              worker_node = NULL, exit_code = NULL, handed_over_at = NULL, running_at = NULL, ended_at = NULL
            WHERE id > :first
            """);
    private static final String QUEUE_OURS = """
            INSERT INTO command (job_id, kind, state, lane, turn, created_at)
            SELECT id, 1, 1, :lane, id, registered_at FROM job WHERE id > :first ORDER BY id
            """;
    private static final String QUEUE_NAIVE = """
            INSERT INTO naive_command (job_id, kind, processed, created_at)
            SELECT id, 1, FALSE, registered_at FROM job WHERE id > :first ORDER BY id
            """;
    private static final String WAITING = "SELECT id FROM job WHERE id > :first ORDER BY id";
    private static final String QUEUED_NOW = """
            SELECT COUNT(*) FROM job j WHERE j.id > :first AND j.state = 2 AND j.hand_over = 2
              AND (SELECT COUNT(*) FROM job_state_history h WHERE h.job_id = j.id AND h.state = 2) = 1
            """;
    private static final String NOT_DONE = "SELECT (SELECT COUNT(*) FROM command WHERE state IN (0, 1, 2))"
            + " + (SELECT COUNT(*) FROM naive_command WHERE NOT processed OR completed_at IS NULL)"
            + " + (SELECT COUNT(*) FROM scheduled_tasks)";

    /** The flag has no index: the server reads all that is done, and the second caller waits for the first. */
    private static final String NEXT_NAIVE =
            "SELECT id, job_id FROM naive_command WHERE processed = FALSE ORDER BY id LIMIT 1 FOR UPDATE";

    private static final String TAKE_NAIVE =
            "UPDATE naive_command SET processed = TRUE, started_at = :now WHERE id = :id";
    private static final String END_NAIVE = "UPDATE naive_command SET completed_at = :now WHERE id = :id";

    /** What a start needs of its job, as our own claim reads it. */
    private static final String LOAD = """
            SELECT j.id, j.owner_id, j.state, j.attempt, a.name AS account, q.lrms, q.name AS queue, s.dn, o.fqan, o.vo,
              p.path AS proxy_file, t.jdl
            FROM job j JOIN job_text t ON t.job_id = j.id
              JOIN account a ON a.id = j.account_id JOIN queue q ON q.id = j.queue_id
              JOIN owner o ON o.id = j.owner_id JOIN subject s ON s.id = o.subject_id
              LEFT JOIN proxy_file p ON p.delegation_id = j.delegation_id
            WHERE j.id = :job
            """;

    private static final String HANDED_OVER = """
            UPDATE job SET state = 2, state_since = :now, hand_over = 2, attempt = attempt + 1, lrms_id = :lrms,
              handed_over_at = :now
            WHERE id = :job
            """;
    private static final String RECORD = "INSERT INTO job_state_history (job_id, owner_id, state, at)"
            + " SELECT id, owner_id, 2, :now FROM job WHERE id = :job";

    private final int first;

    /**
     * A command of the naive queue that was taken.
     *
     * @param command its row
     * @param work what its execution needs
     */
    record Taken(long command, Work work) {}

    /** A job that is to be started, with its description. */
    record Work(int job, String account, String jdl) {}

    /**
     * @param stored jobs in the schema
     * @param waiting how many of them wait for their start
     */
    QueueStore(int stored, int waiting) {
        first = stored - waiting;
    }

    /** Makes the foreign queues. */
    void makeTables(Handle h) {
        TABLES.forEach(h::execute);
        FillStore.analyse(h, List.of("naive_command"));
    }

    /** Takes the jobs back to before their start; none of the queues knows them then. */
    void putBack(Handle h) {
        PUT_BACK.forEach(sql -> h.createUpdate(sql).bind("first", first).execute());
    }

    /** Queues the starts of all jobs in our queue. */
    int queueOurs(Handle h) {
        return h.createUpdate(QUEUE_OURS)
                .bind("lane", "hand-over " + Scene.LRMS)
                .bind("first", first)
                .execute();
    }

    /** Queues the starts of all jobs in the naive queue. */
    int queueNaive(Handle h) {
        return h.createUpdate(QUEUE_NAIVE).bind("first", first).execute();
    }

    /** The jobs whose starts are queued. */
    List<Integer> waiting(Handle h) {
        return h.createQuery(WAITING).bind("first", first).mapTo(Integer.class).list();
    }

    /** How many of the jobs stand as a start leaves them, with one record of it. */
    int started(Handle h) {
        return h.createQuery(QUEUED_NOW)
                .bind("first", first)
                .mapTo(Integer.class)
                .one();
    }

    /** Commands that any of the queues holds and that are not done. */
    int notDone(Handle h) {
        return h.createQuery(NOT_DONE).mapTo(Integer.class).one();
    }

    /** Takes the oldest command that is not taken; waits for a caller that takes one at the moment. */
    Optional<Taken> takeNaive(Handle h, Instant now) {
        return h.createQuery(NEXT_NAIVE)
                .map((r, c) -> new long[] {r.getLong("id"), r.getLong("job_id")})
                .findOne()
                .map(found -> {
                    h.createUpdate(TAKE_NAIVE)
                            .bind("now", now)
                            .bind("id", found[0])
                            .execute();
                    return new Taken(found[0], load(h, Math.toIntExact(found[1])));
                });
    }

    /** Stores that the job of a command was handed over, and ends the command. */
    void endNaive(Handle h, Taken taken, Instant now) {
        handedOver(h, taken.work().job(), now);
        h.createUpdate(END_NAIVE).bind("now", now).bind("id", taken.command()).execute();
    }

    /** Reads what the start of a job needs. */
    Work load(Handle h, int job) {
        return h.createQuery(LOAD)
                .bind("job", job)
                .map((r, c) -> new Work(r.getInt("id"), r.getString("account"), r.getString("jdl")))
                .one();
    }

    /** Stores that the batch system has a job. */
    void handedOver(Handle h, int job, Instant now) {
        h.createUpdate(HANDED_OVER)
                .bind("now", now)
                .bind("lrms", Integer.toString(job))
                .bind("job", job)
                .execute();
        h.createUpdate(RECORD).bind("now", now).bind("job", job).execute();
    }
}
