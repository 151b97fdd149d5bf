package org.gelato.ce.ws.audit;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.delegation.DelegatedToken;
import org.gelato.ce.core.delegation.DelegationKind;
import org.gelato.ce.core.delegation.Delegations;
import org.gelato.ce.core.identity.Caller;

/** Writes down what callers do to delegations, once it is committed. No proxy, token or request is in a line. Any thread. */
public final class AuditedDelegations implements Delegations {
    private final Delegations delegations;
    private final AuditLog audit;

    public AuditedDelegations(Delegations delegations, AuditLog audit) {
        this.delegations = delegations;
        this.audit = audit;
    }

    @Override
    public String getProxyReq(Caller caller, String id) {
        String request = delegations.getProxyReq(caller, id);
        done(AuditEvent.DELEGATION_REQUEST, caller, id);
        return request;
    }

    @Override
    public NewProxyReq getNewProxyReq(Caller caller) {
        NewProxyReq request = delegations.getNewProxyReq(caller);
        done(AuditEvent.DELEGATION_REQUEST, caller, request.delegationId());
        return request;
    }

    @Override
    public String renewProxyReq(Caller caller, String id) {
        String request = delegations.renewProxyReq(caller, id);
        done(AuditEvent.DELEGATION_REQUEST, caller, id);
        return request;
    }

    @Override
    public NewProxyReq newUnnamedReq(Caller caller) {
        NewProxyReq request = delegations.newUnnamedReq(caller);
        done(AuditEvent.DELEGATION_REQUEST, caller, request.delegationId());
        return request;
    }

    @Override
    public String renewUnnamedReq(Caller caller, String id) {
        String request = delegations.renewUnnamedReq(caller, id);
        done(AuditEvent.DELEGATION_REQUEST, caller, id);
        return request;
    }

    @Override
    public void putProxy(Caller caller, String id, String pemChain) {
        delegations.putProxy(caller, id, pemChain);
        done(AuditEvent.DELEGATION_PUT, caller, id);
    }

    @Override
    public Instant getTerminationTime(Caller caller, String id) {
        return delegations.getTerminationTime(caller, id);
    }

    @Override
    public void destroy(Caller caller, String id) {
        delegations.destroy(caller, id);
        done(AuditEvent.DELEGATION_DESTROY, caller, id);
    }

    @Override
    public List<Listed> list(Caller caller) {
        return delegations.list(caller);
    }

    @Override
    public String chain(Caller caller, String id) {
        return delegations.chain(caller, id);
    }

    @Override
    public String putToken(Caller caller, DelegatedToken token) {
        String id = delegations.putToken(caller, token);
        done(AuditEvent.DELEGATION_PUT, caller, id);
        return id;
    }

    @Override
    public void renewToken(Caller caller, String id, DelegatedToken token) {
        delegations.renewToken(caller, id, token);
        done(AuditEvent.DELEGATION_PUT, caller, id);
    }

    @Override
    public Optional<DelegationKind> kind(Caller caller, String id) {
        return delegations.kind(caller, id);
    }

    @Override
    public String unsignedToken(Caller caller, String id) {
        return delegations.unsignedToken(caller, id);
    }

    @Override
    public boolean release(Caller caller, String id) {
        boolean released = delegations.release(caller, id);
        if (released) {
            done(AuditEvent.DELEGATION_DESTROY, caller, id);
        }
        return released;
    }

    private void done(AuditEvent event, Caller caller, String id) {
        audit.done(AuditLine.ofRequest(event).with(caller).with(AuditField.DELEGATION, id));
    }
}
