package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    private static final Pattern ADDRESS = Pattern.compile("//([^:/]+):([0-9]+)/");
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
                ADDRESS.matcher(own.url()).replaceFirst("//$1:" + port + "/"),
                own.user(),
                password,
                1,
                Duration.ofSeconds(5));
    }

    /** Breaks the first connections off, and passes the later ones on. */
    private Void serve(ServerSocket door) throws IOException {
        Matcher real = ADDRESS.matcher(DB.config().url());
        assertThat(real.find()).isTrue();
        while (true) {
            Socket client = door.accept();
            if (refused.get() < BEFORE_IT_IS_UP) {
                refused.incrementAndGet();
                client.close();
                continue;
            }
            Socket server = new Socket(real.group(1), Integer.parseInt(real.group(2)));
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
        Matcher real = ADDRESS.matcher(DB.config().url());
        assertThat(real.find()).isTrue();
        assertThatThrownBy(() -> Database.open(at(Integer.parseInt(real.group(2)), "not it"), LONG))
                .isInstanceOf(PoolInitializationException.class)
                .hasMessageContaining("Access denied");
    }
}
