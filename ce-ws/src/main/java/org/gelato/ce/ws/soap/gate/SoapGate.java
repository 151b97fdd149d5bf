package org.gelato.ce.ws.soap.gate;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.Location;
import javax.xml.stream.XMLStreamException;
import org.gelato.ce.core.fault.FaultCode;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.ws.http.CallLimits;
import org.gelato.ce.ws.http.CallMeter;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.http.MemoryBudget;
import org.gelato.ce.ws.http.PerUserLimit;
import org.gelato.ce.ws.token.BearerChallenge;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.HttpFaults;
import org.gelato.ce.ws.web.RequiredScopes;
import org.gelato.ce.ws.xml.HardenedXml;

/**
 * Stands before Metro. A call reaches Metro only when it is a well-formed envelope within the limits, names one known
 * operation, and comes from an authorized caller; everything else gets its fault here, in the request's SOAP version. The
 * body is gathered without a thread, at the caller's cost of memory, and the work of one user takes a share of the request
 * threads. Called by the container's request threads, twice for a body that was waited for; holds no state of a request.
 */
public final class SoapGate implements Filter {
    private static final String UNKNOWN_OPERATION = "request";
    /** As the meter has it: a client's words name no series. */
    private static final String METERED_UNKNOWN = "unknown";

    /** Request attribute by which the invoker reports the fault that a call ended with. */
    private static final String FAULT = FaultCode.class.getName();

    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private final Map<String, SoapService> services;
    private final CallerResolver callers;
    private final HardenedXml xml;
    private final UnqualifiedParts unqualifiedParts;
    private final CallLimits callLimits;
    private final CallMeter meter;
    private final FaultWriter faults = new FaultWriter();
    private final StreamedResponses answers = new StreamedResponses();

    /**
     * Makes the gate.
     *
     * @param services by servlet path
     * @param callLimits how many calls are worked on at once
     */
    public SoapGate(
            Map<String, SoapService> services,
            CallerResolver callers,
            HardenedXml xml,
            CallLimits callLimits,
            CallMeter meter) {
        this.callLimits = callLimits;
        this.meter = meter;
        this.services = Map.copyOf(services);
        this.callers = callers;
        this.xml = xml;
        this.unqualifiedParts = new UnqualifiedParts(xml);
    }

    /** Path of the adapter for SOAP 1.2: never reachable from outside, as no servlet is mapped to it. */
    public static String soap12(String path) {
        return path + "/soap12";
    }

