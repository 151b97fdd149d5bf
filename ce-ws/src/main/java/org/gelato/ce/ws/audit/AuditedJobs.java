package org.gelato.ce.ws.audit;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.service.CommandResult;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobInfoResult;
import org.gelato.ce.core.service.JobStatusResult;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.core.service.RegisterRequest;
import org.gelato.ce.core.service.RegisterResult;

/** Writes down what callers do to jobs, a line for each job, once it is committed. Any thread. */
public final class AuditedJobs implements Jobs {
    private final Jobs jobs;
    private final AuditLog audit;

    public AuditedJobs(Jobs jobs, AuditLog audit) {
        this.jobs = jobs;
        this.audit = audit;
    }

    @Override
    public List<RegisterResult> register(Caller caller, RegisterRequest request) {
        List<RegisterResult> results;
        try {
            results = jobs.register(caller, request);
        } catch (ServiceException.NotAuthorized e) {
            audit.refused(line(AuditEvent.REFUSED, caller).with(AuditField.REASON, e.getMessage()));
            throw e;
        }
        List<AuditLine> lines = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            JobId id = results.get(i).id();
            if (id != null) {
                lines.add(line(AuditEvent.REGISTER, caller)
                        .with(AuditField.JOB, id.toString())
                        .with(AuditField.DELEGATION, results.get(i).delegation()));
                if (results.get(i).started()) {
                    lines.add(line(AuditEvent.START, caller).with(AuditField.JOB, id.toString()));
                }
            }
        }
        audit.write(lines);
        return results;
    }

    @Override
    public List<CommandResult> start(Caller caller, JobFilter filter) {
        List<CommandResult> results = jobs.start(caller, filter);
        // Without ids a start does nothing.
        return filter.ids().isEmpty() ? results : done(AuditEvent.START, caller, filter, null, results);
    }

    @Override
    public List<CommandResult> cancel(Caller caller, JobFilter filter) {
        return done(AuditEvent.CANCEL, caller, filter, null, jobs.cancel(caller, filter));
    }

    @Override
    public List<CommandResult> kill(Caller caller, List<String> ids) {
        List<CommandResult> results = jobs.kill(caller, ids);
        return ids.isEmpty() ? results : done(AuditEvent.CANCEL, caller, JobFilter.ofIds(ids), null, results);
    }

    @Override
    public List<CommandResult> purge(Caller caller, JobFilter filter) {
        return done(AuditEvent.PURGE, caller, filter, null, jobs.purge(caller, filter));
    }

    @Override
    public List<CommandResult> suspend(Caller caller, JobFilter filter) {
        return done(AuditEvent.SUSPEND, caller, filter, null, jobs.suspend(caller, filter));
    }

    @Override
    public List<CommandResult> resume(Caller caller, JobFilter filter) {
        return done(AuditEvent.RESUME, caller, filter, null, jobs.resume(caller, filter));
    }

    @Override
    public List<CommandResult> setLease(Caller caller, String leaseId, JobFilter filter) {
        return done(AuditEvent.SET_LEASE, caller, filter, leaseId, jobs.setLease(caller, leaseId, filter));
    }

    @Override
    public Iterator<List<JobStatusResult>> statuses(Caller caller, JobFilter filter) {
        return jobs.statuses(caller, filter);
    }

    @Override
    public Iterator<List<JobInfoResult>> infos(Caller caller, JobFilter filter) {
        return jobs.infos(caller, filter);
    }

    @Override
    public Iterator<List<JobId>> lists(Caller caller) {
        return jobs.lists(caller);
    }

    private List<CommandResult> done(
            AuditEvent event, Caller caller, JobFilter filter, String lease, List<CommandResult> results) {
        if (filter.ids().isEmpty()) {
            audit.done(line(event, caller)
                    .with(AuditField.LEASE, lease == null ? filter.leaseId() : lease)
                    .with(AuditField.DELEGATION, filter.delegationId())
                    .with(AuditField.TARGET, meant(caller, filter)));
            return results;
        }
        audit.write(results.stream()
                .filter(result -> result.fault() == null)
                .map(result ->
                        line(event, caller).with(AuditField.JOB, result.id()).with(AuditField.LEASE, lease))
                .toList());
        return results;
    }

    /** The jobs of a filter without ids. One without any criterion takes all: the original client sends it for a mistyped id. */
    private static String meant(Caller caller, JobFilter filter) {
        StringBuilder text = new StringBuilder(caller.admin() ? "all jobs of all users" : "all jobs of the caller");
        if (!filter.states().isEmpty()) {
            text.append(" in ").append(String.join(", ", filter.states()));
        }
        if (filter.from() != null) {
            text.append(" registered from ").append(filter.from());
        }
        if (filter.to() != null) {
            text.append(filter.from() == null ? " registered until " : " until ")
                    .append(filter.to());
        }
        if (isGiven(filter.delegationId())) {
            text.append(" of delegation ").append(filter.delegationId());
        }
        if (isGiven(filter.leaseId())) {
            text.append(" of lease ").append(filter.leaseId());
        }
        return text.toString();
    }

    private static boolean isGiven(String text) {
        return text != null && !text.isEmpty();
    }

    private static AuditLine line(AuditEvent event, Caller caller) {
        return AuditLine.ofRequest(event).with(caller);
    }
}
