package org.gelato.ce.ws.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.ws.http.ResourceServlet;

/**
 * The manual below {@code /docs/}, for everybody, as it is the same at every site: the files of module {@code manual} and no others,
 * under the policy of the page at {@code /}. Thread-safe.
 */
final class ManualServlet extends ResourceServlet {
    private static final long serialVersionUID = 1L;

    /** Where it is. */
    static final String PATH = "/docs";

    private static final String FOLDER = "/manual/";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "json", "application/json",
            "png", "image/png");

    private final transient Set<String> files;

    /** @throws IllegalStateException when the manual is missing from the program */
    ManualServlet() {
        super("GET", "HEAD");
        try (BufferedReader list =
                new BufferedReader(new InputStreamReader(open("files.txt"), StandardCharsets.UTF_8))) {
            files = list.lines().collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Pages.protect(response);
        String path = request.getPathInfo();
        if (path == null) {
            // Links of the first page are relative to its folder.
            response.sendRedirect(request.getContextPath() + PATH + "/");
            return;
        }
        String file = path.substring(1) + (path.endsWith("/") ? "index.html" : "");
        if (!files.contains(file)) {
            response.setContentType(TEXT);
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
            response.getWriter()
                    .println("The manual has no such page; it begins at " + request.getContextPath() + PATH + "/");
            return;
        }
        byte[] bytes;
        try (InputStream in = open(file)) {
            bytes = in.readAllBytes();
        }
        Pages.write(
                request,
                response,
                bytes,
                TYPES.getOrDefault(file.substring(file.lastIndexOf('.') + 1), TEXT),
                Pages.tag(bytes));
    }

    private static InputStream open(String file) {
        InputStream in = ManualServlet.class.getResourceAsStream(FOLDER + file);
        if (in == null) {
            throw new IllegalStateException(file + " of the manual is missing from the program: install it again");
        }
        return in;
    }
}
