package org.gelato.ce.ws.cream2;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.gelato.ce.ws.soap.RequestElement;
import org.gelato.ce.ws.soap.RequestRefused;
import org.gelato.ce.ws.soap.SoapRequest;
import org.gelato.ce.ws.web.XmlText;

/** The operations of the job service and how a request names them (docs/developer/protocol/cream2-wire.md sections 1 and 3). */
enum Cream2Operation {
    SERVICE_INFO("getServiceInfo", "ServiceInfo", "ServiceInfoRequest", Body.ELEMENT),
    ACCEPT_NEW_JOB_SUBMISSIONS(
            "acceptNewJobSubmissions", "AcceptNewJobSubmissions", "acceptNewJobSubmissions", Body.ELEMENT),
    JOB_REGISTER("JobRegister", "JobRegister", "JobRegisterRequest", Body.ELEMENT),
    JOB_START("JobStart", "JobStart", "JobStartRequest", Body.CHANGING_FILTER),
    JOB_CANCEL("JobCancel", "JobCancel", "JobCancelRequest", Body.CHANGING_FILTER),
    JOB_PURGE("JobPurge", "JobPurge", "JobPurgeRequest", Body.CHANGING_FILTER),
    JOB_SUSPEND("JobSuspend", "JobSuspend", "JobSuspendRequest", Body.CHANGING_FILTER),
    JOB_RESUME("JobResume", "JobResume", "JobResumeRequest", Body.CHANGING_FILTER),
    JOB_STATUS("JobStatus", "JobStatus", "JobStatusRequest", Body.ELEMENT),
    JOB_INFO("JobInfo", "JobInfo", "JobInfoRequest", Body.ELEMENT),
    JOB_LIST("JobList", "JobList", "JobListRequest", Body.EMPTY),
    QUERY_EVENT("QueryEvent", "QueryEvent", "QueryEventRequest", Body.ELEMENT),
    SET_LEASE("setLease", "setLease", "setLeaseRequest", Body.ELEMENT),
    GET_LEASE("getLease", "getLease", "getLeaseRequest", Body.ELEMENT),
    GET_LEASE_LIST("getLeaseList", "getLeaseList", "getLeaseListRequest", Body.EMPTY),
    DELETE_LEASE("deleteLease", "deleteLease", "deleteLeaseRequest", Body.ELEMENT),
    JOB_SET_LEASE_ID("JobSetLeaseId", "JobSetLeaseId", "JobSetLeaseIdRequest", Body.ELEMENT);

    /** What an operation's Body holds. */
    private enum Body {
        /** The fault lies in an element of the operation. */
        ELEMENT,
        /** The operation's element, a JobFilter by which jobs are changed. */
        CHANGING_FILTER,
        /** Nothing; ARC sends an element nevertheless. */
        EMPTY
    }

    static final String NAMESPACE = "http://glite.org/2007/11/ce/cream";
    static final String TYPES = NAMESPACE + "/types";

    private static final String JOB_ID = "jobId";

    private static final Set<QName> FILTER = Stream.of(
                    JOB_ID, "status", "fromDate", "toDate", "delegationId", "leaseId")
            .map(Cream2Operation::type)
            .collect(Collectors.toUnmodifiableSet());
    private static final Map<QName, Cream2Operation> BY_ELEMENT =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Cream2Operation::payload, o -> o));
    /** By the last segment of SOAPAction and by the operation's own name; the two rarely differ. */
    private static final Map<String, Cream2Operation> BY_ACTION = byAction();

    private final String wsdlName;
    private final String action;
    private final String element;
    private final Body body;

    Cream2Operation(String wsdlName, String action, String element, Body body) {
        this.wsdlName = wsdlName;
        this.action = action;
        this.element = element;
        this.body = body;
    }

    static QName type(String local) {
        return new QName(TYPES, local);
    }

    private static Map<String, Cream2Operation> byAction() {
        Map<String, Cream2Operation> map = new TreeMap<>();
        for (Cream2Operation operation : values()) {
            map.put(operation.wsdlName, operation);
            map.put(operation.action, operation);
        }
        return Map.copyOf(map);
    }

    /** The element that its Body holds. */
    QName payload() {
        return type(element);
    }

    /** The WSDL's name. */
    String wsdlName() {
        return wsdlName;
    }

    /**
     * Finds the operation: SOAPAction first, then the Body's element; an empty Body without a usable SOAPAction is
     * JobList.
     *
     * @param action SOAPAction without quotes, a URI or a bare name; null when absent
     * @throws RequestRefused when no operation is named, or when SOAPAction and Body contradict each other
     */
    static Cream2Operation of(String action, SoapRequest request) throws RequestRefused {
        Optional<Cream2Operation> named =
                Optional.ofNullable(action).map(a -> BY_ACTION.get(a.substring(a.lastIndexOf('/') + 1)));
        QName payload = payload(request);
        if (named.isEmpty() && payload == null) {
            return JOB_LIST;
        }
        Cream2Operation operation = named.or(() -> Optional.ofNullable(BY_ELEMENT.get(payload)))
                .orElseThrow(() -> new RequestRefused("no operation has the element " + named(payload)));
        operation.check(request);
        return operation;
    }

    private static QName payload(SoapRequest request) {
        return request.payload() == null ? null : request.payload().name();
    }

    private void check(SoapRequest request) throws RequestRefused {
        QName payload = payload(request);
        if (payload == null ? body != Body.EMPTY : !payload.equals(payload())) {
            throw new RequestRefused("the SOAP Body of " + wsdlName + " must hold "
                    + (body == Body.EMPTY ? "nothing" : payload()) + " but holds "
                    + named(payload));
        }
        if (body == Body.CHANGING_FILTER) {
            checkFilter(request.payload());
        }
    }

    /**
     * Of a filter without a job's id: an element intended to choose jobs must not turn into a filter that takes them all.
     *
     * @throws RequestRefused naming what is no part of a filter
     */
    void checkFilter(RequestElement filter) throws RequestRefused {
        QName foreign = filter.last(JOB_ID) == null ? filter.otherThan(FILTER) : null;
        if (foreign != null) {
            throw new RequestRefused(
                    wsdlName + " without a jobId does not take the element " + named(foreign) + ": it means all jobs");
        }
    }

    private static String named(QName element) {
        return element == null ? "nothing" : XmlText.shorten(element.toString());
    }
}
