package org.gelato.ce.ws.cream2;

import java.util.List;
import java.util.function.BiFunction;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobInfoResult;
import org.gelato.ce.core.service.JobStatusResult;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.core.service.RegisterRequest;
import org.gelato.ce.core.service.RegisterResult;
import org.gelato.ce.ws.cream2.wsdl.CommandResult;
import org.gelato.ce.ws.cream2.wsdl.JobRegisterRequest;
import org.gelato.ce.ws.cream2.wsdl.JobRegisterResult;
import org.gelato.ce.ws.cream2.wsdl.JobSetLeaseIdRequest;
import org.gelato.ce.ws.cream2.wsdl.Result;
import org.gelato.ce.ws.soap.gate.SoapCall;
import org.gelato.ce.ws.soap.gate.StreamedResponse;
import org.gelato.ce.ws.web.SandboxAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operations on jobs for one call. JDLs and proxies are never logged. */
final class JobOperations {
    private static final Logger log = LoggerFactory.getLogger(JobOperations.class);
    static final Cream2Faults.Slots<Result> OF_COMMAND = new Cream2Faults.Slots<>(
            Result::setJobUnknownFault,
            Result::setJobStatusInvalidFault,
            Result::setDateMismatchFault,
            Result::setDelegationIdMismatchFault,
            Result::setLeaseIdMismatchFault,
            Result::setGenericFault);
    private static final Cream2Faults.Slots<org.gelato.ce.ws.cream2.wsdl.JobStatusResult> OF_STATUS =
            new Cream2Faults.Slots<>(
                    org.gelato.ce.ws.cream2.wsdl.JobStatusResult::setJobUnknownFault,
                    org.gelato.ce.ws.cream2.wsdl.JobStatusResult::setJobStatusInvalidFault,
                    org.gelato.ce.ws.cream2.wsdl.JobStatusResult::setDateMismatchFault,
                    org.gelato.ce.ws.cream2.wsdl.JobStatusResult::setDelegationIdMismatchFault,
                    org.gelato.ce.ws.cream2.wsdl.JobStatusResult::setLeaseIdMismatchFault,
                    org.gelato.ce.ws.cream2.wsdl.JobStatusResult::setGenericFault);
    private static final Cream2Faults.Slots<org.gelato.ce.ws.cream2.wsdl.JobInfoResult> OF_INFO =
            new Cream2Faults.Slots<>(
                    org.gelato.ce.ws.cream2.wsdl.JobInfoResult::setJobUnknownFault,
                    org.gelato.ce.ws.cream2.wsdl.JobInfoResult::setJobStatusInvalidFault,
                    org.gelato.ce.ws.cream2.wsdl.JobInfoResult::setDateMismatchFault,
                    org.gelato.ce.ws.cream2.wsdl.JobInfoResult::setDelegationIdMismatchFault,
                    org.gelato.ce.ws.cream2.wsdl.JobInfoResult::setLeaseIdMismatchFault,
                    org.gelato.ce.ws.cream2.wsdl.JobInfoResult::setGenericFault);

    private final Jobs jobs;
    private final SandboxAccess sandboxes;
    private final JobMapping mapping;
    private final SoapCall call;

    JobOperations(Jobs jobs, SandboxAccess sandboxes, JobMapping mapping, SoapCall call) {
        this.jobs = jobs;
        this.sandboxes = sandboxes;
        this.mapping = mapping;
        this.call = call;
    }

    StreamedResponse register(JobRegisterRequest request) {
        return register(request.getJobDescriptionList().stream()
                .map(mapping::description)
                .toList());
    }

    private StreamedResponse register(List<JobDescription> descriptions) {
        if (descriptions.isEmpty()) {
            throw ServiceException.invalid("job description not specified!");
        }
        RegisterRequest registration = new RegisterRequest(descriptions, call.iceId(), call.idempotencyKey());
        log(descriptions.size());
        sandboxes.admit(call.caller());
        List<RegisterResult> results = jobs.registration().register(call.caller(), registration);
        call.refused().accept(results.stream().map(RegisterResult::fault));
        return new SlicedResponse<>(
                "JobRegisterResponse", List.of(results).iterator(), ResultWriter.REGISTERED.by(this::registered), null);
    }

    private JobRegisterResult registered(RegisterResult result) {
        JobRegisterResult wire = new JobRegisterResult();
        wire.setJobDescriptionId(result.clientRef());
        if (result.fault() == null) {
            String sandbox = result.sandbox() == null ? null : result.sandbox().toString();
            wire.setJobId(mapping.registered(result.id(), sandbox, result.properties()));
            return wire;
        }
        mapping.faults().ofRegistration(wire, call.caller(), result.fault());
        return wire;
    }

    CommandResult start(org.gelato.ce.ws.cream2.wsdl.JobFilter filter) {
        return command("JOB_START", jobs.commands()::start, filter);
    }

    CommandResult cancel(org.gelato.ce.ws.cream2.wsdl.JobFilter filter) {
        return command("JOB_CANCEL", jobs.commands()::cancel, filter);
    }

    CommandResult purge(org.gelato.ce.ws.cream2.wsdl.JobFilter filter) {
        return command("JOB_PURGE", jobs.commands()::purge, filter);
    }

    CommandResult suspend(org.gelato.ce.ws.cream2.wsdl.JobFilter filter) {
        return command("JOB_SUSPEND", jobs.commands()::suspend, filter);
    }

