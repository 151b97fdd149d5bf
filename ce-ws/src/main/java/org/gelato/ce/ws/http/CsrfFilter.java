package org.gelato.ce.ws.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
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
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses requests that a page of another site makes a browser send with its user's certificate (cross-site request forgery). It
 * goes by what browsers say of themselves ({@code Sec-Fetch-Site}, {@code Origin}, and the content types that a page may send
 * anywhere), keeps no state and sets no cookie. Clients that are no browsers send none of it. Stands before all servlets, behind
 * {@link AsyncExchanges}; bodies of what it refuses are not read. For any thread. docs/admin/dashboard.md, "Pages of other sites".
 */
public final class CsrfFilter implements Filter, ServletContextListener {
    private static final Logger log = LoggerFactory.getLogger(CsrfFilter.class);
    private static final String NAME = "csrf";

    /** They change nothing at this CE; every other method may. */
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND");

    /** The user opened it, or a page of the same origin sent it. */
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");

    /** What a form, and a script without the receiver's consent, may send to another site. */
    private static final Set<String> FORM_TYPES =
            Set.of("application/x-www-form-urlencoded", "multipart/form-data", "text/plain");

    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");
    private static final String BROWSER = "mozilla/";
    private static final String NO_BROWSER = "powershell/";
    private static final int MAX_QUOTED = 100;

    private final Set<String> origins;
    private final Counter refused;

    /** @param origins of this CE's own pages: {@code https://host:port}, all names it has */
    public CsrfFilter(Collection<String> origins, MeterRegistry meters) {
        this.origins = origins.stream().map(CsrfFilter::canonical).collect(Collectors.toUnmodifiableSet());
        this.refused = Counter.builder("ce.http.cross.site.refused")
                .description("Requests refused as a page of another site may have sent them")
                .register(meters);
    }

    /** As a browser writes it. */
    private static String canonical(String origin) {
        return origin.toLowerCase(Locale.ROOT).replaceFirst("^(https://.*):443$", "$1");
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        FilterRegistration.Dynamic registration = context.addFilter(NAME, this);
        if (registration == null) {
            throw new IllegalStateException("the web application has a filter " + NAME + " of its own already");
        }
        registration.setAsyncSupported(true);
        registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
    }

    @Override
    public void doFilter(ServletRequest servletRequest, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) servletRequest;
        String reason = READING.contains(request.getMethod()) ? null : reason(request);
        if (reason == null) {
            chain.doFilter(request, response);
            return;
        }
        refused.increment();
        log.debug("{} {} is refused: {}", request.getMethod(), request.getServletPath(), reason);
        JsonResponse.error((HttpServletResponse) response, HttpServletResponse.SC_FORBIDDEN, reason);
    }

    /** Why a request that can change something is refused; null when it is not. */
    private String reason(HttpServletRequest request) {
        for (String site : Collections.list(request.getHeaders("Sec-Fetch-Site"))) {
            if (!OWN_SITE.contains(site.strip().toLowerCase(Locale.ROOT))) {
                return "a page of another site sent this request (Sec-Fetch-Site: " + quoted(site)
                        + "); only this CE's own pages may change something by a browser";
            }
        }
        for (String origin : Collections.list(request.getHeaders("Origin"))) {
            if (!origins.contains(canonical(origin.strip()))) {
                return "a page of " + quoted(origin)
                        + " sent this request, and that is no origin of this CE; where it is"
                        + " another name of this CE, its administrator adds it to gelato.http.origins";
            }
        }
        return reasonOfType(request);
    }

    private static String reasonOfType(HttpServletRequest request) {
        String type = request.getContentType();
        if (type == null || type.isBlank()) {
            return isABrowser(request) && hasBody(request)
                    ? "a browser sent this request without Content-Type; name the type of what is sent"
                    : null;
        }
        int end = type.indexOf(';');
        String essence = (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        return FORM_TYPES.contains(essence) && isABrowser(request)
                ? "a browser sent this request with a form's Content-Type (" + essence
                        + "), which any page can make it send; this CE has no forms: name the type of what is sent"
                : null;
    }

    /**
     * Browsers of before 2020 do not always say where a request comes from. Programs that copy a part of what browsers send, as the fetch of
     * Node.js (Sec-Fetch-Mode alone) and PowerShell (its name behind Mozilla's), are none.
     */
    private static boolean isABrowser(HttpServletRequest request) {
        if (request.getHeader("Origin") != null || request.getHeader("Sec-Fetch-Site") != null) {
            return true;
        }
        String agent = request.getHeader("User-Agent");
        String name = agent == null ? "" : agent.toLowerCase(Locale.ROOT);
        return name.startsWith(BROWSER) && !name.contains(NO_BROWSER);
    }

    /** A browser gives the length of each body, 0 where there is none. */
    private static boolean hasBody(HttpServletRequest request) {
        return WITH_BODY.contains(request.getMethod()) && request.getContentLengthLong() != 0;
    }

    private static String quoted(String header) {
        String printable = header.replaceAll("[^\\x21-\\x7e]", "?");
        return printable.length() <= MAX_QUOTED ? printable : printable.substring(0, MAX_QUOTED) + "...";
    }
}
