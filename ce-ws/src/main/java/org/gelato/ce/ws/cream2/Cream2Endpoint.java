package org.gelato.ce.ws.cream2;

import jakarta.jws.WebMethod;
import jakarta.jws.WebService;
import java.util.function.Consumer;
import org.gelato.ce.ws.cream2.wsdl.CommandResult;
import org.gelato.ce.ws.cream2.wsdl.Cream2;
import org.gelato.ce.ws.cream2.wsdl.GetLeaseListResponse;
import org.gelato.ce.ws.cream2.wsdl.JobFilter;
import org.gelato.ce.ws.cream2.wsdl.JobInfoResponse;
import org.gelato.ce.ws.cream2.wsdl.JobListResponse;
import org.gelato.ce.ws.cream2.wsdl.JobRegisterRequest;
import org.gelato.ce.ws.cream2.wsdl.JobRegisterResponse;
import org.gelato.ce.ws.cream2.wsdl.JobSetLeaseIdRequest;
import org.gelato.ce.ws.cream2.wsdl.JobStatusResponse;
import org.gelato.ce.ws.cream2.wsdl.Lease;
import org.gelato.ce.ws.cream2.wsdl.QueryEventRequest;
import org.gelato.ce.ws.cream2.wsdl.QueryEventResult;
import org.gelato.ce.ws.cream2.wsdl.ServiceInfo;
import org.gelato.ce.ws.soap.gate.StreamedResponse;
import org.gelato.ce.ws.soap.gate.StreamingEndpoint;

/** The port type of the job service for one call: made, used and dropped by the thread that serves it. */
@WebService(endpointInterface = "org.gelato.ce.ws.cream2.wsdl.Cream2")
public final class Cream2Endpoint implements Cream2, StreamingEndpoint {
    private final JobOperations jobs;
    private final ServiceInfoReply serviceInfo;
    private final Consumer<Boolean> submissions;
    private final LeaseOperations leases;
    private final EventOperations events;
    private StreamedResponse response;

    Cream2Endpoint(
            JobOperations jobs,
            ServiceInfoReply serviceInfo,
            Consumer<Boolean> submissions,
            LeaseOperations leases,
            EventOperations events) {
        this.jobs = jobs;
        this.serviceInfo = serviceInfo;
        this.submissions = submissions;
        this.leases = leases;
        this.events = events;
    }

    @Override
    @WebMethod(exclude = true)
    public StreamedResponse response() {
        return response;
    }

    @Override
    public ServiceInfo getServiceInfo(int verbosity) {
        return serviceInfo.at(verbosity);
    }

    @Override
    public JobRegisterResponse jobRegister(JobRegisterRequest request) {
        response = jobs.register(request);
        return new JobRegisterResponse();
    }

    @Override
    public CommandResult jobStart(JobFilter filter) {
        return jobs.start(filter);
    }

    @Override
    public CommandResult jobCancel(JobFilter filter) {
        return jobs.cancel(filter);
    }

    @Override
    public CommandResult jobPurge(JobFilter filter) {
        return jobs.purge(filter);
    }

    @Override
    public JobStatusResponse jobStatus(JobFilter filter) {
        response = jobs.status(filter);
        return new JobStatusResponse();
    }

    @Override
    public JobInfoResponse jobInfo(JobFilter filter) {
        response = jobs.info(filter);
        return new JobInfoResponse();
    }

    @Override
    public JobListResponse jobList() {
        response = jobs.list();
        return new JobListResponse();
    }

    @Override
    public void acceptNewJobSubmissions(boolean accept) {
        submissions.accept(accept);
    }

    @Override
    public CommandResult jobSuspend(JobFilter filter) {
        return jobs.suspend(filter);
    }

    @Override
    public CommandResult jobResume(JobFilter filter) {
        return jobs.resume(filter);
    }

    @Override
    public QueryEventResult queryEvent(QueryEventRequest request) {
        response = events.query(request);
        return new QueryEventResult();
    }

    @Override
    public Lease setLease(Lease lease) {
        return leases.set(lease);
    }

    @Override
    public Lease getLease(String id) {
        return leases.get(id);
    }

    @Override
    public GetLeaseListResponse getLeaseList() {
        return leases.list();
    }

    @Override
    public void deleteLease(String id) {
        leases.delete(id);
    }

    @Override
    public CommandResult jobSetLeaseId(JobSetLeaseIdRequest request) {
        return jobs.setLease(request);
    }
}
