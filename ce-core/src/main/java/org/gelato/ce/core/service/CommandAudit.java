package org.gelato.ce.core.service;

import java.util.List;
import org.gelato.ce.core.audit.AuditAct;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.identity.Caller;

/** Reports what callers do to jobs, once it is committed: an act for each job named, or one for all jobs of a filter. Any thread. */
final class CommandAudit {
    private final AuditTrail trail;

    CommandAudit(AuditTrail trail) {
        this.trail = trail;
    }

    /** Of a command without a lease. @return the results */
    List<CommandResult> done(AuditEvent event, Caller caller, JobFilter filter, List<CommandResult> results) {
        return done(event, caller, filter, null, results);
    }

    /**
     * Of a command.
     *
     * @param lease that the jobs got; null for none
     * @return the results
     */
    List<CommandResult> done(
            AuditEvent event, Caller caller, JobFilter filter, String lease, List<CommandResult> results) {
        if (filter.ids().isEmpty()) {
            trail.done(AuditAct.by(caller, event)
                    .with(AuditField.LEASE, lease == null ? filter.leaseId() : lease)
                    .with(AuditField.DELEGATION, filter.delegationId())
                    .with(AuditField.TARGET, intended(caller, filter)));
            return results;
        }
        trail.done(results.stream()
                .filter(result -> result.fault() == null)
                .map(result -> AuditAct.by(caller, event)
                        .with(AuditField.JOB, result.id())
                        .with(AuditField.LEASE, lease))
                .toList());
        return results;
    }

    /** The jobs of a filter without ids. One without any criterion takes all: the original client sends it for a mistyped id. */
    private static String intended(Caller caller, JobFilter filter) {
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
}
