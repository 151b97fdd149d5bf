package org.gelato.ce.core.service;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.GroupCommit;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.job.JobCounts;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.LabelStore;
import org.gelato.ce.core.job.TextQuota;
import org.gelato.ce.core.lease.LeaseStore;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;
import org.gelato.ce.description.JobLabels;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores new jobs: all jobs of a call in one transaction, which calls that come at the same time share, with one insert
 * per table for all of them. That a job was registered is shown by its row and its first history record; no command is
 * stored for it (docs/developer/decisions/0061).
 */
public final class JobInserts {
    static final String INSERT_JOB = """
            INSERT INTO job (owner_id, account_id, queue_id, delegation_id, lease_id, ice_id, state, state_since,
              registered_at, accounting_group_id, route_id)
            VALUES (:owner, :account, :queue, :delegation, :lease, :ice, :state, :now, :now, :accounting, :route)
            """;
    static final String INSERT_TEXT = "INSERT INTO job_text (job_id, subject_id, language, jdl, grid_job_id)"
            + " VALUES (:id, :subject, :language, :jdl, :gridJobId)";
    static final String INSERT_HISTORY = "INSERT INTO job_state_history (job_id, owner_id, state, at, description)"
            + " VALUES (:id, :owner, :state, :now, :description)";

    /** For calls that store their jobs and nothing else. */
    static final Extra NOTHING_MORE = new Extra() {};

    /** Who takes turns where registrations wait for each other. */
    public enum Turns {
        USERS,
        /** And users within the turns of their VO. */
        VOS;

        private List<?> holders(Request request) {
            return this == USERS
                    ? List.of(request.subject())
                    : List.of(
                            request.identity().vo() == null
                                    ? ""
                                    : request.identity().vo(),
                            request.subject());
        }
    }

    /** Weight of a transaction: jobs, and more for long descriptions; a heavier call has one of its own. */
    private static final int MAX_WEIGHT = 1000;

    /** Of a description that weighs as much as a job. */
    private static final int BYTES_OF_A_JOB = 4096;

    private static final Logger log = LoggerFactory.getLogger(JobInserts.class);

    private final Crowding crowding = new Crowding();
    private final LeaseStore leases = new LeaseStore();
    private final TextQuota quota;
    private final JobCounts counts;
    private final CommandStore commands;
    private final Clock clock;
    private final GroupCommit<Request, Optional<List<Integer>>> transactions;

    /** MySQL's ER_NO_REFERENCED_ROW_2: a foreign key names a row that is not there. */
    private static final int NO_REFERENCED_ROW = 1452;

    private static final String DELEGATION_KEY = "`job_delegation`";

