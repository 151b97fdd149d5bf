package org.gelato.ce.ws.cream2;

import jakarta.servlet.http.HttpServletResponse;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.FaultCode;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.JobFault;
import org.gelato.ce.ws.cream2.wsdl.BaseFaultType;
import org.gelato.ce.ws.cream2.wsdl.JobRegisterResult;
import org.gelato.ce.ws.soap.gate.Incident;
import org.gelato.ce.ws.soap.gate.SoapFault;
import org.gelato.ce.ws.soap.gate.WireTime;
import org.gelato.ce.ws.web.HttpFaults;
import org.gelato.ce.ws.xml.XmlText;
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
        boolean said = failure instanceof ServiceException;
        if (!said && !Database.isFailure(failure)) {
            return fault(FaultCode.INTERNAL, false, INTERNAL, GENERIC, operation, INTERNAL, incident);
        }
        String text = said ? failure.getMessage() : DATABASE;
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

    /** Where a result of a query or a command has its faults. */
    record Slots<W>(
            BiConsumer<W, BaseFaultType> unknown,
            BiConsumer<W, BaseFaultType> status,
            BiConsumer<W, BaseFaultType> date,
            BiConsumer<W, BaseFaultType> delegation,
            BiConsumer<W, BaseFaultType> lease,
            BiConsumer<W, BaseFaultType> generic) {}

    /**
     * Sets the fault of one job in the response to a query or a command, whose codes and texts differ.
     *
     * @param method {@code jobStatus}, {@code jobInfo}, or a command's name such as {@code JOB_CANCEL}
     */
    <W> void ofJob(W result, Slots<W> slots, String method, JobFault fault) {
        boolean command = method.startsWith("JOB_");
        String cause = fault.cause();
        switch (fault.code()) {
            case JOB_UNKNOWN ->
                slots.unknown.accept(
                        result, job(method, command ? "1" : "2", command ? "job not found!" : "job not found", cause));
            case STATUS_INVALID ->
                slots.status.accept(
                        result,
                        command
                                ? job(
                                        method,
                                        "2",
                                        "the job has a status not compatible with the " + method + " command!",
                                        cause)
                                : job(method, "4", "job status mismatch", cause));
            case DATE_MISMATCH ->
                slots.date.accept(result, job(method, command ? "3" : NO_CODE, "fromDate/toDate mismatch", cause));
            case DELEGATION_ID_MISMATCH ->
                slots.delegation.accept(result, job(method, command ? "3" : "1", "delegationId mismatch", cause));
            case LEASE_ID_MISMATCH -> slots.lease.accept(result, job(method, "3", "leaseId mismatch", cause));
            default -> slots.generic.accept(result, job(method, NO_CODE, SYSTEM_ERROR, cause));
        }
    }

    /** Sets the fault of one description that did not become a job of the caller. */
    void ofRegistration(JobRegisterResult result, Caller caller, JobFault fault) {
        String cause = fault.cause();
        switch (fault.code()) {
            case DELEGATION_MISSING ->
                result.setDelegationIdMismatchFault(registration("delegation id not specified!", null));
            case DELEGATION_UNKNOWN ->
                result.setDelegationProxyFault(registration(
                        PUT_PROXY_FAILED,
                        "delegation [delegId=" + cause + "; dn="
                                + caller.identity().subject() + "; localUser=" + caller.account() + "] not found!"));
            case DELEGATION_ENDED ->
                result.setDelegationProxyFault(registration(
                        "the delegation [id=" + cause + "] is not more valid!;", "delegation proxy expired!"));
            case DELEGATION_REFUSED -> result.setDelegationProxyFault(registration(PUT_PROXY_FAILED, cause));
            case LEASE_UNKNOWN ->
                result.setLeaseIdMismatchFault(
                        registration("lease id not found!", "lease id \"" + cause + "\" not found!"));
            default -> result.setGenericFault(registration(SYSTEM_ERROR, cause));
        }
    }

    private BaseFaultType registration(String description, String cause) {
        return job("jobRegister", NO_CODE, description, cause);
    }

    private BaseFaultType job(String method, String code, String description, String cause) {
        BaseFaultType type = new BaseFaultType();
        type.setMethodName(method);
        type.setTimestamp(WireTime.toWire(clock.instant()));
        type.setErrorCode(code);
        type.setDescription(XmlText.clean(description));
        type.setFaultCause(cause == null ? NONE : XmlText.clean(cause));
        return type;
    }
}
