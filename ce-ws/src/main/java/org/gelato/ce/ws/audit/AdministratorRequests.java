package org.gelato.ce.ws.audit;

import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Explainer;
import org.gelato.ce.json.Explanation;

/** Writes down what administrators read of others, and had published. Any thread. */
public final class AdministratorRequests {
    private final AuditLog audit;

    /** Writes to this log. */
    public AdministratorRequests(AuditLog audit) {
        this.audit = audit;
    }

    /** An explainer that writes down whom it explained to the administrator whose request this thread serves. */
    public Explainer explaining(Explainer explainer) {
        return (dn, fqans, job) -> {
            Explanation explanation = explainer.explain(dn, fqans, job);
            audit.done(AuditLine.ofRequest(AuditEvent.EXPLAIN).with(AuditField.TARGET, dn));
            return explanation;
        };
    }

    /**
     * The jobs of all users were read.
     *
     * @param criteria by which jobs were chosen, or a job's id
     */
    public void jobsRequested(String criteria) {
        audit.done(AuditLine.ofRequest(AuditEvent.LIST_JOBS).with(AuditField.TARGET, criteria));
    }

    /**
     * Usage was published because an administrator wanted it.
     *
     * @param what an interval, or what was due
     */
    public void usagePublished(Caller caller, String what, long records) {
        audit.done(AuditLine.ofRequest(AuditEvent.PUBLISH_USAGE)
                .with(caller)
                .with(AuditField.TARGET, what)
                .with(AuditField.COUNT, Long.toString(records)));
    }
}
