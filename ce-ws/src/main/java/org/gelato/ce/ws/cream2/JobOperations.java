package org.gelato.ce.ws.cream2;

import java.util.List;
import java.util.function.BiFunction;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.CommandResult;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.JobFault;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobInfoResult;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.core.service.RegisterRequest;
import org.gelato.ce.core.service.RegisterResult;
import org.gelato.ce.ws.soap.ElementWriter;
import org.gelato.ce.ws.soap.RequestElement;
import org.gelato.ce.ws.soap.SoapCall;
import org.gelato.ce.ws.soap.StreamedResponse;
import org.gelato.ce.ws.web.SandboxAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operations on jobs for one call. JDLs and proxies are never logged. */
final class JobOperations {
    private static final Logger log = LoggerFactory.getLogger(JobOperations.class);
    private static final String RESULT = "result";
    private static final String DESCRIPTION_ID = "jobDescriptionId";

    private final Jobs jobs;
    private final SandboxAccess sandboxes;
    private final JobMapping mapping;
    private final Cream2Faults faults;
    private final SoapCall call;

    JobOperations(Jobs jobs, SandboxAccess sandboxes, JobMapping mapping, Cream2Faults faults, SoapCall call) {
        this.jobs = jobs;
        this.sandboxes = sandboxes;
        this.mapping = mapping;
        this.faults = faults;
        this.call = call;
    }

    StreamedResponse serve() {
        return switch (call.operation()) {
            case "JobRegister" -> register();
            case "JobStart" -> command("JOB_START", jobs.commands()::start, call.payload());
            case "JobCancel" -> command("JOB_CANCEL", jobs.commands()::cancel, call.payload());
            case "JobPurge" -> command("JOB_PURGE", jobs.commands()::purge, call.payload());
            case "JobSuspend" -> command("JOB_SUSPEND", jobs.commands()::suspend, call.payload());
            case "JobResume" -> command("JOB_RESUME", jobs.commands()::resume, call.payload());
            case "JobSetLeaseId" -> setLease();
            case "JobStatus" -> status();
            case "JobInfo" -> info();
            case "JobList" -> list();
            default -> throw new IllegalStateException(call.operation() + " is no operation on jobs");
        };
    }

    private StreamedResponse register() {
        List<JobDescription> descriptions = call.payload().all("jobDescriptionList").stream()
                .map(JobMapping::description)
                .toList();
        if (descriptions.isEmpty()) {
            throw ServiceException.invalid("job description not specified!");
        }
        RegisterRequest registration = new RegisterRequest(descriptions, call.iceId(), call.idempotencyKey());
        log(descriptions.size());
        sandboxes.admit(call.caller());
        List<RegisterResult> results = jobs.registration().register(call.caller(), registration);
        call.refused().accept(results.stream().map(RegisterResult::fault));
        return SlicedResponse.of("JobRegisterResponse", results, this::registered);
    }

    private void registered(RegisterResult result, ElementWriter to) {
        to.open(RESULT, DESCRIPTION_ID, result.clientRef());
        if (result.fault() == null) {
            String sandbox = result.sandbox() == null ? null : result.sandbox().toString();
            mapping.registered(result.id(), sandbox, result.properties(), to);
        } else {
            faults.ofRegistration(call.caller(), result.fault(), to);
        }
        to.close(RESULT);
    }

    /**
     * Without {@code newLeaseId} the jobs have no lease any more.
     *
     * @throws ServiceException INVALID_ARGUMENT without a filter element, which must not mean all jobs
     */
    private StreamedResponse setLease() {
        RequestElement filter = call.payload().last("jobFilter");
        if (filter == null || filter.isNil()) {
            throw ServiceException.invalid("jobFilter not specified!");
        }
        Cream2Operation.JOB_SET_LEASE_ID.checkFilter(filter);
        String lease = LeaseOperations.id(call.payload().text("newLeaseId"));
        return command("JOB_SET_LEASEID", (caller, chosen) -> jobs.commands().setLease(caller, lease, chosen), filter);
    }

    private StreamedResponse command(
            String name, BiFunction<Caller, JobFilter, List<CommandResult>> command, RequestElement wire) {
        JobFilter filter = filter(wire);
        return SlicedResponse.of(call.operation() + "Response", command.apply(call.caller(), filter), (result, to) -> {
            mapping.jobId("jobId", result.id(), to.open(RESULT));
            if (result.fault() != null) {
                faults.ofJob(name, result.fault(), to);
            }
            to.close(RESULT);
        });
    }

    private JobFilter filter(RequestElement wire) {
        JobFilter filter = JobMapping.filter(wire);
        log(filter.ids().size());
        return filter;
    }

    private StreamedResponse status() {
        return new SlicedResponse<>(
                "JobStatusResponse",
                jobs.queries().statuses(call.caller(), filter(call.payload())),
                new StatusWriter(mapping, (result, to) -> fault("jobStatus", result.id(), result.fault(), to)),
                null);
    }

    private void fault(String method, String id, JobFault fault, ElementWriter to) {
        to.open(RESULT, DESCRIPTION_ID, mapping.resultRef(id));
        faults.ofJob(method, fault, to);
        to.close(RESULT);
    }

    private StreamedResponse info() {
        return new SlicedResponse<>(
                "JobInfoResponse", jobs.queries().infos(call.caller(), filter(call.payload())), this::info, null);
    }

    private void info(JobInfoResult result, ElementWriter to) {
        if (result.fault() != null) {
            fault("jobInfo", result.id(), result.fault(), to);
            return;
        }
        to.open(RESULT, DESCRIPTION_ID, mapping.resultRef(result.id()));
        mapping.info(result.info(), to);
        to.close(RESULT);
    }

    private StreamedResponse list() {
        return new SlicedResponse<>(
                "JobListResponse",
                jobs.queries().lists(call.caller()),
                (id, to) -> mapping.jobId(RESULT, id.toString(), to),
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
