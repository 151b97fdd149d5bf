package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.db.embedded.UnixSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that comes up after the CE. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class DatabaseStartTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Duration LONG = Duration.ofHours(1);
    private static final Pattern ADDRESS = Pattern.compile("^jdbc:mysql://([^:/]+)(?::([0-9]+))?/([^?]*).*");
    private static final Pattern SOCKET = Pattern.compile("&gelatoSocket=([^&]*)");
    private static final int BEFORE_IT_IS_UP = 2;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger refused = new AtomicInteger();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private static DatabaseConfig at(int port, String password) {
        DatabaseConfig own = DB.config();
        return new DatabaseConfig(
                ADDRESS.matcher(own.url()).replaceFirst("jdbc:mysql://127.0.0.1:" + port + "/$3?sslMode=DISABLED"),
                own.user(),
                password,
                1,
                Duration.ofSeconds(5));
    }

    private static Socket connect() throws IOException {
        String url = DB.config().url();
        Matcher socket = SOCKET.matcher(url);
        if (socket.find()) {
            return UnixSocketFactory.open(Path.of(URLDecoder.decode(socket.group(1), StandardCharsets.UTF_8)));
        }
        Matcher address = ADDRESS.matcher(url);
        assertThat(address.matches()).isTrue();
        return new Socket(address.group(1), Integer.parseInt(address.group(2)));
    }

    /** Breaks the first connections off, and passes the later ones on. */
    private Void serve(ServerSocket door) throws IOException {
        while (true) {
            Socket client = door.accept();
            if (refused.get() < BEFORE_IT_IS_UP) {
                refused.incrementAndGet();
                client.close();
                continue;
            }
            Socket server = connect();
            threads.submit(() -> client.getInputStream().transferTo(server.getOutputStream()));
            threads.submit(() -> server.getInputStream().transferTo(client.getOutputStream()));
        }
    }

    @Test
    void aServerThatDoesNotAnswerYetIsWaitedFor() throws IOException {
        try (ServerSocket door = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            threads.submit(() -> serve(door));
            try (Database database =
                    Database.open(at(door.getLocalPort(), DB.config().password()), LONG)) {
                int seven = database.read(
                        h -> h.select("SELECT 7").mapTo(Integer.class).one());
                assertThat(seven).isEqualTo(7);
            }
            assertThat(refused).hasValue(BEFORE_IT_IS_UP);
        }
    }

    @Test
    void withoutPatienceItIsNot() throws IOException {
        try (ServerSocket door = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            threads.submit(() -> serve(door));
            assertThatThrownBy(() ->
                            Database.open(at(door.getLocalPort(), DB.config().password()), Duration.ZERO))
                    .isInstanceOf(PoolInitializationException.class);
            assertThat(refused).hasValue(1);
        }
    }

    @Test
    void aServerThatRefusesIsNotWaitedFor() {
        DatabaseConfig own = DB.config();
        DatabaseConfig wrong = new DatabaseConfig(own.url(), own.user(), "not it", 1, Duration.ofSeconds(5));
        assertThatThrownBy(() -> Database.open(wrong, LONG))
                .isInstanceOf(PoolInitializationException.class)
                .hasMessageContaining("Access denied");
    }
}
