package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.gelato.ce.it.badinput.RawClient;
import org.gelato.ce.it.fault.SmallDisk;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.wire.WireConnection;
import org.gelato.ce.testkit.wire.WireResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Invalid input to ARC REST gets a clear status and reason, and is never half done. One CE gets all of it, while a job of somebody
 * else runs; each test has users of its own.
 */
class ArcBadInputIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String SLEEP = "&(executable=/bin/sleep)(arguments=600)(queue=long)";
    /** Waits for an input file, so that its session directory stays open. */
    private static final String OPEN = "&(executable=/bin/true)(queue=long)(inputfiles=(last.txt \"\"))";

    private static SiteCe ce;
    private static ArcUser witness;
    private static String running;

    @BeforeAll
    static void start() {
        ce = new SiteCe("arcbad", "fork", JobAccount.name(), Map.of("gelato.lrms.fork.slots", 8));
        ce.start();
        witness = new ArcUser(ce, proxy("Wim the witness"));
        running = witness.submit(SLEEP);
        witness.await(running, "RUNNING");
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    /** Whatever came, others are served, and nothing in the CE failed. */
    @AfterEach
    void theRestIsUnharmed() throws IOException {
        assertThat(witness.state(running)).isEqualTo("RUNNING");
        assertThat(witness.json(200, "GET", "/1.0/jobs", null).path("job")).hasSize(1);
        assertThat(Files.readAllLines(ce.log())).noneMatch(line -> line.contains(" ERROR "));
    }

    private static GridCredential proxy(String name) {
        return ce.pki().proxy(ce.pki().user(name)).make();
    }

    /** A user who sends what an HTTP library would not. */
    private static final class Raw implements AutoCloseable {
        private final ArcUser user;
        private final WireConnection wire;

        Raw(String name) {
            GridCredential proxy = proxy(name);
            user = new ArcUser(ce, proxy);
            wire = WireConnection.to(ce.port(), ce.pki(), proxy, PATIENCE);
        }

        /** @param path below the root, byte for byte */
        WireResponse send(String method, String path, String body, String... headers) {
            StringBuilder head = new StringBuilder(method + " /arex/rest" + path + " HTTP/1.1\r\nHost: localhost\r\n");
            for (String header : headers) {
                head.append(header).append("\r\n");
            }
            byte[] bytes = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
            if (body != null) {
                head.append("Content-Length: ").append(bytes.length).append("\r\n");
            }
            return wire.exchange(head.append("\r\n").toString(), bytes);
        }

        @Override
        public void close() {
            wire.close();
        }
    }

    private static void isRefused(String what, WireResponse response, Integer... statuses) {
        assertThat(response.status()).as(what + ": " + response.text()).isIn((Object[]) statuses);
        assertThat(response.text().strip()).as(what).isNotEmpty();
    }

    // ---- lists of ids

    private static ObjectNode list(List<String> ids) {
        ArrayNode jobs = JSON.createArrayNode();
        ids.forEach(id -> jobs.addObject().put("id", id));
        ObjectNode list = JSON.createObjectNode();
        list.set("job", jobs);
        return list;
    }

    @Test
    void inAListOf5000IdsOfOthersAndUnknownOnesEachIsAnsweredAndNothingDone() {
        ArcUser ann = new ArcUser(ce, proxy("Ann of many"));
        List<String> foreign = new ArrayList<>(List.of(ann.submit(SLEEP), ann.submit(SLEEP)));
        ann.json(201, "POST", "/1.1/jobs?action=new&instances=100", OPEN)
                .path("job")
                .forEach(job -> foreign.add(job.path("id").asText()));
        for (String id : foreign.subList(0, 2)) {
            ann.await(id, "RUNNING");
        }
        ArcUser eve = new ArcUser(ce, proxy("Eve of many"));
        String own = eve.submit(OPEN);
        List<String> ids = new ArrayList<>(foreign);
        ids.addAll(List.of(
                "",
                " ",
                "../../etc/passwd",
                "x".repeat(256),
                own + "\n",
                own.toLowerCase(Locale.ROOT),
                "<&>'\"",
                "%",
                "null",
                "-1",
                "CREAM99999999999999999999",
                "\ud83d\ude00",
                "' OR 1=1 --"));
        while (ids.size() < 5000) {
            ids.add(unknown(ids.size()));
        }
        Collections.shuffle(ids, new Random(22));
        ids.set(ids.indexOf(unknown(4000)), own);
        for (String action : List.of("status", "info", "delegations", "kill", "clean", "restart")) {
            boolean reads = List.of("status", "info", "delegations").contains(action);
            List<String> sent = new ArrayList<>(ids);
            if (!reads) {
                sent.remove(own);
            }
            JsonNode jobs = eve.json(
                            201,
                            "POST",
                            "/1.0/jobs?action=" + action,
                            list(sent).toString())
                    .path("job");
            assertThat(jobs).as(action).hasSize(sent.size());
            for (int i = 0; i < sent.size(); i++) {
                JsonNode job = jobs.path(i);
                // Of a path the last part is the id.
                assertThat(job.path("id").asText())
                        .as(action)
                        .isEqualTo(sent.get(i).replaceFirst(".*/", ""));
                assertThat(job.path("status-code").asText())
                        .as("%s of %s: %s", action, sent.get(i), job)
                        .isEqualTo(sent.get(i).equals(own) ? "200" : "404");
            }
        }
        assertThat(eve.state(own)).isEqualTo("PREPARING");
        List<String> states = ann.act("status", foreign).findValuesAsText("state");
        assertThat(states.subList(0, 2)).containsOnly("RUNNING");
        assertThat(states.subList(2, states.size())).hasSize(100).containsOnly("PREPARING");
        // One that is named twice is answered once (docs/user/compatibility.md).
        assertThat(eve.act("status", List.of(own, unknown(1), own, unknown(1)))).hasSize(2);
        ann.act("kill", foreign);
    }

    private static String unknown(int i) {
        return String.format("CREAM%09d", 900_000_000 + i);
    }

    @Test
    void idsBeyondTheirBoundsAreRefusedWithTheBound() {
        try (Raw bea = new Raw("Bea of bounds")) {
            String status = "/1.0/jobs?action=status";
            WireResponse longId =
                    bea.send("POST", status, list(List.of("x".repeat(257))).toString());
            isRefused("id", longId, 400);
            assertThat(longId.text()).contains("257", "256");
            String ids = "{\"id\":\"a\"},".repeat(100_000);
            WireResponse many = bea.send("POST", status, "{\"job\":[" + ids + "{\"id\":\"a\"}]}");
            isRefused("ids", many, 413);
            assertThat(many.text()).contains("100000");
            String deep = "{\"job\":[{\"id\":\"a\",\"x\":" + "[".repeat(1000) + "]".repeat(1000) + "}]}";
            isRefused("depth", bea.send("POST", status, deep), 400);
            String entity = "<!DOCTYPE jobs [<!ENTITY a \"b\">]><jobs><job><id>&a;</id></job></jobs>";
            isRefused("entity", bea.send("POST", status, entity), 400);
        }
    }

    // ---- truncated bodies

    /** Cut at some places only, for each refusal ends its connection; the readers' own tests cut at each. */
    private static List<String> cut(String whole) {
        List<String> all = new ArrayList<>();
        for (int end = 1; end < whole.length(); end += Math.max(1, whole.length() / 8)) {
            all.add(whole.substring(0, end));
        }
        all.add(whole.substring(0, whole.length() - 1));
        return all;
    }

    @Test
    void truncatedListsAreRefusedWithThePlace() {
        try (Raw cora = new Raw("Cora of cuts")) {
            String id = cora.user.submit(OPEN);
            List<String> all = new ArrayList<>(cut("{\"job\":[{\"id\":\"" + id + "\"}]}"));
            all.addAll(cut("<jobs><job><id>" + id + "</id></job></jobs>"));
            for (String body : all) {
                for (String action : List.of("kill", "clean")) {
                    WireResponse response = cora.send("POST", "/1.0/jobs?action=" + action, body);
                    isRefused(body, response, 400);
                    assertThat(response.text()).as(body).contains("Payload is not");
                }
            }
            assertThat(cora.user.state(id)).isEqualTo("PREPARING");
        }
    }

    @Test
    void truncatedDescriptionsAreRefusedAndNoJobOfThemIsRegistered() {
        String adl = "<ActivityDescription xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\"><Application><Executable>"
                + "<Path>/bin/true</Path></Executable></Application></ActivityDescription>";
        String both = "<ActivityDescriptions xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\">" + adl + adl
                + "</ActivityDescriptions>";
        List<String> all = new ArrayList<>(cut(adl));
        all.addAll(cut("+(&(executable=/bin/true)(queue=long))(&(executable=/bin/true)(queue=long))"));
        all.removeIf(text -> text.startsWith("+") && text.endsWith("))"));
        // The first of two is whole.
        all.add(both.substring(0, both.length() - 60));
        all.add(both.substring(0, both.length() - 1));
        try (Raw dora = new Raw("Dora of cuts")) {
            for (String body : all) {
                WireResponse response = dora.send("POST", "/1.0/jobs?action=new", body, "Accept: application/json");
                if (response.status() == 201) {
                    assertThat(response.text()).as(body).contains("\"500\"").doesNotContain("\"id\"");
                } else {
                    isRefused(body, response, 500);
                }
            }
            assertThat(dora.user.json(200, "GET", "/1.0/jobs", null).path("job"))
                    .isEmpty();
        }
    }

    @Test
    void aRequestThatBreaksOffDoesNothing() throws IOException {
        GridCredential proxy = proxy("Emma of breaks");
        ArcUser emma = new ArcUser(ce, proxy);
        String id = emma.submit(OPEN);
        RawClient client = new RawClient(ce, proxy);
        String list = list(List.of(id)).toString();
        String job = "&(executable=/bin/true)(queue=long)";
        for (String request : List.of(
                "POST /arex/rest/1.0/jobs?action=kill HTTP/1.1\r\nContent-Length: " + (list.length() + 1) + "\r\n\r\n"
                        + list,
                "POST /arex/rest/1.0/jobs?action=new HTTP/1.1\r\nContent-Length: " + (job.length() + 1) + "\r\n\r\n"
                        + job,
                "POST /arex/rest/1.0/jobs?action=new HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + Integer.toHexString(job.length()) + "\r\n" + job + "\r\n",
                "PUT /arex/rest/1.0/jobs/" + id + "/session/last.txt HTTP/1.1\r\nContent-Length: 5\r\n\r\n1234",
                "PUT /arex/rest/1.0/jobs/" + id + "/session/last.txt HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "4\r\n1234\r\n")) {
            try (SSLSocket socket = client.connect()) {
                socket.getOutputStream()
                        .write(request.replaceFirst("\r\n", "\r\nHost: localhost\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                socket.shutdownOutput();
                // Whatever it is answered, the connection ends.
                socket.getInputStream().readAllBytes();
            } catch (IOException e) {
                // It may end by a reset.
            }
        }
        assertThat(emma.json(200, "GET", "/1.0/jobs", null).path("job")).hasSize(1);
        assertThat(emma.state(id)).isEqualTo("PREPARING");
        assertThat(emma.send("GET", "/1.0/jobs/" + id + "/session/last.txt", null)
                        .statusCode())
                .isEqualTo(404);
    }

    // ---- names of session files

    @Test
    void namesThatLeadOutOfTheSessionDirectoryAreRefusedAsTheyStand() {
        try (Raw fay = new Raw("Fay of names")) {
            String other = fay.user.submit(OPEN);
            assertThat(fay.send("PUT", "/1.0/jobs/" + other + "/session/secret", "other's")
                            .status())
                    .isEqualTo(200);
            String id = fay.user.submit(OPEN);
            String session = "/1.0/jobs/" + id + "/session/";
            List<String> tricks = new ArrayList<>(List.of(
                    "../../" + other + "/session/secret",
                    "..%2f..%2f" + other + "%2fsession%2fsecret",
                    "%2e%2e/%2e%2e/" + other + "/session/secret",
                    "a/../../../" + other + "/session/secret",
                    "..;/..;/" + other + "/session/secret",
                    "..\\..\\x",
                    "..%5cx",
                    "%5c%5chost%5cshare",
                    "%2fetc%2fpasswd",
                    "%252e%252e%252fx%00",
                    "%c0%ae%c0%ae/x",
                    "%e0%80%ae./x",
                    "%u002e%u002e/x",
                    "a%00b",
                    "a%0ab",
                    "a%7fb",
                    "%ff%fe",
                    "%",
                    "%zz",
                    ".",
                    "./x",
                    "x/..",
                    "a%3bb/../x",
                    "n".repeat(256),
                    "n".repeat(20_000),
                    "d/".repeat(5000) + "x",
                    "%6e".repeat(5000)));
            for (String name : tricks) {
                for (String method : List.of("PUT", "GET", "HEAD", "DELETE", "PROPFIND")) {
                    WireResponse response = fay.send(method, session + name, method.equals("PUT") ? "x" : null);
                    String what = method + " " + (name.length() > 80 ? name.substring(0, 80) : name);
                    assertThat(response.status())
                            .as(what + ": " + response.text())
                            .isIn(400, 404, 414);
                    if (!method.equals("HEAD")) {
                        assertThat(response.text().strip()).as(what).isNotEmpty();
                    }
                }
            }
            // Doubled slashes are single ones, an absolute path lies below, and a colon is a character.
            for (String name : List.of("//etc/passwd", "c:x", "%252e%252e", "~root")) {
                assertThat(fay.send("PUT", session + name, "mine").status())
                        .as(name)
                        .isEqualTo(200);
                assertThat(fay.send("GET", session + name, null).text())
                        .as(name)
                        .isEqualTo("mine");
            }
            TreeSet<String> names = new TreeSet<>();
            JsonNode listed = fay.user.json(200, "GET", session, null);
            listed.path("file").forEach(file -> names.add(file.asText()));
            assertThat(names).containsExactly("%2e%2e", "c:x", "~root");
            assertThat(listed.path("dir").toString()).isEqualTo("[\"etc\"]");
            assertThat(fay.send("GET", "/1.0/jobs/" + other + "/session/secret", null)
                            .text())
                    .isEqualTo("other's");
        }
    }

    // ---- files at the wrong time

    @Test
    void filesOfAJobThatIsFinishedKilledOrGoneAreNotChanged() {
        ArcUser gil = new ArcUser(ce, proxy("Gil of ends"));
        String finished = gil.submit(OPEN);
        assertThat(put(gil, finished, "other.txt", "before")).isEqualTo(200);
        assertThat(put(gil, finished, "last.txt", "before")).isEqualTo(200);
        String killed = gil.submit(OPEN);
        gil.act("kill", List.of(killed));
        gil.await(finished, "FINISHED");
        gil.await(killed, "KILLED");
        for (String job : List.of(finished, killed)) {
            for (String file : List.of("last.txt", "other.txt", "new.txt")) {
                String path = "/1.0/jobs/" + job + "/session/" + file;
                for (String method : List.of("PUT", "DELETE")) {
                    var response = gil.send(method, path, method.equals("PUT") ? "after" : null);
                    assertThat(response.statusCode()).as(method + " " + path).isEqualTo(403);
                    assertThat(response.body()).contains("the job is ", "only before it starts");
                }
            }
        }
        assertThat(gil.send("GET", "/1.0/jobs/" + finished + "/session/other.txt", null)
                        .statusCode())
                .isEqualTo(404);
        assertThat(gil.state(killed)).isEqualTo("KILLED");
        gil.act("clean", List.of(killed));
        Awaitility.await().until(() -> put(gil, killed, "last.txt", "x") == 404);
    }

    private static int put(ArcUser user, String job, String file, String text) {
        return user.send("PUT", "/1.0/jobs/" + job + "/session/" + file, text).statusCode();
    }

    @Test
    void ofTwoUploadsOfOneFileAtOnceTheSecondIsRefusedAndTheFirstIsWhole() throws IOException {
        GridCredential proxy = proxy("Ida of two");
        ArcUser ida = new ArcUser(ce, proxy);
        String job = ida.submit(
                "&(executable=/bin/cat)(arguments=last.txt)(queue=long)(stdout=out)" + "(inputfiles=(last.txt \"\"))");
        String first = "a".repeat(1 << 20);
        try (SSLSocket socket = new RawClient(ce, proxy).connect()) {
            socket.getOutputStream()
                    .write(("PUT /arex/rest/1.0/jobs/" + job + "/session/last.txt HTTP/1.1\r\nHost: localhost\r\n"
                                    + "Content-Length: " + first.length() + "\r\n\r\n" + first.substring(1))
                            .getBytes(StandardCharsets.US_ASCII));
            // The first one has the name as soon as its head is read.
            Awaitility.await()
                    .until(() -> put(ida, job, "probe/x", "x") == 200
                            && ida.send("PUT", "/1.0/jobs/" + job + "/session/last.txt", "second")
                                            .statusCode()
                                    == 423);
            var refused = ida.send("DELETE", "/1.0/jobs/" + job + "/session/last.txt", null);
            assertThat(refused.statusCode()).isEqualTo(423);
            assertThat(refused.body()).contains("another request is writing this file");
            assertThat(ida.state(job)).isEqualTo("PREPARING");
            socket.getOutputStream().write('a');
            byte[] status = socket.getInputStream().readNBytes(12);
            assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
        }
        ida.await(job, "FINISHED");
        assertThat(ida.send("GET", "/1.0/jobs/" + job + "/session/out", null).body())
                .isEqualTo(first);
    }

    @Test
    void ofManyUploadsOfOneFileAtOnceOneWholeFileStaysAndTheJobStartsOnce() {
        ArcUser jan = new ArcUser(ce, proxy("Jan of races"));
        String job = jan.submit("&(executable=/bin/sh)(arguments=-c 'cat last.txt; echo ran >&2')(queue=long)"
                + "(stdout=out)(stderr=err)(inputfiles=(last.txt \"\"))");
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<CompletableFuture<Integer>> responses = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String text = Character.toString('a' + i).repeat(200_000);
                ArcUser own = new ArcUser(ce, proxy("Jan of races"));
                responses.add(CompletableFuture.supplyAsync(() -> put(own, job, "last.txt", text), threads));
            }
            List<Integer> statuses =
                    responses.stream().map(CompletableFuture::join).toList();
            // 423 while another one writes, 403 when the job has started with its file, 503 beyond a user's share.
            assertThat(statuses)
                    .contains(200)
                    .allMatch(status -> List.of(200, 403, 423, 503).contains(status));
        } finally {
            threads.shutdownNow();
        }
        jan.await(job, "FINISHED");
        String out = jan.send("GET", "/1.0/jobs/" + job + "/session/out", null).body();
        assertThat(out).hasSize(200_000);
        assertThat(out.chars().distinct().count()).isEqualTo(1);
        assertThat(jan.send("GET", "/1.0/jobs/" + job + "/session/err", null).body())
                .isEqualTo("ran\n");
    }

    @Test
    @Tag("long")
    void aFullDiskIsNamedAndTheUploadGoesOnWhenThereIsSpace() throws IOException {
        try (SmallDisk disk = SmallDisk.mount();
                SiteCe small = new SiteCe(
                        "arcfull",
                        "fork",
                        JobAccount.name(),
                        Map.of(
                                "gelato.sandbox-root",
                                disk.directory().resolve("sandbox").toString()))) {
            small.start();
            ArcUser kim = new ArcUser(
                    small, small.pki().proxy(small.pki().user("Kim")).make());
            String job = kim.submit("&(executable=/bin/cat)(arguments=last.txt)(queue=long)(stdout=out)"
                    + "(inputfiles=(last.txt \"\"))");
            String text = "t".repeat(500_000);
            // As long as there are directories for it.
            assertThat(put(kim, job, "first.txt", "x")).isEqualTo(200);
            disk.fill();
            var full = kim.send("PUT", "/1.0/jobs/" + job + "/session/last.txt", text);
            assertThat(full.statusCode()).as(full.body()).isEqualTo(507);
            assertThat(full.body()).contains("no space left");
            assertThat(kim.send("GET", "/1.0/jobs/" + job + "/session/last.txt", null)
                            .statusCode())
                    .isEqualTo(404);
            assertThat(kim.state(job)).isEqualTo("PREPARING");
            assertThat(kim.json(200, "GET", "/1.0/jobs", null).path("job")).hasSize(1);
            disk.empty();
            assertThat(put(kim, job, "last.txt", text)).isEqualTo(200);
            kim.await(job, "FINISHED");
            assertThat(kim.send("GET", "/1.0/jobs/" + job + "/session/out", null)
                            .body())
                    .isEqualTo(text);
        }
    }

    // ---- heads of requests

    @Test
    void severalAcceptHeadersCountAsOne() {
        try (Raw lea = new Raw("Lea of forms")) {
            assertThat(lea.send("GET", "/1.0/jobs", null, "Accept: image/png", "Accept: application/json")
                            .mediaType())
                    .isEqualTo("application/json");
            assertThat(lea.send(
                                    "GET",
                                    "/1.0/jobs",
                                    null,
                                    "Accept: text/xml;q=0.2",
                                    "Accept: application/json;q=0.9, text/html;q=0.1")
                            .mediaType())
                    .isEqualTo("application/json");
            for (String accept : List.of(
                    "",
                    ",,,",
                    "*/*;q=NaN",
                    "application/json;q=x",
                    "application/json;q=-1",
                    ";",
                    "a/b,".repeat(5000),
                    "\u0001\u007f")) {
                assertThat(lea.send("GET", "/1.0/jobs", null, "Accept: " + accept)
                                .status())
                        .as(accept)
                        .isIn(200, 400);
            }
        }
    }

    @Test
    void methodsThatDoNotExistAreRefusedEverywhere() {
        try (Raw mia = new Raw("Mia of methods")) {
            String id = mia.user.submit(OPEN);
            for (String path : List.of(
                    "",
                    "/1.0/info",
                    "/1.0/jobs",
                    "/1.0/jobs?action=kill",
                    "/1.0/jobs/" + id + "/session",
                    "/1.0/jobs/" + id + "/session/last.txt",
                    "/1.0/jobs/" + id + "/diagnose/status",
                    "/1.0/delegations",
                    "/1.0/delegations/x",
                    "/openapi.json")) {
                for (String method : List.of("TRACE", "OPTIONS", "PATCH", "get", "MKCOL", "MOVE", "X-Y", "BREW")) {
                    // The document is a page of its own, which may say what is allowed.
                    if (!method.equals("OPTIONS") || !path.endsWith(".json")) {
                        isRefused(method + " " + path, mia.send(method, path, null), 405, 501);
                    }
                }
            }
            assertThat(mia.user.state(id)).isEqualTo("PREPARING");
            isRefused("no token", mia.send("G@T{", "/1.0/jobs", null), 400, 501);
        }
    }

    @Test
    void aHeadOf40KiBIsRefusedAndOneBelowIsNot() throws IOException {
        try (Raw nora = new Raw("Nora of heads")) {
            assertThat(nora.send("GET", "/1.0/jobs", null, "X-Large: " + "x".repeat(39 << 10))
                            .status())
                    .isEqualTo(200);
            WireResponse large = nora.send("GET", "/1.0/jobs", null, "X-Large: " + "x".repeat(40 << 10));
            isRefused("one header", large, 400, 431);
            assertThat(large.text()).contains("larger than 40 KiB");
            // In one TLS record: the CE closes after the hundred and first, while a client may still send more.
            String[] many = new String[200];
            Arrays.fill(many, "X-Y: some more text here");
            isRefused("many headers", nora.send("GET", "/1.0/jobs", null, many), 400, 431);
            isRefused("target", nora.send("GET", "/1.0/jobs?state=" + "A".repeat(41 << 10), null), 400, 414);
            for (String bad : List.of("Content-Length: x", "Content-Length: -1", "Transfer-Encoding: cow")) {
                isRefused(bad, nora.send("POST", "/1.0/jobs?action=status", null, bad), 400, 501);
            }
        }
        assertThat(Files.readString(ce.log())).doesNotContain("xxxxxxxxxx");
    }
}
