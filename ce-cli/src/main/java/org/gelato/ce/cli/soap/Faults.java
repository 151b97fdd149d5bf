package org.gelato.ce.cli.soap;

import com.sun.xml.ws.client.ClientTransportException;
import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.soap.SOAPFaultException;
import org.gelato.ce.cli.http.TransportErrors;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.ServiceFault;
import org.gelato.ce.cli.wire.WireFault;
import org.gelato.ce.cli.wsdl.cream2.AuthorizationFault;
import org.gelato.ce.cli.wsdl.cream2.BaseFaultType;
import org.gelato.ce.cli.wsdl.cream2.GenericFault;
import org.gelato.ce.cli.wsdl.cream2.InvalidArgumentFault;
import org.gelato.ce.cli.wsdl.cream2.JobInfoResult;
import org.gelato.ce.cli.wsdl.cream2.JobRegisterResult;
import org.gelato.ce.cli.wsdl.cream2.JobStatusResult;
import org.gelato.ce.cli.wsdl.cream2.JobSubmissionDisabledFault;
import org.gelato.ce.cli.wsdl.cream2.OperationNotSupportedFault;
import org.gelato.ce.cli.wsdl.cream2.Result;
import org.gelato.ce.cli.wsdl.delegation.DelegationException;

/** Turns every way a call can fail into what the commands know. */
final class Faults {
    private static final String UNAVAILABLE = "503";

    private Faults() {}

    /** The failure of a whole call. */
    static CliException of(Endpoint endpoint, Exception e) {
        if (e instanceof CliException known) {
            return known;
        }
        if (e instanceof DelegationException d) {
            String text = d.getFaultInfo() == null || d.getFaultInfo().getMsg() == null
                    ? d.getMessage()
                    : d.getFaultInfo().getMsg();
            return new ServiceFault(endpoint, new WireFault("DelegationException", null, text, null));
        }
        BaseFaultType detail = detail(e);
        if (detail != null) {
            return new ServiceFault(endpoint, fault(e.getClass().getSimpleName(), detail));
        }
        if (e instanceof SOAPFaultException untyped) {
            return new ServiceFault(endpoint, new WireFault("Fault", null, untyped.getMessage(), null));
        }
        if (e instanceof ClientTransportException http && isUnavailable(http)) {
            return new ConnectionFailure(endpoint + ": the CE takes no calls at the moment (HTTP 503)", e, false);
        }
        if (e instanceof WebServiceException) {
            return TransportErrors.of(endpoint, e);
        }
        throw new IllegalStateException("unexpected failure of a call", e);
    }

    /** The status is among the arguments of the message; there is no other way to it. */
    private static boolean isUnavailable(ClientTransportException e) {
        Object[] arguments = e.getArguments();
        return arguments != null
                && arguments.length > 0
                && String.valueOf(arguments[0]).equals(UNAVAILABLE);
    }

    private static BaseFaultType detail(Exception e) {
        if (e instanceof AuthorizationFault f) {
            return f.getFaultInfo();
        }
        if (e instanceof GenericFault f) {
            return f.getFaultInfo();
        }
        if (e instanceof InvalidArgumentFault f) {
            return f.getFaultInfo();
        }
        if (e instanceof OperationNotSupportedFault f) {
            return f.getFaultInfo();
        }
        return e instanceof JobSubmissionDisabledFault f ? f.getFaultInfo() : null;
    }

    /** The fault of one job, or null. */
    static WireFault of(Result r) {
        return first(
                r.getJobUnknownFault(),
                r.getJobStatusInvalidFault(),
                r.getDelegationIdMismatchFault(),
                r.getDateMismatchFault(),
                r.getLeaseIdMismatchFault(),
                r.getGenericFault());
    }

    static WireFault of(JobStatusResult r) {
        return first(
                r.getJobUnknownFault(),
                r.getJobStatusInvalidFault(),
                r.getDelegationIdMismatchFault(),
                r.getDateMismatchFault(),
                r.getLeaseIdMismatchFault(),
                r.getGenericFault());
    }

    static WireFault of(JobInfoResult r) {
        return first(
                r.getJobUnknownFault(),
                r.getJobStatusInvalidFault(),
                r.getDelegationIdMismatchFault(),
                r.getDateMismatchFault(),
                r.getLeaseIdMismatchFault(),
                r.getGenericFault());
    }

    static WireFault of(JobRegisterResult r) {
        if (r.getDelegationProxyFault() != null) {
            return fault("DelegationProxyFault", r.getDelegationProxyFault());
        }
        return first(
                null, null, r.getDelegationIdMismatchFault(), null, r.getLeaseIdMismatchFault(), r.getGenericFault());
    }

    private static WireFault first(
            BaseFaultType unknown,
            BaseFaultType state,
            BaseFaultType delegation,
            BaseFaultType date,
            BaseFaultType lease,
            BaseFaultType generic) {
        if (unknown != null) {
            return fault("JobUnknownFault", unknown);
        }
        if (state != null) {
            return fault("JobStatusInvalidFault", state);
        }
        if (delegation != null) {
            return fault("DelegationIdMismatchFault", delegation);
        }
        if (date != null) {
            return fault("DateMismatchFault", date);
        }
        if (lease != null) {
            return fault("LeaseIdMismatchFault", lease);
        }
        return generic == null ? null : fault("GenericFault", generic);
    }

    private static WireFault fault(String kind, BaseFaultType f) {
        return new WireFault(kind, f.getErrorCode(), f.getDescription(), f.getFaultCause());
    }
}
