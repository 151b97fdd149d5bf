package org.gelato.ce.ws.audit;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HexFormat;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.ws.http.Exchange;
import org.slf4j.MDC;

/**
 * Gives each request an id: in the audit log, in the application log ({@code request} of the MDC), and in the response's
 * header {@value #HEADER}. It is ours and never a client's. Put into the web application before what serves requests.
 */
public final class RequestContext implements ServletContextListener {
    /** The header of a response that names its request. */
    public static final String HEADER = Exchange.REQUEST_ID;

    private static final String MDC_KEY = "request";
    private static final String NAME = "request-context";
    private static final int ID_BYTES = 8;
    private static final ThreadLocal<Request> CURRENT = new ThreadLocal<>();

    /** What is known of a request; threads serve it one after the other. */
    static final class Request {
        private final String id;
        private final String address;
        private String credential;
        private Caller caller;

        Request(String id, String address) {
            this.id = id;
            this.address = address;
        }

        String id() {
            return id;
        }

        String address() {
            return address;
        }

        /** SHA-256 of the first certificate, in hexadecimal; null when none was sent. */
        String credential() {
            return credential;
        }

        /** Null while nobody is authorized. */
        Caller caller() {
            return caller;
        }

        void identified(String fingerprint, Caller authorized) {
            credential = fingerprint;
            caller = authorized;
        }
    }

    /** The request that this thread serves; null for none. */
    static Request current() {
        return CURRENT.get();
    }

    static void enter(Request request) {
        CURRENT.set(request);
        MDC.put(MDC_KEY, request.id());
    }

    static void leave() {
        CURRENT.remove();
        MDC.remove(MDC_KEY);
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        FilterRegistration.Dynamic registration = context.addFilter(NAME, new Ids());
        if (registration != null) {
            registration.setAsyncSupported(true);
            registration.addMappingForUrlPatterns(
                    EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), false, "/*");
        }
    }

    private static final class Ids implements Filter {
        private final SecureRandom random = new SecureRandom();

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            Request known = (Request) request.getAttribute(NAME);
            if (known == null) {
                byte[] id = new byte[ID_BYTES];
                random.nextBytes(id);
                known = new Request(HexFormat.of().formatHex(id), request.getRemoteAddr());
                request.setAttribute(NAME, known);
            }
            ((HttpServletResponse) response).setHeader(HEADER, known.id());
            enter(known);
            try {
                chain.doFilter(request, response);
            } finally {
                leave();
            }
        }
    }
}
