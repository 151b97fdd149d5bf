package org.gelato.ce.core.service;

import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.audit.AuditAct;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;

/** Registers jobs, and starts those that are to be started at once. Thread-safe. */
public final class JobSubmission implements Jobs.Registration {
    private final JobRegistration registration;
    private final JobCommands commands;
    private final Runnable wake;
    private final AuditTrail audit;

    /**
     * @param wake called after jobs with autoStart were committed
     */
    public JobSubmission(JobRegistration registration, JobCommands commands, Runnable wake, AuditTrail audit) {
        this.registration = registration;
        this.commands = commands;
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
            start(
                    caller,
                    request,
                    registered.waiting().stream().map(JobId::toString).toList());
        }
        if (request.descriptions().stream().anyMatch(JobDescription::autoStart)) {
            wake.run();
        }
        audit.done(acts(caller, registered.results()));
        return registered.results();
    }

    /** A busy database is no reason to come again with what is registered, unless by the same key. */
    private void start(Caller caller, RegisterRequest request, List<String> ids) {
        try {
            commands.startRegistered(caller, ids);
        } catch (RuntimeException e) {
            if (request.key() != null || !Database.isBusy(e)) {
                throw e;
            }
            // Not as the cause, by which it would be taken for a call of which nothing was done.
            ServiceException failed = ServiceException.internal(
                    "the jobs are registered and could not be started: start them, or purge them: "
                            + String.join(", ", ids),
                    null);
            failed.addSuppressed(e);
            throw failed;
        }
    }

    private static List<AuditAct> acts(Caller caller, List<RegisterResult> results) {
        List<AuditAct> acts = new ArrayList<>();
        for (RegisterResult result : results) {
            if (result.id() != null) {
                String job = result.id().toString();
                acts.add(AuditAct.by(caller, AuditEvent.REGISTER)
                        .with(AuditField.JOB, job)
                        .with(AuditField.DELEGATION, result.delegation())
                        .with(AuditField.ROUTES, String.join(",", result.routes())));
                if (result.started()) {
                    acts.add(AuditAct.by(caller, AuditEvent.START).with(AuditField.JOB, job));
                }
            }
        }
        return acts;
    }
}
