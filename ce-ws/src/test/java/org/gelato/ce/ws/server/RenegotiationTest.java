package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.wire.WireConnection;
import org.gelato.ce.ws.credential.HostCredential;
import org.gelato.ce.ws.tls.ChainIdentities;
import org.gelato.ce.ws.tls.GridConnector;
import org.gelato.ce.ws.tls.GridTrust;
import org.gelato.ce.ws.tls.TrustConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a process of its own: the JDK reads once whether it takes part in a second handshake. */
class RenegotiationTest {
    private static final String REFUSED = "refused";

    @TempDir
    Path directory;

    @Test
    void aSecondHandshakeOnAConnectionIsRefused() throws Exception {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RenegotiationTest.class.getName(),
                        directory.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(output, StandardCharsets.UTF_8).lines()).contains(REFUSED);
    }

    /** @param arguments a directory */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        GridPki pki = GridPki.open(directory.resolve("pki"), "localhost");
        TrustConfig config =
                new TrustConfig(pki.certificates(), pki.vomsdir(), CrlCheckingMode.IF_VALID, Duration.ofHours(1));
        HostCredential host = new HostCredential(pki.hostCertificate(), pki.hostKey(), "localhost", Clock.systemUTC());
        try (GridTrust trust = new GridTrust(config, directory.resolve("trust"))) {
            ChainIdentities identities = new ChainIdentities(trust, Clock.systemUTC());
            CeServer.Settings settings = new CeServer.Settings(
                    "127.0.0.1",
                    0,
                    ServerFixture.HTTP,
                    directory.resolve("tomcat"),
                    connector -> GridConnector.secure(connector, host, identities, refusal -> {}));
            try (CeServer server = new CeServer(settings, List.of())) {
                server.start();
                System.out.println(secondHandshake(server.port(), pki));
            }
        }
    }

    private static String secondHandshake(int port, GridPki pki) throws Exception {
        SSLContext tls = WireConnection.tls(pki, null);
        try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("localhost", port)) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.startHandshake();
            try {
                // For TLS 1.2 another one.
                socket.startHandshake();
                socket.getOutputStream()
                        .write("GET / HTTP/1.1\r\nHost: ce\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                return socket.getInputStream().read() < 0 ? "closed" : "done";
            } catch (SSLException e) {
                return REFUSED;
            } catch (IOException e) {
                return e.toString();
            }
        }
    }
}
