package org.gelato.ce.core.admission;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.gelato.ce.core.audit.AuditAct;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares what {@link #sample()} measured last with the limits, so that asking costs nothing. Sampling runs on a
 * scheduler's thread every few seconds; when the database does not respond to a sample, no jobs are admitted until it
 * does. What was admitted since the last sample counts as active, so that a crowd that comes between two of them does not
 * pass the limit of active jobs together; other nodes' jobs count from the next sample on.
 *
 * <p>The state in the database is for people and probes (docs/developer/protocol/behaviour.md section 7): 0 enabled, 1 closed by the
 * limits of a node, 2 closed by an administrator. The last holds for all nodes and over restarts. Of the second each node
 * only writes its own, when it begins and when it ends, and refuses jobs by what it measures itself: a host that is
 * overloaded proves nothing about another. A node that dies closed opens at its first sample after the restart.
 */
public final class AdmissionController implements Admission {
    private static final Logger log = LoggerFactory.getLogger(AdmissionController.class);
    private static final String ACTIVE = "Number of active jobs";
    private static final String PENDING = "Number of pending commands";
    private static final int ENABLED = 0;
    private static final int BY_LIMITS = 1;
    private static final int BY_ADMIN = 2;
    private static final int MAX_MESSAGE = 512;
    private static final String ADMINS_ONLY = "Operation reserved only to administrator!";
    private static final String REASON = "An administrator drains this CE: ";
    private static final String CLOSED = "Submissions are disabled!";
    static final String OPEN = "UPDATE admission_state SET state = :state, message = :message, changed_by = :dn,"
            + " changed_at = UTC_TIMESTAMP(6) WHERE id = 1";
    static final String STORED = "SELECT state, message, changed_by, changed_at FROM admission_state WHERE id = 1";
    // Compared again in the statement: what an administrator decides meanwhile stays.
    static final String NOTE = "UPDATE admission_state SET state = :to, message = :message, changed_by = :node,"
            + " changed_at = UTC_TIMESTAMP(6) WHERE id = 1 AND state = :from";

    private final Database database;
    private final JobStore jobs;
    private final CommandStore commands;
    private final AdmissionLimits limits;
    private final HostReadings host;
    private final String node;
    private final Restrictions restrictions;
    private final AuditTrail audit;
    private HostReadings.Sample lastSample = HostReadings.Sample.NONE;
    private volatile State state = new State(false, "the service is starting", "");
    private volatile List<Reading> readings = List.of();
    private volatile long active;
    private volatile Drain drain;
    /** What the log has last; guarded by this. */
    private String reported = "";

    /** Jobs that are being stored. */
    private final AtomicLong reserved = new AtomicLong();
    /** Jobs stored since the last sample. */
    private final AtomicLong stored = new AtomicLong();

    /**
     * @param node this node's name, to know its own entry again
     */
    public AdmissionController(
            Database database,
            JobStore jobs,
            CommandStore commands,
            AdmissionLimits limits,
            HostReadings host,
            String node,
            AuditTrail audit) {
        this.database = database;
        this.jobs = jobs;
        this.commands = commands;
        this.limits = limits;
        this.host = host;
        this.node = "limits of " + node;
        this.restrictions = new Restrictions(database);
        this.audit = audit;
    }

    /**
     * A value of the last sample.
     *
     * @param what its name, as in service-info
     * @param limit -1 for none
     * @param value NaN when it could not be measured
     */
    public record Reading(String what, long limit, double value) {}

    /** The values of the last sample for which the database responded; empty before the first. */
    public List<Reading> readings() {
        return readings;
    }

    /** The state in the database. */
    private record Stored(int state, String message, String changedBy, Instant changedAt) {}

    /** The drains of queues and VOs, and the bans. */
    public Restrictions restrictions() {
        return restrictions;
    }

    /** Takes up what an administrator changed on any node; one statement when nothing has. Every second or so. */
    public void refresh() {
        try {
            if (restrictions.refresh()) {
                synchronized (this) {
                    decide(lastSample);
                }
            }
        } catch (RuntimeException e) {
            log.debug("drains and bans not read: {}", e.toString());
        }
    }

    /** Measures all that the limits are about, and opens or closes submission. */
    public void sample() {
        // Outside of the lock: a file system that hangs must not hold up an administrator.
        decide(host.sample(limits));
    }

    /** One at a time, so that what an administrator just decided is not overwritten by an older sample. */
    private synchronized void decide(HostReadings.Sample sample) {
        lastSample = sample;
        try {
            restrictions.refresh();
            List<Measured> measured = new ArrayList<>(sample.first());
            Stored switched = database.read(h -> {
                long before = stored.get();
                long counted = jobs.countActive(h);
                measured.add(Measured.count(ACTIVE, limits.activeJobs(), counted));
                active = counted;
                stored.addAndGet(-before);
                measured.add(Measured.count(PENDING, limits.dueCommands(), commands.countDue(h)));
                return h.createQuery(STORED)
                        .map((r, c) ->
                                new Stored(r.getInt(1), r.getString(2), r.getString(3), SqlTime.get(r, "changed_at")))
                        .one();
            });
            measured.addAll(sample.last());
            readings = measured.stream()
                    .map(m -> new Reading(m.what(), m.limit(), m.number()))
                    .toList();
            List<Measured> exceeded = measured.stream().filter(Measured::over).toList();
            String over = lines(exceeded);
            state = state(switched, over, lines(measured));
            report(
                    switched.state() == BY_ADMIN
                            ? CLOSED
                            : exceeded.stream().map(Measured::what).collect(Collectors.joining(", ")),
                    state.message());
            drain = switched.state() == BY_ADMIN
                    ? new Drain(
                            Drain.Part.ALL,
                            null,
                            reason(switched.message()),
                            switched.changedBy(),
                            switched.changedAt())
                    : null;
            note(switched, over);
        } catch (RuntimeException e) {
            state = new State(false, "database error occurred", state.thresholds());
            report(state.message(), state.message() + ": " + Messages.of(e));
        }
    }

    /**
     * Logs once why jobs are refused, and once that they no longer are.
     *
     * @param cause the same while the same things close this node, whatever their values; empty while it is open
     */
    private void report(String cause, String message) {
        if (cause.equals(reported)) {
            return;
        }
        reported = cause;
        if (cause.isEmpty()) {
            log.info("new jobs are accepted again");
        } else {
            log.warn(
                    "no new jobs are registered: {}; ce service-info shows limits and values, gelato.admission sets the limits",
                    message.replace("\n", "; "));
        }
    }

    private static String lines(List<Measured> measured) {
        return measured.stream().map(Measured::line).collect(Collectors.joining("\n"));
    }

    private static State state(Stored stored, String over, String thresholds) {
        if (stored.state() == BY_ADMIN) {
            String message = stored.message() == null
                    ? CLOSED
                    : CLOSED + " " + stored.message() + " (since " + stored.changedAt() + ")";
            return new State(false, message, thresholds);
        }
        return new State(over.isEmpty(), over.isEmpty() ? null : over, thresholds);
    }

    /** Writes the beginning and the end of this node's refusals. */
    private void note(Stored stored, String over) {
        if (stored.state() == ENABLED && !over.isEmpty()) {
            note(ENABLED, BY_LIMITS, over);
        } else if (stored.state() == BY_LIMITS && over.isEmpty() && node.equals(stored.changedBy())) {
            note(BY_LIMITS, ENABLED, null);
        }
    }

    /** Where it cannot be written, as on a full disk, the reason for the refusals stays what it is. */
    private void note(int from, int to, String message) {
        try {
            database.inTransaction(h -> h.createUpdate(NOTE)
                    .bind("from", from)
                    .bind("to", to)
                    .bind("message", JobStore.cut(message, MAX_MESSAGE))
                    .bind("node", node)
                    .execute());
        } catch (RuntimeException e) {
            log.debug("state of admission not written: {}", e.toString());
        }
    }

    @Override
    public void admit(Caller caller, int jobsWanted) {
        State now = state;
        if (!now.accepting()) {
            throw ServiceException.disabled(now.message());
        }
        restrictions.drain(Drain.Part.VO, caller.identity().vo()).ifPresent(d -> {
            throw ServiceException.disabled(d.text());
        });
        if (limits.jobsPerCall() >= 0 && jobsWanted > limits.jobsPerCall()) {
            throw ServiceException.invalid(
                    jobsWanted + " job descriptions in one call, at most " + limits.jobsPerCall() + " are accepted");
        }
        checkActive(reserved.get());
    }

    private void checkActive(long beingStored) {
        Measured before = Measured.count(ACTIVE, limits.activeJobs(), active + stored.get() + beingStored);
        if (before.over()) {
            throw ServiceException.disabled(before.line());
        }
    }

    @Override
    public Places reserve(int jobsToStore) {
        try {
            checkActive(reserved.getAndAdd(jobsToStore));
        } catch (ServiceException e) {
            reserved.addAndGet(-jobsToStore);
            throw e;
        }
        return new Places() {
            private boolean isStored;

            @Override
            public void stored() {
                isStored = true;
            }

            @Override
            public void close() {
                if (isStored) {
                    stored.addAndGet(jobsToStore);
                }
                reserved.addAndGet(-jobsToStore);
            }
        };
    }

    @Override
    public void open(Caller caller, boolean accepting) {
        set(caller, accepting, null);
        audit.done(AuditAct.by(caller, accepting ? AuditEvent.SUBMISSION_ENABLED : AuditEvent.SUBMISSION_DISABLED));
    }

    private static void admin(Caller caller) {
        if (!caller.admin()) {
            throw new ServiceException.NotAuthorized(ADMINS_ONLY, ADMINS_ONLY);
        }
    }

    private void set(Caller caller, boolean accepting, String message) {
        admin(caller);
        String by = JobStore.cut(caller.identity().subject(), 2048);
        database.inTransaction(h -> {
            Restrictions.changed(h);
            return h.createUpdate(OPEN)
                    .bind("state", accepting ? ENABLED : BY_ADMIN)
                    .bind("message", message)
                    .bind("dn", by)
                    .execute();
        });
        log.warn(
                "submission {} by {}",
                accepting ? "enabled" : "disabled",
                caller.identity().subject());
        synchronized (this) {
            decide(lastSample);
        }
    }

    /**
     * Closes a part for new jobs, on all nodes and over restarts. Jobs that are registered may still be started.
     *
     * @param name null for the whole CE
     * @param reason shown to users; null for none
     * @throws IllegalArgumentException for a name or reason that cannot be one, and when there are too many
     * @throws ServiceException.NotAuthorized for a caller who is no administrator
     */
    public void drain(Caller caller, Drain.Part part, String name, String reason) {
        admin(caller);
        Restrictions.checkReason(reason);
        if (part == Drain.Part.ALL) {
            set(caller, false, reason == null ? null : REASON + reason);
        } else {
            restrictions.drain(
                    part, name, reason, JobStore.cut(caller.identity().subject(), 2048));
            log.warn("{} {} is drained by {}", part, name, caller.identity().subject());
        }
    }

    /** Opens what was drained. @return whether it was drained; as {@link #drain} otherwise */
    public boolean enable(Caller caller, Drain.Part part, String name) {
        admin(caller);
        if (part == Drain.Part.ALL) {
            boolean closed = drain != null;
            set(caller, true, null);
            return closed;
        }
        boolean there = restrictions.enable(part, name);
        log.warn("{} {} is enabled by {}", part, name, caller.identity().subject());
        return there;
    }

    /** All that is drained, the whole CE first. */
    public List<Drain> drains() {
        List<Drain> all = new ArrayList<>();
        Drain whole = drain;
        if (whole != null) {
            all.add(whole);
        }
        all.addAll(restrictions.drains());
        return all;
    }

    private static String reason(String message) {
        return message != null && message.startsWith(REASON) ? message.substring(REASON.length()) : null;
    }

    @Override
    public Optional<String> refusal(String queue) {
        return restrictions.drain(Drain.Part.QUEUE, queue).map(Drain::text);
    }

    @Override
    public List<String> drained() {
        return restrictions.drains().stream().map(Drain::text).toList();
    }

    @Override
    public State state() {
        return state;
    }
}
