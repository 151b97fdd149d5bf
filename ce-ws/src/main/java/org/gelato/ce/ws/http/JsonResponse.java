package org.gelato.ce.ws.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.json.Json;
import org.gelato.ce.ws.token.BearerChallenge;
import org.gelato.ce.ws.web.HttpFaults;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes JSON answers; an error is {@code {"status": n, "error": "..."}}. */
public final class JsonResponse {
    private static final Logger log = LoggerFactory.getLogger(JsonResponse.class);

    private JsonResponse() {}

    /** Sends a value; collections, maps, records and texts. */
    public static void send(HttpServletResponse response, int status, Object body) throws IOException {
        byte[] bytes = bytes(body);
        response.setStatus(status);
        response.setContentType("application/json");
        response.setHeader("Cache-Control", "no-store");
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }

    /** Sends an error; nothing happens when the response has begun. */
    public static void error(HttpServletResponse response, int status, String text) throws IOException {
        if (!response.isCommitted()) {
            response.resetBuffer();
            send(response, status, errorBody(status, text));
        }
    }

    /** As {@link #error}, for a state that passes soon: the client may come again. */
    static void busy(HttpServletResponse response, String text) throws IOException {
        HttpFaults.mark(response, FaultCode.UNAVAILABLE);
        response.setHeader("Retry-After", "1");
        error(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, text);
    }

    /** Answers a call whose parameters a servlet refused, or that failed for any other reason. */
    public static void refused(HttpServletRequest request, HttpServletResponse response, RuntimeException failure)
            throws IOException {
        boolean wrong = failure instanceof IllegalArgumentException;
        failed(request, response, wrong ? ServiceException.invalid(failure.getMessage()) : failure);
    }

    /** Answers a call that failed; the log has what nobody foresaw. */
    static void failed(HttpServletRequest request, HttpServletResponse response, Throwable e) throws IOException {
        if (HttpFaults.code(e) == FaultCode.INTERNAL) {
            log.error("Cannot serve {} {}", request.getMethod(), request.getServletPath(), e);
        }
        error(response, BearerChallenge.apply(response, e), HttpFaults.text(e));
    }

    /**
     * Refuses a method.
     *
     * @param possible the methods there are
     */
    public static void notAllowed(HttpServletResponse response, String method, List<String> possible)
            throws IOException {
        response.setHeader("Allow", allow(possible));
        error(
                response,
                HttpServletResponse.SC_METHOD_NOT_ALLOWED,
                "only " + String.join(", ", possible) + " " + (possible.size() == 1 ? "is" : "are")
                        + " possible here, not " + (method.matches("[A-Z]{1,20}") ? method : "this method"));
    }

    /** The header {@code Allow}: GET has HEAD with it. */
    public static String allow(List<String> possible) {
        return String.join(", ", possible).replaceFirst("^GET", "GET, HEAD");
    }

    /** The bytes of an error, for places without a servlet response. */
    public static byte[] errorBytes(int status, String text) {
        return bytes(errorBody(status, text));
    }

    private static Map<String, Object> errorBody(int status, String text) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("status", status);
        body.put("error", text);
        return body;
    }

    private static byte[] bytes(Object body) {
        try {
            return (Json.MAPPER.writeValueAsString(body) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write " + body.getClass() + " as JSON", e);
        }
    }
}
