package org.gelato.ce.ws.http;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/**
 * A servlet that names its methods. Any other is refused with them (RFC 9110 section 15.5.6), where the servlet interface's own
 * refusal leaves them out; OPTIONS returns them to anybody (section 9.3.7), and nothing else.
 */
public abstract class ResourceServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final String OPTIONS = "OPTIONS";

    private final transient List<String> methods;

    /** @param methods all that a subclass serves, HEAD among them where GET has it */
    protected ResourceServlet(String... methods) {
        this.methods = List.of(methods);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String method = request.getMethod();
        if (methods.contains(method)) {
            super.service(request, response);
        } else if (method.equals(OPTIONS)) {
            allow(response);
            response.setStatus(HttpServletResponse.SC_NO_CONTENT);
        } else {
            allow(response);
            response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
        }
    }

    private void allow(HttpServletResponse response) {
        response.setHeader("Allow", String.join(", ", methods) + ", " + OPTIONS);
    }
}
