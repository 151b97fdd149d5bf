package org.gelato.ce.ws.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.http.JsonResponse;
import org.gelato.ce.ws.http.MonitoringAccess;
import org.gelato.ce.ws.http.ResourceServlet;

/**
 * JSON for those who may see jobs of all users, and a JSON error for everybody else. What reads the database, or waits for who does, is
 * a few requests at a time, so that many readers take neither the threads nor the connections that jobs need.
 */
abstract class DashboardServlet extends ResourceServlet {
    private static final long serialVersionUID = 1L;

    private final transient MonitoringAccess access;
    private final transient Semaphore places;

    /** @param places requests that may be under way at once; of the connections to the database most are for others */
    DashboardServlet(MonitoringAccess access, Semaphore places) {
        super("GET", "HEAD");
        this.access = access;
        this.places = places;
    }

    /**
     * What a request returns: bytes of JSON, null when the request is to be repeated later.
     *
     * @throws IllegalArgumentException for invalid parameters, with a text for the reader
     */
    abstract byte[] answer(HttpServletRequest request) throws IOException, InterruptedException;

    /**
     * What is there already: it costs nothing and waits for nothing, so it needs no place. Null when there is nothing.
     *
     * @param old whether it may be older than what {@link #answer(HttpServletRequest)} would return
     * @throws IllegalArgumentException for invalid parameters, with a text for the reader
     */
    byte[] kept(HttpServletRequest request, boolean old) {
        return null;
    }

    static byte[] json(Object value) throws IOException {
        return PageJson.MAPPER.writeValueAsBytes(value);
    }

    @Override
    protected final void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Pages.protect(response);
        try {
            byte[] bytes = bytes(request);
            response.setContentType("application/json");
            response.setHeader("Cache-Control", "no-store");
            response.setContentLength(bytes.length);
            response.getOutputStream().write(bytes);
        } catch (RuntimeException e) {
            JsonResponse.refused(request, response, e);
        }
    }

    private byte[] bytes(HttpServletRequest request) throws IOException {
        if (!access.allowsJobs(request)) {
            throw new ServiceException.NotAuthorized(MonitoringAccess.JOBS_REFUSAL);
        }
        byte[] bytes = kept(request, false);
        if (bytes == null && places.tryAcquire()) {
            try {
                bytes = answer(request);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw later("the service ends");
            } finally {
                places.release();
            }
            if (bytes == null) {
                throw later("the data are being read");
            }
        } else if (bytes == null) {
            bytes = kept(request, true);
        }
        if (bytes == null) {
            throw later("too many requests at once");
        }
        return bytes;
    }

    private static ServiceException later(String why) {
        return new ServiceException(FaultCode.UNAVAILABLE, why);
    }

    /** @throws IllegalArgumentException when a parameter is missing, empty, or given more than once */
    static String parameter(HttpServletRequest request, String name) {
        String[] values = request.getParameterValues(name);
        if (values == null || values.length != 1 || values[0].isBlank()) {
            throw new IllegalArgumentException("expected one parameter " + name);
        }
        return values[0];
    }
}
