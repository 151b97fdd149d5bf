package org.gelato.ce.ws.soap;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.ws.http.CallLimits;
import org.gelato.ce.ws.http.CallMeter;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.web.Authentication;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.RequiredScopes;
import org.gelato.ce.ws.web.XmlLimits;

/**
 * Stands before Metro and reads no XML: it finds out who calls, gathers the body without a thread, at the caller's cost of memory, and
 * lets the work of one user take a share of the request threads. What it refuses goes on without a body, to get its fault. Called by the
 * container's request threads, twice for a body that was waited for; holds no state of a request.
 */
public final class SoapGate implements Filter {
    /** As the meter has it: a client's words name no series. */
    private static final String METERED_UNKNOWN = "unknown";

    private static final byte[] UNREAD = {};

    private final Map<String, String> services;
    private final CallerResolver callers;
    private final XmlLimits limits;
    private final CallLimits callLimits;
    private final CallMeter meter;

    /**
     * Makes the gate.
     *
     * @param services names by servlet path
     * @param callLimits how many calls are worked on at once
     */
    public SoapGate(
            Map<String, String> services,
            CallerResolver callers,
            XmlLimits limits,
            CallLimits callLimits,
            CallMeter meter) {
        this.services = Map.copyOf(services);
        this.callers = callers;
        this.limits = limits;
        this.callLimits = callLimits;
        this.meter = meter;
    }

    @Override
    public void doFilter(ServletRequest servletRequest, ServletResponse servletResponse, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) servletRequest;
        HttpServletResponse response = (HttpServletResponse) servletResponse;
        String service = services.get(request.getServletPath());
        if (service == null) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
        } else if (request.getMethod().equals("POST")) {
            post(request, CapturedFault.of(request, response), chain, service);
        } else if (request.getMethod().equals("GET") && "wsdl".equalsIgnoreCase(request.getQueryString())) {
            chain.doFilter(new GatedRequest(request), response);
        } else {
            response.setHeader("Allow", "POST");
            response.sendError(
                    HttpServletResponse.SC_METHOD_NOT_ALLOWED, "SOAP calls are POST; the description is at ?wsdl");
        }
    }

    private void post(HttpServletRequest request, HttpServletResponse response, FilterChain chain, String service)
            throws IOException, ServletException {
        if (MediaType.parse(request.getContentType()).isEmpty() || !isPlain(request.getHeader("Content-Encoding"))) {
            // The rest of the body is unread and not worth reading.
            response.setHeader("Connection", "close");
            response.sendError(
                    HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE,
                    "a SOAP request is text/xml or application/soap+xml in UTF-8, without Content-Encoding");
            return;
        }
        Authentication sender = callers.authenticate(request);
        long begun = System.nanoTime();
        GatedRequest gated = gated(request, sender);
        if (gated == null) {
            return;
        }
        CallMeter.Outcome outcome = CallMeter.Outcome.FAILED;
        try {
            chain.doFilter(gated, response);
            outcome = gated.fault() == null ? CallMeter.Outcome.OK : CallMeter.Outcome.of(gated.fault());
        } finally {
            String operation = gated.operation() == null ? METERED_UNKNOWN : gated.operation();
            meter.called(service, operation, outcome, System.nanoTime() - begun);
        }
    }

    /** The request with its body, as far as that is to be read; null while something is waited for. */
    private GatedRequest gated(HttpServletRequest request, Authentication sender) throws IOException {
        boolean known = sender instanceof Authentication.Accepted;
        // Under which memory and permits are counted: the user, whatever the groups.
        String key = known ? sender.caller().identity().subject() : request.getRemoteAddr();
        int max = known ? limits.maxBytes() : limits.maxStrangerBytes();
        byte[] body = UNREAD;
        boolean tooLarge = known && request.getContentLengthLong() > max;
        if (!tooLarge) {
            body = Exchange.of(request).body(key, max);
            if (body == null || (known && !callLimits.enter(request, key, body.length))) {
                return null;
            }
            tooLarge = body.length > max;
        }
        if (!tooLarge) {
            return new GatedRequest(request, body, sender);
        }
        return new GatedRequest(
                request,
                UNREAD,
                known
                        ? new Authentication.Refused(
                                new RequestRefused("the request is larger than " + max + " bytes"), sender.credential())
                        : sender);
    }

    /**
     * Authorizes a call, now that its operation is known.
     *
     * @throws org.gelato.ce.core.fault.ServiceException when it is not to be served, or not by its sender
     */
    public static Caller authorize(GatedRequest call, RequiredScopes.Protocol protocol, String operation) {
        Caller caller = call.sender().caller();
        RequiredScopes.check(caller, protocol, operation);
        return caller;
    }

    private static boolean isPlain(String encoding) {
        return encoding == null || encoding.isBlank() || encoding.strip().equalsIgnoreCase("identity");
    }
}
