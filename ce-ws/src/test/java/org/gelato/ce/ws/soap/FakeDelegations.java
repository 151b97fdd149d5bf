package org.gelato.ce.ws.soap;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.gelato.ce.core.delegation.DelegatedToken;
import org.gelato.ce.core.delegation.DelegationKind;
import org.gelato.ce.core.delegation.Delegations;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;

/** Records its calls; the id {@code unknown} is unknown. */
public final class FakeDelegations implements Delegations {
    public static final String CSR = "-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----\n";
    public static final Instant END = Instant.parse("2026-03-04T05:06:07Z");
    public static final String NOT_FOUND =
            "delegation [delegId=unknown; dn=CN_Alice_O_Test; localUser=dteam001] not found!";

    /** Each call as operation and arguments. */
    public final List<String> calls = new CopyOnWriteArrayList<>();

    /** Thrown by every call when set. */
    public volatile RuntimeException failure;

    private void called(String operation, Caller caller, String... arguments) {
        calls.add(operation + " " + caller.account() + " " + List.of(arguments));
        if (failure != null) {
            throw failure;
        }
        if (arguments.length > 0 && arguments[0].equals("unknown")) {
            throw new ServiceException.DelegationRefused(NOT_FOUND);
        }
    }

    @Override
    public String getProxyReq(Caller caller, String id) {
        called("getProxyReq", caller, id);
        return CSR;
    }

    @Override
    public NewProxyReq getNewProxyReq(Caller caller) {
        called("getNewProxyReq", caller);
        return new NewProxyReq(CSR, "abc123");
    }

    @Override
    public String renewProxyReq(Caller caller, String id) {
        called("renewProxyReq", caller, id);
        return CSR;
    }

    @Override
    public NewProxyReq newUnnamedReq(Caller caller) {
        called("newUnnamedReq", caller);
        return new NewProxyReq(CSR, "abc123");
    }

    @Override
    public String renewUnnamedReq(Caller caller, String id) {
        called("renewUnnamedReq", caller, id);
        return CSR;
    }

    @Override
    public void putProxy(Caller caller, String id, String pemChain) {
        called("putProxy", caller, id, pemChain);
    }

    @Override
    public String putToken(Caller caller, DelegatedToken token) {
        called("putToken", caller);
        return "abc123";
    }

    @Override
    public void renewToken(Caller caller, String id, DelegatedToken token) {
        called("renewToken", caller, id);
    }

    @Override
    public Optional<DelegationKind> kind(Caller caller, String id) {
        called("kind", caller, id);
        return Optional.of(DelegationKind.X509);
    }

    @Override
    public String unsignedToken(Caller caller, String id) {
        called("unsignedToken", caller, id);
        return "e30.e30";
    }

    @Override
    public Instant getTerminationTime(Caller caller, String id) {
        called("getTerminationTime", caller, id);
        return END;
    }

    @Override
    public void destroy(Caller caller, String id) {
        called("destroy", caller, id);
    }

    @Override
    public List<Listed> list(Caller caller) {
        called("list", caller);
        return List.of(new Listed("abc123", DelegationKind.X509, END));
    }

    @Override
    public String chain(Caller caller, String id) {
        called("chain", caller, id);
        return "-----BEGIN CERTIFICATE-----\n";
    }

    @Override
    public boolean release(Caller caller, String id) {
        called("release", caller, id);
        return true;
    }
}
