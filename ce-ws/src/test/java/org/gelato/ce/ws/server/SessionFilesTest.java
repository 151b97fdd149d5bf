package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletContextListener;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.sandbox.SessionFiles;
import org.gelato.ce.ws.sandbox.TransferLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A job's files as one session directory, over files in memory. */
class SessionFilesTest extends ServerFixture {
    private static final String SESSION = "/session/" + FakeServices.JOB + "/";
    private static final Path ISB = FakeServices.ROOT.resolve("ISB");
    private static final Path PARTS = FakeServices.ROOT.resolve("ISB.part");

    private FakeSessions sessions;

    @Override
    List<ServletContextListener> listeners(AsyncExchanges exchanges, TransferLimits limits) {
        sessions = new FakeSessions(fake, limits);
        List<ServletContextListener> listeners = new ArrayList<>(super.listeners(exchanges, limits));
        listeners.add(sessions);
        return listeners;
    }

    private HttpResponse<String> send(String method, String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
                .header("X-Caller", "alice")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        return client.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    /** By 409 clients of WebDAV know that a folder is missing: ARC's makes it and sends the file again, without end. */
    @ParameterizedTest
    @EnumSource(names = {"PENDING", "REALLY_RUNNING", "DONE_OK", "CANCELLED"})
    void whoChangesFilesOfAStartedJobIsForbiddenAndLearnsWhy(JobState state) throws Exception {
        assertThat(send("PUT", SESSION + "x", "1").statusCode()).isEqualTo(200);
        fake.state = state;
        for (String method : List.of("PUT", "DELETE")) {
            HttpResponse<String> response = send(method, SESSION + "x", method.equals("PUT") ? "2" : null);
            assertThat(response.statusCode()).isEqualTo(403);
            assertThat(response.body())
                    .startsWith("the job is " + state.wireName() + ": its input can be changed only before it starts");
            assertThat(response.headers().firstValue("Gelato-Fault")).contains("STATUS_INVALID");
            assertThat(response.headers().firstValue("Upload-Offset")).isEmpty();
        }
        assertThat(fake.others).containsOnlyKeys(ISB.resolve("x"));
    }

    /** A part of which the bytes are gone reads as one to go on with, from the beginning. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anUploadIntoAJobThatIsCancelledMeanwhileLearnsThat(boolean another) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            byte[] piece = new byte[1 << 20];
            OutputStream out = socket.getOutputStream();
            out.write(("PUT " + SESSION
                            + "big HTTP/1.1\r\nHost: ce\r\nX-Caller: alice\r\nConnection: close\r\nContent-Length: "
                            + 2 * piece.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(piece);
            out.flush();
            Awaitility.await().until(() -> fake.others.containsKey(PARTS.resolve("big")));
            fake.others.clear();
            if (another) {
                fake.others.put(PARTS.resolve("big"), new byte[1]);
            }
            fake.state = JobState.CANCELLED;
            out.write(piece);
            out.flush();
            InputStream in = socket.getInputStream();
            String response = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(response).startsWith("HTTP/1.1 403 ").contains("the job is CANCELLED: ");
            assertThat(response).doesNotContain("Upload-Offset", "go on from");
            assertThat(fake.others.containsKey(PARTS.resolve("big")))
                    .as("what another writer brought stays")
                    .isEqualTo(another);
        }
    }

    /** ARC's client takes the URL that it requested off each href; behind the name of a folder, which ends with a slash, it writes another one. */
    @ParameterizedTest
    @ValueSource(strings = {"d", "d/", "d//", "/d//"})
    void hrefsBeginWithTheUrlAsItWasRequested(String path) throws Exception {
        assertThat(send("PUT", SESSION + "d/a%20b.txt", "1").statusCode()).isEqualTo(200);
        hrefsBeginWith(SESSION + path);
        sessions.again = true;
        hrefsBeginWith(SESSION + path);
    }

    private void hrefsBeginWith(String path) throws Exception {
        String url = "https://ce" + path;
        String below = url.endsWith("/") ? url : url + "/";
        HttpResponse<String> listing = send("PROPFIND", path, null, "Depth", "1");
        assertThat(listing.body().split("</?d:href>"))
                .contains(below, below + "a%20b.txt")
                .hasSize(5);
        assertThat(send("PROPFIND", path, null, "Depth", "0").body())
                .contains("<d:href>" + below + "</d:href>", "<d:displayname>d</d:displayname>")
                .doesNotContain("a%20b.txt");
        String file = path + "/a%20b.txt";
        assertThat(send("PROPFIND", file, null, "Depth", "0").body())
                .contains("<d:href>https://ce" + file + "</d:href>", "<d:displayname>a b.txt</d:displayname>");
    }

    /** Each file of a listing is said with the URL. */
    @Test
    void aUrlWithoutEndIsNotListed() throws Exception {
        HttpResponse<String> refused = send("PROPFIND", SESSION + "/".repeat(4096), null, "Depth", "1");
        assertThat(refused.statusCode()).isEqualTo(414);
        assertThat(refused.body()).contains("the path is too long");
    }

    /** Without a time of a file, clients such as gfal-stat and rclone show 1970. */
    @Test
    void eachFileHasTheTimeOfItsLastChange() throws Exception {
        assertThat(send("PUT", SESSION + "d/f", "1").statusCode()).isEqualTo(200);
        sessions.shown.put("log/status", SessionFiles.Shown.text("RUNNING", Instant.ofEpochSecond(1_700_000_001)));
        String brought = "Tue, 14 Nov 2023 22:13:20 GMT";
        String shown = "Tue, 14 Nov 2023 22:13:21 GMT";
        for (String[] one : new String[][] {{"d/f", brought}, {"d", brought}, {"log/status", shown}, {"log", shown}}) {
            assertThat(send("HEAD", SESSION + one[0], null).headers().firstValue("Last-Modified"))
                    .as(one[0])
                    .contains(one[1]);
            assertThat(send("PROPFIND", SESSION + one[0], null, "Depth", "0").body())
                    .as(one[0])
                    .contains("<d:getlastmodified>" + one[1] + "<");
        }
        assertThat(send("GET", SESSION + "d/f", null).headers().firstValue("Last-Modified"))
                .contains(brought);
        assertThat(send("PROPFIND", SESSION + "log", null, "Depth", "1").body().split(shown))
                .hasSize(3);
        fake.modified = Long.MAX_VALUE;
        assertThat(send("HEAD", SESSION + "d/f", null).headers().firstValue("Last-Modified"))
                .as("the account sets any time")
                .isEmpty();
    }

    @Test
    void aFileIsBroughtOnlyWhereItsClientsConditionHolds() throws Exception {
        String file = SESSION + "f";
        assertThat(send("PUT", file, "one", "If-Match", "*").statusCode()).isEqualTo(412);
        assertThat(send("PUT", file, "one", "If-None-Match", "*").statusCode()).isEqualTo(200);
        String one = send("HEAD", file, null).headers().firstValue("ETag").orElseThrow();
        for (String[] condition : new String[][] {
            {"If-None-Match", "*"},
            {"If-None-Match", "\"x\", W/" + one},
            {"If-Match", "\"x\""},
            {"If-Match", "W/" + one}
        }) {
            HttpResponse<String> refused = send("PUT", file, "two", condition);
            assertThat(refused.statusCode()).as(String.join(": ", condition)).isEqualTo(412);
            assertThat(refused.body()).startsWith(condition[0] + ": ");
            assertThat(send("DELETE", file, null, condition).statusCode()).isEqualTo(412);
        }
        assertThat(send("GET", file, null).body()).isEqualTo("one");
        assertThat(fake.others).containsOnlyKeys(ISB.resolve("f"));
        assertThat(send("PUT", file, "two", "If-Match", "\"x\", " + one).statusCode())
                .isEqualTo(200);
        assertThat(send("GET", file, null).body()).isEqualTo("two");
        assertThat(send("DELETE", file, null, "If-None-Match", one).statusCode())
                .isEqualTo(200);
    }

    /** The CE may have ended between the file and the start; ARC's client sends its files with this condition. */
    @Test
    void aFileThatIsThereAlreadyLetsItsJobStart() throws Exception {
        assertThat(send("PUT", SESSION + "f", "one", "If-None-Match", "*").statusCode())
                .isEqualTo(200);
        assertThat(sessions.arrived).hasValue(1);
        assertThat(send("PUT", SESSION + "f", "one", "If-None-Match", "*").statusCode())
                .isEqualTo(412);
        assertThat(sessions.arrived).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void aFileIsReadOnlyWhereItsReaderHasNotGotIt(String method) throws Exception {
        assertThat(send("PUT", SESSION + "f", "one").statusCode()).isEqualTo(200);
        String tag =
                send("HEAD", SESSION + "f", null).headers().firstValue("ETag").orElseThrow();
        for (String tags : List.of(tag, "\"x\", W/" + tag, "*")) {
            HttpResponse<String> known = send(method, SESSION + "f", null, "If-None-Match", tags);
            assertThat(known.statusCode()).as(tags).isEqualTo(304);
            assertThat(known.body()).isEmpty();
            assertThat(known.headers().firstValue("ETag")).contains(tag);
        }
        assertThat(send(method, SESSION + "f", null, "If-None-Match", "\"x\"").statusCode())
                .isEqualTo(200);
        assertThat(send(method, SESSION + "f", null, "If-Match", "\"x\"").statusCode())
                .isEqualTo(412);
        assertThat(send(method, SESSION + "f", null, "If-Match", tag).statusCode())
                .isEqualTo(200);
        assertThat(send(method, SESSION + "f", null).statusCode())
                .as("places are given back")
                .isEqualTo(200);
    }
}
