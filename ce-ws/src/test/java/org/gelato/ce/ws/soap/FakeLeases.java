package org.gelato.ce.ws.soap;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.lease.Lease;
import org.gelato.ce.core.lease.Leases;

/** Returns what it was given and records its calls. */
public final class FakeLeases implements Leases {
    /** Operations with their arguments, in order. */
    public final List<String> calls = new CopyOnWriteArrayList<>();

    public volatile List<Lease> kept = List.of();

    /** Thrown by every call when set. */
    public volatile RuntimeException failure;

    private void called(String call) {
        calls.add(call);
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public Lease set(Caller caller, String id, Instant until) {
        called("set " + id + " " + until);
        return kept.get(0);
    }

    @Override
    public Lease get(Caller caller, String id) {
        called("get " + id);
        return kept.get(0);
    }

    @Override
    public List<Lease> list(Caller caller) {
        called("list");
        return kept;
    }

    @Override
    public void delete(Caller caller, String id) {
        called("delete " + id);
    }
}
