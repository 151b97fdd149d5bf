package org.gelato.ce.cli.wire;

import java.util.Optional;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.json.FaultCode;

/** The service refused a whole call. */
public final class ServiceFault extends CliException {
    private static final long serialVersionUID = 1L;

    /** With it a CE that sends no codes ends what it says of an internal error or a failure of its database. */
    private static final String INCIDENT = "see the log of the service";

    private final transient WireFault fault;

    public ServiceFault(Endpoint endpoint, WireFault fault) {
        super(endpoint + ": " + fault.message());
        this.fault = fault;
    }

    /** Whether the CE failed within the call. What a code means that is not known here may be that. */
    @Override
    public boolean mayHaveBeenDone() {
        String code = fault.faultCode();
        if (code == null) {
            return fault.message().contains(INCIDENT) || (fault.kind().equals("GenericFault") && hasStatus('5'));
        }
        return FaultCode.of(code).map(FaultCode.INTERNAL::equals).orElse(!hasStatus('4'));
    }

    private boolean hasStatus(char first) {
        return fault.code() != null && fault.code().matches(first + "[0-9]{2}");
    }

    @Override
    public Optional<String> advice() {
        return fault.advice();
    }

    public WireFault fault() {
        return fault;
    }
}
