package org.gelato.ce.ws.arcrest;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.gelato.ce.ws.http.Exchange;

/**
 * Sends the response to a request. Each is sent whole where it is short, in one write, and streamed where it is a list of any length.
 *
 * @param form in which the client wants it
 */
record ArcResponse(HttpServletRequest request, HttpServletResponse http, Form form) {
    ArcResponse(HttpServletRequest request, HttpServletResponse http) {
        this(request, http, Form.of(String.join(",", Collections.list(request.getHeaders("Accept")))));
    }

    void send(int status, Part document) throws IOException {
        StringBuilder text = new StringBuilder();
        form.write(document, text);
        text(status, form.mediaType(), text.toString());
    }

    /**
     * Sends a list: whole when it has one part, and streamed when it has more.
     *
     * @param parts what is shown of a thing; null for nothing
     */
    <T> void list(int status, Form.ListName name, Iterator<List<T>> slices, Function<T, Part> parts)
            throws IOException {
        ListResponse<T> list = new ListResponse<>(form, name, slices, parts);
        if (list.hasOnePart()) {
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            list.next(whole);
            text(status, form.mediaType(), whole.toString(StandardCharsets.UTF_8));
            return;
        }
        http.setStatus(status);
        http.setContentType(form.mediaType());
        http.setHeader("Cache-Control", "no-store");
        Exchange.of(request).stream(list);
    }

    void text(int status, String mediaType, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        http.setStatus(status);
        http.setContentType(mediaType);
        http.setHeader("Cache-Control", "no-store");
        http.setHeader("X-Content-Type-Options", "nosniff");
        http.setContentLength(bytes.length);
        http.getOutputStream().write(bytes);
    }

    void empty(int status) {
        http.setStatus(status);
        http.setContentLength(0);
    }
}
