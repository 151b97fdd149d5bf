package org.gelato.ce.ws.http;

import com.fasterxml.jackson.databind.node.TextNode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;

/**
 * A refusal of ARC REST. The reason stands in the body, as this server sends no reason phrase. Clients that accept JSON get it in the
 * lines in which HTCondor looks for a message, which its user is shown as the reason of a hold (docs/developer/protocol/arc-rest.md); all
 * others get the text alone.
 */
public final class RefusalResponse {
    private static final String JSON = "application/json";

    private RefusalResponse() {}

    /**
     * Sends it; nothing happens when the response has begun.
     *
     * @param reason what happened, and what to do; line breaks at its ends are left out
     */
    public static void send(HttpServletRequest request, HttpServletResponse response, int status, String reason)
            throws IOException {
        if (response.isCommitted()) {
            return;
        }
        response.resetBuffer();
        boolean json = acceptsJson(request);
        String text = reason.strip();
        byte[] body = (json ? "{\n\"error\": {\n\"message\": " + TextNode.valueOf(text) + "\n}\n}\n" : text + "\n")
                .getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType(json ? JSON : "text/plain;charset=utf-8");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private static boolean acceptsJson(HttpServletRequest request) {
        String accepted = String.join(",", Collections.list(request.getHeaders("Accept")));
        return accepted.contains(JSON) && !accepted.contains("text/html") && !accepted.contains("xml");
    }
}
