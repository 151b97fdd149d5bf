package org.gelato.ce.ws.soap;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.CommandResult;
import org.gelato.ce.core.job.JobDescription;
import org.gelato.ce.core.job.JobFilter;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobInfoResult;
import org.gelato.ce.core.job.JobStatusResult;
import org.gelato.ce.core.job.Jobs;
import org.gelato.ce.core.job.RegisterRequest;
import org.gelato.ce.core.job.RegisterResult;

/** Answers what it was given and remembers what it was asked. */
public final class FakeJobs implements Jobs {
    /** Names of the operations asked, in order. */
    public final List<String> calls = new CopyOnWriteArrayList<>();

    public volatile List<RegisterResult> registered = List.of();
    public volatile List<CommandResult> commanded = List.of();
    public volatile List<JobStatusResult> statuses = List.of();
    public volatile List<JobInfoResult> infos = List.of();
    public volatile List<JobId> listed = List.of();

    /** Thrown by every call when set. */
    public volatile RuntimeException failure;

    public volatile List<JobDescription> descriptions;
    public volatile String iceId;
    public volatile String key;
    public volatile String leaseId;
    public volatile JobFilter filter;

    private <T> T called(String operation, JobFilter asked, T answer) {
        calls.add(operation);
        filter = asked;
        if (failure != null) {
            throw failure;
        }
        return answer;
    }

    @Override
    public List<RegisterResult> register(Caller caller, RegisterRequest asked) {
        descriptions = asked.descriptions();
        iceId = asked.iceId();
        key = asked.key();
        return called("register", null, registered);
    }

    @Override
    public List<CommandResult> start(Caller caller, JobFilter asked) {
        return called("start", asked, commanded);
    }

    @Override
    public List<CommandResult> cancel(Caller caller, JobFilter asked) {
        return called("cancel", asked, commanded);
    }

    @Override
    public List<CommandResult> purge(Caller caller, JobFilter asked) {
        return called("purge", asked, commanded);
    }

    @Override
    public List<CommandResult> suspend(Caller caller, JobFilter asked) {
        return called("suspend", asked, commanded);
    }

    @Override
    public List<CommandResult> resume(Caller caller, JobFilter asked) {
        return called("resume", asked, commanded);
    }

    @Override
    public List<CommandResult> setLease(Caller caller, String id, JobFilter asked) {
        leaseId = id;
        return called("setLease", asked, commanded);
    }

    @Override
    public List<JobStatusResult> status(Caller caller, JobFilter asked) {
        return called("status", asked, statuses);
    }

    @Override
    public List<JobInfoResult> info(Caller caller, JobFilter asked) {
        return called("info", asked, infos);
    }

    @Override
    public List<JobId> list(Caller caller) {
        return called("list", null, listed);
    }
}
