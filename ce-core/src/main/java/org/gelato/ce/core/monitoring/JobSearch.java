package org.gelato.ce.core.monitoring;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.gelato.ce.core.base.Sha256;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.LabelStore;
import org.gelato.ce.core.job.SiteJobRow;
import org.gelato.ce.description.JobLabels;
import org.gelato.ce.json.SiteJob;
import org.jdbi.v3.core.Handle;

/**
 * Finds jobs by what an administrator has of them: the job's id, the batch system's, its name or a label, or the owner's DN; and shows
 * the times of one. Each search costs at most seven statements, which read by index, or a bounded number of rows. Reads only; for any thread.
 */
public final class JobSearch {
    /** Jobs a search returns. */
    public static final int MAX = 100;

    /** Characters of a text to search for. */
    public static final int LONGEST = 2048;

    static final String OF_BATCH_JOB = "SELECT id FROM job FORCE INDEX (job_lrms_id)"
            + " WHERE lrms_id = :id OR lrms_id LIKE :part ESCAPE '!' ORDER BY id DESC LIMIT 100";
    static final String OF_LABEL = "SELECT job_id FROM job_label FORCE INDEX (job_label_of_all)"
            + " WHERE name = :name AND value = :value ORDER BY job_id DESC LIMIT 100";
    static final String SUBJECT = "SELECT id FROM subject WHERE kind = :kind AND dn_hash = :hash";
    // So many subjects at the most, the newest ones, whatever is stored.
    static final String SUBJECTS_LIKE = "SELECT id FROM (SELECT id, dn FROM subject ORDER BY id DESC LIMIT 5000) s"
            + " WHERE dn LIKE :part ESCAPE '!' LIMIT 10";
    static final String OWNERS = "SELECT id FROM owner WHERE subject_id IN (<subjects>) ORDER BY id DESC LIMIT 10";
    // The latest jobs of each owner in each state: the end of one index range each.
    static final String OF_OWNER = "(SELECT id, registered_at FROM job FORCE INDEX (job_owner)"
            + " WHERE owner_id = <owner> AND state = <state> ORDER BY registered_at DESC LIMIT 20)";
    // As many as RecentJobs groups by their reasons.
    static final String FAILED = "SELECT id, failure_reason FROM job FORCE INDEX (job_state)"
            + " WHERE state = :state AND state_since > :since ORDER BY state_since DESC LIMIT 1000";
    static final String LATEST = "SELECT id FROM job ORDER BY id DESC LIMIT 100";
    static final String LATEST_IN = "SELECT id, state_since AS at FROM job FORCE INDEX (job_state)"
            + " WHERE state = :state ORDER BY state_since DESC LIMIT 100";
    // Of so many jobs at the most, the newest ones: a VO, queue or node has no index of jobs.
    static final String OF_PLACE =
            "SELECT STRAIGHT_JOIN j.id FROM (SELECT id AS latest FROM job ORDER BY id DESC LIMIT 2000) w, "
                    + SiteJobRow.TABLES
                    + " WHERE j.id = w.latest AND (o.vo = :text OR q.name = :text OR CONCAT(q.lrms, '-', q.name) = :text"
                    + " OR j.worker_node = :text) ORDER BY j.id DESC LIMIT 100";
    static final String JOBS =
            "SELECT STRAIGHT_JOIN " + SiteJobRow.COLUMNS + ", j.handed_over_at, j.failure_reason, j.description FROM "
                    + SiteJobRow.TABLES + " WHERE j.id IN (<ids>) ORDER BY FIELD(j.id, <ids>)";
    static final String HISTORY = "SELECT state, at, failure_reason, description FROM job_state_history"
            + " WHERE job_id = :job ORDER BY id LIMIT 200";
    static final String COMMANDS =
            "SELECT " + CommandRecord.COLUMNS + " FROM command WHERE job_id = :job ORDER BY id LIMIT 200";

    private final Database database;
    private final JobNumbers numbers;

    public JobSearch(Database database, JobNumbers numbers) {
        this.database = database;
        this.numbers = numbers;
    }

