package org.gelato.ce.core.command;

import java.sql.Timestamp;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.base.LiveProcess;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.StateSql;
import org.jdbi.v3.core.Handle;

/**
 * Makes a database that came from a backup fit for work (docs/developer/decisions/0080). What happened after the backup is not in it, but
 * in the batch system, in the sandboxes and with the clients: numbers that were given then must not be given again, and jobs
 * that were not handed over then may be by now. Called while no CE works with the database; may break off anywhere and be
 * repeated. For one caller.
 */
public final class RestoredDatabase {
    static final String MARK = StateSql.of(
            "UPDATE job SET hand_over = 1, attempt = GREATEST(attempt, 1) WHERE state IN {NOT_HANDED_OVER} AND hand_over = 0");
    static final String LAST_EVENT = "SELECT at FROM job_state_history ORDER BY id DESC LIMIT 1";
    static final String LAST_BEAT = "SELECT MAX(heartbeat_at) FROM node";
    private static final String LAST_BEAT_OF_OTHERS = LAST_BEAT + " WHERE id NOT IN (<ended>)";
    static final String MADE = "SELECT created_at FROM db_info WHERE id = 1";
    static final String LEASES =
            "UPDATE lease SET expires_at = :grace WHERE expires_at > :backup AND expires_at < :grace";

    static final String MESSAGES = "UPDATE message_clock SET last = last + :skipped WHERE id = 1";

    /** More registrations than a CE does in a minute, and more each second than it does over a day. */
    private static final long LEAST_SKIPPED = 1_000_000;

    private static final long SKIPPED_PER_SECOND = 20;
    /** Events of one job at most, but for those that are held again and again. */
    private static final long EVENTS_PER_JOB = 20;

    /** Messages of one job by default, and notices. */
    private static final long MESSAGES_PER_JOB = 10_100;

    private static final Duration LEASE_GRACE = Duration.ofHours(1);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int NO_NODE = 0;
    private static final Pattern NEXT = Pattern.compile("AUTO_INCREMENT=(\\d{1,19})");

    private final Database database;
    private final NodeStore nodes = new NodeStore();
    private final Clock clock;
    private final String host;
    private final Duration heartbeat;

    /**
     * What was done.
     *
     * @param backup time of the last trace of work in the database; jobs registered after it are not in it
     * @param nextJob row number of the next job
     * @param lookedUp jobs that will be looked up in the batch system before they are handed over
     * @param leases leases that were prolonged to an hour from now
     */
    public record Result(Instant backup, long nextJob, int lookedUp, int leases) {}

    /**
     * @param host name of this host, as the nodes on it call it
     * @param heartbeat how long a node may be silent while it works
     */
    public RestoredDatabase(Database database, Clock clock, String host, Duration heartbeat) {
        this.database = database;
        this.clock = clock;
        this.host = host;
        this.heartbeat = heartbeat;
    }

    /** With the silence of nodes that beat as {@link CommandDispatcher} does. */
    public RestoredDatabase(Database database, Clock clock, String host) {
        this(database, clock, host, NodeClaims.CLAIM);
    }

    /**
     * Does it.
     *
     * @throws IllegalStateException when a CE works with the database, or it has no numbers left to skip
     */
    public Result prepare() {
        refuseWhileInUse();
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        Instant backup = database.read(RestoredDatabase::lastTrace);
        long seconds = Math.max(0, Duration.between(backup, now).toSeconds());
        long skipped = LEAST_SKIPPED + SKIPPED_PER_SECOND * seconds;
        long nextJob = next("job") + skipped;
        if (nextJob >= JobId.SPACE) {
            throw new IllegalStateException("the database has given " + (nextJob - skipped) + " of " + JobId.SPACE
                    + " job numbers, and " + skipped + " must be skipped after a backup of " + backup
                    + ": start with a new database instead");
        }
        // Numbers first: a statement that changes a table commits by itself.
        raise("job", nextJob);
        raise("job_state_history", next("job_state_history") + skipped * EVENTS_PER_JOB);
        return database.inTransaction(h -> {
            List<Integer> gone =
                    h.createQuery("SELECT id FROM node").mapTo(Integer.class).list();
            if (!gone.isEmpty()) {
                h.createUpdate(CommandStore.RELEASE_NODES)
                        .bindList("nodes", gone)
                        .execute();
                gone.forEach(id -> nodes.delete(h, id));
            }
            h.createUpdate(MESSAGES).bind("skipped", skipped * MESSAGES_PER_JOB).execute();
            int lookedUp = h.execute(MARK);
            int leases = h.createUpdate(LEASES)
                    .bind("grace", now.plus(LEASE_GRACE))
                    .bind("backup", backup)
                    .execute();
            return new Result(backup, nextJob, lookedUp, leases);
        });
    }

    /** The nodes of this host are judged by their processes, as far as these show it, and those of others by whether they still beat. */
    private void refuseWhileInUse() {
        Set<Integer> ended = new TreeSet<>(Set.of(NO_NODE));
        for (NodeStore.Node node : database.read(h -> nodes.onHost(h, host))) {
            if (LiveProcess.isThatOf(node.pid(), node.startedAt())) {
                throw new IllegalStateException(
                        "a CE works with this database, process " + node.pid() + " on this host: stop it first");
            }
            if (LiveProcess.hasEnded(node.pid(), node.startedAt())) {
                ended.add(node.id());
            }
        }
        Optional<Instant> first = lastBeat(ended);
        if (first.isEmpty() || first.get().isBefore(clock.instant().minus(heartbeat))) {
            return;
        }
        for (long end = System.nanoTime() + heartbeat.toNanos(); System.nanoTime() < end; ) {
            LockSupport.parkNanos(LOOK.toNanos());
            if (!lastBeat(ended).equals(first)) {
                throw new IllegalStateException("a CE on this or another host works with this database: stop it first");
            }
        }
    }

    private Optional<Instant> lastBeat(Set<Integer> ended) {
        return database.read(h -> h.createQuery(LAST_BEAT_OF_OTHERS)
                .bindList("ended", List.copyOf(ended))
                .map((r, c) -> Optional.ofNullable(r.getTimestamp(1)).map(Timestamp::toInstant))
                .one());
    }

    private static Instant lastTrace(Handle h) {
        Instant latest = Instant.EPOCH;
        for (String query : List.of(MADE, LAST_EVENT, LAST_BEAT)) {
            Instant at = h.createQuery(query)
                    .map((r, c) -> Optional.ofNullable(r.getTimestamp(1)).map(Timestamp::toInstant))
                    .findOne()
                    .flatMap(found -> found)
                    .orElse(Instant.EPOCH);
            latest = at.isAfter(latest) ? at : latest;
        }
        return latest;
    }

    /** From the table itself: information_schema may be a day old on MySQL. */
    private long next(String table) {
        String text = database.read(h -> h.createQuery("SHOW CREATE TABLE " + table)
                .map((r, c) -> r.getString(2))
                .one());
        Matcher next = NEXT.matcher(text);
        return next.find() ? Long.parseLong(next.group(1)) : 1;
    }

    private void raise(String table, long next) {
        database.inTransaction(h -> h.execute("ALTER TABLE " + table + " AUTO_INCREMENT = " + next));
    }
}
