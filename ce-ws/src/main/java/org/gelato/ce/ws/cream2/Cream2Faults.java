package org.gelato.ce.ws.cream2;

import jakarta.servlet.http.HttpServletResponse;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.JobFault;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.soap.ElementWriter;
import org.gelato.ce.ws.soap.Incident;
import org.gelato.ce.ws.soap.SoapFault;
import org.gelato.ce.ws.soap.WireTime;
import org.gelato.ce.ws.web.HttpFaults;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one translation of failures to the faults of the wire: of whole calls (docs/developer/protocol/cream2-wire.md section 5) and of
 * single jobs (section 6). Thread-safe.
 */
final class Cream2Faults {
    private static final Logger log = LoggerFactory.getLogger(Cream2Faults.class);
    static final String NONE = "N/A";
    private static final String NO_CODE = "0";
    private static final String LEASE_CODE = "1";
    private static final String NOT_AUTHORIZED = "Authorization error";
    private static final String GENERIC = "GenericFault";
    private static final String DELEGATION_PROXY = "DelegationProxyFault";
    private static final String DELEGATION_ID_MISMATCH = "DelegationIdMismatchFault";
    private static final String LEASE_ID_MISMATCH = "LeaseIdMismatchFault";
    private static final String INTERNAL = "internal error";
    private static final String SYSTEM_ERROR = "system error";
    private static final String EXECUTE = "execute";
    private static final String PUT_PROXY_FAILED = "delegation error: put proxy failed!";
    private static final String DATABASE = "database error occurred";
    private static final String DISABLED = "The CREAM service cannot accept jobs at the moment";
    private static final String NOT_COMPATIBLE = "Status specified not compatible for the request command.";

    private final Clock clock;

    Cream2Faults(Clock clock) {
        this.clock = clock;
    }

    /**
     * The fault of a whole call.
     *
     * @param operation the WSDL's name
     */
    SoapFault of(String operation, Throwable failure) {
        FaultCode code = HttpFaults.code(failure);
        String method = methodName(operation);
        String text = failure.getMessage();
        String cause = failure instanceof ServiceException e ? e.faultCause() : null;
        return switch (code) {
            case INVALID_ARGUMENT, TOO_LARGE -> fault(code, true, text, "InvalidArgumentFault", method, text, cause);
            case REQUEST_REFUSED -> fault(code, true, text, GENERIC, operation, "the request is refused", text);
            case SUBMISSION_DISABLED ->
                fault(code, false, DISABLED, "JobSubmissionDisabledFault", method, DISABLED, cause);
            case STATUS_NOT_COMPATIBLE ->
                fault(code, false, NOT_COMPATIBLE, GENERIC, EXECUTE, NOT_COMPATIBLE, NOT_COMPATIBLE);
            case LEASE_UNKNOWN, LEASE_REFUSED -> fault(code, false, text, GENERIC, method, text, cause);
            case UNAVAILABLE -> {
                String what = failure instanceof ServiceException e && e.code() == code ? text : DATABASE;
                yield fault(code, false, what, GENERIC, EXECUTE, what, HttpFaults.text(failure));
            }
            case INTERNAL -> internal(operation, failure);
            default ->
                HttpFaults.status(code) == HttpServletResponse.SC_FORBIDDEN
                        ? fault(code, true, NOT_AUTHORIZED, "AuthorizationFault", operation, text, cause)
                        : fault(code, false, text, GENERIC, EXECUTE, text, cause);
        };
    }

    private SoapFault internal(String operation, Throwable failure) {
        String incident = Incident.log(log, operation, failure);
        boolean reported = failure instanceof ServiceException;
        if (!reported && !Database.isFailure(failure)) {
            return fault(FaultCode.INTERNAL, false, INTERNAL, GENERIC, operation, INTERNAL, incident);
        }
        String text = reported ? failure.getMessage() : DATABASE;
        return fault(FaultCode.INTERNAL, false, text, GENERIC, EXECUTE, text, text + " (" + incident + ")");
    }

