package org.gelato.ce.cli.wire;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.json.FaultCode;

/**
 * A fault of the service, for one job or for a whole call (docs/developer/protocol/cream2-wire.md sections 4 to 6).
 *
 * @param kind local name of the fault's element, for example {@code JobUnknownFault}
 * @param code null when absent
 * @param description null when absent
 * @param cause null when absent
 * @param faultCode what is wrong, as a Gelato CE names it in the head of its response; null when absent
 */
public record WireFault(
        String kind,
        String code,
        String description,
        String cause,
        @JsonIgnore String faultCode) {
    private static final String ABSENT = "N/A";
    private static final String CATCH_ALL = "system error";
    private static final Set<String> OF_CRITERIA = Set.of(
            "JobUnknownFault",
            "JobStatusInvalidFault",
            "DateMismatchFault",
            "DelegationIdMismatchFault",
            "LeaseIdMismatchFault");

    /** Kinds that say as much as a code: of single jobs, and of CEs that send none. */
    private static final Map<String, FaultCode> CODES = Map.of(
            "JobUnknownFault", FaultCode.JOB_UNKNOWN,
            "JobStatusInvalidFault", FaultCode.STATUS_INVALID,
            "JobSubmissionDisabledFault", FaultCode.SUBMISSION_DISABLED);

    /** Without a code. */
    public WireFault(String kind, String code, String description, String cause) {
        this(kind, code, description, cause, null);
    }

    /** What the user can do about it, where that is known. */
    public Optional<String> advice() {
        Optional<FaultCode> code = faultCode == null ? Optional.ofNullable(CODES.get(kind)) : FaultCode.of(faultCode);
        return code.flatMap(FaultCode::advice);
    }

    /** The message with the advice. */
    public String advised() {
        return message() + advice().map(advice -> " (" + advice + ")").orElse("");
    }

    /** Whether the job is not there, or does not meet what is wanted of it. */
    public boolean isOfCriteria() {
        return OF_CRITERIA.contains(kind);
    }

    /** The failure in one line: the description and, where it adds to that, the cause. */
    public String message() {
        List<String> parts = new ArrayList<>();
        if (hasText(description) && !(description.equals(CATCH_ALL) && hasText(cause))) {
            parts.add(Printable.line(description));
        }
        if (hasText(cause) && !cause.equals(description)) {
            parts.add(Printable.line(cause));
        }
        return parts.isEmpty()
                ? "the CE returned " + Printable.line(kind) + " and no reason"
                : String.join(": ", parts);
    }

    private static boolean hasText(String text) {
        return text != null && !text.isBlank() && !text.equals(ABSENT);
    }
}
