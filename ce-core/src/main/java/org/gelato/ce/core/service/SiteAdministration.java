package org.gelato.ce.core.service;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.gelato.ce.core.admission.AdmissionController;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.audit.AuditAct;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.identity.BanSet;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.StateSql;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What administrators close and whom they ban, on all nodes and over restarts. A ban is one transaction; cancels follow in
 * slices, a transaction each. One that is interrupted leaves the ban in force and some jobs uncancelled: the same ban again
 * cancels the rest. Any thread. All but the lists throw {@link org.gelato.ce.core.fault.ServiceException.NotAuthorized} for a caller who is no
 * administrator, and {@link IllegalArgumentException}, with a text for the administrator, for arguments that cannot be used.
 */
public final class SiteAdministration {
    private static final Logger log = LoggerFactory.getLogger(SiteAdministration.class);
    private static final Set<JobState> ACTIVE = EnumSet.complementOf(EnumSet.copyOf(JobState.FINAL));

    static final String LOAD = StateSql.of("""
            SELECT STRAIGHT_JOIN q.name AS queue, o.vo, j.state, COUNT(*) AS jobs, MAX(j.running_at) AS started
            FROM job j FORCE INDEX (job_state) JOIN queue q FORCE INDEX (PRIMARY) ON q.id = j.queue_id
              JOIN owner o FORCE INDEX (PRIMARY) ON o.id = j.owner_id
            WHERE j.state IN {NOT_ENDED} GROUP BY q.name, o.vo, j.state
            """);
    static final String OWNERS = StateSql.of("""
            SELECT o.id, s.kind, s.dn, o.fqan, o.vo FROM owner o JOIN subject s ON s.id = o.subject_id
            WHERE EXISTS (SELECT 1 FROM job j WHERE j.owner_id = o.id AND j.state IN {NOT_ENDED})
            """);

    private final Database database;
    private final AdmissionController admission;
    private final JobStore jobs;
    private final JobCommands commands;
    private final Supplier<Optional<ClusterStatus>> cluster;
    private final Set<String> issuers;
    private final AuditTrail audit;

    /**
     * The jobs of a part.
     *
     * @param registered not started by their users, who still may
     * @param queued started, and not running
     * @param lastEnd when the last running job ends at the latest; null when none runs or a queue's limit is not known
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Load(long registered, long queued, long running, Instant lastEnd) {}

    /**
     * A ban that was made.
     *
     * @param jobs that have not ended, of whom it concerns
     * @param cancelled of these, by this call
     * @param warning that it is probably nobody, and who was intended; null for none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Banned(@JsonUnwrapped Ban ban, long jobs, long cancelled, String warning) {}

    private record Group(String queue, String vo, JobState state, long jobs, Instant started) {}

    private record Active(int id, Identity.Kind kind, Owner owner) {}

    /**
     * @param cluster what the batch system reported last; returns at once
     * @param issuers whose tokens are accepted
     */
    public SiteAdministration(
            Database database,
            AdmissionController admission,
            JobStore jobs,
            JobCommands commands,
            Supplier<Optional<ClusterStatus>> cluster,
            Set<String> issuers,
            AuditTrail audit) {
        this.database = database;
        this.admission = admission;
        this.jobs = jobs;
        this.commands = commands;
        this.cluster = cluster;
        this.issuers = Set.copyOf(issuers);
        this.audit = audit;
    }

    /**
     * Closes a part for new jobs.
     *
     * @param name null for the whole CE
     */
    public Load drain(Caller caller, Drain.Part part, String name, String reason) {
        admission.drain(caller, part, name, reason);
        audit.done(act(AuditEvent.DRAIN, caller, text(part, name)).with(AuditField.REASON, reason));
        return load(part, name);
    }

    /** Opens a part. @return whether it was drained */
    public boolean enable(Caller caller, Drain.Part part, String name) {
        boolean there = admission.enable(caller, part, name);
        audit.done(act(AuditEvent.ENABLE, caller, text(part, name)));
        return there;
    }

    private static String text(Drain.Part part, String name) {
        return name == null ? part.toString() : part + " " + name;
    }

    private static AuditAct act(AuditEvent event, Caller caller, String target) {
        return AuditAct.by(caller, event).with(AuditField.TARGET, target);
    }

    /** All that is drained. */
    public List<Drain> drains() {
        return admission.drains();
    }

