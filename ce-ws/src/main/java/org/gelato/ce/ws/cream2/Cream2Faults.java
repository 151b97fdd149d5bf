package org.gelato.ce.ws.cream2;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.JobFault;
import org.gelato.ce.ws.cream2.wsdl.BaseFaultType;
import org.gelato.ce.ws.soap.gate.Incident;
import org.gelato.ce.ws.soap.gate.RequestRefused;
import org.gelato.ce.ws.soap.gate.SoapFault;
import org.gelato.ce.ws.soap.gate.WireTime;
import org.gelato.ce.ws.web.BusyDatabase;
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
    private static final String EXECUTE = "execute";
    private static final String PUT_PROXY_FAILED = "delegation error: put proxy failed!";
    private static final String DATABASE = "database error occurred";
    private static final String DISABLED = "The CREAM service cannot accept jobs at the moment";
    private static final String NOT_COMPATIBLE = "Status specified not compatible for the request command.";

    private final Clock clock;

    Cream2Faults(Clock clock) {
        this.clock = clock;
    }

    /** How the codes and texts of job faults differ between questions and commands. */
    enum Style {
        /** Operations that read jobs: JobStatus and JobInfo. */
        QUESTION,
        /** Operations that change jobs. */
        COMMAND
    }

    /**
     * The fault of a whole call.
     *
     * @param operation the WSDL's name
     */
    SoapFault of(String operation, Throwable failure) {
        String method = methodName(operation);
        String text = failure.getMessage();
        if (failure instanceof ServiceException.NotAuthorized e) {
            return fault(true, NOT_AUTHORIZED, "AuthorizationFault", operation, text, e.faultCause());
        }
        if (failure instanceof ServiceException.InvalidArgument e) {
            return fault(true, text, "InvalidArgumentFault", method, text, e.faultCause());
        }
        if (failure instanceof RequestRefused) {
            return fault(true, text, "GenericFault", operation, "the request is refused", text);
        }
        if (failure instanceof ServiceException.SubmissionDisabled e) {
            return fault(false, DISABLED, "JobSubmissionDisabledFault", method, DISABLED, e.faultCause());
        }
        if (failure instanceof ServiceException.StatusNotCompatible) {
            return fault(false, NOT_COMPATIBLE, "GenericFault", EXECUTE, NOT_COMPATIBLE, NOT_COMPATIBLE);
        }
        if (BusyDatabase.is(failure)) {
            return fault(false, DATABASE, "GenericFault", EXECUTE, DATABASE, BusyDatabase.TEXT)
                    .thatPasses();
        }
        if (failure instanceof ServiceException.Internal) {
            String incident = Incident.log(log, operation, failure);
            return fault(false, text, "GenericFault", EXECUTE, text, text + " (" + incident + ")");
        }
        if (failure instanceof ServiceException.LeaseRefused e) {
            return fault(false, text, "GenericFault", method, LEASE_CODE, text, e.faultCause());
        }
        if (failure instanceof ServiceException e) {
            return fault(false, text, "GenericFault", EXECUTE, text, e.faultCause());
        }
        String incident = Incident.log(log, operation, failure);
        if (Database.isFailure(failure)) {
            return fault(false, DATABASE, "GenericFault", EXECUTE, DATABASE, DATABASE + " (" + incident + ")");
        }
        return fault(false, "internal error", "GenericFault", operation, "internal error", incident);
    }

    /** The wire's name of the method, which for setLease is another one. */
    private static String methodName(String operation) {
        return operation.equals("setLease")
                ? "jobLease"
                : operation.substring(0, 1).toLowerCase(Locale.ROOT) + operation.substring(1);
    }

    private SoapFault fault(
            boolean client, String text, String element, String method, String description, String cause) {
        return fault(client, text, element, method, NO_CODE, description, cause);
    }

    private SoapFault fault(
            boolean client, String text, String element, String method, String code, String description, String cause) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("MethodName", method);
        fields.put("Timestamp", WireTime.format(clock.instant()));
        fields.put("ErrorCode", code);
        put(fields, "Description", description);
        put(fields, "FaultCause", cause);
        return new SoapFault(client, text == null ? element : text, Cream2Operation.type(element), fields, true);
    }

    private static void put(Map<String, String> fields, String name, String value) {
        if (value != null) {
            fields.put(name, value);
        }
    }

    /**
     * The fault of one job in the response to a query or a command.
     *
     * @param method {@code jobStatus}, {@code jobInfo}, or a command's name such as {@code JOB_CANCEL}
     */
    BaseFaultType ofJob(String method, Style style, JobFault fault) {
        boolean command = style == Style.COMMAND;
        return switch (fault.kind()) {
            case JOB_UNKNOWN -> job(method, command ? "1" : "2", command ? "job not found!" : "job not found", fault);
            case STATUS_INVALID ->
                job(
                        method,
                        command ? "2" : "4",
                        command
                                ? "the job has a status not compatible with the " + method + " command!"
                                : "job status mismatch",
                        fault);
            case DATE_MISMATCH -> job(method, command ? "3" : NO_CODE, "fromDate/toDate mismatch", fault);
            case DELEGATION_ID_MISMATCH -> job(method, command ? "3" : "1", "delegationId mismatch", fault);
            case LEASE_ID_MISMATCH -> job(method, "3", "leaseId mismatch", fault);
            case DELEGATION_MISSING, DELEGATION_UNKNOWN, DELEGATION_ENDED, DELEGATION_REFUSED, LEASE_UNKNOWN, GENERIC ->
                job(method, NO_CODE, "system error", fault);
        };
    }

    /** The fault of one description that did not become a job of the caller. */
    BaseFaultType ofRegistration(Caller caller, JobFault fault) {
        return switch (fault.kind()) {
            case DELEGATION_MISSING -> registration("delegation id not specified!", null);
            case DELEGATION_UNKNOWN ->
                registration(
                        PUT_PROXY_FAILED,
                        "delegation [delegId=" + fault.cause() + "; dn="
                                + caller.identity().subject() + "; localUser=" + caller.account() + "] not found!");
            case DELEGATION_ENDED ->
                registration(
                        "the delegation [id=" + fault.cause() + "] is not more valid!;", "delegation proxy expired!");
            case DELEGATION_REFUSED -> registration(PUT_PROXY_FAILED, fault.cause());
            case LEASE_UNKNOWN -> registration("lease id not found!", "lease id \"" + fault.cause() + "\" not found!");
            case JOB_UNKNOWN, STATUS_INVALID, DATE_MISMATCH, DELEGATION_ID_MISMATCH, LEASE_ID_MISMATCH, GENERIC ->
                registration("system error", fault.cause());
        };
    }

    private BaseFaultType registration(String description, String cause) {
        return job("jobRegister", NO_CODE, description, cause);
    }

    private BaseFaultType job(String method, String code, String description, JobFault fault) {
        return job(method, code, description, fault.cause());
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
