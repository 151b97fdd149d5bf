package org.gelato.ce.ws.audit;

import java.util.Collection;
import java.util.Map;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.JobDelegations;

/** Writes down proxies that come with a registration, once they are stored. Any thread. */
public final class AuditedJobDelegations implements JobDelegations {
    private final JobDelegations delegations;
    private final AuditLog audit;

    public AuditedJobDelegations(JobDelegations delegations, AuditLog audit) {
        this.delegations = delegations;
        this.audit = audit;
    }

    @Override
    public Map<String, Ref> find(Caller caller, Collection<String> ids) {
        return delegations.find(caller, ids);
    }

    @Override
    public void forget(Caller caller, Collection<String> ids) {
        delegations.forget(caller, ids);
    }

    @Override
    public void putProxy(Caller caller, String id, String pemChain) {
        delegations.putProxy(caller, id, pemChain);
        audit.done(AuditLine.ofRequest(AuditEvent.DELEGATION_PUT).with(caller).with(AuditField.DELEGATION, id));
    }
}