    CommandResult resume(org.gelato.ce.ws.cream2.wsdl.JobFilter filter) {
        return command("JOB_RESUME", jobs.commands()::resume, filter);
    }

    /**
     * Without {@code newLeaseId} the jobs have no lease any more.
     *
     * @throws ServiceException INVALID_ARGUMENT without a filter element, which must not mean all jobs
     */
    CommandResult setLease(JobSetLeaseIdRequest request) {
        if (request.getJobFilter() == null) {
            throw ServiceException.invalid("jobFilter not specified!");
        }
        String lease = LeaseOperations.id(request.getNewLeaseId());
        return command(
                "JOB_SET_LEASEID",
                (caller, filter) -> jobs.commands().setLease(caller, lease, filter),
                request.getJobFilter());
    }

    private CommandResult command(
            String name,
            BiFunction<Caller, JobFilter, List<org.gelato.ce.core.service.CommandResult>> command,
            org.gelato.ce.ws.cream2.wsdl.JobFilter wire) {
        JobFilter filter = mapping.filter(wire);
        log(filter.ids().size());
        CommandResult response = new CommandResult();
        command.apply(call.caller(), filter).stream()
                .map(result -> commanded(name, result))
                .forEach(response.getResult()::add);
        return response;
    }

    private Result commanded(String command, org.gelato.ce.core.service.CommandResult result) {
        Result one = new Result();
        one.setJobId(mapping.jobId(result.id()));
        if (result.fault() != null) {
            mapping.faults().ofJob(one, OF_COMMAND, command, result.fault());
        }
        return one;
    }

    /** A call that the gate has read. */
    StreamedResponse listed() {
        return call.operation().equals("JobRegister")
                ? register(call.listed().stream().map(mapping::description).toList())
                : byIds(call.listed().stream()
                        .map(id -> id.get(Cream2Operation.ID).strip())
                        .toList());
    }

    /** The call's operation on jobs of which nothing but the ids is given. */
    private StreamedResponse byIds(List<String> ids) {
        JobFilter filter = JobFilter.ofIds(ids);
        log(ids.size());
        return switch (call.operation()) {
            case "JobStatus" -> status(filter);
            case "JobInfo" -> info(filter);
            case "JobStart" -> commanded("JOB_START", filter, jobs.commands()::start);
            case "JobCancel" -> commanded("JOB_CANCEL", filter, jobs.commands()::cancel);
            case "JobPurge" -> commanded("JOB_PURGE", filter, jobs.commands()::purge);
            case "JobSuspend" -> commanded("JOB_SUSPEND", filter, jobs.commands()::suspend);
            case "JobResume" -> commanded("JOB_RESUME", filter, jobs.commands()::resume);
            default -> throw new IllegalStateException(call.operation() + " takes no list of ids");
        };
    }

    private StreamedResponse commanded(
            String command,
            JobFilter filter,
            BiFunction<Caller, JobFilter, List<org.gelato.ce.core.service.CommandResult>> commands) {
        return new SlicedResponse<>(
                call.operation() + "Response",
                List.of(commands.apply(call.caller(), filter)).iterator(),
                ResultWriter.COMMAND.by(result -> commanded(command, result)),
                null);
    }

    StreamedResponse status(org.gelato.ce.ws.cream2.wsdl.JobFilter filter) {
        return status(mapping.filter(filter));
    }

    private StreamedResponse status(JobFilter filter) {
        return new SlicedResponse<>(
                "JobStatusResponse",
                jobs.queries().statuses(call.caller(), filter),
                new StatusWriter(mapping, ResultWriter.STATUS.by(this::statusFault)),
                null);
    }

    private org.gelato.ce.ws.cream2.wsdl.JobStatusResult statusFault(JobStatusResult result) {
        org.gelato.ce.ws.cream2.wsdl.JobStatusResult one = new org.gelato.ce.ws.cream2.wsdl.JobStatusResult();
        one.setJobDescriptionId(mapping.resultRef(result.id()));
        mapping.faults().ofJob(one, OF_STATUS, "jobStatus", result.fault());
        return one;
    }

    StreamedResponse info(org.gelato.ce.ws.cream2.wsdl.JobFilter filter) {
        return info(mapping.filter(filter));
    }

    private StreamedResponse info(JobFilter filter) {
        return new SlicedResponse<>(
                "JobInfoResponse", jobs.queries().infos(call.caller(), filter), ResultWriter.INFO.by(this::info), null);
    }

    private org.gelato.ce.ws.cream2.wsdl.JobInfoResult info(JobInfoResult result) {
        org.gelato.ce.ws.cream2.wsdl.JobInfoResult one = new org.gelato.ce.ws.cream2.wsdl.JobInfoResult();
        one.setJobDescriptionId(mapping.resultRef(result.id()));
        if (result.fault() == null) {
            one.setJobInfo(mapping.info(result.info()));
            return one;
        }
        mapping.faults().ofJob(one, OF_INFO, "jobInfo", result.fault());
        return one;
    }

    StreamedResponse list() {
        return new SlicedResponse<>(
                "JobListResponse",
                jobs.queries().lists(call.caller()),
                ResultWriter.ID.by(id -> mapping.jobId(id.toString())),
                null);
    }

    private void log(int count) {
        log.debug(
                "{} of {} jobs by {}",
                call.operation(),
                count,
                call.caller().identity().subject());
    }
}
