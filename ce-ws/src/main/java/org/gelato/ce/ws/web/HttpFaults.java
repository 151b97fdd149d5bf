package org.gelato.ce.ws.web;

import jakarta.servlet.http.HttpServletResponse;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.ChannelLostException;
import org.gelato.ce.core.account.DiskFullException;
import org.gelato.ce.core.account.OtherSizeException;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.service.JobFault;
import org.gelato.ce.json.FaultCode;

/**
 * What HTTP says of a fault, in ARC REST and in all that returns JSON: a status, and the code itself in a header, which responses
 * of SOAP have, too (docs/developer/decisions/0104-fault-codes.md).
 */
public final class HttpFaults {
    /** Far more than clients refuse in one call, and less than a response's head has room for. */
    private static final int MAX_CODES = 150;

    private static final int INSUFFICIENT_STORAGE = 507; // RFC 4918; the servlet interface does not name it

    private static final String DATABASE = "the database of the service does not take this now, try again";

    private HttpFaults() {}

    /**
     * The code of a failure, whatever it is. A database that was away or refused for a while is {@link FaultCode#UNAVAILABLE} in every
     * protocol; the log has it once, from where it failed, and not with each request.
     */
    public static FaultCode code(Throwable failure) {
        if (failure instanceof ServiceException e && e.code() != FaultCode.INTERNAL) {
            return e.code();
        }
        return Database.isBusy(failure) ? FaultCode.UNAVAILABLE : FaultCode.INTERNAL;
    }

    /** The status of a call, or of a job in a list, that was refused; of one with a token another may say more. */
    public static int status(FaultCode code) {
        return switch (code) {
            case JOB_UNKNOWN -> HttpServletResponse.SC_NOT_FOUND;
            case STATUS_INVALID, DATE_MISMATCH, DELEGATION_ID_MISMATCH, LEASE_ID_MISMATCH ->
                HttpServletResponse.SC_CONFLICT;
            case NOT_AUTHORIZED,
                    CREDENTIAL_MISSING,
                    CREDENTIAL_REFUSED,
                    TOKEN_REFUSED,
                    SCOPE_MISSING,
                    PROXY_LIMITED,
                    BANNED,
                    NOT_MAPPED -> HttpServletResponse.SC_FORBIDDEN;
            case TOO_LARGE -> HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE;
            case SUBMISSION_DISABLED, OVER_QUOTA, UNAVAILABLE -> HttpServletResponse.SC_SERVICE_UNAVAILABLE;
            case INTERNAL -> HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
            default -> HttpServletResponse.SC_BAD_REQUEST;
        };
    }

    /** What is said of a failed call; nothing of what was not foreseen. */
    public static String text(Throwable failure) {
        if (Database.isBusy(failure)) {
            return DATABASE;
        }
        if (!(failure instanceof ServiceException e)) {
            return "internal error";
        }
        return switch (e.code()) {
            case SUBMISSION_DISABLED, OVER_QUOTA -> e.getMessage() + ": " + e.faultCause();
            default -> e.getMessage();
        };
    }

    /** What the client of a job's file gets when the helper could not read or write it; any other failure is returned as it is. */
    public static RuntimeException ofFile(RuntimeException failure) {
        if (failure instanceof DiskFullException) {
            return new Refusal(INSUFFICIENT_STORAGE, "no space left for this account on the CE");
        }
        if (failure instanceof OtherSizeException other) {
            return new Refusal(HttpServletResponse.SC_CONFLICT, other.size() + " bytes are there", other.size());
        }
        if (failure instanceof ChannelLostException) {
            return new Refusal(HttpServletResponse.SC_SERVICE_UNAVAILABLE, "the helper restarts, try again");
        }
        if (!(failure instanceof AccountCommandException e)) {
            return failure;
        }
        return switch (e.code()) {
            case NO_SUCH_FILE -> new Refusal(HttpServletResponse.SC_NOT_FOUND, "no such file");
            case REFUSED -> new Refusal(HttpServletResponse.SC_FORBIDDEN, "not a plain file");
            case BUSY -> new Refusal(HttpServletResponse.SC_SERVICE_UNAVAILABLE, "busy, try again");
            case FAILED ->
                new Refusal(HttpServletResponse.SC_INTERNAL_SERVER_ERROR, "the file cannot be read or written");
        };
    }

    /** Names the fault of a call that is refused as a whole, and says when to come again. */
    public static void mark(HttpServletResponse response, FaultCode code) {
        response.setHeader(FaultCode.HEADER, code.name());
        switch (code) {
            case UNAVAILABLE -> response.setHeader("Retry-After", "5");
            case SUBMISSION_DISABLED, OVER_QUOTA -> response.setHeader("Retry-After", "60");
            default -> {
                // It does not pass by itself.
            }
        }
    }

    /** Names the faults of descriptions; null where one became a job. */
    public static void mark(HttpServletResponse response, Stream<JobFault> faults) {
        String codes = faults.filter(fault -> fault != null)
                .limit(MAX_CODES)
                .map(fault -> fault.code().name())
                .collect(Collectors.joining(","));
        if (!codes.isEmpty()) {
            response.setHeader(FaultCode.HEADER, codes);
        }
    }
}