    @Override
    public void doFilter(ServletRequest servletRequest, ServletResponse servletResponse, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) servletRequest;
        HttpServletResponse response = (HttpServletResponse) servletResponse;
        String path = request.getServletPath();
        SoapService service = services.get(path);
        if (service == null) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
        } else if (request.getMethod().equals("POST")) {
            post(request, KeptFault.of(request, response), chain, service, path);
        } else if (request.getMethod().equals("GET") && "wsdl".equalsIgnoreCase(request.getQueryString())) {
            chain.doFilter(new GatedRequest(request, path), response);
        } else {
            response.setHeader("Allow", "POST");
            response.sendError(
                    HttpServletResponse.SC_METHOD_NOT_ALLOWED, "SOAP calls are POST; the description is at ?wsdl");
        }
    }

    private void post(
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain,
            SoapService service,
            String path)
            throws IOException, ServletException {
        Optional<MediaType> type = MediaType.parse(request.getContentType());
        if (type.isEmpty() || !isPlain(request.getHeader("Content-Encoding"))) {
            close(response);
            response.sendError(
                    HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE,
                    "a SOAP request is text/xml or application/soap+xml in UTF-8, without Content-Encoding");
            return;
        }
        Sender sender = sender(request);
        Attempt attempt = new Attempt(service, response);
        GatedRequest gated;
        long begun = System.nanoTime();
        try {
            byte[] body = body(request, sender);
            if (body == null || (sender.caller() != null && !callLimits.enter(request, sender.key(), body.length))) {
                return;
            }
            gated = attempt.pass(request, type.get(), path, sender, body);
        } catch (MemoryBudget.Exhausted | PerUserLimit.Full e) {
            throw e;
        } catch (XMLStreamException | RuntimeException e) {
            Exception failure = presentable(e);
            if (!(e instanceof ServiceException) || e instanceof RequestRefused) {
                close(response);
            }
            // SOAP faults keep their status.
            BearerChallenge.apply(request, response, failure);
            SoapFault fault = service.fault(attempt.operation, failure);
            faults.answer(response, fault, attempt.version);
            meter.called(
                    service.name(), attempt.metered(), CallMeter.Outcome.of(fault.code()), System.nanoTime() - begun);
            return;
        }
        CallMeter.Outcome outcome = CallMeter.Outcome.FAILED;
        try {
            answers.serve(chain, gated, response, service, (SoapCall) request.getAttribute(SoapCall.ATTRIBUTE));
            outcome = fault(request) == null ? CallMeter.Outcome.OK : CallMeter.Outcome.of(fault(request));
        } finally {
            meter.called(service.name(), attempt.metered(), outcome, System.nanoTime() - begun);
        }
    }

    /** Remembers that the operation of a request ended with a fault. */
    static void failed(HttpServletRequest request, SoapFault fault) {
        request.setAttribute(FAULT, fault.code());
    }

    /** The fault that the operation of a request ended with; null for none. */
    static FaultCode fault(ServletRequest request) {
        return (FaultCode) request.getAttribute(FAULT);
    }

    /**
     * Who sent a request.
     *
     * @param caller null when not authorized
     * @param refusal why not; null for a caller
     * @param key under which memory and permits are counted: the user, whatever the groups; else the address
     */
    private record Sender(Caller caller, ServiceException refusal, String key) {
        private static final String ATTRIBUTE = Sender.class.getName();
    }

    /** Found out once, though the gate is passed twice. */
    private Sender sender(HttpServletRequest request) {
        if (request.getAttribute(Sender.ATTRIBUTE) instanceof Sender known) {
            return known;
        }
        Sender sender;
        try {
            Caller caller = callers.resolve(request);
            sender = new Sender(caller, null, caller.identity().subject());
        } catch (ServiceException e) {
            sender = new Sender(null, e, request.getRemoteAddr());
        }
        request.setAttribute(Sender.ATTRIBUTE, sender);
        return sender;
    }

    private byte[] body(HttpServletRequest request, Sender sender) throws RequestRefused, IOException {
        int max = max(sender);
        if (sender.caller() != null && request.getContentLengthLong() > max) {
            throw new RequestRefused(new BoundedBody.TooLarge(max).getMessage());
        }
        return Exchange.of(request).body(sender.key(), max);
    }

    private int max(Sender sender) {
        return sender.caller() != null ? xml.limits().maxBytes() : xml.limits().maxStrangerBytes();
    }

    /** What is known of a request so far, for the fault if it fails. */
    private final class Attempt {
        private final SoapService service;
        private final HttpServletResponse response;
        private SoapVersion version = SoapVersion.SOAP_11;
        private String operation = UNKNOWN_OPERATION;

        Attempt(SoapService service, HttpServletResponse response) {
            this.service = service;
            this.response = response;
        }

        String metered() {
            return operation.equals(UNKNOWN_OPERATION) ? METERED_UNKNOWN : operation;
        }

        GatedRequest pass(HttpServletRequest request, MediaType type, String path, Sender sender, byte[] body)
                throws RequestRefused, XMLStreamException, IOException {
            SoapOperation target;
            SoapRequest soap;
            try {
                soap = scan(new BoundedBody(new ByteArrayInputStream(body), max(sender)), type.charset());
                target = service.dispatch(action(request, type), soap);
                operation = target.name();
            } catch (RequestRefused | XMLStreamException e) {
                if (sender.refusal() != null) {
                    throw sender.refusal();
                }
                throw e;
            }
            if (sender.refusal() != null) {
                throw sender.refusal();
            }
            RequiredScopes.check(sender.caller(), service.protocol(), operation);
            request.setAttribute(
                    SoapCall.ATTRIBUTE,
                    new SoapCall(
                            sender.caller(),
                            operation,
                            soap.iceId(),
                            idempotencyKey(request),
                            soap.listed(),
                            faults -> HttpFaults.mark(response, faults)));
            byte[] document = body;
            String charset = type.charset();
            if (target.emptyBody() && soap.payload() != null) {
                document = version.emptyEnvelope();
                charset = "utf-8";
            } else if (service.unqualifiedParts()
                    && soap.parts().stream().anyMatch(p -> !p.getNamespaceURI().isEmpty())) {
                document = unqualifiedParts.rewrite(document, charset);
                charset = "utf-8";
            }
            String adapter = version == SoapVersion.SOAP_11 ? path : soap12(path);
            return new GatedRequest(request, adapter, version, target.action(), document, charset);
        }

        private SoapRequest scan(BoundedBody body, String charset)
                throws RequestRefused, XMLStreamException, IOException {
            RequestScan scan = null;
            try {
                scan = new RequestScan(xml.reader(body, charset), service);
                return scan.run();
            } catch (XMLStreamException e) {
                if (e.getNestedException() instanceof BoundedBody.TooLarge large) {
                    throw new RequestRefused(large.getMessage());
                }
                if (e.getNestedException() instanceof IOException io
                        && !(io instanceof java.io.CharConversionException)) {
                    throw io;
                }
                throw e;
            } finally {
                if (scan != null) {
                    version = scan.version();
                }
            }
        }
    }

    private static String idempotencyKey(HttpServletRequest request) {
        List<String> values = Collections.list(request.getHeaders(IDEMPOTENCY_KEY));
        return values.isEmpty() ? null : String.join(", ", values);
    }

    private static String action(HttpServletRequest request, MediaType type) {
        String header = request.getHeader("SOAPAction");
        String action = header == null || header.isBlank() ? type.action() : header;
        if (action == null) {
            return null;
        }
        String bare = action.strip();
        if (bare.length() >= 2 && bare.startsWith("\"") && bare.endsWith("\"")) {
            bare = bare.substring(1, bare.length() - 1).strip();
        }
        return bare;
    }

    private static Exception presentable(Exception e) {
        if (!(e instanceof XMLStreamException broken)) {
            return e;
        }
        String message = broken.getMessage() == null ? "" : broken.getMessage();
        int end = message.indexOf('\n');
        Location at = broken.getLocation();
        String where = at == null ? "" : " (line " + at.getLineNumber() + ", column " + at.getColumnNumber() + ")";
        return new RequestRefused("the request is not acceptable XML: "
                + (end < 0 ? message : message.substring(0, end)).strip() + where);
    }

    private static boolean isPlain(String encoding) {
        return encoding == null || encoding.isBlank() || encoding.strip().equalsIgnoreCase("identity");
    }

    /** The rest of the body is unread and not worth reading. */
    private static void close(HttpServletResponse response) {
        response.setHeader("Connection", "close");
    }
}
