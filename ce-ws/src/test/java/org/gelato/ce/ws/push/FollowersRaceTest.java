package org.gelato.ce.ws.push;

import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.gelato.ce.core.event.EventFeed;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.ws.http.LiveResponse;
import org.gelato.ce.ws.http.PerUserLimit;
import org.junit.jupiter.api.Test;

/**
 * Clients come, go and stop reading while events are committed, in any order: each gets the events of its owner after its cursor once and
 * in order, and each permit is given back. The calls have no results of their own, and so are not for Lincheck, whose change of all classes
 * costs ten times as much; what clients got is compared when all have ended. Ten times as many runs with {@code -Dgelato.test.long=true}.
 */
class FollowersRaceTest {
    private static final int RUNS = Boolean.getBoolean("gelato.test.long") ? 2500 : 250;
    private static final int THREADS = 3;
    private static final int CALLS = 4;
    /** Between two readings of the clock, so that no pause of the thread is longer than two milliseconds. */
    private static final Duration STEP = Duration.ofMillis(499);

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long FIRST = 7;

    /** A client that now and then takes nothing. */
    private static final class Client implements LiveResponse {
        private final int owner;
        private final long after;
        private final List<Long> ids = new CopyOnWriteArrayList<>();
        private volatile boolean ended;

        Client(int owner, long after) {
            this.owner = owner;
            this.after = after;
        }

        @Override
        public boolean offer(byte[] bytes) {
            if (ended || ThreadLocalRandom.current().nextBoolean()) {
                return false;
            }
            for (String event : new String(bytes, StandardCharsets.UTF_8).split("\n\n")) {
                if (event.contains("\ndata: ")) {
                    ids.add(Long.parseLong(event.replaceAll("(?s).*id: \\d+-(\\d+).*", "$1")));
                }
            }
            return true;
        }

        @Override
        public boolean ended() {
            return ended;
        }

        @Override
        public void close() {
            ended = true;
        }

        List<Long> wanted(long last) {
            return LongStream.rangeClosed(after + 1, last)
                    .filter(id -> owner == EventFeed.ALL_OWNERS || FakeFeed.owner(id) == owner)
                    .boxed()
                    .toList();
        }
    }

    /** What the threads of one run share. */
    private static final class Run {
        private final AtomicLong clock = new AtomicLong();
        private final FakeFeed feed = new FakeFeed();
        private final PerUserLimit limit = PerUserLimit.of(1000, 1000);
        private final List<Client> clients = new CopyOnWriteArrayList<>();
        private final Followers<Integer> followers = new Followers<>(
                "events",
                new FollowedEvents(feed, new EventJson("https://ce:8443", FakeFeed.MADE)),
                limit,
                new Followers.Bounds(Duration.ofDays(30), Duration.ofSeconds(15), Duration.ofDays(30)),
                () -> clock.addAndGet(STEP.toNanos()));

        private long last = FIRST;

        /** Begins with events that no client has seen. */
        Run() {
            feed.add(1, FIRST);
        }

        void commit() {
            synchronized (feed) {
                last++;
                feed.add(last, last);
            }
            followers.signal();
        }

        /** @param back how many events before the newest one it begins */
        void follow(int back) {
            int owner = back == 1 ? FakeFeed.ALICE : EventFeed.ALL_OWNERS;
            Client client = new Client(owner, feed.horizon() - back);
            try {
                followers.add("a", followers.permit("a"), client.owner, client, client.after);
            } catch (ServiceException e) {
                throw new IllegalStateException(e);
            }
            clients.add(client);
        }

        /** The one that came first goes; what it got so far has no gap. */
        void leave() {
            clients.stream().filter(c -> !c.ended).findFirst().ifPresent(client -> {
                client.close();
                followers.wake();
            });
        }

        void wake() {
            followers.wake();
        }

        /** Compares when all operations of a run have ended. */
        void nothingIsMissing() {
            try {
                for (Client client : clients) {
                    if (client.ended) {
                        List<Long> wanted = client.wanted(last);
                        List<Long> got = new ArrayList<>(client.ids);
                        if (!wanted.subList(0, Math.min(got.size(), wanted.size()))
                                .equals(got)) {
                            throw new IllegalStateException("a client that left got " + got + " of " + wanted);
                        }
                    } else {
                        await().atMost(PATIENCE)
                                .pollInterval(Duration.ofMillis(1))
                                .until(() -> client.ids, client.wanted(last)::equals);
                    }
                }
                clients.forEach(Client::close);
                followers.wake();
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> limit.held() == 0 && followers.size() == 0);
            } finally {
                followers.close();
            }
        }

        private void call(int which, int back) {
            switch (which) {
                case 0 -> commit();
                case 1 -> follow(back);
                case 2 -> leave();
                default -> wake();
            }
        }
    }

    @Test
    void noClientMissesAnEvent() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (int number = 0; number < RUNS; number++) {
                Run run = new Run();
                SplittableRandom random = new SplittableRandom(number);
                List<Callable<Void>> calls = new ArrayList<>();
                CyclicBarrier begin = new CyclicBarrier(THREADS);
                for (int i = 0; i < THREADS; i++) {
                    SplittableRandom own = random.split();
                    calls.add(() -> {
                        begin.await();
                        for (int n = 0; n < CALLS; n++) {
                            run.call(own.nextInt(4), own.nextInt(3));
                        }
                        return null;
                    });
                }
                for (Future<Void> ended : threads.invokeAll(calls)) {
                    ended.get();
                }
                run.nothingIsMissing();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
