package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobOutputTest extends ServerFixture {
    @Test
    void listsTheOutputOfAJob() throws Exception {
        fake.files.put("env.out", new byte[7]);
        fake.files.put("env.err", new byte[0]);

        HttpResponse<String> response = get(OUTPUT, "X-Caller", "alice");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response).toString())
                .isEqualTo("{\"files\":[{\"name\":\"env.out\",\"size\":7},{\"name\":\"env.err\",\"size\":0}]}");
    }

    @Test
    void sendsAFileOfSeveralPartsWhole() throws Exception {
        byte[] content = new byte[(5 << 19) + 17];
        new Random(1).nextBytes(content);
        fake.files.put("big.bin", content);

        HttpResponse<byte[]> response = bytes(OUTPUT + "big.bin", "X-Caller", "alice");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValueAsLong("Content-Length")).hasValue(content.length);
        assertThat(response.body()).isEqualTo(content);
        assertThat(fake.parts).hasSize(3).allMatch(part -> part <= 1 << 20);
    }

    @Test
    void sendsAnEmptyFileAndNamesWithBlanks() throws Exception {
        fake.files.put("empty file", new byte[0]);

        HttpResponse<byte[]> response = bytes(OUTPUT + "empty%20file", "X-Caller", "alice");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
    }

    @Test
    void sendsTheRangeAskedFor() throws Exception {
        fake.files.put("env.out", "0123456789".getBytes(StandardCharsets.UTF_8));

        HttpResponse<byte[]> middle = bytes(OUTPUT + "env.out", "X-Caller", "alice", "Range", "bytes=3-5");
        assertThat(middle.statusCode()).isEqualTo(206);
        assertThat(new String(middle.body(), StandardCharsets.UTF_8)).isEqualTo("345");
        assertThat(middle.headers().firstValue("Content-Range")).contains("bytes 3-5/10");

        HttpResponse<byte[]> tail = bytes(OUTPUT + "env.out", "X-Caller", "alice", "Range", "bytes=-2");
        assertThat(new String(tail.body(), StandardCharsets.UTF_8)).isEqualTo("89");

        HttpResponse<byte[]> outside = bytes(OUTPUT + "env.out", "X-Caller", "alice", "Range", "bytes=10-");
        assertThat(outside.statusCode()).isEqualTo(416);
        assertThat(outside.headers().firstValue("Content-Range")).contains("bytes */10");
    }

    @Test
    void manyRangesAreAnsweredWithTheFileOnce() throws Exception {
        fake.files.put("env.out", "0123456789".getBytes(StandardCharsets.UTF_8));
        HttpResponse<byte[]> many =
                bytes(OUTPUT + "env.out", "X-Caller", "alice", "Range", "bytes=" + "0-,".repeat(5000) + "0-");
        assertThat(many.statusCode()).isEqualTo(200);
        assertThat(many.body()).hasSize(10);
    }

    @Test
    void headTellsTheSizeAndSendsNothing() throws Exception {
        fake.files.put("env.out", new byte[100]);
        HttpRequest head = HttpRequest.newBuilder(uri(OUTPUT + "env.out"))
                .header("X-Caller", "alice")
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .build();

        HttpResponse<String> response = client.send(head, BodyHandlers.ofString());

        assertThat(response.headers().firstValueAsLong("Content-Length")).hasValue(100);
        assertThat(fake.parts).isEmpty();
    }

    @Test
    void aFileThatShrinksBreaksTheTransferOff() {
        fake.files.put("env.out", new byte[3 << 20]);
        fake.beforePart = () -> {
            if (fake.parts.size() == 1) {
                fake.files.put("env.out", new byte[10]);
            }
        };

        assertThatThrownBy(() -> bytes(OUTPUT + "env.out", "X-Caller", "alice")).isInstanceOf(IOException.class);
    }

    @Test
    void foreignAndUnknownJobsAndFilesAre404() throws Exception {
        fake.files.put("env.out", new byte[1]);

        for (HttpResponse<String> response : List.of(
                get(OUTPUT + "env.out", "X-Caller", "bob"),
                get("/ce-cream/output/CREAM000000001/", "X-Caller", "alice"))) {
            assertThat(response.statusCode()).isEqualTo(404);
            assertThat(json(response).at("/error").asText()).isEqualTo("no such job");
        }
        HttpResponse<String> file = get(OUTPUT + "other", "X-Caller", "alice");
        assertThat(file.statusCode()).isEqualTo(404);
        assertThat(json(file).at("/error").asText()).isEqualTo("no such file");
    }

    @Test
    void outputWithoutCertificateIs403() throws Exception {
        HttpResponse<String> response = get(OUTPUT);

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(json(response).at("/error").asText()).isEqualTo("a client certificate is needed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a/..%2fb",
                "%2e%2e",
                "..%2f..%2fetc%2fpasswd",
                "%2e%2e/%2e%2e/etc/passwd",
                "a%5cb",
                "a%00b",
                "a%0ab",
                "..a"
            })
    void namesThatLeaveTheDirectoryAreRefused(String name) throws Exception {
        fake.files.put("passwd", new byte[1]);
        fake.files.put("b", new byte[1]);

        HttpResponse<String> response = get(OUTPUT + name, "X-Caller", "alice");

        assertThat(response.statusCode()).isBetween(400, 404);
        assertThat(fake.parts).isEmpty();
    }

    @Test
    void moreDownloadsThanAllowedAreToldToComeAgain() throws Exception {
        fake.files.put("env.out", new byte[1]);
        CompletableFuture<Void> entered = new CompletableFuture<>();
        CompletableFuture<Void> release = new CompletableFuture<>();
        fake.beforePart = () -> {
            entered.complete(null);
            release.join();
        };
        CompletableFuture<HttpResponse<Void>> first = client.sendAsync(
                HttpRequest.newBuilder(uri(OUTPUT + "env.out"))
                        .header("X-Caller", "alice")
                        .build(),
                BodyHandlers.discarding());
        entered.join();

        HttpResponse<String> second = get(OUTPUT + "env.out", "X-Caller", "alice");
        release.complete(null);

        assertThat(second.statusCode()).isEqualTo(503);
        assertThat(second.headers().firstValue("Retry-After")).contains("1");
        assertThat(first.join().statusCode()).isEqualTo(200);
    }
}
