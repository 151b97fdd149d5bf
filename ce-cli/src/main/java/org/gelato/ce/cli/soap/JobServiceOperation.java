package org.gelato.ce.cli.soap;

/** The operations of the job service that the commands use: names of the wire (docs/developer/protocol/cream2-wire.md sections 1 and 3). */
enum JobServiceOperation {
    SERVICE_INFO("ServiceInfo", "ServiceInfoRequest", "ServiceInfoResponse"),
    ACCEPT_SUBMISSIONS("AcceptNewJobSubmissions", "acceptNewJobSubmissions", null),
    REGISTER("JobRegister"),
    START("JobStart"),
    CANCEL("JobCancel"),
    PURGE("JobPurge"),
    SUSPEND("JobSuspend"),
    RESUME("JobResume"),
    STATUS("JobStatus"),
    INFO("JobInfo"),
    LIST("JobList", null, "JobListResponse"),
    EVENTS("QueryEvent", "QueryEventRequest", "QueryEventResult"),
    SET_LEASE("setLease"),
    GET_LEASE("getLease"),
    LIST_LEASES("getLeaseList", null, "getLeaseListResponse"),
    DELETE_LEASE("deleteLease", "deleteLeaseRequest", null),
    ATTACH_LEASE("JobSetLeaseId");

    private static final String ACTIONS = "http://glite.org/2007/11/ce/cream/";

    private final String action;
    private final String request;
    private final String response;

    JobServiceOperation(String name) {
        this(name, name + "Request", name + "Response");
    }

    JobServiceOperation(String action, String request, String response) {
        this.action = action;
        this.request = request;
        this.response = response;
    }

    /** The value of SOAPAction. */
    String action() {
        return ACTIONS + action;
    }

    /** An empty element for the request's Body. */
    Element request() {
        return new Element(request);
    }

    /** The same with this text. */
    Element request(Object text) {
        return new Element(request, text.toString());
    }

    /** The name of the element in the response's Body; null where the Body is empty. */
    String response() {
        return response;
    }
}
