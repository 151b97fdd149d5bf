package org.gelato.ce.cli.wire;

import org.gelato.ce.cli.terminal.CliException;

/** The service refused a whole call. */
public final class ServiceFault extends CliException {
    private static final long serialVersionUID = 1L;

    private final transient WireFault fault;

    public ServiceFault(Endpoint endpoint, WireFault fault) {
        super(endpoint + ": " + fault.message());
        this.fault = fault;
    }

    public WireFault fault() {
        return fault;
    }
}
