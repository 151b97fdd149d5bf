package org.gelato.ce.ws.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import org.gelato.ce.core.base.Sha256;
import org.gelato.ce.ws.http.ResourceServlet;

/**
 * A file of the page. Served to everybody, as it is the same at every site and holds nothing of this one; the data are guarded. Nothing
 * but what this CE serves is loaded or run in it: no text of a job or DN can become part of the program. Thread-safe.
 */
final class Pages extends ResourceServlet {
    private static final long serialVersionUID = 1L;
    private final byte[] bytes;
    private final String type;
    private final String tag;

    /** @throws IllegalStateException when the file is missing from the program */
    Pages(String file, String type) {
        super("GET", "HEAD");
        this.type = type;
        try (InputStream in = Pages.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing from the program: install it again");
            }
            bytes = in.readAllBytes();
            tag = tag(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Headers that keep a browser from taking a response for something else. */
    static void protect(HttpServletResponse response) {
        response.setHeader("Content-Security-Policy", DashboardEndpoints.POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    }

    /** What a browser compares its copy by. */
    static String tag(byte[] bytes) {
        return "\"" + HexFormat.of().formatHex(Sha256.of(bytes), 0, 12) + "\"";
    }

    /** Writes a file, or that the browser's copy still is it. */
    static void write(HttpServletRequest request, HttpServletResponse response, byte[] bytes, String type, String tag)
            throws IOException {
        response.setHeader("ETag", tag);
        response.setHeader("Cache-Control", "no-cache");
        if (tag.equals(request.getHeader("If-None-Match"))) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            return;
        }
        response.setContentType(type);
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        protect(response);
        write(request, response, bytes, type, tag);
    }
}
