package org.gelato.ce.cli.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.gelato.ce.cli.CliException;
import org.gelato.ce.cli.Printable;
import org.gelato.ce.cli.wire.Endpoint;

/** Plain HTTPS reads from one CE. Connections are kept and used again. */
public final class HttpsGet {
    private static final int OK = 200;
    private static final int MAX_ERROR_BYTES = 4096;

    private final Endpoint endpoint;
    private final SSLSocketFactory sockets;
    private final int timeoutMillis;

    public HttpsGet(Endpoint endpoint, SSLSocketFactory sockets, Duration timeout) {
        this.endpoint = endpoint;
        this.sockets = sockets;
        this.timeoutMillis = Math.toIntExact(timeout.toMillis());
    }

    /**
     * Opens what is at a path.
     *
     * @param path percent-encoded, starts with a slash
     * @return the content, to be closed by the caller
     * @throws CliException for any answer but 200, with the reason the CE gave
     */
    public InputStream open(String path) {
        URI address = endpoint.resolve(path);
        HttpsURLConnection connection = null;
        try {
            connection = (HttpsURLConnection) address.toURL().openConnection();
            connection.setSSLSocketFactory(sockets);
            connection.setConnectTimeout(timeoutMillis);
            connection.setReadTimeout(timeoutMillis);
            connection.setInstanceFollowRedirects(false);
            connection.setUseCaches(false);
            int status = connection.getResponseCode();
            if (status != OK) {
                throw new CliException(endpoint + ": HTTP " + status + reason(connection));
            }
            return connection.getInputStream();
        } catch (IOException e) {
            if (connection != null) {
                connection.disconnect();
            }
            throw TransportErrors.of(endpoint, e);
        }
    }

    private static String reason(HttpsURLConnection connection) throws IOException {
        String type = connection.getContentType();
        try (InputStream error = connection.getErrorStream()) {
            String text = error == null || type == null ? "" : words(type, error.readNBytes(MAX_ERROR_BYTES));
            if (!text.isBlank()) {
                return ": " + Printable.line(text);
            }
        }
        String message = connection.getResponseMessage();
        return message == null || message.isBlank() ? "" : " " + Printable.line(message);
    }

    /** The reason in the body: plain text, or member {@code error} of an object. Pages for browsers say nothing here. */
    private static String words(String type, byte[] body) {
        if (type.startsWith("text/plain")) {
            return new String(body, StandardCharsets.UTF_8);
        }
        if (type.startsWith("application/json")) {
            try {
                return new ObjectMapper().readTree(body).path("error").asText();
            } catch (IOException e) {
                // Cut short or no JSON after all: the status must do.
                return "";
            }
        }
        return "";
    }
}
