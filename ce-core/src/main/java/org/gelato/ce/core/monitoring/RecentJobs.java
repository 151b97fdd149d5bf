package org.gelato.ce.core.monitoring;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.StateSql;
import org.jdbi.v3.core.Handle;

/**
 * Tables of the jobs that ended lately, by VO, owner, queue and worker node, and why jobs failed. Of at most {@value #MAX} jobs, the
 * latest ones, read by their index: what is stored beside them costs nothing. Reads only; for any thread.
 */
public final class RecentJobs {
    /** Jobs a table is of. */
    public static final int MAX = 2000;

    /** Failed jobs of each state that reasons are counted of. */
    static final int MAX_FAILED = 1000;

    /** Rows of a table. */
    static final int ROWS = 20;

    // The ids come from the index of ends alone; each then finds what belongs to it by key.
    static final String ENDED = """
            SELECT STRAIGHT_JOIN u.state, u.worker_node, u.registered_at, u.running_at, u.ended_at, u.cpu_seconds, u.exit_code, o.id AS owner,
              s.dn, o.fqan, o.vo, q.lrms, q.name AS queue
            FROM (SELECT id FROM usage_record FORCE INDEX (usage_record_end) WHERE ended_at > :since
                  ORDER BY ended_at DESC LIMIT 2000) r
              JOIN usage_record u FORCE INDEX (PRIMARY) ON u.id = r.id
              JOIN owner o FORCE INDEX (PRIMARY) ON o.id = u.owner_id
              JOIN subject s FORCE INDEX (PRIMARY) ON s.id = o.subject_id
              JOIN queue q FORCE INDEX (PRIMARY) ON q.id = u.queue_id
            """;
    static final String FAILED = StateSql.of("""
            (SELECT state, failure_reason, worker_node, state_since FROM job FORCE INDEX (job_state)
             WHERE state = {DONE_FAILED} AND state_since > :since ORDER BY state_since DESC LIMIT 1000)
            UNION ALL
            (SELECT state, failure_reason, worker_node, state_since FROM job FORCE INDEX (job_state)
             WHERE state = {ABORTED} AND state_since > :since ORDER BY state_since DESC LIMIT 1000)
            """);
    // Done and failed alike have all four times; those of the latest say where time goes now.
    static final String STAGES = StateSql.of("""
            (SELECT registered_at, handed_over_at, running_at, ended_at FROM job FORCE INDEX (job_state)
             WHERE state = {DONE_OK} AND state_since > :since ORDER BY state_since DESC LIMIT 500)
            UNION ALL
            (SELECT registered_at, handed_over_at, running_at, ended_at FROM job FORCE INDEX (job_state)
             WHERE state = {DONE_FAILED} AND state_since > :since ORDER BY state_since DESC LIMIT 500)
            """);
    static final String OWNERS = "SELECT o.id, s.dn, o.fqan, o.vo FROM owner o STRAIGHT_JOIN subject s"
            + " FORCE INDEX (PRIMARY) ON s.id = o.subject_id WHERE o.id IN (<ids>)";
    static final String NODES = "SELECT host, pid, started_at, heartbeat_at FROM node ORDER BY id DESC LIMIT 50";

    private static final int MAX_REASON = 200;

    /** Fewer failures on a node prove nothing about it. */
    private static final int FEW_FAILURES = 3;

    /** A node is suspect when its share of failures is so many times that of all others. */
    private static final int SUSPECT = 3;

    /** Numbers that differ from job to job: of processes, jobs and times. */
    private static final Pattern NUMBER = Pattern.compile("[0-9]{4,}");

    private final Database database;

    public RecentJobs(Database database) {
        this.database = database;
    }

    /**
     * Ended jobs that have something in common.
     *
     * @param name what; the text {@code none} where it is unknown
     * @param detail further words; null for none
     * @param failed of them, without those that were cancelled
     * @param nonZero of them, neither failed nor cancelled, with an exit code other than 0
     * @param cpuSeconds as far as it was measured
     * @param meanRunSeconds from the start on the worker node to the end; NaN when none ran
     */
    public record Share(
            String name, String detail, int ended, int failed, int nonZero, double cpuSeconds, double meanRunSeconds) {}

    /**
     * Jobs that failed for one reason.
     *
     * @param reason without numbers that differ from job to job; cut to 200 characters
     * @param latest when the last of them failed
     * @param nodes how many worker nodes they ran on
     */
    public record Failure(String state, String reason, int jobs, Instant latest, int nodes) {}

    /**
     * Where the time of jobs went that ended lately and are not purged: medians in seconds.
     *
     * @param jobs 1000 at most; 0 makes the rest NaN
     * @param here from the registration until the batch system had the job
     * @param batch until it began on the worker node
     * @param running until its end
     */
    public record Stages(int jobs, double here, double batch, double running) {}

