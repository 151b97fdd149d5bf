package org.gelato.ce.ws.cream2;

import jakarta.jws.WebService;
import org.gelato.ce.core.job.ServiceException;
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

/** The port type of the job service for one call: made, used and dropped by the thread that serves it. */
@WebService(endpointInterface = "org.gelato.ce.ws.cream2.wsdl.Cream2")
public final class Cream2Endpoint implements Cream2 {
    private final JobOperations jobs;
    private final ServiceInfoReply serviceInfo;
    private final EventOperations events;

    Cream2Endpoint(JobOperations jobs, ServiceInfoReply serviceInfo, EventOperations events) {
        this.jobs = jobs;
        this.serviceInfo = serviceInfo;
        this.events = events;
    }

    @Override
    public ServiceInfo getServiceInfo(int verbosity) {
        return serviceInfo.at(verbosity);
    }

    @Override
    public JobRegisterResponse jobRegister(JobRegisterRequest request) {
        return jobs.register(request);
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
        return jobs.status(filter);
    }

    @Override
    public JobInfoResponse jobInfo(JobFilter filter) {
        return jobs.info(filter);
    }

    @Override
    public JobListResponse jobList() {
        return jobs.list();
    }

    @Override
    public void acceptNewJobSubmissions(boolean accept) {
        throw unsupported(Cream2Operation.ACCEPT_NEW_JOB_SUBMISSIONS);
    }

    @Override
    public CommandResult jobSuspend(JobFilter filter) {
        throw unsupported(Cream2Operation.JOB_SUSPEND);
    }

    @Override
    public CommandResult jobResume(JobFilter filter) {
        throw unsupported(Cream2Operation.JOB_RESUME);
    }

    @Override
    public QueryEventResult queryEvent(QueryEventRequest request) {
        return events.query(request);
    }

    @Override
    public Lease setLease(Lease lease) {
        throw unsupported(Cream2Operation.SET_LEASE);
    }

    @Override
    public Lease getLease(String id) {
        throw unsupported(Cream2Operation.GET_LEASE);
    }

    @Override
    public GetLeaseListResponse getLeaseList() {
        throw unsupported(Cream2Operation.GET_LEASE_LIST);
    }

    @Override
    public void deleteLease(String id) {
        throw unsupported(Cream2Operation.DELETE_LEASE);
    }

    @Override
    public CommandResult jobSetLeaseId(JobSetLeaseIdRequest request) {
        throw unsupported(Cream2Operation.JOB_SET_LEASE_ID);
    }

    private static ServiceException unsupported(Cream2Operation operation) {
        return new ServiceException.NotSupported(operation.soap().name() + " is not supported by this version");
    }
}
