package org.gelato.ce.ws.audit;

import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.lease.Lease;
import org.gelato.ce.core.lease.Leases;

/** Writes down what callers do to leases, once it is committed. Any thread. */
public final class AuditedLeases implements Leases {
    private final Leases leases;
    private final AuditLog audit;

    public AuditedLeases(Leases leases, AuditLog audit) {
        this.leases = leases;
        this.audit = audit;
    }

    @Override
    public Lease set(Caller caller, String id, Instant until) {
        Lease lease = leases.set(caller, id, until);
        audit.done(line(AuditEvent.LEASE_SET, caller, lease.id()).with(AuditField.TARGET, "until " + lease.until()));
        return lease;
    }

    @Override
    public Lease get(Caller caller, String id) {
        return leases.get(caller, id);
    }

    @Override
    public List<Lease> list(Caller caller) {
        return leases.list(caller);
    }

    @Override
    public void delete(Caller caller, String id) {
        leases.delete(caller, id);
        audit.done(line(AuditEvent.LEASE_DELETE, caller, id));
    }

    private static AuditLine line(AuditEvent event, Caller caller, String id) {
        return AuditLine.ofRequest(event).with(caller).with(AuditField.LEASE, id);
    }
}