    /** A delegation of the call ended since it was looked up; nothing was stored. */
    static final class EndedDelegationException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        EndedDelegationException(JdbiException cause) {
            super("a delegation of this registration has just ended", cause);
        }
    }

    /** A lease of the call ran out or was deleted since it was looked up; nothing was stored. */
    static final class EndedLeaseException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        EndedLeaseException() {
            super("a lease of this registration has just ended");
        }
    }

    /** What a call stores beside its jobs, in the same transaction. It must not have effects outside the database. */
    interface Extra {
        /**
         * Runs before anything else of the transaction.
         *
         * @return whether the call's jobs are to be stored
         */
        default boolean begin(Handle h) {
            return true;
        }

        /**
         * Runs after the jobs were inserted.
         *
         * @param rows of the call's jobs, in their order
         * @throws RuntimeException when the call must fail; it then leaves nothing, and other calls are not concerned
         */
        default void store(Handle h, List<Integer> rows) {}
    }

    /**
     * One call.
     *
     * @param subject the user behind the owner
     * @param identity of the user
     * @param ice number of the WMS instance; null for none
     * @param accounting number of the FQAN they are accounted under; null where it is the owner's, or there is none
     */
    record Request(
            List<NewJob> jobs,
            int owner,
            int subject,
            Identity identity,
            int account,
            Integer ice,
            Integer accounting,
            Extra extra) {
        private int weight() {
            return (int) Math.min(Integer.MAX_VALUE, Math.max(1, jobs.size()) + bytes() / BYTES_OF_A_JOB);
        }

        private long bytes() {
            return jobs.stream().mapToLong(job -> TextQuota.bytes(job.text())).sum();
        }
    }

    /**
     * A job to store.
     *
     * @param route number of what the site's routes give it; null for nothing
     * @param delegation null for none
     * @param lease null for none
     * @param gridJobId null for none
     * @param warnings null for none; at most 512 characters
     * @param labels what its owner finds it by
     */
    record NewJob(
            int queue,
            Integer route,
            Integer delegation,
            Integer lease,
            boolean starts,
            int language,
            String text,
            String gridJobId,
            String warnings,
            JobLabels labels) {}

    /**
     * @param quota of what the descriptions of each user take
     * @param counts counts what was stored
     * @param turns who takes them where calls wait for each other
     */
    public JobInserts(
            Database database, CommandStore commands, TextQuota quota, JobCounts counts, Turns turns, Clock clock) {
        this(database, commands, quota, counts, turns, clock, GroupCommit.PATIENCE);
    }

    /** @param patience of calls that wait for a transaction of others; zero for any */
    JobInserts(
            Database database,
            CommandStore commands,
            TextQuota quota,
            JobCounts counts,
            Turns turns,
            Clock clock,
            Duration patience) {
        this.quota = quota;
        this.counts = counts;
        this.commands = commands;
        this.clock = clock;
        transactions = new GroupCommit<>(
                patience,
                MAX_WEIGHT,
                Request::weight,
                request -> turns.holders(request),
                requests -> database.inTransaction(h -> insert(h, requests)));
    }

    /**
     * Stores the jobs of a call.
     *
     * @return their rows in order, after the commit, or nothing when its extra refused
     * @throws EndedDelegationException when a delegation of the call is not there any more
     * @throws EndedLeaseException when a lease of the call is not there any more
     * @throws ServiceException OVER_QUOTA when the user's descriptions leave no room for those of the call
     */
    Optional<List<Integer>> insert(Request request) {
        TextQuota.Reservation room = quota.take(request.subject(), request.bytes());
        String user = request.identity().subject();
        crowding.entered(user, request.weight());
        try {
            Optional<List<Integer>> rows = transactions.submit(request);
            rows.ifPresent(stored -> counts.registered(stored.size()));
            return rows;
        } finally {
            crowding.left(user, request.weight());
            room.close();
        }
    }

    /** Who registers so much at once that others go first; empty when nobody does, or has for a minute. */
    public Optional<String> crowdedBy() {
        return crowding.by();
    }

    /** Whose calls wait, to name who has more of them than fits into a transaction, and more than all others together. */
    private static final class Crowding {
        private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(1);

        private final Map<String, Long> waiting = new HashMap<>();
        private long sum;
        private String by;
        private long seen;

        synchronized void entered(String user, long weight) {
            sum += weight;
            long own = waiting.merge(user, weight, Long::sum);
            if (own > MAX_WEIGHT && own > sum - own && waiting.size() > 1) {
                boolean known = user.equals(by().orElse(null));
                by = user;
                seen = System.nanoTime();
                if (!known) {
                    log.warn(
                            "{} registers more at once than all other users together; calls of others go first (gelato.jobs.turns)",
                            user);
                }
            }
        }

        synchronized void left(String user, long weight) {
            sum -= weight;
            waiting.computeIfPresent(user, (name, own) -> own <= weight ? null : (Long) (own - weight));
        }

        synchronized Optional<String> by() {
            if (by != null && System.nanoTime() - seen > FORGOTTEN_NANOS) {
                by = null;
            }
            return Optional.ofNullable(by);
        }
    }

    private List<Optional<List<Integer>>> insert(Handle h, List<Request> requests) {
        Instant now = clock.instant();
        Set<Request> wanted = Collections.newSetFromMap(new IdentityHashMap<>());
        requests.stream().filter(request -> request.extra().begin(h)).forEach(wanted::add);
        List<Integer> rows =
                insertJobs(h, requests.stream().filter(wanted::contains).toList(), now);
        PreparedBatch texts = h.prepareBatch(INSERT_TEXT);
        PreparedBatch history = h.prepareBatch(INSERT_HISTORY);
        List<LabelStore.NewLabels> labels = new ArrayList<>();
        List<CommandStore.NewCommand> starts = new ArrayList<>();
        List<Optional<List<Integer>>> responses = new ArrayList<>();
        int next = 0;
        for (Request request : requests) {
            if (!wanted.contains(request)) {
                responses.add(Optional.empty());
                continue;
            }
            List<Integer> own =
                    List.copyOf(rows.subList(next, next + request.jobs().size()));
            next += own.size();
            responses.add(Optional.of(own));
            for (int i = 0; i < own.size(); i++) {
                NewJob job = request.jobs().get(i);
                int id = own.get(i);
                if (!job.labels().equals(JobLabels.NONE)) {
                    labels.add(new LabelStore.NewLabels(id, request.owner(), job.labels()));
                }
                texts.bind("id", id)
                        .bind("subject", request.subject())
                        .bind("language", job.language())
                        .bind("jdl", job.text())
                        .bind("gridJobId", job.gridJobId())
                        .add();
                record(history, id, request.owner(), JobState.REGISTERED, now, job.warnings());
                if (job.starts()) {
                    record(history, id, request.owner(), JobState.PENDING, now, null);
                    starts.add(CommandStore.NewCommand.start(id, request.owner(), job.queue()));
                }
            }
        }
        if (!rows.isEmpty()) {
            texts.execute();
            history.execute();
        }
        LabelStore.insert(h, labels);
        commands.insert(h, starts, Set.of(), now);
        for (int i = 0; i < requests.size(); i++) {
            Extra extra = requests.get(i).extra();
            responses.get(i).ifPresent(own -> extra.store(h, own));
        }
        Steps.reached(Step.REGISTER_WRITTEN, rows, row -> row);
        return responses;
    }

    private List<Integer> insertJobs(Handle h, List<Request> requests, Instant now) {
        Set<Integer> named = requests.stream()
                .flatMap(request -> request.jobs().stream())
                .map(NewJob::lease)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        // without it a job would outlive a lease that ran out and was swept since it was looked up
        if (!leases.hold(h, named).containsAll(named)) {
            throw new EndedLeaseException();
        }
        PreparedBatch batch = h.prepareBatch(INSERT_JOB);
        for (Request request : requests) {
            for (NewJob job : request.jobs()) {
                batch.bind("owner", request.owner())
                        .bind("account", request.account())
                        .bind("queue", job.queue())
                        .bind("delegation", job.delegation())
                        .bind("lease", job.lease())
                        .bind("ice", request.ice())
                        .bind("accounting", request.accounting())
                        .bind("route", job.route())
                        .bind("state", (job.starts() ? JobState.PENDING : JobState.REGISTERED).code())
                        .bind("now", now)
                        .add();
            }
        }
        int jobs = batch.size();
        if (jobs == 0) {
            return List.of();
        }
        List<Integer> rows = inserted(batch);
        if (rows.size() != jobs) {
            throw new IllegalStateException("the database returned " + rows.size() + " keys for " + jobs + " jobs");
        }
        return rows;
    }

    private static List<Integer> inserted(PreparedBatch batch) {
        try {
            return batch.executePreparedBatch("id").mapTo(Integer.class).list();
        } catch (JdbiException e) {
            for (Throwable t = e; t != null; t = t.getCause()) {
                if (t instanceof SQLException sql
                        && sql.getErrorCode() == NO_REFERENCED_ROW
                        && String.valueOf(sql.getMessage()).contains(DELEGATION_KEY)) {
                    throw new EndedDelegationException(e);
                }
            }
            throw e;
        }
    }

    private static void record(
            PreparedBatch history, int id, int owner, JobState state, Instant now, String description) {
        history.bind("id", id)
                .bind("owner", owner)
                .bind("state", state.code())
                .bind("now", now)
                .bind("description", description)
                .add();
    }
}
