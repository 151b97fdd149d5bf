package org.gelato.ce.ws.soap;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.ExpandWar;
import org.apache.catalina.startup.Tomcat;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.ws.cream2.ClusterProperties;
import org.gelato.ce.ws.cream2.Cream2Wire;
import org.gelato.ce.ws.cream2.DelegationWire;
import org.gelato.ce.ws.gridftp.GridFtpAccess;
import org.gelato.ce.ws.http.CallLimits;
import org.gelato.ce.ws.server.FaultKeepingProtocol;
import org.gelato.ce.ws.web.CeInstance;
import org.gelato.ce.ws.web.Version;
import org.gelato.ce.ws.web.XmlLimits;

/**
 * The SOAP services over fakes in an embedded Tomcat on loopback, and a client that sends given requests byte by byte.
 */
public final class SoapServer implements AutoCloseable {
    /** What the services think it is. */
    public static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

    public static final Instant STARTED = Instant.parse("2026-01-01T00:00:00Z");
    public static final int CALLS_PER_USER = 4;
    public static final int CALLS_WAITING = 3;
    public static final String BASE = "https://ce.example.org:8443";
    public static final String CREAM2 = "/ce-cream/services/CREAM2";
    public static final String DELEGATION = "/ce-cream/services/gridsite-delegation";

    public final FakeCallers callers = new FakeCallers();
    public final FakeJobs jobs = new FakeJobs();
    public final FakeDelegations delegations = new FakeDelegations();
    public final FakeAdmission admission = new FakeAdmission();
    public final FakeLeases leases = new FakeLeases();
    public final FakeJobEvents jobEvents = new FakeJobEvents();
    /** What the batch system reported; null before it did. */
    public volatile ClusterStatus cluster;

    public final Map<String, String> waits = new ConcurrentHashMap<>();

    /** Whom clients' own ways to sandboxes were opened for. */
    public final List<Caller> admitted = new CopyOnWriteArrayList<>();
    /** Service, operation and outcome of each call. */
    public final List<String> metered = new CopyOnWriteArrayList<>();

    private final Tomcat tomcat = new Tomcat();
    private final Path home;
    private final int port;

    /** A response as received. */
    public record Response(int status, String head, String body) {
        public XmlResponse xml() {
            return XmlResponse.parse(body);
        }
    }

    public SoapServer(String contextPath) throws IOException, LifecycleException {
        home = Files.createTempDirectory("soap-server");
        tomcat.setBaseDir(home.toString());
        Connector connector = new Connector(FaultKeepingProtocol.class.getName());
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        tomcat.setConnector(connector);
        Context context = tomcat.addContext(contextPath, home.toString());
        Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
        SoapService cream2 = new Cream2Wire(
                new CeInstance(URI.create(BASE), Version.text(), STARTED),
                new Jobs(jobs, jobs, jobs),
                admission,
                leases,
                jobEvents,
                new GridFtpAccess("ce.example.org", GridFtpAccess.DEFAULT_PORT, admitted::add),
                new ClusterProperties(
                        "slurm",
                        List.of("long", "short"),
                        () -> Optional.ofNullable(cluster),
                        queue -> Optional.ofNullable(waits.get(queue))),
                clock);
        SoapServices services = new SoapServices(
                URI.create(BASE),
                callers,
                List.of(cream2, new DelegationWire(delegations, Version.text())),
                XmlLimits.defaults(),
                new CallLimits(CALLS_PER_USER, CALLS_PER_USER, CALLS_WAITING, 1 << 30, System::nanoTime),
                (service, operation, outcome, nanos) -> metered.add(service + " " + operation + " " + outcome));
        context.addServletContainerInitializer((classes, servletContext) -> services.register(servletContext), null);
        tomcat.start();
        port = connector.getLocalPort();
    }

    /** One call in the recorded client's manner. */
    public Response call(String path, String action, String envelope) throws IOException {
        return call(path, "text/xml; charset=utf-8", "SOAPAction: \"" + action + "\"\r\n", envelope);
    }

    public Response call(String path, String contentType, String headers, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head = "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nUser-Agent: gSOAP/2.8\r\n"
                + "Content-Type: " + contentType + "\r\nContent-Length: " + bytes.length
                + "\r\nConnection: close\r\nAccept-Encoding: gzip,deflate\r\n" + headers + "\r\n";
        return exchange(out -> {
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(bytes);
        });
    }

    public Response get(String pathAndQuery) throws IOException {
        return exchange(out -> out.write(
                ("GET " + pathAndQuery + " HTTP/1.1\r\nHost: my.host.example:9443\r\n" + "Connection: close\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII)));
    }

    @FunctionalInterface
    public interface Request {
        void write(OutputStream out) throws IOException;
    }

    /** Sends bytes and reads the response; a request the server stops reading may end early. */
    public Response exchange(Request request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(30_000);
            request.write(socket.getOutputStream());
            socket.getOutputStream().flush();
            return answer(socket.getInputStream());
        }
    }

    /** A connection over which several requests go, each with its response before the next. */
    public Connection connect() throws IOException {
        return new Connection(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    public record Connection(Socket socket) implements AutoCloseable {
        public Response call(String path, String action, String envelope) throws IOException {
            send(path, action, envelope);
            return answer(socket.getInputStream());
        }

        /** Sends a call without reading its response. */
        public void send(String path, String action, String envelope) throws IOException {
            byte[] bytes = envelope.getBytes(StandardCharsets.UTF_8);
            socket.setSoTimeout(30_000);
            OutputStream out = socket.getOutputStream();
            out.write(("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/xml; charset=utf-8\r\n"
                            + "SOAPAction: \"" + action + "\"\r\nContent-Length: " + bytes.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(bytes);
            out.flush();
        }

        /** Whether the server has ended it. */
        public boolean isAtItsEnd() throws IOException {
            return socket.getInputStream().read() < 0;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static Response answer(InputStream in) throws IOException {
        String head = head(in);
        int status = Integer.parseInt(head.substring(9, 12));
        String lower = head.toLowerCase(Locale.ROOT);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if (lower.contains("transfer-encoding: chunked")) {
            for (int size = chunk(in); size > 0; size = chunk(in)) {
                body.write(in.readNBytes(size));
                line(in);
            }
            line(in); // no trailers
        } else if (lower.contains("content-length: ")) {
            int at = lower.indexOf("content-length: ") + 16;
            body.write(in.readNBytes(Integer.parseInt(head.substring(at, head.indexOf('\r', at)))));
        } else {
            body.write(in.readAllBytes());
        }
        return new Response(status, head, body.toString(StandardCharsets.UTF_8));
    }

    private static int chunk(InputStream in) throws IOException {
        return Integer.parseInt(line(in), 16);
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            head.append(line).append("\r\n");
        }
        return head.toString();
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the server closed the connection after: " + line);
            }
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
        ExpandWar.delete(home.toFile());
    }
}
