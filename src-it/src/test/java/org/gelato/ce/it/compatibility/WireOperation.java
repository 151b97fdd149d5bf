package org.gelato.ce.it.compatibility;

import org.gelato.ce.it.badinput.RawClient;

/** The operations of both services (docs/developer/protocol/cream2-wire.md section 3, docs/developer/protocol/delegation-wire.md section 2). */
enum WireOperation {
    SERVICE_INFO("getServiceInfo", "ServiceInfo", "ServiceInfoRequest", "ServiceInfoResponse"),
    ACCEPT_NEW_JOBS("acceptNewJobSubmissions", "AcceptNewJobSubmissions", "acceptNewJobSubmissions", null),
    JOB_REGISTER("JobRegister", "JobRegister", "JobRegisterRequest", "JobRegisterResponse"),
    JOB_START("JobStart", "JobStart", "JobStartRequest", "JobStartResponse"),
    JOB_CANCEL("JobCancel", "JobCancel", "JobCancelRequest", "JobCancelResponse"),
    JOB_PURGE("JobPurge", "JobPurge", "JobPurgeRequest", "JobPurgeResponse"),
    JOB_SUSPEND("JobSuspend", "JobSuspend", "JobSuspendRequest", "JobSuspendResponse"),
    JOB_RESUME("JobResume", "JobResume", "JobResumeRequest", "JobResumeResponse"),
    JOB_STATUS("JobStatus", "JobStatus", "JobStatusRequest", "JobStatusResponse"),
    JOB_INFO("JobInfo", "JobInfo", "JobInfoRequest", "JobInfoResponse"),
    JOB_LIST("JobList", "JobList", null, "JobListResponse"),
    QUERY_EVENT("QueryEvent", "QueryEvent", "QueryEventRequest", "QueryEventResult"),
    SET_LEASE("setLease", "setLease", "setLeaseRequest", "setLeaseResponse"),
    GET_LEASE("getLease", "getLease", "getLeaseRequest", "getLeaseResponse"),
    GET_LEASE_LIST("getLeaseList", "getLeaseList", null, "getLeaseListResponse"),
    DELETE_LEASE("deleteLease", "deleteLease", "deleteLeaseRequest", null),
    JOB_SET_LEASE_ID("JobSetLeaseId", "JobSetLeaseId", "JobSetLeaseIdRequest", "JobSetLeaseIdResponse"),
    GET_VERSION("getVersion"),
    GET_INTERFACE_VERSION("getInterfaceVersion"),
    GET_SERVICE_METADATA("getServiceMetadata"),
    GET_PROXY_REQ("getProxyReq"),
    GET_NEW_PROXY_REQ("getNewProxyReq"),
    RENEW_PROXY_REQ("renewProxyReq"),
    PUT_PROXY("putProxy"),
    GET_TERMINATION_TIME("getTerminationTime"),
    DESTROY("destroy");

    private static final String NAMESPACE = "http://glite.org/2007/11/ce/cream/";

    private final String wsdlName;
    private final String action;
    private final String request;
    private final String response;
    private final boolean delegation;

    WireOperation(String wsdlName, String action, String request, String response) {
        this.wsdlName = wsdlName;
        this.action = action;
        this.request = request;
        this.response = response;
        this.delegation = false;
    }

    WireOperation(String wsdlName) {
        this.wsdlName = wsdlName;
        this.action = "";
        this.request = wsdlName;
        this.response = wsdlName + "Response";
        this.delegation = true;
    }

    boolean isDelegation() {
        return delegation;
    }

    String wsdlName() {
        return wsdlName;
    }

    /** Last segment of the SOAPAction; empty for delegation calls. */
    String bareAction() {
        return action;
    }

    /** SOAPAction without quotes. */
    String action() {
        return delegation ? "" : NAMESPACE + action;
    }

    /** Local name of the request's element; null for an empty Body. */
    String request() {
        return request;
    }

    /** Local name of the response's element; null for an empty Body. */
    String response() {
        return response;
    }

    String path() {
        return delegation ? RawClient.DELEGATION : RawClient.CREAM2;
    }
}
