package org.gelato.ce.testkit.wire;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;

/**
 * One kept HTTP/1.1 connection over TLS to a server on this host. Each request is one write, so that what a client does with
 * small packets is in no measurement. Opened by the first request, and anew by the next one when the server has ended it. Used
 * by one thread.
 */
public final class WireConnection implements AutoCloseable {
    private static final String HOST = "localhost";
    private static final String EXPECT = "Expect: 100-continue";
    private static final int CONTINUE = 100;
    private static final int MAX_LINE = 64 << 10;
    private static final int MAX_BODY = 64 << 20;

    private final SSLContext tls;
    private final int port;
    private final Duration patience;
    private SSLSocket socket;
    private InputStream in;

    private WireConnection(SSLContext tls, int port, Duration patience) {
        this.tls = tls;
        this.port = port;
        this.patience = patience;
    }

    /**
     * @param credential null for a client without certificate
     * @param patience for each read
     */
    public static WireConnection to(int port, GridPki pki, GridCredential credential, Duration patience) {
        return new WireConnection(tls(pki, credential), port, patience);
    }

    /**
     * The TLS of a client that trusts the test authority.
     *
     * @param credential null for a client without certificate
     */
    public static SSLContext tls(GridPki pki, GridCredential credential) {
        try {
            X509Certificate authority = pki.authorityCertificate();
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            trusted.setCertificateEntry("authority", authority);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            KeyManager[] keys = credential == null
                    ? null
                    : new KeyManager[] {credential.x509().getKeyManager()};
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(keys, trust.getTrustManagers(), null);
            return tls;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Sends a request and reads its response.
     *
     * @param target as in the request line
     * @param headers beside Host and Content-Length
     * @param body null for none
     */
    public WireResponse send(String method, String target, Map<String, String> headers, byte[] body) {
        StringBuilder head = new StringBuilder(method)
                .append(' ')
                .append(target)
                .append(" HTTP/1.1\r\nHost: ")
                .append(HOST)
                .append(':')
                .append(port)
                .append("\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        if (body != null) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        return exchange(head.append("\r\n").toString(), body == null ? new byte[0] : body);
    }

    /**
     * Sends a request byte for byte and reads its response. A body that is announced by {@code Expect: 100-continue} is sent when the
     * server asks for it, and not at all when it answers otherwise.
     *
     * @param head the request line and the headers, with the empty line after them
     * @param body empty for none
     */
    public WireResponse exchange(String head, byte[] body) {
        try {
            if (socket == null) {
                open();
            }
            boolean waits = head.contains("\r\n" + EXPECT + "\r\n");
            ByteArrayOutputStream first = new ByteArrayOutputStream();
            first.write(head.getBytes(StandardCharsets.UTF_8));
            if (!waits) {
                first.write(body);
            }
            socket.getOutputStream().write(first.toByteArray());
            boolean headersAlone = head.startsWith("HEAD ");
            WireResponse response = read(headersAlone);
            if (waits && response.status() == CONTINUE) {
                socket.getOutputStream().write(body);
            }
            while (response.status() == CONTINUE) {
                response = read(headersAlone);
            }
            if (response.header("connection").equalsIgnoreCase("close")) {
                close();
            }
            return response;
        } catch (IOException e) {
            close();
            throw new UncheckedIOException(
                    "port " + port + ": " + head.lines().findFirst().orElse("") + ": " + e.getMessage(), e);
        }
    }

    private void open() throws IOException {
        socket = (SSLSocket) tls.getSocketFactory().createSocket(HOST, port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(Math.toIntExact(patience.toMillis()));
        socket.startHandshake();
        in = new BufferedInputStream(socket.getInputStream(), 16 << 10);
    }

    private WireResponse read(boolean headersAlone) throws IOException {
        String[] status = line().split(" ", 3);
        if (status.length < 2) {
            throw new IOException("the response does not begin with a status line");
        }
        Map<String, String> headers = new HashMap<>();
        List<String> lines = new ArrayList<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            lines.add(line);
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(
                        line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        int code = Integer.parseInt(status[1]);
        boolean bodiless = headersAlone || code == CONTINUE || code == 204 || code == 304;
        byte[] body = bodiless ? new byte[0] : body(headers);
        return new WireResponse(code, status.length == 3 ? status[2].strip() : "", headers, lines, body);
    }

    private byte[] body(Map<String, String> headers) throws IOException {
        if (headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")) {
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            for (int size = chunk(); size > 0; size = chunk()) {
                whole.write(exactly(size));
                line();
                if (whole.size() > MAX_BODY) {
                    throw new IOException("the response is larger than " + MAX_BODY + " bytes");
                }
            }
            while (!line().isEmpty()) {
                // trailers
            }
            return whole.toByteArray();
        }
        String length = headers.get("content-length");
        if (length != null) {
            return exactly(Integer.parseInt(length));
        }
        byte[] rest = in.readNBytes(MAX_BODY);
        close();
        return rest;
    }

    private int chunk() throws IOException {
        return Integer.parseInt(line().split(";", 2)[0].strip(), 16);
    }

    private byte[] exactly(int size) throws IOException {
        if (size > MAX_BODY) {
            throw new IOException("the response is larger than " + MAX_BODY + " bytes");
        }
        byte[] bytes = in.readNBytes(size);
        if (bytes.length < size) {
            throw new EOFException("the response breaks off");
        }
        return bytes;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0 || line.size() > MAX_LINE) {
                throw new EOFException("the response breaks off");
            }
            line.write(c);
        }
        return line.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    /** Ends the connection; the next request opens another. */
    @Override
    public void close() {
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                socket = null;
                in = null;
            }
        }
    }
}
