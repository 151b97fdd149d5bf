package org.gelato.ce.cli.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.json.FaultCode;

/** Plain HTTPS reads from one CE. Connections are kept and used again. */
public final class HttpsGet {
    private static final int OK = 200;
    private static final int PARTIAL = 206;
    private static final int NOT_FOUND = 404;
    private static final String WANT_CHECKSUM = "Want-Repr-Digest";
    private static final int MAX_ERROR_BYTES = 4096;

    private final Endpoint endpoint;
    private final SSLSocketFactory sockets;
    private final Map<String, String> always;
    private final int timeoutMillis;

    /** For reads that need no token. */
    public HttpsGet(Endpoint endpoint, SSLSocketFactory sockets, Duration timeout) {
        this(endpoint, sockets, Map.of(), timeout);
    }

    /** For one reader of a command; others share its connections only by way of the same socket factory. */
    public HttpsGet(Endpoint endpoint, SSLSocketFactory sockets, Access access, Duration timeout) {
        this(endpoint, sockets, access.headers(), timeout);
    }

    private HttpsGet(Endpoint endpoint, SSLSocketFactory sockets, Map<String, String> always, Duration timeout) {
        this.endpoint = endpoint;
        this.sockets = sockets;
        this.always = always;
        this.timeoutMillis = Math.toIntExact(timeout.toMillis());
    }

    /**
     * Opens what is at a path.
     *
     * @param path percent-encoded, starts with a slash
     * @return the content, to be closed by the caller
     * @throws CliException for any status but 200, with the reason the CE gave
     */
    public InputStream open(String path) {
        return download(path, 0, null).content();
    }

    /**
     * Changes what is at a path.
     *
     * @param method {@code PUT} or {@code DELETE}, without a body
     * @param path percent-encoded, starts with a slash
     * @return the response, to be closed by the caller
     * @throws CliException for any status but 200, with the reason the CE gave
     */
    public InputStream change(String method, String path) {
        return request(method, path, Map.of("Content-Length", "0"), connection -> {
            int status = connection.getResponseCode();
            if (status != OK) {
                throw refused(connection, status);
            }
            return connection.getInputStream();
        });
    }

    /**
     * What the CE reports about a file.
     *
     * @param size bytes that are there
     * @param complete whether that is all of it
     * @param tag of this version; null when not sent
     * @param checksum as {@code Repr-Digest} spells it; null when not sent
     */
    public record Remote(long size, boolean complete, String tag, String checksum) {}

    /**
     * A file on its way.
     *
     * @param content closed by the caller
     * @param partial whether it starts at the requested offset, and not at the beginning
     * @param size bytes of this response; -1 when not sent
     */
    public record Download(InputStream content, boolean partial, long size, String tag, String checksum) {}

    /** Queries a file; empty when the CE has none. */
    public Optional<Remote> head(String path, boolean withChecksum) {
        return request("HEAD", path, withChecksum ? Map.of(WANT_CHECKSUM, "sha-256=1") : Map.of(), connection -> {
            int status = connection.getResponseCode();
            if (status == NOT_FOUND) {
                return Optional.empty();
            }
            if (status != OK) {
                throw refused(connection, status);
            }
            return Optional.of(new Remote(
                    connection.getContentLengthLong(),
                    !"?0".equals(connection.getHeaderField("Upload-Complete")),
                    connection.getHeaderField("ETag"),
                    connection.getHeaderField("Repr-Digest")));
        });
    }

    /**
     * Opens a file from an offset on.
     *
     * @param tag the expected version when the offset is not 0; another version is sent whole
     * @throws ConnectionFailure when the CE is too busy just now
     */
    public Download download(String path, long from, String tag) {
        Map<String, String> headers = from == 0
                ? Map.of(WANT_CHECKSUM, "sha-256=1")
                : Map.of("Range", "bytes=" + from + "-", "If-Range", tag);
        return request("GET", path, headers, connection -> {
            int status = connection.getResponseCode();
            if (status != OK && (status != PARTIAL || from == 0)) {
                throw refused(connection, status);
            }
            return new Download(
                    connection.getInputStream(),
                    status == PARTIAL,
                    connection.getContentLengthLong(),
                    connection.getHeaderField("ETag"),
                    connection.getHeaderField("Repr-Digest"));
        });
    }

    private interface Response<T> {
        T of(HttpsURLConnection connection) throws IOException;
    }

    private <T> T request(String method, String path, Map<String, String> headers, Response<T> response) {
        URI address = endpoint.resolve(path);
        HttpsURLConnection connection = null;
        try {
            connection = (HttpsURLConnection) address.toURL().openConnection();
            connection.setRequestMethod(method);
            connection.setSSLSocketFactory(sockets);
            connection.setConnectTimeout(timeoutMillis);
            connection.setReadTimeout(timeoutMillis);
            connection.setInstanceFollowRedirects(false);
            connection.setUseCaches(false);
            always.forEach(connection::setRequestProperty);
            headers.forEach(connection::setRequestProperty);
            return response.of(connection);
        } catch (IOException e) {
            if (connection != null) {
                connection.disconnect();
            }
            throw TransportErrors.of(endpoint, e);
        }
    }

    private CliException refused(HttpsURLConnection connection, int status) throws IOException {
        return TransportErrors.of(
                endpoint, status, "HTTP " + status + reason(connection), connection.getHeaderField(FaultCode.HEADER));
    }

    private static String reason(HttpsURLConnection connection) throws IOException {
        String type = connection.getContentType();
        try (InputStream error = connection.getErrorStream()) {
            String text = error == null || type == null ? "" : reason(type, error.readNBytes(MAX_ERROR_BYTES));
            if (!text.isEmpty()) {
                return text;
            }
        }
        String message = connection.getResponseMessage();
        return message == null || message.isBlank() ? "" : " " + Printable.line(message);
    }

    /** The reason after a colon; empty when the body contains none. */
    static String reason(String type, byte[] body) {
        String text = RefusalText.of(type, body);
        return text.isEmpty() ? "" : ": " + Printable.line(text);
    }
}
