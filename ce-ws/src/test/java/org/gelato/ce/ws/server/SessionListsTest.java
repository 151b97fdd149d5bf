package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.servlet.ServletContextListener;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.sandbox.TransferLimits;
import org.junit.jupiter.api.Test;

/** Lists of folders are as large as jobs make them, and are held until their clients have them: they are counted as files are. */
class SessionListsTest extends ServerFixture {
    private static final int PLACES = 4;
    /** What nobody reads fills the buffers of both ends of a connection and more. */
    private static final int FILES = 9000;

    @Override
    List<ServletContextListener> listeners(AsyncExchanges exchanges, TransferLimits limits) {
        List<ServletContextListener> listeners = new ArrayList<>(super.listeners(exchanges, limits));
        listeners.add(new FakeSessions(fake, new TransferLimits(PLACES, 1, 1 << 20, 1 << 20, 0, 10)));
        return listeners;
    }

    private HttpResponse<String> send(String method, String user, String job) throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri("/session/" + job))
                        .header("X-Caller", user)
                        .method(method, BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    /** A client that reads the first byte of the list and then no more. */
    private Socket holding(String method) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        socket.getOutputStream()
                .write((method + " /session/" + FakeServices.JOB + " HTTP/1.1\r\nHost: ce\r\nX-Caller: alice\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        assertThat(new String(in.readNBytes(12), StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
        return socket;
    }

    @Test
    void listsThatAreNotReadTakeTheirUsersShareAlone() throws Exception {
        for (int i = 0; i < FILES; i++) {
            fake.files.put("%05d".formatted(i) + "x".repeat(200), new byte[0]);
        }
        fake.others.put(FakeServices.ROOT.resolve(FakeServices.JOB_OF_BOB).resolve("OSB/file"), new byte[0]);
        List<Socket> held = new ArrayList<>();
        try {
            // All but the quarter that is kept for others.
            for (int i = 0; i < PLACES - 1; i++) {
                held.add(holding("PROPFIND"));
            }
            assertThat(send("GET", "alice", FakeServices.JOB).statusCode()).isEqualTo(503);
            HttpResponse<String> more = send("PROPFIND", "alice", FakeServices.JOB);
            assertThat(more.statusCode()).isEqualTo(503);
            assertThat(more.body()).contains("too many transfers of this user's jobs at once, at most 3");
            assertThat(send("PROPFIND", "bob", FakeServices.JOB_OF_BOB).body()).contains("file");
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
        await().atMost(Duration.ofMinutes(2))
                .until(() -> send("PROPFIND", "alice", FakeServices.JOB).statusCode() == 200);
    }

    @Test
    void aListThatIsNotWholeIsRefused() throws Exception {
        fake.files.put("one", new byte[0]);
        fake.cut = true;
        assertThat(send("GET", "alice", FakeServices.JOB).statusCode()).isEqualTo(507);
        assertThat(send("PROPFIND", "alice", FakeServices.JOB).body()).contains("more names than can be listed");
        fake.cut = false;
        for (int i = 0; i < 9000; i++) {
            fake.files.put("%05d".formatted(i) + "x".repeat(250), new byte[0]);
        }
        assertThat(send("PROPFIND", "alice", FakeServices.JOB).statusCode()).isEqualTo(507);
    }
}
