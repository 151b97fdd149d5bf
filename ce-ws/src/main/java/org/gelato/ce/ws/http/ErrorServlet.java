package org.gelato.ce.ws.http;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** The error page of the whole application: the status and its text, never a stack trace or a version. */
final class ErrorServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code
                ? code
                : HttpServletResponse.SC_NOT_FOUND;
        JsonResponse.error(response, status, words(status));
    }

    /** The text of a status. */
    static String words(int status) {
        return switch (status) {
            case HttpServletResponse.SC_BAD_REQUEST -> "bad request";
            case HttpServletResponse.SC_FORBIDDEN -> "forbidden";
            case HttpServletResponse.SC_NOT_FOUND -> "no such resource";
            case HttpServletResponse.SC_METHOD_NOT_ALLOWED -> "method not allowed";
            case HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE -> "request too large";
            case HttpServletResponse.SC_SERVICE_UNAVAILABLE -> "try again later";
            default -> status >= 500 ? "internal error" : "error";
        };
    }
}
