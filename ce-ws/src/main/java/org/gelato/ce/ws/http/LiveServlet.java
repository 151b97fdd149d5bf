package org.gelato.ce.ws.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;

/** {@code GET /health/live}: 200 while this process responds at all. */
final class LiveServlet extends ResourceServlet {
    private static final long serialVersionUID = 1L;

    LiveServlet() {
        super("GET", "HEAD");
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        JsonResponse.send(response, HttpServletResponse.SC_OK, Map.of("live", true));
    }
}
