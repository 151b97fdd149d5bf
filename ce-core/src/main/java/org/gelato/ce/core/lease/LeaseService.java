package org.gelato.ce.core.lease;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.gelato.ce.core.audit.AuditAct;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.json.FaultCode;

/**
 * The operations on leases, each one transaction. A renewal and a sweep of the same lease wait for each other on its row
 * and on nothing else: whichever comes second finds what the first left, so that a lease renewed in time stays and one
 * renewed late gets its jobs back.
 */
public final class LeaseService implements Leases {
    /** The most leases of one owner. */
    static final int MAX = 1000;

    private static final int MAX_ID = 255;
    private static final String REFUSED = "CommandException occured"; // sic: clients show and match it

    private final LeaseStore store = new LeaseStore();
    private final Database database;
    private final OwnerStore owners;
    private final Clock clock;
    private final Duration longest;
    private final AuditTrail audit;

    /**
     * @param longest how long a lease may run from the moment it is set
     */
    public LeaseService(Database database, OwnerStore owners, Clock clock, Duration longest, AuditTrail audit) {
        this.database = database;
        this.owners = owners;
        this.clock = clock;
        this.longest = longest;
        this.audit = audit;
    }

    @Override
    public Lease set(Caller caller, String id, Instant until) {
        checkId(id);
        if (id.length() > MAX_ID) {
            throw ServiceException.invalid(
                    "leaseId: " + id.length() + " characters, at most " + MAX_ID + " are accepted");
        }
        if (until == null) {
            throw ServiceException.invalid("leaseTime not specified!");
        }
        Instant now = clock.instant();
        if (!until.isAfter(now)) {
            throw new ServiceException(FaultCode.LEASE_REFUSED, REFUSED, "lease time (" + until + ") expired!");
        }
        Instant end = now.plus(longest);
        Instant granted = until.isBefore(end) ? until.truncatedTo(ChronoUnit.MICROS) : end;
        int owner = owners.owner(caller.identity());
        Lease lease = database.inTransaction(h -> {
            if (!store.lock(h, owner, id) && store.count(h, owner) >= MAX) {
                throw new ServiceException(
                        FaultCode.LEASE_REFUSED, REFUSED, "there are " + MAX + " leases, no more are kept");
            }
            store.put(h, owner, id, granted);
            // Whatever the lease's state: a sweep may be half done, by the clock of another node.
            store.revive(h, owner, id);
            return new Lease(id, granted);
        });
        audit.done(act(AuditEvent.LEASE_SET, caller, id).with(AuditField.TARGET, "until " + lease.until()));
        return lease;
    }

    @Override
    public Lease get(Caller caller, String id) {
        checkId(id);
        int owner = owners.owner(caller.identity());
        return database.read(h -> store.get(h, owner, id, clock.instant())).orElseThrow(() -> unknown(id));
    }

    @Override
    public List<Lease> list(Caller caller) {
        int owner = owners.owner(caller.identity());
        return database.read(h -> store.ofOwner(h, owner, clock.instant()));
    }

    @Override
    public void delete(Caller caller, String id) {
        checkId(id);
        int owner = owners.owner(caller.identity());
        // One that ran out is left to the sweeper, which updates its jobs.
        if (database.inTransaction(h -> store.delete(h, owner, id, clock.instant())) == 0) {
            throw unknown(id);
        }
        audit.done(act(AuditEvent.LEASE_DELETE, caller, id));
    }

    private static AuditAct act(AuditEvent event, Caller caller, String id) {
        return AuditAct.by(caller, event).with(AuditField.LEASE, id);
    }

    private static ServiceException unknown(String id) {
        return new ServiceException(FaultCode.LEASE_UNKNOWN, "lease " + id + " not found!", "N/A");
    }

    private static void checkId(String id) {
        if (id == null || id.isBlank()) {
            throw ServiceException.invalid("leaseId not specified!");
        }
    }
}
