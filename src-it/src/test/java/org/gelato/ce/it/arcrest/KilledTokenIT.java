package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.gelato.ce.core.step.Step.PROXY_FILE_WRITTEN;
import static org.gelato.ce.core.step.Step.PROXY_MARKED;
import static org.gelato.ce.core.step.Step.PROXY_STORED;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The CE is killed while bearer tokens are delegated and renewed: what was answered is there, each token that a job could read at
 * any time is whole, and what the CE says of a delegation is what the next job finds.
 */
class KilledTokenIT {
    private static final String TOKEN = "X-Token-Delegation";
    private static final String MAKE = "/1.1/delegations?action=new&type=jwt";

    private static SiteDatabase database;
    private static SiteCe ce;
    private static ArcUser user;
    private static int number;

    /** Leaves the processor to others; a file that is not whole when the CE is killed stays so. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

    /** Each token that was ever sent, by its number. */
    private static final Map<String, String> SENT = new ConcurrentHashMap<>();

    @BeforeAll
    static void start() throws IOException {
        database = SiteDatabase.start();
        Map<String, Object> settings = new HashMap<>(database.settings());
        settings.put("gelato.lrms.fork.slots", 8);
        ce = new SiteCe("tokenkill", "fork", JobAccount.name(), settings);
        startCe();
    }

    @AfterAll
    static void stop() {
        try {
            if (ce != null) {
                ce.close();
            }
        } finally {
            if (database != null) {
                database.close();
            }
        }
    }

    private static Path marker() {
        return ce.base().resolve("stop");
    }

    private static void startCe() {
        ce.start(ce.program("-Dgelato.test.stop-file=" + marker()), Map.of(), "/health/ready");
        // Without connections that a killed CE left.
        user = new ArcUser(ce, ce.pki().proxy(ce.pki().user("Tom of tokens")).make());
    }

    private static void arm(Step step) throws IOException {
        Path beside = Files.writeString(ce.base().resolve("stop.next"), step.name());
        Files.move(beside, ce.base().resolve("stop.at"), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void awaitStop(Step step) {
        Awaitility.await("the CE is at " + step)
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(10))
                .until(() ->
                        Files.exists(marker()) && Files.readAllLines(marker()).contains(step.name()));
    }

    private static void restart() throws IOException {
        ce.kill();
        Files.deleteIfExists(marker());
        startCe();
    }

    /** A token that ends later than all before; long, so that half of it would be seen. */
    private static String token() {
        String jti = "t" + ++number;
        String claims = "{\"jti\":\"" + jti + "\",\"exp\":"
                + Instant.now().plusSeconds(3600 + 60L * number).getEpochSecond() + ",\"more\":\""
                + jti.repeat(4000) + "\"}";
        String token = "e30."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(StandardCharsets.UTF_8))
                + ".c2ln";
        SENT.put(jti, token);
        return token;
    }

    private static HttpResponse<String> send(String path, String token) {
        return user.send("POST", path, "", TOKEN, token);
    }

    private static String made(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        String location = response.headers().firstValue("location").orElseThrow();
        return location.substring(location.lastIndexOf('/') + 1);
    }

    private static String act(String id, String action) {
        return "/1.1/delegations/" + id + "?action=" + action;
    }

    /** The token that the CE says it holds, by its number. */
    private static String said(String id) {
        HttpResponse<String> claims = user.send("POST", act(id, "get"), "");
        assertThat(claims.statusCode()).as(claims.body()).isEqualTo(200);
        return claims.body().replaceFirst(".*\"jti\":\"([^\"]*)\".*", "$1");
    }

    private static List<String> listed() {
        List<String> ids = new ArrayList<>();
        JsonNode all = user.json(200, "GET", "/1.1/delegations", null).path("delegation");
        all.forEach(one -> ids.add(one.path("id").asText()));
        return ids;
    }

