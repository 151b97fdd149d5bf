package org.gelato.ce.core.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A load under which there is never an instant without a transaction that wrote events does not hold events back. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class OverlappingWritersTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final int WRITERS = 4;
    /** How long a writer waits for the next one: it may be kept from writing. */
    private static final Duration HAND_OVER = Duration.ofMillis(200);

    private final AtomicReference<Semaphore> newest = new AtomicReference<>(new Semaphore(0));
    private final AtomicLong committed = new AtomicLong();

    @Test
    void eventsAboveARolledBackIdAreShown() throws Exception {
        EventScene scene = new EventScene(DB.database(), 1);
        DatabaseConfig config = DB.config();
        AtomicBoolean writing = new AtomicBoolean(true);
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> writers = new ArrayList<>();
        try (Database pool = new Database(new DatabaseConfig(
                config.url(), config.user(), config.password(), WRITERS, config.connectionTimeout()))) {
            EventScene load = scene.on(pool);
            EventScene.Follower follower = new EventScene.Follower(scene.node(), 0);
            follower.poll();
            for (int i = 0; i < WRITERS; i++) {
                writers.add(threads.submit(() -> {
                    while (writing.get()) {
                        write(load);
                    }
                    return null;
                }));
            }
            await("all are at work").until(() -> committed.get() > 10 * WRITERS);
            long gap;
            try (Connection rolledBack = load.open()) {
                gap = scene.write(rolledBack, 1).get(0);
                rolledBack.rollback();
            }
            await("an event above " + gap).until(() -> {
                scene.pass(Duration.ofMinutes(1));
                follower.poll();
                return follower.seen().stream().anyMatch(id -> id > gap);
            });
            assertThat(writers).as("still at work").noneMatch(Future::isDone);
            writing.set(false);
            for (Future<?> writer : writers) {
                writer.get();
            }
        } finally {
            writing.set(false);
            threads.shutdownNow();
        }
    }

    /** Writes, and commits when another one has written. */
    private void write(EventScene load) throws SQLException, InterruptedException {
        try (Connection writer = load.open()) {
            load.write(writer, 1);
            Semaphore another = new Semaphore(0);
            newest.getAndSet(another).release();
            another.tryAcquire(HAND_OVER.toMillis(), TimeUnit.MILLISECONDS);
            writer.commit();
            committed.incrementAndGet();
        }
    }
}
