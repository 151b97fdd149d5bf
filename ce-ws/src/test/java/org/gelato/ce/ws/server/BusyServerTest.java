package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.wire.WireConnection;
import org.gelato.ce.ws.credential.HostCredential;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.MemoryBudget;
import org.gelato.ce.ws.http.MinimumRate;
import org.gelato.ce.ws.tls.ChainIdentities;
import org.gelato.ce.ws.tls.GridConnector;
import org.gelato.ce.ws.tls.GridTrust;
import org.gelato.ce.ws.tls.TrustConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that itself is slow, as one that has just started on a busy host, ends no client's connection for it. */
class BusyServerTest extends ServerFixture {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Stops whoever reads it until it is released. */
    private static final class StoppedClock extends Clock {
        private final CountDownLatch read = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        @Override
        public Instant instant() {
            read.countDown();
            try {
                assertThat(released.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Instant.now();
        }

        @Override
        public ZoneId getZone() {
            return ZoneId.of("UTC");
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private GridPki pki;
    private GridTrust trust;

    @AfterEach
    void closeTrust() {
        server.close();
        trust.close();
    }

    /** In the place of the server that all tests here have, one with TLS. */
    private void serve(int connections, Duration timeout, Duration handshake, Clock clock) {
        server.close();
        pki = GridPki.open(directory.resolve("pki"), "localhost");
        trust = new GridTrust(
                new TrustConfig(pki.certificates(), pki.vomsdir(), CrlCheckingMode.IF_VALID, Duration.ofHours(1)),
                directory.resolve("trust"));
        ChainIdentities identities = new ChainIdentities(trust, clock);
        HostCredential host = new HostCredential(pki.hostCertificate(), pki.hostKey(), "localhost", Clock.systemUTC());
        HttpConfig http =
                new HttpConfig(8, connections, 1, 1 << 20, Duration.ofMinutes(5), timeout, 2, 8, 50, handshake);
        server = new CeServer(
                new CeServer.Settings(
                        "127.0.0.1",
                        0,
                        http,
                        directory.resolve("busy"),
                        connector -> GridConnector.secure(connector, host, identities, refusal -> {})),
                listeners(
                        new AsyncExchanges(MemoryBudget.ofHeap(1 << 20), MinimumRate.Slowest.USUAL, System::nanoTime),
                        LIMITS));
        server.start();
    }

    private WireConnection client(String name) {
        return WireConnection.to(server.port(), pki, pki.proxy(pki.user(name)).make(), PATIENCE);
    }

    private static int live(WireConnection client) {
        return client.send("GET", "/health/live", Map.of(), null).status();
    }

    private Socket connected() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
        return socket;
    }

    private SSLSocket tls(Socket over) throws IOException {
        return (SSLSocket)
                WireConnection.tls(pki, null).getSocketFactory().createSocket(over, "localhost", over.getPort(), true);
    }

    @Test
    void onlyWhatTheClientIsWaitedForCountsAsTheTimeOfAHandshake() throws Exception {
        StoppedClock clock = new StoppedClock();
        serve(50, Duration.ofMinutes(5), Duration.ofSeconds(1), clock);
        try (WireConnection client = client("Alice")) {
            CompletableFuture<Integer> status = CompletableFuture.supplyAsync(() -> live(client));
            assertThat(clock.read.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            // Comes later, says nothing and has its time: that of the first would be over as well.
            try (Socket silent = connected()) {
                assertThat(silent.getInputStream().read()).isNegative();
            }
            clock.released.countDown();
            assertThat(status.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(200);
        }
    }

    /** Tomcat's own timeout would count from the start of the connection, however long the server needed for its part. */
    @Test
    void theTimeBetweenTwoReadsIsNotTheLimitOfAHandshake() throws Exception {
        serve(50, Duration.ofSeconds(1), Duration.ofMinutes(5), Clock.systemUTC());
        try (Socket slow = connected()) {
            // Comes later, shakes hands and sends nothing: the time of the first would be over as well.
            try (SSLSocket idle = tls(connected())) {
                idle.startHandshake();
                assertThat(idle.getInputStream().read()).isNegative();
            }
            try (SSLSocket late = tls(slow)) {
                late.getOutputStream()
                        .write("GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(late.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .startsWith("HTTP/1.1 200 ");
            }
        }
    }

    /** One that connects anew for each request and keeps each connection had filled them all, for a minute. */
    @Test
    void keptConnectionsOfOneUserStopNoOtherClient() {
        serve(20, Duration.ofMinutes(5), Duration.ofMinutes(5), Clock.systemUTC());
        List<WireConnection> kept = new ArrayList<>();
        try (WireConnection bob = client("Bob")) {
            for (int i = 0; i < 60; i++) {
                kept.add(client("Alice")); // each with a proxy of its own
                assertThat(live(kept.get(i))).isEqualTo(200);
                if (i % 20 == 0) { // on the connection that he has: one that was closed is an error
                    assertThat(live(bob)).isEqualTo(200);
                }
            }
            try (WireConnection eve = WireConnection.to(server.port(), pki, null, PATIENCE)) {
                assertThat(live(eve)).isEqualTo(200);
            }
        } finally {
            kept.forEach(WireConnection::close);
        }
    }
}
