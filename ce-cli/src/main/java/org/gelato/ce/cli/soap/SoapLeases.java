package org.gelato.ce.cli.soap;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.gelato.ce.cli.context.Grouping;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.LeaseCalls;
import org.gelato.ce.cli.wire.LeaseReport;
import org.gelato.ce.cli.wire.Response;
import org.gelato.ce.cli.wire.WireFault;
import org.gelato.ce.json.FaultCode;

/** The lease operations of the job service. */
final class SoapLeases implements LeaseCalls {
    private static final String COMMAND = "JOB_SET_LEASEID";

    private final CreamCalls calls;
    private final Function<JobSelector, List<Response<JobReport>>> info;

    /** @param info what the CE knows of jobs */
    SoapLeases(CreamCalls calls, Function<JobSelector, List<Response<JobReport>>> info) {
        this.calls = calls;
        this.info = info;
    }

    @Override
    public LeaseReport set(String id, Instant end) {
        Element lease =
                JobServiceOperation.SET_LEASE.request().add("leaseId", id).add("leaseTime", WireTimes.of(end));
        return report(calls.cream2(JobServiceOperation.SET_LEASE, lease));
    }

    @Override
    public LeaseReport get(String id) {
        return report(calls.cream2(JobServiceOperation.GET_LEASE, JobServiceOperation.GET_LEASE.request(id)));
    }

    @Override
    public List<LeaseReport> list() {
        return calls.cream2(JobServiceOperation.LIST_LEASES, (Element) null).children("result").stream()
                .map(SoapLeases::report)
                .toList();
    }

    @Override
    public void delete(String id) {
        calls.cream2(JobServiceOperation.DELETE_LEASE, JobServiceOperation.DELETE_LEASE.request(id));
    }

    /**
     * {@inheritDoc} The result of a job is fine also where there is no such lease, for example as it has run out: then the job's
     * command has failed (docs/developer/protocol/cream2-wire.md section 7).
     */
    @Override
    public List<Response<Void>> attach(String id, JobSelector jobs) {
        Element request = JobServiceOperation.ATTACH_LEASE
                .request()
                .add("newLeaseId", id)
                .add(calls.filter(new Element("jobFilter"), jobs));
        Element results = calls.cream2(JobServiceOperation.ATTACH_LEASE, request);
        List<Response<Void>> refusals = new ArrayList<>(SoapComputingElement.refusals(jobs, results));
        if (id == null) {
            return refusals;
        }
        Set<String> refused = refusals.stream().map(Response::subject).collect(Collectors.toSet());
        List<String> changed = results.children("result").stream()
                .map(SoapComputingElement::jobId)
                .filter(job -> job != null && JobUrl.isLocalId(job) && !refused.contains(job))
                .distinct()
                .toList();
        for (List<String> part : Grouping.parts(changed, Grouping.JOBS_PER_REQUEST)) {
            for (Response<JobReport> job : info.apply(JobSelector.of(part))) {
                WireFault fault = job.fault() == null ? failed(job.value().commands()) : job.fault();
                if (fault != null) {
                    refusals.add(Response.refused(job.subject(), fault));
                }
            }
        }
        return refusals;
    }

    /** Why the last command of this kind failed; null when it did not. */
    private static WireFault failed(List<JobReport.CommandReport> commands) {
        return commands.stream()
                .filter(command -> COMMAND.equals(command.name()))
                .reduce((first, second) -> second)
                .filter(command -> "ERROR".equals(command.status()))
                .map(command -> new WireFault(
                        "LeaseIdMismatchFault", null, command.failureReason(), null, FaultCode.LEASE_UNKNOWN.name()))
                .orElse(null);
    }

    private static LeaseReport report(Element lease) {
        if (lease.text("leaseId") == null) {
            throw new CliException("the CE sent a lease without its id");
        }
        return new LeaseReport(lease.text("leaseId"), lease.time("leaseTime"));
    }
}
