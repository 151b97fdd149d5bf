package org.gelato.ce.core.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client that follows by the last id plus one sees each committed event once and in order, however writers overlap. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class EventStreamTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration PAST_EVERYTHING = Duration.ofMinutes(1);

    private EventScene scene;
    private long begin;

    @BeforeEach
    void scene() {
        scene = new EventScene(DB.database(), 1);
        begin = DB.database()
                        .read(h -> h.select("SELECT MAX(id) FROM job_state_history")
                                .mapTo(Long.class)
                                .one())
                + 1;
    }

    private EventScene.Follower follower(EventQueries node) {
        EventScene.Follower follower = new EventScene.Follower(node, begin);
        follower.poll();
        return follower;
    }

    @Test
    void noInterleavingOfCommitsHidesAnEvent() throws SQLException {
        Random random = new Random(20260102);
        try (Database second = new Database(DB.config())) {
            List<EventScene.Follower> followers =
                    List.of(follower(scene.node()), follower(scene.node(second, PATIENCE)));
            List<Long> committed = new ArrayList<>();
            for (int round = 0; round < 40; round++) {
                List<Connection> writers = new ArrayList<>();
                List<List<Long>> written = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    writers.add(scene.open());
                    written.add(scene.write(writers.get(i), 1 + random.nextInt(4)));
                    if (random.nextBoolean()) {
                        followers.forEach(EventScene.Follower::poll);
                    }
                }
                List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3, 4));
                Collections.shuffle(order, random);
                for (int i : order) {
                    try (Connection writer = writers.get(i)) {
                        if (random.nextInt(4) == 0) {
                            writer.rollback();
                        } else {
                            writer.commit();
                            committed.addAll(written.get(i));
                        }
                    }
                    followers.forEach(EventScene.Follower::poll);
                }
                if (round % 5 == 0) {
                    scene.pass(PATIENCE);
                    followers.forEach(EventScene.Follower::poll);
                }
            }
            scene.pass(PATIENCE);
            Collections.sort(committed);
            for (EventScene.Follower follower : followers) {
                follower.poll();
                assertThat(follower.seen()).isEqualTo(committed);
            }
        }
    }

    @Test
    void concurrentWritersAndReadersOnTwoNodes() throws Exception {
        ConcurrentSkipListSet<Long> committed = new ConcurrentSkipListSet<>();
        AtomicBoolean writing = new AtomicBoolean(true);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Database second = new Database(DB.config())) {
            // No patience: fences and writers meet all the time.
            List<EventQueries> nodes =
                    List.of(scene.node(DB.database(), Duration.ZERO), scene.node(second, Duration.ZERO));
            List<EventScene.Follower> followers = new ArrayList<>();
            List<Future<?>> readers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                EventScene.Follower follower = follower(nodes.get(i % 2));
                followers.add(follower);
                readers.add(threads.submit(() -> {
                    while (writing.get()) {
                        follower.poll();
                        scene.pass(PATIENCE);
                    }
                }));
            }
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                int seed = i;
                writers.add(threads.submit(() -> {
                    write(new Random(seed), committed);
                    return null;
                }));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
            writing.set(false);
            for (Future<?> reader : readers) {
                reader.get();
            }
            List<Long> all = List.copyOf(committed);
            for (EventScene.Follower follower : followers) {
                await().until(() -> {
                    scene.pass(PAST_EVERYTHING);
                    follower.poll();
                    return follower.seen().size() >= all.size();
                });
                assertThat(follower.seen()).isEqualTo(all);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void write(Random random, ConcurrentSkipListSet<Long> committed) throws SQLException {
        for (int i = 0; i < 60; i++) {
            try (Connection writer = scene.open()) {
                List<Long> ids = new ArrayList<>(scene.write(writer, 1 + random.nextInt(5)));
                for (int pause = random.nextInt(8); pause > 0; pause--) {
                    writer.isValid(10); // a round trip
                }
                if (random.nextBoolean()) {
                    ids.addAll(scene.write(writer, 1));
                }
                if (random.nextInt(5) == 0) {
                    writer.rollback();
                } else {
                    writer.commit();
                    committed.addAll(ids);
                }
            }
        }
    }

    @Test
    void writerThatHangsHoldsBackEventsOnly() throws SQLException {
        EventQueries node = scene.node();
        EventScene.Follower follower = follower(node);
        try (Connection hanging = scene.open();
                Connection other = scene.open()) {
            List<Long> ids = new ArrayList<>(scene.write(hanging, 2));
            ids.addAll(scene.write(other, 2));
            other.commit();
            follower.poll();
            scene.pass(PATIENCE);
            follower.poll(); // the fence gives up
            assertThat(follower.seen()).isEmpty();
            ids.addAll(scene.write(other, 1));
            other.commit();
            follower.poll();
            assertThat(follower.seen()).isEmpty();
            EventQueries fresh = scene.node();
            assertThatThrownBy(() -> fresh.query(EventScene.ALICE, EventScene.from(0)))
                    .as("a node that starts meanwhile: an empty answer would be taken as complete")
                    .hasMessageContaining("job events cannot be read yet");
            hanging.commit();
            follower.poll(); // the gap is closed: no fence is needed
            assertThat(follower.seen()).isEqualTo(ids);
        }
    }

    @Test
    void waitingFenceMakesNoOtherCallerWait() throws Exception {
        EventQueries node = scene.node();
        EventScene.Follower follower = follower(node);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Connection hanging = scene.open();
                Connection other = scene.open()) {
            scene.write(hanging, 1);
            scene.write(other, 1);
            other.commit();
            follower.poll();
            scene.pass(PATIENCE);
            List<Future<?>> readers = new ArrayList<>();
            // More than the pool has connections.
            for (int i = 0; i < 30; i++) {
                readers.add(threads.submit(() ->
                        node.query(EventScene.ALICE, EventScene.from(begin)).events()));
            }
            for (Future<?> reader : readers) {
                assertThat((List<?>) reader.get()).isEmpty();
            }
            hanging.rollback();
        } finally {
            threads.shutdownNow();
        }
        scene.pass(PAST_EVERYTHING);
        follower.poll();
        assertThat(follower.seen()).hasSize(1);
    }

    @Test
    void aRareReaderSeesAtOnceWhatIsAboveAPurgedEvent() throws SQLException {
        EventScene.Follower follower = follower(scene.node());
        try (Connection writer = scene.open()) {
            follower.poll();
            scene.pass(PATIENCE);
            List<Long> ids = scene.write(writer, 3);
            writer.commit();
            delete(writer, ids.subList(0, 2));
            follower.poll();
            assertThat(follower.seen()).isEqualTo(ids.subList(2, 3));
        }
    }

    @Test
    void purgeDisturbsNothing() throws SQLException {
        EventScene.Follower follower = follower(scene.node());
        try (Connection writer = scene.open()) {
            List<Long> first = scene.write(writer, 10);
            writer.commit();
            follower.poll();
            delete(writer, first.subList(3, 10));
            List<Long> more = scene.write(writer, 5);
            writer.commit();
            delete(writer, more.subList(1, 3));
            follower.poll();
            scene.pass(PATIENCE);
            follower.poll();
            List<Long> expected = new ArrayList<>(first);
            expected.add(more.get(0));
            expected.addAll(more.subList(3, 5));
            assertThat(follower.seen()).isEqualTo(expected);
            delete(writer, expected);
            follower.poll();
            expected.addAll(scene.write(writer, 1));
            writer.commit();
            follower.poll();
            assertThat(follower.seen()).isEqualTo(expected);
        }
    }

    private static void delete(Connection connection, List<Long> ids) throws SQLException {
        try (var statement = connection.createStatement()) {
            for (long id : ids) {
                statement.executeUpdate("DELETE FROM job_state_history WHERE id = " + id);
            }
        }
        connection.commit();
    }
}
