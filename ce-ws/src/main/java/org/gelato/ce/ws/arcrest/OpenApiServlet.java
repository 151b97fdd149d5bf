package org.gelato.ce.ws.arcrest;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.gelato.ce.ws.http.ResourceServlet;

/**
 * The OpenAPI document of ARC REST. Served without credentials, as the WSDL of the SOAP services is: it is the same at every site, holds
 * nothing of this one, and tools read it before they have a credential. Thread-safe.
 */
final class OpenApiServlet extends ResourceServlet {
    static final String PATH = ArcCall.ROOT + "/openapi.json";

    private static final long serialVersionUID = 1L;

    private final byte[] document;

    /** @throws IllegalStateException when the document is missing from the program */
    OpenApiServlet() {
        super("GET", "HEAD");
        try (InputStream in = OpenApiServlet.class.getResourceAsStream("openapi.json")) {
            if (in == null) {
                throw new IllegalStateException("openapi.json is missing from the program: install it again");
            }
            document = in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("application/json");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setContentLength(document.length);
        response.getOutputStream().write(document);
    }
}
