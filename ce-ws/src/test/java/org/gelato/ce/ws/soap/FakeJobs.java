package org.gelato.ce.ws.soap;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.service.CommandResult;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobInfoResult;
import org.gelato.ce.core.service.JobStatusResult;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.core.service.RegisterRequest;
import org.gelato.ce.core.service.RegisterResult;

/** Returns what it was given and records its calls. */
public final class FakeJobs implements Jobs.Registration, Jobs.Commands, Jobs.Queries {
    /** Names of the operations called, in order. */
    public final List<String> calls = new CopyOnWriteArrayList<>();

    public volatile List<RegisterResult> registered = List.of();
    public volatile List<CommandResult> commanded = List.of();
    public volatile List<JobStatusResult> statuses = List.of();
    public volatile List<JobInfoResult> infos = List.of();
    public volatile List<JobId> listed = List.of();

    /** Thrown by every call when set. */
    public volatile RuntimeException failure;

    /** Thrown by every slice of a response but its first when set. */
    public volatile RuntimeException laterFailure;

    /** Slices read of all responses. */
    public final AtomicInteger slicesRead = new AtomicInteger();

    /** Done within each call. */
    public volatile Runnable work = () -> {};

    public volatile List<JobDescription> descriptions;
    public volatile String iceId;
    public volatile String key;
    public volatile String leaseId;
    public volatile JobFilter filter;

    private <T> T called(String operation, JobFilter requested, T response) {
        calls.add(operation);
        filter = requested;
        work.run();
        if (failure != null) {
            throw failure;
        }
        return response;
    }

    @Override
    public List<RegisterResult> register(Caller caller, RegisterRequest requested) {
        descriptions = requested.descriptions();
        iceId = requested.iceId();
        key = requested.key();
        return called("register", null, registered);
    }

    @Override
    public List<CommandResult> start(Caller caller, JobFilter requested) {
        return called("start", requested, commanded);
    }

    @Override
    public List<CommandResult> cancel(Caller caller, JobFilter requested) {
        return called("cancel", requested, commanded);
    }

    @Override
    public List<CommandResult> kill(Caller caller, List<String> ids) {
        return cancel(caller, JobFilter.ofIds(ids));
    }

    @Override
    public List<CommandResult> clean(Caller caller, List<String> ids) {
        return called("clean", JobFilter.ofIds(ids), commanded);
    }

    @Override
    public List<CommandResult> purge(Caller caller, JobFilter requested) {
        return called("purge", requested, commanded);
    }

    @Override
    public List<CommandResult> suspend(Caller caller, JobFilter requested) {
        return called("suspend", requested, commanded);
    }

    @Override
    public List<CommandResult> resume(Caller caller, JobFilter requested) {
        return called("resume", requested, commanded);
    }

    @Override
    public List<CommandResult> setLease(Caller caller, String id, JobFilter requested) {
        leaseId = id;
        return called("setLease", requested, commanded);
    }

    @Override
    public Iterator<List<JobStatusResult>> statuses(Caller caller, JobFilter requested) {
        return slices(called("status", requested, statuses));
    }

    @Override
    public Iterator<List<JobInfoResult>> infos(Caller caller, JobFilter requested) {
        return slices(called("info", requested, infos));
    }

    @Override
    public boolean hasJobs(Identity identity) {
        return !listed.isEmpty();
    }

    @Override
    public Iterator<List<JobId>> lists(Caller caller) {
        return slices(called("list", null, listed));
    }

    /** Slices of two, some of them empty; the later ones fail when the test sets it. */
    private <T> Iterator<List<T>> slices(List<T> all) {
        RuntimeException failing = laterFailure;
        return new Iterator<>() {
            private int at;
            private boolean first = true;

            @Override
            public boolean hasNext() {
                return first || at < all.size();
            }

            @Override
            public List<T> next() {
                if (first) {
                    first = false;
                    return List.of();
                }
                if (failing != null && at > 0) {
                    throw failing;
                }
                List<T> slice = all.subList(at, Math.min(all.size(), at + 2));
                at += slice.size();
                slicesRead.incrementAndGet();
                return slice;
            }
        };
    }
}