    /**
     * A worker node on which more jobs fail, or exit with another code than 0, than on the others.
     *
     * @param bad of its jobs, which did
     * @param othersPercent of the jobs of all other nodes that did
     */
    public record Suspect(String node, int ended, int bad, double othersPercent) {}

    /** A node of the CE. */
    public record Node(String host, long pid, Instant started, Instant heartbeat) {}

    /**
     * The tables.
     *
     * @param jobs that ended in the time, {@link #MAX} at most
     * @param oldest end of these; null for none
     * @param endedFailed of these, without those that were cancelled
     * @param endedNonZero of these, as {@link Share#nonZero}
     * @param failed jobs of {@code failures}, which are not purged yet; {@link #MAX_FAILED} of a state at most
     * @param failedSince when there are more, from when on all are counted; null when there are no more
     * @param suspects worker nodes, those with the most failures first
     * @param owners those that were requested and those of {@code ownerShares}, by their numbers
     */
    public record Tables(
            int jobs,
            Instant oldest,
            int endedFailed,
            int endedNonZero,
            List<Share> vos,
            List<Share> ownerShares,
            List<Share> queues,
            List<Share> nodes,
            int failed,
            Instant failedSince,
            List<Failure> failures,
            Stages stages,
            List<Suspect> suspects,
            List<Node> ces,
            Map<Integer, Owner> owners) {}

    private record Ended(
            JobState state,
            String exitCode,
            String node,
            Instant running,
            Instant ended,
            double cpu,
            int ownerId,
            Owner owner,
            String queue) {
        boolean failed() {
            return state == JobState.DONE_FAILED || state == JobState.ABORTED;
        }

        boolean nonZero() {
            return state == JobState.DONE_OK && exitCode != null && !exitCode.equals("0");
        }

        boolean bad() {
            return failed() || nonZero();
        }
    }

    private record Failed(JobState state, String reason, String node, Instant since) {}

    private record Times(Instant registered, Instant handedOver, Instant running, Instant ended) {
        boolean complete() {
            return handedOver != null && running != null && ended != null;
        }
    }

    /**
     * Reads the tables: five statements, or four where no names are wanted.
     *
     * @param since jobs that ended after this moment
     * @param owners whose names are wanted beside those whose jobs ended
     */
    public Tables read(Instant since, Collection<Integer> owners) {
        return database.read(h -> {
            List<Ended> ended = h.createQuery(ENDED)
                    .bind("since", since)
                    .map((row, context) -> ended(row))
                    .list();
            List<Failed> failed = h.createQuery(FAILED)
                    .bind("since", since)
                    .map((row, context) -> new Failed(
                            JobState.ofCode(row.getInt("state")),
                            plain(row.getString("failure_reason")),
                            row.getString("worker_node"),
                            SqlTime.get(row, "state_since")))
                    .list();
            return new Tables(
                    ended.size(),
                    ended.stream()
                            .map(Ended::ended)
                            .min(Comparator.naturalOrder())
                            .orElse(null),
                    count(ended, Ended::failed),
                    count(ended, Ended::nonZero),
                    shares(ended, e -> e.owner().vo(), e -> null),
                    shares(ended, e -> e.owner().subject(), e -> e.owner().group()),
                    shares(ended, Ended::queue, e -> null),
                    shares(ended, Ended::node, e -> null),
                    failed.size(),
                    completeSince(failed),
                    failures(failed),
                    stages(h.createQuery(STAGES)
                            .bind("since", since)
                            .map((row, context) -> new Times(
                                    SqlTime.get(row, "registered_at"),
                                    SqlTime.get(row, "handed_over_at"),
                                    SqlTime.get(row, "running_at"),
                                    SqlTime.get(row, "ended_at")))
                            .list()),
                    suspects(ended),
                    h.createQuery(NODES)
                            .map((row, context) -> new Node(
                                    row.getString("host"),
                                    row.getLong("pid"),
                                    SqlTime.get(row, "started_at"),
                                    SqlTime.get(row, "heartbeat_at")))
                            .list(),
                    owners(h, owners, ended));
        });
    }

    private static Ended ended(ResultSet row) throws SQLException {
        return new Ended(
                JobState.ofCode(row.getInt("state")),
                row.getString("exit_code"),
                row.getString("worker_node"),
                SqlTime.get(row, "running_at"),
                SqlTime.get(row, "ended_at"),
                row.getDouble("cpu_seconds"),
                row.getInt("owner"),
                Owner.of(row),
                row.getString("lrms") + "-" + row.getString("queue"));
    }

    /** An owner whose jobs ended has a row of the tables, where those that are present belong, too. */
    private static Map<Integer, Owner> owners(Handle h, Collection<Integer> ids, List<Ended> ended) {
        Map<Integer, Owner> owners = new HashMap<>();
        ended.forEach(e -> owners.put(e.ownerId(), e.owner()));
        if (!ids.isEmpty()) {
            h.createQuery(OWNERS)
                    .bindList("ids", InList.of(ids))
                    .map((row, context) -> Map.entry(row.getInt("id"), Owner.of(row)))
                    .forEach(owner -> owners.put(owner.getKey(), owner.getValue()));
        }
        return owners;
    }

