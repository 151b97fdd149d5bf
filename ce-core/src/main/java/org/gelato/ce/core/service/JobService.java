package org.gelato.ce.core.service;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.gelato.ce.core.audit.AuditAct;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;

/** The operations on jobs, each by the class that knows how. */
public final class JobService implements Jobs {
    private final JobRegistration registration;
    private final JobCommands commands;
    private final JobQueries queries;
    private final Runnable wake;
    private final AuditTrail audit;

    /**
     * @param wake called after jobs with autoStart were committed
     */
    public JobService(
            JobRegistration registration, JobCommands commands, JobQueries queries, Runnable wake, AuditTrail audit) {
        this.registration = registration;
        this.commands = commands;
        this.queries = queries;
        this.wake = wake;
        this.audit = audit;
    }

    @Override
    public List<RegisterResult> register(Caller caller, RegisterRequest request) {
        JobRegistration.Registered registered;
        try {
            registered = registration.register(caller, request);
        } catch (ServiceException.NotAuthorized e) {
            audit.refused(AuditAct.by(caller, AuditEvent.REFUSED).with(AuditField.REASON, e.getMessage()));
            throw e;
        }
        if (!registered.waiting().isEmpty()) {
            commands.startRegistered(
                    caller, registered.waiting().stream().map(JobId::toString).toList());
        }
        if (request.descriptions().stream().anyMatch(JobDescription::autoStart)) {
            wake.run();
        }
        audit.done(acts(caller, registered.results()));
        return registered.results();
    }

    private static List<AuditAct> acts(Caller caller, List<RegisterResult> results) {
        List<AuditAct> acts = new ArrayList<>();
        for (RegisterResult result : results) {
            if (result.id() != null) {
                String job = result.id().toString();
                acts.add(AuditAct.by(caller, AuditEvent.REGISTER)
                        .with(AuditField.JOB, job)
                        .with(AuditField.DELEGATION, result.delegation()));
                if (result.started()) {
                    acts.add(AuditAct.by(caller, AuditEvent.START).with(AuditField.JOB, job));
                }
            }
        }
        return acts;
    }

    @Override
    public List<CommandResult> start(Caller caller, JobFilter filter) {
        return commands.start(caller, filter);
    }

    @Override
    public List<CommandResult> cancel(Caller caller, JobFilter filter) {
        return commands.cancel(caller, filter);
    }

    @Override
    public List<CommandResult> kill(Caller caller, List<String> ids) {
        return commands.kill(caller, ids);
    }

    @Override
    public List<CommandResult> purge(Caller caller, JobFilter filter) {
        return commands.purge(caller, filter);
    }

    @Override
    public List<CommandResult> suspend(Caller caller, JobFilter filter) {
        return commands.suspend(caller, filter);
    }

    @Override
    public List<CommandResult> resume(Caller caller, JobFilter filter) {
        return commands.resume(caller, filter);
    }

    @Override
    public List<CommandResult> setLease(Caller caller, String leaseId, JobFilter filter) {
        return commands.setLease(caller, leaseId, filter);
    }

    @Override
    public Iterator<List<JobStatusResult>> statuses(Caller caller, JobFilter filter) {
        return queries.statuses(caller, filter);
    }

    @Override
    public Iterator<List<JobInfoResult>> infos(Caller caller, JobFilter filter) {
        return queries.infos(caller, filter);
    }

    @Override
    public Iterator<List<JobId>> lists(Caller caller) {
        return queries.lists(caller);
    }
}
