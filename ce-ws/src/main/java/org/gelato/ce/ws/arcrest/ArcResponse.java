package org.gelato.ce.ws.arcrest;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.gelato.ce.ws.http.Exchange;

/** Sends answers. Each is sent whole where it is short, in one write, and streamed where it is a list of any length. */
final class ArcResponse {
    private ArcResponse() {}

    static void send(HttpServletResponse response, int status, Form form, Part document) throws IOException {
        StringBuilder text = new StringBuilder();
        form.write(document, text);
        text(response, status, form.mediaType(), text.toString());
    }

    /** Sends a list: whole when it has one part, and streamed when it has more. */
    static void stream(
            HttpServletRequest request, HttpServletResponse response, int status, Form form, ListResponse<?> list)
            throws IOException {
        if (list.hasOnePart()) {
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            list.next(whole);
            text(response, status, form.mediaType(), whole.toString(StandardCharsets.UTF_8));
            return;
        }
        response.setStatus(status);
        response.setContentType(form.mediaType());
        response.setHeader("Cache-Control", "no-store");
        Exchange.of(request).stream(list);
    }

    static void text(HttpServletResponse response, int status, String mediaType, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType(mediaType);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }

    static void empty(HttpServletResponse response, int status) {
        response.setStatus(status);
        response.setContentLength(0);
    }
}
