package org.gelato.ce.cli.wire;

import java.util.Optional;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.Hint;

/** The service refused a whole call. */
public final class ServiceFault extends CliException {
    private static final long serialVersionUID = 1L;

    private final transient WireFault fault;

    public ServiceFault(Endpoint endpoint, WireFault fault) {
        super(endpoint + ": " + fault.message());
        this.fault = fault;
    }

    /** Whether the CE failed within the call. */
    @Override
    public boolean mayHaveBeenDone() {
        if (fault.faultCode() != null) {
            return fault.faultCode().equals(Hint.INTERNAL.name());
        }
        return fault.kind().equals("GenericFault")
                && fault.code() != null
                && fault.code().matches("5[0-9]{2}");
    }

    @Override
    public Optional<String> advice() {
        return fault.advice();
    }

    public WireFault fault() {
        return fault;
    }
}
