package org.gelato.ce.it.badinput;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.GridCredential;

/** Sends what no client of ours would send, with any credential or none. Keeps its connection. */
public final class RawClient {
    public static final String CREAM2 = "/ce-cream/services/CREAM2";
    public static final String DELEGATION = "/ce-cream/services/gridsite-delegation";
    static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
    static final String TYPES = "http://glite.org/2007/11/ce/cream/types";
    static final String DELEGATION_TYPES = "http://www.gridsite.org/namespaces/delegation-2";

    private static final String ACTION = "http://glite.org/2007/11/ce/cream/";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Pattern JOB_ID = Pattern.compile("CREAM[0-9]{9}");

    private final SiteCe ce;
    private final SSLContext tls;
    private final HttpClient http;

    /**
     * What the CE returned.
     *
     * @param type Content-Type; empty when absent
     */
    public record Reply(int status, String type, String body) {}

    /** @param credential null for a client without certificate */
    public RawClient(SiteCe ce, GridCredential credential) {
        this.ce = ce;
        tls = ce.tls(credential);
        http = HttpClient.newBuilder()
                .sslContext(tls)
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(TIMEOUT)
                .build();
    }

    /** A connection to send bytes on, whatever they are. */
    public SSLSocket connect() throws IOException {
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("localhost", ce.port());
        socket.setSoTimeout(Math.toIntExact(TIMEOUT.toMillis()));
        return socket;
    }

    /** As {@link #connect}, with the handshake done, from one of this host's addresses and with little room for responses. */
    public SSLSocket connectFrom(InetAddress address) throws IOException {
        Socket plain = new Socket();
        plain.setReceiveBufferSize(4096);
        plain.bind(new InetSocketAddress(address, 0));
        plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), ce.port()));
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, "localhost", ce.port(), true);
        socket.setSoTimeout(Math.toIntExact(TIMEOUT.toMillis()));
        socket.startHandshake();
        return socket;
    }

    static String envelope(String body) {
        return "<s:Envelope xmlns:s=\"" + SOAP + "\"><s:Body>" + body + "</s:Body></s:Envelope>";
    }

    /** As it stands, with any headers; chunked where the length is not to be sent. */
    public Reply post(String path, Map<String, String> headers, String body, boolean chunked) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        HttpRequest.Builder request = request(path)
                .POST(
                        chunked
                                ? HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes))
                                : HttpRequest.BodyPublishers.ofByteArray(bytes));
        headers.forEach(request::header);
        return send(request);
    }

    Reply post(String path, String type, String body) throws IOException {
        return send(request(path)
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8)));
    }

    public Reply get(String path) throws IOException {
        return send(request(path).GET());
    }

    /** An operation of the job service by its SOAPAction. */
    Reply cream2(String operation, String body) throws IOException {
        return send(request(CREAM2)
                .header("Content-Type", "text/xml; charset=utf-8")
                .header("SOAPAction", "\"" + ACTION + operation + "\"")
                .POST(HttpRequest.BodyPublishers.ofString(envelope(body), StandardCharsets.UTF_8)));
    }

    /**
     * The response to an operation of the job service, unparsed.
     *
     * @throws IOException also when it is a fault
     */
    InputStream open(String operation, String body) throws IOException {
        HttpRequest request = request(CREAM2)
                .timeout(LONG)
                .header("Content-Type", "text/xml; charset=utf-8")
                .header("SOAPAction", "\"" + ACTION + operation + "\"")
                .POST(HttpRequest.BodyPublishers.ofString(envelope(body), StandardCharsets.UTF_8))
                .build();
        try {
            HttpResponse<InputStream> response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            if (response.statusCode() != 200) {
                throw new IOException(operation + " answered " + response.statusCode());
            }
            return response.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** An operation of the job service on one job. */
    Reply onJob(String operation, String localId) throws IOException {
        return cream2(
                operation,
                "<t:" + operation + "Request xmlns:t=\"" + TYPES + "\"><t:jobId><t:id>" + localId
                        + "</t:id><t:creamURL>https://localhost:" + ce.port() + CREAM2
                        + "</t:creamURL></t:jobId></t:" + operation + "Request>");
    }

    /** An operation of the delegation service on one delegation. */
    Reply onDelegation(String operation, String id) throws IOException {
        return post(
                DELEGATION,
                "text/xml; charset=utf-8",
                envelope("<d:" + operation + " xmlns:d=\"" + DELEGATION_TYPES + "\"><delegationID>" + id
                        + "</delegationID></d:" + operation + ">"));
    }

    /** Local ids of the jobs this client sees. */
    Set<String> jobs() {
        try {
            Reply reply = cream2("JobList", "");
            if (reply.status() != 200) {
                throw new AssertionError("JobList returned " + reply);
            }
            return JOB_ID.matcher(reply.body())
                    .results()
                    .map(r -> r.group())
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + ce.port() + path))
                .timeout(TIMEOUT);
    }

    private Reply send(HttpRequest.Builder request) throws IOException {
        try {
            HttpResponse<String> response =
                    http.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            return new Reply(
                    response.statusCode(),
                    response.headers().firstValue("Content-Type").orElse(""),
                    response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