    /** The wire's name of the method, which for setLease is another one. */
    private static String methodName(String operation) {
        return operation.equals("setLease")
                ? "jobLease"
                : operation.substring(0, 1).toLowerCase(Locale.ROOT) + operation.substring(1);
    }

    private SoapFault fault(
            FaultCode code,
            boolean client,
            String text,
            String element,
            String method,
            String description,
            String cause) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("MethodName", method);
        fields.put("Timestamp", WireTime.format(clock.instant()));
        fields.put(
                "ErrorCode", code == FaultCode.LEASE_UNKNOWN || code == FaultCode.LEASE_REFUSED ? LEASE_CODE : NO_CODE);
        put(fields, "Description", description);
        put(fields, "FaultCause", cause);
        return new SoapFault(code, client, text == null ? element : text, Cream2Operation.type(element), fields, true);
    }

    private static void put(Map<String, String> fields, String name, String value) {
        if (value != null) {
            fields.put(name, value);
        }
    }

    /**
     * Writes the fault of one job in the response to a query or a command, whose codes and texts differ.
     *
     * @param method {@code jobStatus}, {@code jobInfo}, or a command's name such as {@code JOB_CANCEL}
     */
    void ofJob(String method, JobFault fault, ElementWriter to) {
        boolean command = method.startsWith("JOB_");
        String cause = fault.cause();
        switch (fault.code()) {
            case JOB_UNKNOWN ->
                write(
                        "JobUnknownFault",
                        method,
                        command ? "1" : "2",
                        command ? "job not found!" : "job not found",
                        cause,
                        to);
            case STATUS_INVALID ->
                write(
                        "JobStatusInvalidFault",
                        method,
                        command ? "2" : "4",
                        command
                                ? "the job has a status not compatible with the " + method + " command!"
                                : "job status mismatch",
                        cause,
                        to);
            case DATE_MISMATCH ->
                write("DateMismatchFault", method, command ? "3" : NO_CODE, "fromDate/toDate mismatch", cause, to);
            case DELEGATION_ID_MISMATCH ->
                write(DELEGATION_ID_MISMATCH, method, command ? "3" : "1", "delegationId mismatch", cause, to);
            case LEASE_ID_MISMATCH -> write(LEASE_ID_MISMATCH, method, "3", "leaseId mismatch", cause, to);
            default -> write(GENERIC, method, NO_CODE, SYSTEM_ERROR, cause, to);
        }
    }

    /** Writes the fault of one description that did not become a job of the caller. */
    void ofRegistration(Caller caller, JobFault fault, ElementWriter to) {
        String cause = fault.cause();
        switch (fault.code()) {
            case DELEGATION_MISSING -> registration(DELEGATION_ID_MISMATCH, "delegation id not specified!", null, to);
            case DELEGATION_UNKNOWN ->
                registration(
                        DELEGATION_PROXY,
                        PUT_PROXY_FAILED,
                        "delegation [delegId=" + cause + "; dn="
                                + caller.identity().subject() + "; localUser=" + caller.account() + "] not found!",
                        to);
            case DELEGATION_ENDED ->
                registration(
                        DELEGATION_PROXY,
                        "the delegation [id=" + cause + "] is not more valid!;",
                        "delegation proxy expired!",
                        to);
            case DELEGATION_REFUSED -> registration(DELEGATION_PROXY, PUT_PROXY_FAILED, cause, to);
            case LEASE_UNKNOWN ->
                registration(LEASE_ID_MISMATCH, "lease id not found!", "lease id \"" + cause + "\" not found!", to);
            default -> registration(GENERIC, SYSTEM_ERROR, cause, to);
        }
    }

    private void registration(String element, String description, String cause, ElementWriter to) {
        write(element, "jobRegister", NO_CODE, description, cause, to);
    }

    private void write(String element, String method, String code, String description, String cause, ElementWriter to) {
        to.open(element)
                .leaf("MethodName", method)
                .leaf("Timestamp", clock.instant())
                .leaf("ErrorCode", code)
                .leaf("Description", description)
                .leaf("FaultCause", cause == null ? NONE : cause)
                .close(element);
    }
}