    /** The jobs of a part, drained or not. */
    public Load load(Drain.Part part, String name) {
        List<Group> groups = database
                .read(h -> h.createQuery(LOAD)
                        .map((r, c) -> new Group(
                                r.getString("queue"),
                                r.getString("vo"),
                                JobState.ofCode(r.getInt("state")),
                                r.getLong("jobs"),
                                SqlTime.get(r, "started")))
                        .list())
                .stream()
                .filter(g -> switch (part) {
                    case ALL -> true;
                    case QUEUE -> g.queue().equals(name);
                    case VO -> name.equals(g.vo());
                })
                .toList();
        long registered = sum(groups, Set.of(JobState.REGISTERED));
        long running = sum(groups, RUNNING);
        return new Load(
                registered,
                groups.stream().mapToLong(Group::jobs).sum() - registered - running,
                running,
                lastEnd(groups));
    }

    private static final Set<JobState> RUNNING = Set.of(JobState.RUNNING, JobState.REALLY_RUNNING);

    private static long sum(List<Group> groups, Set<JobState> states) {
        return groups.stream()
                .filter(g -> states.contains(g.state()))
                .mapToLong(Group::jobs)
                .sum();
    }

    private Instant lastEnd(List<Group> groups) {
        ClusterStatus now = cluster.get().orElse(ClusterStatus.UNKNOWN);
        Instant last = null;
        for (Group g : groups) {
            if (RUNNING.contains(g.state())) {
                ClusterStatus.Queue queue = now.queue(g.queue()).orElse(null);
                if (queue == null || queue.maxWallTime() == null || g.started() == null) {
                    return null;
                }
                Instant end = g.started().plus(queue.maxWallTime());
                last = last == null || end.isAfter(last) ? end : last;
            }
        }
        return last;
    }

    /**
     * Bans.
     *
     * @param cancel whether the jobs of whom it concerns are cancelled; by DN and primary FQAN, the only one a job knows
     * @param force whether the caller may ban himself
     */
    public Banned ban(Caller caller, Ban.Kind kind, String text, String reason, boolean cancel, boolean force) {
        caller.requireAdministrator("do this");
        String by = JobStore.cut(caller.identity().subject(), 2048);
        String name = Ban.name(kind, text);
        BanSet only = new BanSet(List.of(new Ban(kind, name, reason, by, Instant.EPOCH)));
        Ban own = caller.identity() instanceof TokenIdentity token
                ? only.of(token)
                : only.of(caller.certificate().dn(), caller.certificate().fqans());
        if (!force && own != null) {
            throw new IllegalArgumentException(
                    "this would ban yourself, and you could not take it back; nothing was done, --force does it");
        }
        admission.restrictions().ban(kind, name, reason, by);
        log.warn("{} {} is banned by {}", kind, name, caller.identity().subject());
        List<Integer> ids = database.read(h -> h
                .createQuery(OWNERS)
                .map((r, c) -> new Active(r.getInt("id"), Identity.Kind.ofCode(r.getInt("kind")), Owner.of(r)))
                .list()
                .stream()
                .filter(o -> only.ofOwner(o.kind(), o.owner()) != null)
                .flatMap(o -> jobs.ids(h, o.id(), ACTIVE).stream())
                .toList());
        Ban made = bans().stream()
                .filter(b -> b.kind() == kind && Ban.key(kind, b.name()).equals(Ban.key(kind, name)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the ban was ended by somebody else meanwhile"));
        int cancelled = cancel ? commands.cancel(ids, "The owner is banned on this CE") : 0;
        audit.done(act(AuditEvent.BAN, caller, kind + " " + made.name())
                .with(AuditField.REASON, reason)
                .with(AuditField.COUNT, cancel ? Integer.toString(cancelled) : null));
        return new Banned(made, ids.size(), cancelled, kind == Ban.Kind.DN ? otherIssuer(made.name()) : null);
    }

    /** Issuers are compared exactly (RFC 8414, 2), and whether one ends in a slash is easily overlooked. Null for nothing to say. */
    private String otherIssuer(String subject) {
        int comma = TokenIdentity.isSubject(subject) ? subject.indexOf(',') : -1;
        String issuer = subject.substring(0, Math.max(0, comma));
        String other = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer + "/";
        return comma < 0 || issuers.contains(issuer) || !issuers.contains(other)
                ? null
                : "no tokens of " + issuer + " are accepted here, but of " + other + ": to refuse its user, ban '"
                        + other + subject.substring(comma) + "'";
    }

    /** Ends a ban. @return whether there was one */
    public boolean unban(Caller caller, Ban.Kind kind, String name) {
        caller.requireAdministrator("do this");
        boolean there = admission.restrictions().unban(kind, Ban.name(kind, name));
        log.warn(
                "{} {} is no longer banned, by {}",
                kind,
                name,
                caller.identity().subject());
        audit.done(act(AuditEvent.UNBAN, caller, kind + " " + name));
        return there;
    }

    /** All bans that hold. */
    public List<Ban> bans() {
        return admission.restrictions().bans().all();
    }
}