    /**
     * A job with the reason and the description of its state; null where there is none.
     *
     * @param handedOver when the batch system took it; null before
     */
    public record Found(SiteJob job, Instant handedOver, String reason, String description) {}

    /** A state the job came into. */
    public record State(JobState state, Instant at, String reason, String description) {}

    /** Where a job's time went: states and commands, in order, 200 each at most; and what its owner finds it by. */
    public record Timeline(Found job, List<State> states, List<CommandRecord> commands, JobLabels labels) {}

    /**
     * The latest jobs that a text means: a job's id or URL, a batch job's id or its part before the first dot, a DN in either form, a token's
     * {@code ISSUER,SUBJECT}, a label as {@code NAME=VALUE}, a job's name, a VO, queue or worker node of the latest 2 000 jobs, or a part of one of the latest
     * 5 000 of these DNs and subjects.
     *
     * @throws IllegalArgumentException for a text that is empty or longer than {@link #LONGEST}
     */
    public List<Found> find(String text) {
        String wanted = text.strip();
        if (wanted.isEmpty() || wanted.length() > LONGEST) {
            throw new IllegalArgumentException("a text to search for has 1 to " + LONGEST + " characters");
        }
        Optional<Integer> row = numbers.row(wanted.substring(wanted.lastIndexOf('/') + 1));
        return database.read(h -> jobs(h, row.isPresent() ? List.of(row.get()) : rows(h, wanted)));
    }

    /** The jobs that were registered last. */
    public List<Found> latest() {
        return database.read(
                h -> jobs(h, h.createQuery(LATEST).mapTo(Integer.class).list()));
    }

    /** The jobs that failed or were aborted last. */
    public List<Found> latestFailed() {
        return database.read(h -> jobs(
                h,
                latest(Stream.of(JobState.DONE_FAILED, JobState.ABORTED)
                        .flatMap(state -> h
                                .createQuery(LATEST_IN)
                                .bind("state", state.code())
                                .map((r, c) -> new Dated(r.getInt("id"), SqlTime.get(r, "at")))
                                .list()
                                .stream()))));
    }

    private record Reason(int id, String text) {}

    /**
     * The latest jobs of a group of {@link RecentJobs.Failure}: two statements.
     *
     * @param state the group's, a final one
     * @param reason the group's
     */
    public List<Found> failed(JobState state, String reason, Instant since) {
        return database.read(h -> jobs(
                h,
                h
                        .createQuery(FAILED)
                        .bind("state", state.code())
                        .bind("since", since)
                        .map((r, c) -> new Reason(r.getInt("id"), RecentJobs.plain(r.getString("failure_reason"))))
                        .list()
                        .stream()
                        .filter(r -> r.text().equals(reason))
                        .limit(MAX)
                        .map(Reason::id)
                        .toList()));
    }

    private List<Integer> rows(Handle h, String text) {
        List<Integer> subjects = List.of();
        if (TokenIdentity.isSubject(text)) {
            subjects = subject(h, Identity.Kind.TOKEN, text);
        } else if (text.indexOf('=') > 0) {
            String dn = rfc2253(text);
            subjects = dn == null ? List.of() : subject(h, Identity.Kind.X509, dn);
        } else {
            List<Integer> ids = h.createQuery(OF_BATCH_JOB)
                    .bind("id", text)
                    .bind("part", escaped(text) + ".%")
                    .mapTo(Integer.class)
                    .list();
            if (!ids.isEmpty()) {
                return ids;
            }
        }
        if (subjects.isEmpty()) {
            List<Integer> ids = labelled(h, text);
            if (!ids.isEmpty()) {
                return ids;
            }
            ids = text.indexOf('=') > 0
                    ? List.of()
                    : h.createQuery(OF_PLACE)
                            .bind("text", text)
                            .mapTo(Integer.class)
                            .list();
            if (!ids.isEmpty()) {
                return ids;
            }
            subjects = h.createQuery(SUBJECTS_LIKE)
                    .bind("part", "%" + escaped(text) + "%")
                    .mapTo(Integer.class)
                    .list();
        }
        return subjects.isEmpty() ? List.of() : ofOwners(h, subjects);
    }

