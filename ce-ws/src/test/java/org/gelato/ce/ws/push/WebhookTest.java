package org.gelato.ce.ws.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.event.ReceiverCursors;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.token.IssuerServer;
import org.gelato.ce.testkit.wire.WireConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class WebhookTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final String REFUSED = "refused by the receiver";
    private static final Duration SOON = Duration.ofSeconds(40);

    private final FakeFeed feed = new FakeFeed();
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final AtomicInteger broken = new AtomicInteger();
    private volatile boolean takesAll;
    private volatile boolean breaks;

    @Test
    void anErrorDoesNotEndTheDeliveries(@TempDir Path base) throws Exception {
        feed.add(1, 1);
        feed.errors.set(1);
        deliver(base, webhook -> {
            await().atMost(SOON).until(() -> webhook.delivered() == 1);
            assertThat(webhook.failures()).isEqualTo(1);
        });
        assertThat(received).singleElement().asString().contains("CREAM000000001");
    }

    @Test
    void eventsThatAreRefusedCostThemselvesAlone(@TempDir Path base) throws Exception {
        feed.add(1, 20);
        feed.add(21, 23, REFUSED);
        feed.add(24, 40);
        deliver(base, webhook -> {
            await().atMost(SOON).until(() -> webhook.delivered() == 37 && webhook.behind() == 0);
            assertThat(cursor(base)).as("after a restart they are tried again").isEqualTo(20);
            assertThat(webhook.failures()).as("the receiver works").isZero();
            takesAll = true;
            await().atMost(SOON).until(() -> webhook.delivered() == 40 && cursor(base) == 40);
        });
        assertThat(received).filteredOn(body -> body.contains(REFUSED)).hasSize(3);
    }

    @Test
    void eventsWaitForAReceiverThatRefusesAll(@TempDir Path base) throws Exception {
        feed.add(1, 40, REFUSED);
        deliver(base, webhook -> {
            await().atMost(SOON).until(() -> webhook.failures() > 0);
            assertThat(webhook.behind()).isEqualTo(40);
            takesAll = true;
            await().atMost(SOON).until(() -> webhook.delivered() == 40);
        });
        assertThat(received).as("in one batch").hasSize(1);
    }

    @Test
    void anEventAsideWhoseDeliveryBreaksOffDelaysNoOther(@TempDir Path base) throws Exception {
        feed.add(1, 1, REFUSED);
        feed.add(2, 2);
        deliver(base, webhook -> {
            await().atMost(SOON).until(() -> webhook.delivered() == 1);
            breaks = true;
            await().atMost(SOON).until(() -> broken.get() > 0);
            feed.add(3, 3);
            await().atMost(SOON).until(() -> webhook.delivered() == 2);
            assertThat(cursor(base)).isZero();
        });
    }

    @Test
    void theCursorThatAnotherNodeMovedIsNotMovedBack(@TempDir Path base) throws Exception {
        feed.add(1, 1, REFUSED);
        feed.add(2, 2);
        deliver(base, webhook -> {
            await().atMost(SOON).until(() -> webhook.delivered() == 1);
            String name = base.getFileName().toString();
            assertThat(other(1).claim(name)).isTrue();
            assertThat(other(1).confirmed(name, 2)).isTrue();
            int horizons = feed.horizons.get();
            await().atMost(SOON).until(() -> feed.horizons.get() > horizons + 2);
            assertThat(other(-1).confirmed(name, 2)).as("its claim has run out").isTrue();
            feed.add(3, 3);
            await().atMost(SOON).until(() -> webhook.delivered() == 2 && webhook.behind() == 0);
            await().atMost(SOON).until(() -> cursor(base) == 3);
        });
    }

    /** Of another node, whose clock is some days ahead. */
    private static ReceiverCursors other(long days) {
        return new ReceiverCursors(
                DB.database(), Clock.offset(Clock.systemUTC(), Duration.ofDays(days)), "other", Webhooks.CLAIM);
    }

    private static long cursor(Path base) {
        return other(0).lastEvent(base.getFileName().toString()).orElseThrow();
    }

    private void deliver(Path base, Consumer<Webhook> test) throws Exception {
        GridPki pki = GridPki.open(base.resolve("grid"), "localhost");
        Path secret = Files.writeString(base.resolve("secret"), "a secret of the tests\n");
        ReceiverCursors cursors = new ReceiverCursors(DB.database(), Clock.systemUTC(), "node", Webhooks.CLAIM);
        try (IssuerServer server = new IssuerServer(pki.host())) {
            server.page("/hook", exchange -> {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                if (breaks && body.contains(REFUSED)) {
                    broken.incrementAndGet();
                    throw new IOException("the receiver breaks off");
                }
                boolean taken = takesAll || !body.contains(REFUSED);
                if (taken) {
                    received.add(body);
                }
                exchange.sendResponseHeaders(taken ? 204 : 400, -1);
            });
            HttpClient client = Webhook.client(WireConnection.tls(pki, null));
            Receiver receiver = new Receiver(base.getFileName().toString(), URI.create(server.url() + "/hook"), secret);
            cursors.begin(receiver.name(), 0);
            try (Webhook webhook = new Webhook(
                    receiver,
                    feed,
                    new EventJson("https://ce:8443", FakeFeed.MADE),
                    cursors,
                    client,
                    Clock.systemUTC())) {
                webhook.start();
                test.accept(webhook);
            }
        }
    }
}