    private record Key(String name, String detail) {}

    private static List<Share> shares(List<Ended> all, Function<Ended, String> name, Function<Ended, String> detail) {
        Map<Key, List<Ended>> groups = new HashMap<>();
        for (Ended e : all) {
            String text = name.apply(e);
            groups.computeIfAbsent(new Key(text == null ? "none" : text, detail.apply(e)), k -> new ArrayList<>())
                    .add(e);
        }
        return groups.entrySet().stream()
                .map(group -> share(group.getKey(), group.getValue()))
                .sorted(Comparator.comparingInt(Share::ended).reversed().thenComparing(Share::name))
                .limit(ROWS)
                .toList();
    }

    private static Share share(Key key, List<Ended> jobs) {
        return new Share(
                key.name(),
                key.detail(),
                jobs.size(),
                count(jobs, Ended::failed),
                count(jobs, Ended::nonZero),
                jobs.stream().mapToDouble(Ended::cpu).sum(),
                jobs.stream()
                        .filter(e -> e.running() != null)
                        .mapToDouble(e -> Math.max(
                                0, Duration.between(e.running(), e.ended()).toMillis() / 1e3))
                        .average()
                        .orElse(Double.NaN));
    }

    private static Stages stages(List<Times> all) {
        List<Times> complete = all.stream().filter(Times::complete).toList();
        return new Stages(
                complete.size(),
                median(complete, Times::registered, Times::handedOver),
                median(complete, Times::handedOver, Times::running),
                median(complete, Times::running, Times::ended));
    }

    private static double median(List<Times> all, Function<Times, Instant> from, Function<Times, Instant> to) {
        // Clocks of worker nodes differ.
        double[] seconds = all.stream()
                .mapToDouble(t ->
                        Math.max(0, Duration.between(from.apply(t), to.apply(t)).toMillis() / 1e3))
                .sorted()
                .toArray();
        return seconds.length == 0 ? Double.NaN : seconds[seconds.length / 2];
    }

    private static List<Suspect> suspects(List<Ended> ended) {
        Map<String, List<Ended>> nodes = ended.stream()
                .filter(e -> e.node() != null && e.running() != null)
                .collect(Collectors.groupingBy(Ended::node));
        int all = nodes.values().stream().mapToInt(List::size).sum();
        int bad = nodes.values().stream()
                .mapToInt(jobs -> count(jobs, Ended::bad))
                .sum();
        List<Suspect> suspects = new ArrayList<>();
        nodes.forEach((node, jobs) -> {
            int others = all - jobs.size();
            int here = count(jobs, Ended::bad);
            double rest = others == 0 ? Double.NaN : (double) (bad - here) / others;
            if (here >= FEW_FAILURES && (double) here / jobs.size() > SUSPECT * rest) {
                suspects.add(new Suspect(node, jobs.size(), here, 100 * rest));
            }
        });
        suspects.sort(Comparator.comparingInt(Suspect::bad).reversed().thenComparing(Suspect::node));
        return suspects.subList(0, Math.min(ROWS, suspects.size()));
    }

    private static int count(List<Ended> jobs, Predicate<Ended> which) {
        return (int) jobs.stream().filter(which).count();
    }

    /** The oldest of those states of which there are more; the latest one where there are several. */
    private static Instant completeSince(List<Failed> failed) {
        return failed.stream().collect(Collectors.groupingBy(Failed::state)).values().stream()
                .filter(ofState -> ofState.size() >= MAX_FAILED)
                .map(ofState -> ofState.stream().map(Failed::since).min(Comparator.naturalOrder()))
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder())
                .orElse(null);
    }

    private static List<Failure> failures(List<Failed> failed) {
        Map<Key, List<Failed>> groups = new HashMap<>();
        failed.forEach(f -> groups.computeIfAbsent(new Key(f.state().wireName(), f.reason()), k -> new ArrayList<>())
                .add(f));
        return groups.entrySet().stream()
                .map(group -> new Failure(
                        group.getKey().name(),
                        group.getKey().detail(),
                        group.getValue().size(),
                        group.getValue().stream()
                                .map(Failed::since)
                                .max(Comparator.naturalOrder())
                                .orElse(null),
                        (int) group.getValue().stream()
                                .map(Failed::node)
                                .distinct()
                                .count()))
                .sorted(Comparator.comparingInt(Failure::jobs).reversed().thenComparing(Failure::reason))
                .limit(ROWS)
                .toList();
    }

    /** A reason as failures are grouped by it. */
    static String plain(String reason) {
        String text = reason == null || reason.isBlank()
                ? "none given"
                : NUMBER.matcher(reason).replaceAll("N");
        return text.length() > MAX_REASON ? text.substring(0, MAX_REASON) : text;
    }
}
