package org.gelato.ce.it.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.token.IssuerServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EventPushIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String SECRET = "a secret of the tests";
    /** Many of them, and more kills, are {@link EventKillsIT}'s. */
    private static final int FOLLOWERS = 4;

    private static SiteCe ce;
    private static IssuerServer receiver;
    private static final List<String> delivered = new CopyOnWriteArrayList<>();
    private static final List<String> forged = new CopyOnWriteArrayList<>();
    private static final AtomicInteger refusals = new AtomicInteger(2);

    @BeforeAll
    static void start() throws IOException {
        ce = new SiteCe(
                "push",
                "fork",
                JobAccount.name(),
                Map.of("gelato.lrms.fork.slots", 8, "gelato.events.max-followers", FOLLOWERS + 16));
        receiver = new IssuerServer(ce.pki().host());
        receiver.page("/hook", EventPushIT::receive);
        Path secret = Files.writeString(ce.base().resolve("webhook.secret"), SECRET + "\n");
        Files.writeString(
                ce.configuration(),
                "\ngelato.events.webhooks = [{ name = factory, url = \"" + receiver.url() + "/hook\", secret-file = \""
                        + secret + "\" }]\n",
                StandardOpenOption.APPEND);
        Files.writeString(
                ce.base().resolve("admins"),
                "\"" + DnForms.slash(ce.pki().user("Admin").subject()) + "\"\n");
        ce.start();
    }

    @AfterAll
    static void stop() {
        if (receiver != null) {
            receiver.close();
        }
        if (ce != null) {
            ce.close();
        }
    }

    /** Refuses the first deliveries, then takes all, and keeps what its signature does not prove apart. */
    private static void receive(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String text = new String(body, StandardCharsets.UTF_8);
        if (!isSigned(exchange.getRequestHeaders().getFirst("Gelato-Signature"), body)) {
            forged.add(text);
        } else if (refusals.getAndDecrement() > 0) {
            exchange.sendResponseHeaders(500, -1);
            return;
        } else {
            delivered.add(text);
        }
        exchange.sendResponseHeaders(204, -1);
    }

    private static boolean isSigned(String header, byte[] body) {
        try {
            String time = header.substring("t=".length(), header.indexOf(','));
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            mac.update((time + ".").getBytes(StandardCharsets.UTF_8));
            return header.endsWith(",v1=" + HexFormat.of().formatHex(mac.doFinal(body)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static HttpClient client(String name) {
        GridCredential proxy = ce.pki().proxy(ce.pki().user(name)).make();
        return HttpClient.newBuilder()
                .sslContext(ce.tls(proxy))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    /** The ids that a query gives, all of them. */
    private static List<Long> queried(SiteUser user) {
        List<Long> ids = new ArrayList<>();
        user.must("", "events", "--json")
                .json()
                .path("events")
                .forEach(e -> ids.add(e.path("eventId").asLong()));
        return ids;
    }

    private static int status(HttpClient http, String method, String query) throws Exception {
        HttpResponse<InputStream> response = EventReader.request(ce, http, method, query, null);
        response.body().close();
        return response.statusCode();
    }

    @Test
    void aFollowerGetsEachChangeOnceWithACursorThatGoesOn() throws Exception {
        SiteUser user = ce.user("Fay of push");
        HttpClient http = client("Fay of push");
        try (EventReader reader = new EventReader(ce, http, "?from=0")) {
            String job = user.submit(SiteUser.shellJob("exit 3"));
            await().atMost(PATIENCE).until(() -> reader.data().stream().anyMatch(d -> d.contains("DONE-OK")));
            assertThat(reader.ids()).isEqualTo(queried(user));
            JsonNode first = JSON.readTree(reader.data().get(0));
            assertThat(first.path("job").asText()).isEqualTo(job);
            assertThat(first.path("state").asText()).isEqualTo("REGISTERED");
            JsonNode last = JSON.readTree(reader.data().get(reader.data().size() - 1));
            assertThat(last.path("exitCode").intValue()).isEqualTo(3);
            String cursor = first.path("cursor").asText();
            try (EventReader later = new EventReader(ce, http, "?from=" + cursor)) {
                int rest = reader.ids().size() - 1;
                await().atMost(PATIENCE).until(() -> later.ids().size() == rest);
                assertThat(later.ids()).isEqualTo(reader.ids().subList(1, rest + 1));
            }
        }
    }

    @Test
    void theCommandFollowsAndFilters() {
        SiteUser user = ce.user("Cat of push");
        user.await(user.submit(SiteUser.shellJob("exit 0")), "DONE-OK");
        String out = user.must("", "events", "--follow", "--max", "2", "--status", "REGISTERED:DONE-OK")
                .out();
        assertThat(out.lines()).hasSize(2);
        assertThat(out).contains(" REGISTERED ", " DONE-OK ");
    }

    @Test
    void othersEventsAreForAdministrators() throws Exception {
        SiteUser user = ce.user("Oda of push");
        String job = user.submit(SiteUser.shellJob("exit 0"));
        assertThat(status(client("Oda of push"), "GET", "?scope=all")).isEqualTo(403);
        try (EventReader other = new EventReader(ce, client("Ned of push"), "?from=0");
                EventReader admin = new EventReader(ce, client("Admin"), "?from=0&scope=all")) {
            await().atMost(PATIENCE)
                    .until(() -> admin.data().stream()
                            .anyMatch(d -> d.contains(job) && d.contains("DONE-OK") && d.contains("Oda of push")));
            await().atMost(PATIENCE).until(() -> other.connections() > 0);
            assertThat(other.ids()).isEmpty();
        }
    }

    @Test
    void badRequestsAreRefusedWithTheirReason() throws Exception {
        HttpClient http = client("Bea of push");
        assertThat(status(http, "GET", "?from=x")).isEqualTo(400);
        assertThat(status(http, "GET", "?from=1&from=2")).isEqualTo(400);
        assertThat(status(http, "GET", "?scope=theirs")).isEqualTo(400);
        assertThat(status(http, "GET", "?form=1")).isEqualTo(400);
        assertThat(status(http, "GET", "?from=1000-1")).isEqualTo(410);
        assertThat(status(http, "POST", "")).isEqualTo(405);
        HttpClient stranger = HttpClient.newBuilder().sslContext(ce.tls(null)).build();
        assertThat(status(stranger, "GET", "")).isIn(401, 403);
    }

    @Test
    void theReceiverGetsEachEventSignedThoughItRefusedSome() throws IOException {
        SiteUser user = ce.user("Rex of push");
        // A new receiver begins with what happens after its first look, which may be later than the CE's first calls.
        await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).until(() -> {
            user.await(user.submit(SiteUser.shellJob("exit 0")), "DONE-OK");
            return !delivered.isEmpty();
        });
        user.await(user.submit(SiteUser.shellJob("exit 0")), "DONE-OK");
        long first = JSON.readTree(delivered.iterator().next())
                .path("events")
                .path(0)
                .path("id")
                .asLong();
        List<Long> all = queried(user).stream().filter(id -> id >= first).toList();
        assertThat(all).hasSizeGreaterThan(3);
        await().atMost(PATIENCE).until(() -> deliveredIds().containsAll(all));
        assertThat(forged).isEmpty();
        assertThat(refusals.get()).isLessThanOrEqualTo(0);
    }

    /** The CE is killed while jobs run; no follower and no receiver misses an event, no follower has one twice. */
    @Test
    @Tag("long")
    void nothingIsLostWhenTheCeIsKilled() throws Exception {
        SiteUser user = ce.user("Kim of push");
        HttpClient http = client("Kim of push");
        List<EventReader> readers = new ArrayList<>();
        try {
            for (int i = 0; i < FOLLOWERS; i++) {
                readers.add(new EventReader(ce, http, "?from=0"));
            }
            await().atMost(PATIENCE).until(() -> readers.stream().allMatch(r -> r.connections() > 0));
            List<String> jobs = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                jobs.add(user.submit(SiteUser.shellJob("exit 0")));
                if (i == 8) {
                    await().atMost(PATIENCE).until(() -> readers.get(0).ids().size() > 12);
                    ce.kill();
                    ce.start();
                    // The first call finds that the kept connection of this process has gone.
                    await().atMost(PATIENCE).until(() -> user.run("", "list").exit() == 0);
                }
            }
            user.await(jobs, "DONE-OK");
            List<Long> all = queried(user);
            await().atMost(PATIENCE)
                    .until(() -> readers.stream().allMatch(r -> r.ids().size() >= all.size()));
            assertThat(readers).allSatisfy(r -> {
                assertThat(r.ids()).isEqualTo(all);
                assertThat(r.connections()).isGreaterThan(1);
            });
            await().atMost(PATIENCE).until(() -> deliveredIds().containsAll(all));
            assertThat(forged).isEmpty();
            assertThat(refusals.get()).isLessThanOrEqualTo(0);
        } finally {
            readers.forEach(EventReader::close);
        }
    }

    private static Set<Long> deliveredIds() throws IOException {
        TreeSet<Long> ids = new TreeSet<>();
        long last = 0;
        for (String body : delivered) {
            for (JsonNode event : JSON.readTree(body).path("events")) {
                ids.add(event.path("id").asLong());
            }
            long highest = ids.last();
            assertThat(highest).as("order of deliveries").isGreaterThanOrEqualTo(last);
            last = highest;
        }
        return ids;
    }
}
