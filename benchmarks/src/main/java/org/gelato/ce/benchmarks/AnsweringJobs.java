package org.gelato.ce.benchmarks;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.service.CommandResult;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobInfoResult;
import org.gelato.ce.core.service.JobStatusResult;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.core.service.RegisterRequest;
import org.gelato.ce.core.service.RegisterResult;

/**
 * A job service that responds at once and stores nothing, so that what is measured is the layer before it: every job
 * named is DONE-OK, every description becomes a job. Other operations are refused, as nothing calls them. Thread-safe.
 */
class AnsweringJobs implements Jobs.Registration, Jobs.Commands, Jobs.Queries {
    private static final int FIRST = 100_000_000;

    private final JobStatus done = new JobStatus(JobState.DONE_OK, Instant.now(), "0", null, null);
    private final Path sandbox;

    /**
     * @param sandboxes directory the sandboxes would be in
     */
    AnsweringJobs(Path sandboxes) {
        sandbox = sandboxes.resolve("dteam").resolve("CN_Jane_Doe").resolve("CREAM100000000");
    }

    @Override
    public List<RegisterResult> register(Caller caller, RegisterRequest request) {
        List<RegisterResult> results = new ArrayList<>();
        for (JobDescription description : request.descriptions()) {
            JobId id = new JobId(FIRST + results.size());
            results.add(new RegisterResult(description.clientRef(), id, sandbox, Map.of(), false, null, null));
        }
        return results;
    }

    @Override
    public Iterator<List<JobStatusResult>> statuses(Caller caller, JobFilter filter) {
        return List.of(filter.ids().stream()
                        .map(id -> new JobStatusResult(id, done, null))
                        .toList())
                .iterator();
    }

    @Override
    public List<CommandResult> start(Caller caller, JobFilter filter) {
        throw refusal();
    }

    @Override
    public List<CommandResult> cancel(Caller caller, JobFilter filter) {
        throw refusal();
    }

    @Override
    public List<CommandResult> kill(Caller caller, List<String> ids) {
        return cancel(caller, JobFilter.ofIds(ids));
    }

    @Override
    public List<CommandResult> clean(Caller caller, List<String> ids) {
        throw refusal();
    }

    @Override
    public List<CommandResult> purge(Caller caller, JobFilter filter) {
        throw refusal();
    }

    @Override
    public List<CommandResult> suspend(Caller caller, JobFilter filter) {
        throw refusal();
    }

    @Override
    public List<CommandResult> resume(Caller caller, JobFilter filter) {
        throw refusal();
    }

    @Override
    public List<CommandResult> setLease(Caller caller, String leaseId, JobFilter filter) {
        throw refusal();
    }

    @Override
    public Iterator<List<JobInfoResult>> infos(Caller caller, JobFilter filter) {
        throw refusal();
    }

    @Override
    public boolean hasJobs(Identity identity) {
        throw refusal();
    }

    @Override
    public Iterator<List<JobId>> lists(Caller caller) {
        throw refusal();
    }

    private static UnsupportedOperationException refusal() {
        return new UnsupportedOperationException("no benchmark calls this");
    }
}