    /** A job with each of the delegations finds the token that the CE says. */
    private static void jobsFindTheirTokens(List<String> ids) {
        Map<String, String> jobs = new HashMap<>();
        for (String id : ids) {
            jobs.put(
                    id,
                    user.submit("&(executable=/bin/sh)(arguments=-c 'cat $BEARER_TOKEN_FILE')(queue=long)(stdout=out)"
                            + "(delegationid=" + id + ")"));
        }
        jobs.forEach((id, job) -> {
            user.await(job, "FINISHED");
            assertThat(user.send("GET", "/1.0/jobs/" + job + "/session/out", null)
                            .body())
                    .as(id)
                    .isEqualTo(SENT.get(said(id)) + "\n");
        });
    }

    /** Reads the files of tokens again and again, as jobs do, until told to end; returns what was no whole token. */
    private static CompletableFuture<List<String>> watch(AtomicBoolean end) {
        return CompletableFuture.supplyAsync(() -> {
            List<String> wrong = new ArrayList<>();
            long read = 0;
            while (!end.get()) {
                for (Path file : files()) {
                    String text = text(file);
                    read++;
                    if (text != null && !SENT.containsValue(text.strip())) {
                        wrong.add(file + ": " + text.length() + " characters");
                    }
                }
                LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            }
            assertThat(read).isPositive();
            return wrong;
        });
    }

    private static Set<Path> files() {
        try (Stream<Path> all = Files.find(
                ce.base().resolve("sandbox"),
                5,
                (path, attributes) -> path.toString().endsWith(".jwt"))) {
            return all.collect(java.util.stream.Collectors.toSet());
        } catch (UncheckedIOException | IOException e) {
            // Something was removed meanwhile.
            return Set.of();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return null;
        }
    }

    @Test
    void aTokenIsTheOldOrTheNewOneWheneverTheCeIsKilled() throws Exception {
        String old = made(send(MAKE, token()));
        AtomicBoolean end = new AtomicBoolean();
        CompletableFuture<List<String>> watched = watch(end);
        // Between the delegation and the job.
        restart();
        assertThat(listed()).containsExactly(old);

        Step[][] pairs = {
            {PROXY_STORED, PROXY_FILE_WRITTEN}, {PROXY_FILE_WRITTEN, PROXY_MARKED}, {PROXY_MARKED, PROXY_STORED}
        };
        List<String> answered = new ArrayList<>(List.of(old));
        for (Step[] pair : pairs) {
            String before = said(old);
            String lost = token();
            arm(pair[0]);
            CompletableFuture<HttpResponse<String>> making = CompletableFuture.supplyAsync(() -> send(MAKE, lost));
            awaitStop(pair[0]);
            String renewed = token();
            arm(pair[1]);
            CompletableFuture<HttpResponse<String>> renewing =
                    CompletableFuture.supplyAsync(() -> send(act(old, "renew"), renewed));
            awaitStop(pair[1]);
            restart();
            for (CompletableFuture<HttpResponse<String>> call : List.of(making, renewing)) {
                assertThatThrownBy(call::join)
                        .as("nobody was answered")
                        .hasCauseInstanceOf(IllegalStateException.class);
            }
            assertThat(SENT.get(said(old))).isIn(SENT.get(before), renewed);
            // The client has no response, and repeats.
            answered.add(made(send(MAKE, lost)));
            assertThat(send(act(old, "renew"), renewed).statusCode()).isEqualTo(200);
            assertThat(SENT.get(said(old))).isEqualTo(renewed);
        }
        List<String> all = listed();
        assertThat(all).containsAll(answered);
        jobsFindTheirTokens(all);
        end.set(true);
        assertThat(watched.join()).isEmpty();
        for (String id : all) {
            assertThat(user.send("POST", act(id, "delete"), "").statusCode()).isEqualTo(202);
        }
        assertThat(listed()).isEmpty();
        assertThat(files()).isEmpty();
    }
}
