package org.gelato.ce.cli.wire;

import java.util.List;
import org.gelato.ce.cli.terminal.CliException;

/** The service refused a whole call. */
public final class ServiceFault extends CliException {
    private static final long serialVersionUID = 1L;

    /** With it a CE ends what it says of an internal error or a failure of its database. */
    private static final String INCIDENT = "see the log of the service";

    /** With them a CE begins what it says over ARC REST, as an error of its own, of a request that it has not begun with. */
    private static final List<String> NOT_BEGUN = List.of("Payload is not recognized", "Missing payload");

    private final transient WireFault fault;

    public ServiceFault(Endpoint endpoint, WireFault fault) {
        super(endpoint + ": " + fault.message());
        this.fault = fault;
    }

    /** Whether the CE failed within the call. */
    @Override
    public boolean mayHaveBeenDone() {
        boolean failed = fault.code() != null
                && fault.code().matches("5[0-9]{2}")
                && NOT_BEGUN.stream().noneMatch(fault.message()::startsWith);
        return fault.message().contains(INCIDENT) || (fault.kind().equals("GenericFault") && failed);
    }

    public WireFault fault() {
        return fault;
    }
}
