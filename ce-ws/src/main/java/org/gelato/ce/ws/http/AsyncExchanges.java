package org.gelato.ce.ws.http;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.gelato.ce.ws.web.RawPath;
import org.gelato.ce.ws.web.RequestContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands before all servlets and keeps request threads free of clients' patience: each request becomes an {@link Exchange},
 * whose body is gathered and whose response is sent without a thread. A body slower than 4 KiB/s on average after its first
 * minute gets a 408. Memory for bodies and responses is bounded; beyond it requests get 503 before they are read. An address that
 * could be read in two ways gets 400 ({@link RawPath}).
 */
public final class AsyncExchanges implements Filter {
    private static final Logger log = LoggerFactory.getLogger(AsyncExchanges.class);
    private static final Pattern FORM =
            Pattern.compile("\\s*(?:application/x-www-form-urlencoded|multipart/)", Pattern.CASE_INSENSITIVE);
    private static final String NAME = "async-exchanges";

    private final MemoryBudget budget;
    private final MinimumRate.Slowest slowest;
    private final LongSupplier nanos;

    /** @param nanos a clock that never goes back, in nanoseconds */
    public AsyncExchanges(MemoryBudget budget, MinimumRate.Slowest slowest, LongSupplier nanos) {
        this.budget = budget;
        this.slowest = slowest;
        this.nanos = nanos;
    }

    /** Puts it before all servlets, unless one is there already. */
    public void addTo(ServletContext context) {
        FilterRegistration.Dynamic registration = context.addFilter(NAME, this);
        if (registration != null) {
            registration.setAsyncSupported(true);
            registration.addMappingForUrlPatterns(
                    EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), false, "/*");
        }
    }

    @Override
    public void doFilter(ServletRequest servletRequest, ServletResponse servletResponse, FilterChain chain)
            throws IOException {
        HttpServletRequest request = (HttpServletRequest) servletRequest;
        Exchange known = Exchange.ofNullable(request);
        Exchange exchange = known == null
                ? new Exchange(budget, slowest, nanos, RequestContext.of(request.getRemoteAddr()))
                : known;
        ((HttpServletResponse) servletResponse)
                .setHeader(RequestContext.HEADER, exchange.context().id());
        exchange.enter(request, (HttpServletResponse) servletResponse);
        exchange.context().enter();
        try {
            serve(request, exchange, known == null, chain);
        } finally {
            RequestContext.leave();
        }
    }

    private static void serve(HttpServletRequest request, Exchange exchange, boolean first, FilterChain chain)
            throws IOException {
        try {
            String fault = first ? fault(request) : null;
            if (fault != null) {
                log.debug("{} {} is refused: {}", request.getMethod(), request.getServletPath(), fault);
                JsonResponse.error(exchange.response(), HttpServletResponse.SC_BAD_REQUEST, fault);
            } else {
                chain.doFilter(request, exchange.response());
            }
        } catch (MemoryBudget.Exhausted | PerUserLimit.Full e) {
            log.debug("{} {} is refused: {}", request.getMethod(), request.getServletPath(), e.getMessage());
            exchange.refuse(e.getMessage());
        } catch (ServletException | IOException | RuntimeException | Error e) {
            // An Error too: what the exchange holds would never be given back.
            exchange.response().reset();
            JsonResponse.failed(request, exchange.response(), e);
        }
        if (!request.isAsyncStarted()) {
            exchange.send();
        }
    }

    /** What is wrong with the address of a request, for whichever servlet it is; null for nothing. */
    private static String fault(HttpServletRequest request) {
        String fault = RawPath.fault(request.getRequestURI());
        if (fault != null || hasReadableQuery(request)) {
            return fault;
        }
        return "the query of this address cannot be read: it has too many parameters, or is not UTF-8 in percent encoding";
    }

    /**
     * The container finds what is wrong when the first parameter is read, and says so by an exception in the middle of a servlet, where
     * it would pass for a fault of the CE. The parameters of a form are in its body, which is not read here.
     */
    private static boolean hasReadableQuery(HttpServletRequest request) {
        String type = request.getContentType();
        if (request.getQueryString() == null
                || (type != null && FORM.matcher(type).lookingAt())) {
            return true;
        }
        try {
            request.getParameterMap();
            return true;
        } catch (IllegalStateException e) {
            log.debug("{} {} is refused: {}", request.getMethod(), request.getServletPath(), e.toString());
            return false;
        }
    }
}