    private static List<Integer> labelled(Handle h, String text) {
        int equals = text.indexOf('=');
        return h.createQuery(OF_LABEL)
                .bind("name", equals < 0 ? LabelStore.JOB_NAME : text.substring(0, equals))
                .bind("value", text.substring(equals + 1))
                .mapTo(Integer.class)
                .list();
    }

    private static List<Integer> subject(Handle h, Identity.Kind kind, String name) {
        return h.createQuery(SUBJECT)
                .bind("kind", kind.code())
                .bind("hash", Sha256.of(name))
                .mapTo(Integer.class)
                .list();
    }

    private record Dated(int id, Instant at) {}

    private static List<Integer> ofOwners(Handle h, List<Integer> subjects) {
        List<Integer> owners = h.createQuery(OWNERS)
                .bindList("subjects", InList.of(subjects))
                .mapTo(Integer.class)
                .list();
        if (owners.isEmpty()) {
            return List.of();
        }
        List<String> arms = new ArrayList<>();
        for (int owner : owners) {
            for (JobState state : JobState.values()) {
                arms.add(OF_OWNER.replace("<owner>", Integer.toString(owner))
                        .replace("<state>", Integer.toString(state.code())));
            }
        }
        return latest(h
                .createQuery(String.join(" UNION ALL ", arms))
                .map((r, c) -> new Dated(r.getInt("id"), SqlTime.get(r, "registered_at")))
                .list()
                .stream());
    }

    private static List<Integer> latest(Stream<Dated> jobs) {
        return jobs.sorted(
                        Comparator.comparing(Dated::at).thenComparing(Dated::id).reversed())
                .limit(MAX)
                .map(Dated::id)
                .toList();
    }

    private static String rfc2253(String text) {
        try {
            return DnForms.rfc2253(text);
        } catch (IllegalArgumentException e) {
            return null; // A part of a DN is none.
        }
    }

    private static String escaped(String text) {
        return text.replace("!", "!!").replace("%", "!%").replace("_", "!_");
    }

    /** The states, commands and labels of a job: four statements. Empty when there is none of this id. */
    public Optional<Timeline> timeline(JobId id) {
        int row = numbers.row(id);
        return database.read(h -> jobs(h, List.of(row)).stream()
                .findFirst()
                .map(job -> new Timeline(
                        job,
                        withPresent(
                                h.createQuery(HISTORY)
                                        .bind("job", row)
                                        .map((r, c) -> new State(
                                                JobState.ofCode(r.getInt("state")),
                                                SqlTime.get(r, "at"),
                                                r.getString("failure_reason"),
                                                r.getString("description")))
                                        .list(),
                                job),
                        h.createQuery(COMMANDS)
                                .bind("job", row)
                                .map((r, c) -> CommandRecord.of(r))
                                .list(),
                        LabelStore.of(h, List.of(row)).getOrDefault(row, JobLabels.NONE))));
    }

    /** Why a job waits changes without a record, so its last state is described as the job is. */
    private static List<State> withPresent(List<State> states, Found job) {
        State last = states.isEmpty() ? null : states.get(states.size() - 1);
        if (last != null
                && JobState.WAITING.contains(last.state())
                && last.state().wireName().equals(job.job().state())) {
            states.set(states.size() - 1, new State(last.state(), last.at(), last.reason(), job.description()));
        }
        return states;
    }

    /** In the order of their rows. */
    private List<Found> jobs(Handle h, Collection<Integer> rows) {
        if (rows.isEmpty()) {
            return List.of();
        }
        return h.createQuery(JOBS)
                .bindList("ids", InList.of(rows))
                .map((r, c) -> new Found(
                        SiteJobRow.of(r, numbers),
                        SqlTime.get(r, "handed_over_at"),
                        r.getString("failure_reason"),
                        r.getString("description")))
                .list();
    }
}
