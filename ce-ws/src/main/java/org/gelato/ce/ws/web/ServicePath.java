package org.gelato.ce.ws.web;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.net.URISyntaxException;

/**
 * The place of a path of the wire inside a web application. Embedded, the application is the whole server; as a WAR in a
 * stock Tomcat its context already is {@code /ce-cream}. Clients must not see the difference.
 */
public final class ServicePath {
    /** First part of the paths of CREAM. */
    public static final String CE_CREAM = "/ce-cream";

    private ServicePath() {}

    /**
     * The servlet mapping for a path as clients know it.
     *
     * @param path starts with a slash, for example {@code /ce-cream/services/CREAM2}
     */
    public static String in(ServletContext context, String path) {
        boolean inside = context.getContextPath().equals(CE_CREAM) && path.startsWith(CE_CREAM + "/");
        return inside ? path.substring(CE_CREAM.length()) : path;
    }

    /** The path as the client wrote it, also when the request has come again, by {@link #again}. */
    public static String requested(HttpServletRequest request) {
        return request.getAttribute(AsyncContext.ASYNC_REQUEST_URI) instanceof String first
                ? first
                : request.getRequestURI();
    }

    /**
     * Where a request is dispatched to come to its servlet again. The container's own choice is the path as it was sent, which it cannot
     * take apart when slashes are doubled.
     */
    public static String again(HttpServletRequest request) {
        String rest = request.getPathInfo() == null ? "" : request.getPathInfo();
        try {
            // A semicolon would be the begin of a parameter.
            return new URI(null, null, request.getServletPath() + rest, null)
                    .getRawPath()
                    .replace(";", "%3B");
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a path that was decoded cannot be encoded again", e);
        }
    }
}
