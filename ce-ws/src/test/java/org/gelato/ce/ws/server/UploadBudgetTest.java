package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.gelato.ce.core.admission.DiskSpace;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.MemoryBudget;
import org.gelato.ce.ws.http.MinimumRate;
import org.gelato.ce.ws.sandbox.TransferLimits;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Uploads end before the file system does, and before one user has all of it. */
class UploadBudgetTest extends ServerFixture {
    private static final int MIB = 1 << 20;
    private static final int INSUFFICIENT_STORAGE = 507;
    private static final int OF_USER = 8 * MIB;

    private static final String JOB = "/ce-cream/input/" + FakeServices.JOB + "/";
    private static final String OTHER_JOB = "/ce-cream/input/" + FakeServices.OTHER_JOB + "/";
    private static final String JOB_OF_BOB = "/ce-cream/input/" + FakeServices.JOB_OF_BOB + "/";
    private static final Path PARTS = FakeServices.ROOT.resolve("ISB.part");

    @BeforeEach
    void restart() {
        server.close();
        server = server(listeners(
                new AsyncExchanges(MemoryBudget.ofHeap(1 << 20), MinimumRate.Slowest.USUAL, System::nanoTime),
                new TransferLimits(1, 4, 64 * MIB, 64 * MIB, OF_USER, 9)));
        server.start();
    }

    private static BodyPublisher body(int size) {
        return BodyPublishers.ofByteArray(new byte[size]);
    }

    private static BodyPublisher ofUnknownLength(int size) {
        return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[size]));
    }

    private HttpResponse<String> put(String path, String caller, BodyPublisher body) throws Exception {
        return send(HttpRequest.newBuilder(uri(path)).header("X-Caller", caller).PUT(body));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** Three MiB of an upload of alice, the rest of which does not come. */
    private Socket underWay() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        OutputStream out = socket.getOutputStream();
        out.write(("PUT " + JOB + "held HTTP/1.1\r\nHost: ce\r\nX-Caller: alice\r\nContent-Length: " + 4 * MIB
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        out.write(new byte[3 * MIB]);
        out.flush();
        await().until(() -> fake.others.getOrDefault(PARTS.resolve("held"), new byte[0]).length == 3 * MIB);
        return socket;
    }

    /** Of 100 MiB there are 14 free, and 10 are kept free. */
    private void nearlyFull() {
        fake.space = new DiskSpace.Space(100 * MIB, 14 * MIB);
        fake.disk.sample();
    }

    @Test
    void anUploadThatWouldPassTheFloorIsCutAndSmallOnesGoOn() throws Exception {
        nearlyFull();
        HttpResponse<String> announced = put(JOB + "a", "alice", body(5 * MIB));
        assertThat(announced.statusCode()).isEqualTo(INSUFFICIENT_STORAGE);
        assertThat(announced.body())
                .contains(14 * MIB + " bytes free, of which " + 10 * MIB + " are kept free (gelato.admission.disk)");
        assertThat(put(JOB + "a", "alice", ofUnknownLength(6 * MIB)).statusCode())
                .isEqualTo(INSUFFICIENT_STORAGE);
        assertThat(fake.others).as("what came of it is not kept").isEmpty();
        try (Socket held = underWay()) {
            assertThat(held.isConnected()).isTrue();
            assertThat(put(JOB_OF_BOB + "b", "bob", body(2 * MIB)).statusCode())
                    .as("with what is under way")
                    .isEqualTo(INSUFFICIENT_STORAGE);
            assertThat(put(JOB_OF_BOB + "b", "bob", body(MIB / 2)).statusCode()).isEqualTo(201);
        }
        // Somebody makes room.
        fake.space = new DiskSpace.Space(100 * MIB, 40 * MIB);
        fake.disk.sample();
        assertThat(put(JOB_OF_BOB + "b", "bob", body(2 * MIB)).statusCode()).isEqualTo(201);
    }

    /** The jobs were admitted; the database still has as much again. */
    @Test
    void outputMayUseHalfOfWhatInputLeaves() throws Exception {
        nearlyFull();
        String output = "/ce-cream/output/" + FakeServices.JOB + "/o";
        String[] wrapper = {"Authorization", "Bearer " + FakeServices.GOOD_TOKEN};
        assertThat(send(HttpRequest.newBuilder(uri(output)).headers(wrapper).PUT(body(6 * MIB)))
                        .statusCode())
                .isEqualTo(201);
        assertThat(send(HttpRequest.newBuilder(uri(output)).headers(wrapper).PUT(body(10 * MIB)))
                        .body())
                .contains(" of which " + 5 * MIB + " are kept free");
    }

    @Test
    void aUsersUploadsOfAllJobsHaveOneBudgetOverRestarts() throws Exception {
        assertThat(put(JOB + "a", "alice", body(5 * MIB)).statusCode()).isEqualTo(201);
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> refused = put(OTHER_JOB + "b", "alice", body(4 * MIB));
            assertThat(refused.statusCode()).isEqualTo(INSUFFICIENT_STORAGE);
            assertThat(refused.body()).contains(9 * MIB + " bytes, at most " + OF_USER);
            assertThat(put(OTHER_JOB + "b", "alice", ofUnknownLength(4 * MIB)).statusCode())
                    .isEqualTo(INSUFFICIENT_STORAGE);
            assertThat(fake.others).hasSize(1);
            restart();
        }
        assertThat(put(JOB_OF_BOB + "c", "bob", body(4 * MIB)).statusCode()).isEqualTo(201);
        assertThat(put(OTHER_JOB + "b", "alice", body(3 * MIB)).statusCode()).isEqualTo(201);
        assertThat(put(JOB + "a", "alice", body(5 * MIB)).statusCode())
                .as("in place of itself")
                .isEqualTo(201);
        assertThat(send(HttpRequest.newBuilder(uri(JOB + "a"))
                                .header("X-Caller", "alice")
                                .DELETE())
                        .statusCode())
                .isEqualTo(204);
        assertThat(put(OTHER_JOB + "d", "alice", body(5 * MIB)).statusCode()).isEqualTo(201);
        assertThat(fake.uploaded.values()).containsExactlyInAnyOrder(0L, 8L * MIB, 4L * MIB);
    }

    @Test
    void whatIsUnderWayCountsForItsUser() throws Exception {
        try (Socket held = underWay()) {
            assertThat(held.isConnected()).isTrue();
            assertThat(put(OTHER_JOB + "b", "alice", body(6 * MIB)).statusCode())
                    .isEqualTo(INSUFFICIENT_STORAGE);
            assertThat(put(OTHER_JOB + "b", "alice", body(4 * MIB)).statusCode())
                    .isEqualTo(201);
        }
    }

    @Test
    void smallSandboxesCostTheDatabaseNothing() throws Exception {
        assertThat(put(JOB + "a", "alice", body(MIB)).statusCode()).isEqualTo(201);
        assertThat(fake.uploaded).isEmpty();
    }
}
