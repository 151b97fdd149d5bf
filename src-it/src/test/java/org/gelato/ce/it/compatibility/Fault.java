package org.gelato.ce.it.compatibility;

/**
 * A fault of a whole call or of one job.
 *
 * @param element local name
 * @param method MethodName; null in faults of the delegation service
 * @param code null when absent
 * @param description msg in faults of the delegation service; null when absent
 * @param cause null when absent
 * @param text faultstring; null in faults of one job
 * @param client whether the code blames the client
 */
record Fault(
        String element, String method, String code, String description, String cause, String text, boolean client) {
    /** The fault of one job. */
    static Fault of(Node fault) {
        return of(fault, null, false);
    }

    static Fault of(Node fault, String text, boolean client) {
        if (fault.name().equals("DelegationException")) {
            return new Fault(fault.name(), null, null, fault.text("msg"), null, text, client);
        }
        return new Fault(
                fault.name(),
                fault.text("MethodName"),
                optional(fault, "ErrorCode"),
                optional(fault, "Description"),
                optional(fault, "FaultCause"),
                text,
                client);
    }

    private static String optional(Node fault, String name) {
        return fault.find(name).map(n -> n.text()).orElse(null);
    }

    /** The line in which the tables of docs/developer/protocol/cream2-wire.md write a fault. */
    String line() {
        return element + " " + method + " " + code + " | " + description + " | " + cause;
    }
}
