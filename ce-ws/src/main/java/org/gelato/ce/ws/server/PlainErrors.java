package org.gelato.ce.ws.server;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.gelato.ce.ws.http.JsonResponse;

/** Errors that never reached the application: the status and its text in JSON, instead of Tomcat's page. */
final class PlainErrors extends ErrorReportValve {
    @Override
    protected void report(Request request, Response response, Throwable throwable) {
        int status = response.getStatus();
        if (status < HttpServletResponse.SC_BAD_REQUEST
                || response.getContentWritten() > 0
                || !response.setErrorReported()) {
            return;
        }
        byte[] body = JsonResponse.errorBytes(status, words(status));
        try {
            response.setContentType("application/json");
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
            response.finishResponse();
        } catch (IOException | IllegalStateException e) {
            container.getLogger().debug("An error could not be reported", e);
        }
    }

    private static String words(int status) {
        return switch (status) {
            case HttpServletResponse.SC_BAD_REQUEST ->
                "bad request: the request line or a header is malformed, or all of them are larger than 40 KiB";
            case HttpServletResponse.SC_METHOD_NOT_ALLOWED -> "method not allowed";
            case HttpServletResponse.SC_NOT_IMPLEMENTED ->
                "not implemented: a method or transfer coding that is not served";
            default -> status < HttpServletResponse.SC_INTERNAL_SERVER_ERROR ? "bad request" : "internal error";
        };
    }
}
