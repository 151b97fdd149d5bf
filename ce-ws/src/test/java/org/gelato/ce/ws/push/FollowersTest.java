package org.gelato.ce.ws.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.gelato.ce.core.event.EventFeed;
import org.gelato.ce.ws.http.LiveResponse;
import org.gelato.ce.ws.http.PerUserLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FollowersTest {
    private static final Instant MADE = FakeFeed.MADE;
    private static final int ALICE = FakeFeed.ALICE;
    private static final int BOB = FakeFeed.BOB;

    private final FakeFeed feed = new FakeFeed();
    private final AtomicLong skew = new AtomicLong();
    private final PerUserLimit limit = PerUserLimit.of(4, 3);
    private final Followers<Integer> followers = new Followers<>(
            "events",
            new FollowedEvents(feed, new EventJson("https://ce:8443", MADE)),
            limit,
            Followers.Bounds.USUAL,
            () -> System.nanoTime() + skew.get());

    @AfterEach
    void close() {
        followers.close();
    }

    /** A client that reads or does not. */
    private static final class Client implements LiveResponse {
        volatile String text = "";
        volatile boolean reads = true;
        volatile boolean ended;

        @Override
        public synchronized boolean offer(byte[] bytes) {
            boolean taken = reads && !ended;
            if (taken) {
                text = text + new String(bytes, StandardCharsets.UTF_8);
            }
            return taken;
        }

        @Override
        public boolean ended() {
            return ended;
        }

        @Override
        public void close() {
            ended = true;
        }

        List<Long> ids() {
            List<Long> ids = new ArrayList<>();
            for (String event : text.split("\n\n")) {
                if (event.contains("\ndata: ")) {
                    String id = event.lines()
                            .filter(l -> l.startsWith("id: "))
                            .findFirst()
                            .orElseThrow();
                    ids.add(Long.parseLong(id.substring(id.indexOf('-') + 1)));
                }
            }
            return ids;
        }
    }

    private Client follow(String person, int owner, long after) {
        Client client = new Client();
        followers.add(person, followers.permit(person), owner, client, after);
        return client;
    }

    private static List<Long> range(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    @Test
    void eachFollowerGetsTheEventsOfItsOwnerAfterItsCursorOnceAndInOrder() throws Exception {
        feed.add(1, 500);
        Client all = follow("admin", EventFeed.ALL_OWNERS, 0);
        Client bob = follow("bob", BOB, 100);
        await().until(() -> all.ids().size() == 500 && bob.ids().size() == 40);
        feed.add(501, 760);
        await().until(() -> all.ids().size() == 760 && bob.ids().size() == 66);
        assertThat(all.ids()).isEqualTo(range(1, 760));
        assertThat(bob.ids()).isEqualTo(range(11, 76).stream().map(n -> n * 10).toList());
        assertThat(all.text).contains("\"dn\":\"CN=Bob\"");
        assertThat(bob.text).doesNotContain("\"dn\"");
    }

    @Test
    void whatCannotBeReadForOneKeepsNoOtherFromItsEvents() throws Exception {
        Followed<Integer> events = new FollowedEvents(feed, new EventJson("https://ce:8443", MADE));
        AtomicBoolean bad = new AtomicBoolean(true);
        Followed<Integer> partlyBad = new Followed<>() {
            @Override
            public long horizon() {
                return events.horizon();
            }

            @Override
            public Set<Integer> ownersBetween(long after, long to) {
                return events.ownersBetween(after, to);
            }

            @Override
            public Set<Integer> owners(Integer selection) {
                return events.owners(selection);
            }

            @Override
            public Page page(Integer selection, long after, long to, int room) {
                if (selection == BOB && bad.get()) {
                    throw new IllegalStateException("a record that can't be written as JSON");
                }
                return events.page(selection, after, to, room);
            }

            @Override
            public String cursor(long id) {
                return events.cursor(id);
            }
        };
        try (Followers<Integer> some =
                new Followers<>("events", partlyBad, limit, Followers.Bounds.USUAL, System::nanoTime)) {
            Client bob = new Client();
            some.add("bob", some.permit("bob"), BOB, bob, 0);
            Client all = new Client();
            some.add("admin", some.permit("admin"), EventFeed.ALL_OWNERS, all, 0);
            feed.add(1, 500);
            await().until(() -> all.ids().size() == 500);
            assertThat(bob.ids()).isEmpty();
            bad.set(false);
            await().until(() -> bob.ids().size() == 50);
        }
    }

    @Test
    void followersAtTheSamePlaceShareAReadAndWithoutFollowersNothingIsRead() throws Exception {
        feed.add(1, 50);
        Client first = follow("a", EventFeed.ALL_OWNERS, 50);
        Client second = follow("b", EventFeed.ALL_OWNERS, 50);
        await().until(() -> first.text.length() > 0 && second.text.length() > 0);
        int before = feed.reads.get();
        feed.add(51, 130);
        await().until(() -> first.ids().size() == 80 && second.ids().size() == 80);
        assertThat(feed.reads.get() - before).isEqualTo(1);
        first.ended = true;
        second.ended = true;
        await().until(() -> followers.size() == 0);
        int idle = feed.horizons.get();
        followers.wake();
        await().during(Duration.ofSeconds(1)).until(() -> feed.horizons.get() == idle);
    }

    @Test
    void signalsShareARoundThatComesBeforeTheNextTick() throws Exception {
        AtomicLong clock = new AtomicLong();
        AtomicInteger readings = new AtomicInteger();
        try (Followers<Integer> signalled = new Followers<>(
                "events",
                new FollowedEvents(feed, new EventJson("https://ce:8443", MADE)),
                limit,
                Followers.Bounds.USUAL,
                () -> {
                    readings.incrementAndGet();
                    return clock.get();
                })) {
            Client client = new Client();
            signalled.add("a", signalled.permit("a"), EventFeed.ALL_OWNERS, client, 0);
            await().until(() -> client.text.length() > 0);
            int rounds = feed.horizons.get();
            // By this clock the tick never comes.
            feed.add(1, 1);
            int before = readings.get();
            signalled.signal();
            // A round reads the clock as often, and the horizon before the last of these.
            await().until(() -> readings.get() >= before + 5);
            assertThat(feed.horizons.get()).isEqualTo(rounds);
            for (int event = 2; event <= 5; event++) {
                feed.add(event, event);
                signalled.signal();
            }
            clock.addAndGet(Duration.ofMillis(100).toNanos());
            await().until(() -> client.ids().size() == 5);
            assertThat(feed.horizons.get() - rounds).isEqualTo(1);
        }
    }

    @Test
    void oneWhoDoesNotReadIsCutAndOthersNoticeNothing() throws Exception {
        Client deaf = follow("deaf", EventFeed.ALL_OWNERS, 0);
        Client reader = follow("reader", EventFeed.ALL_OWNERS, 0);
        await().until(() -> deaf.text.length() > 0);
        deaf.reads = false;
        feed.add(1, 300);
        await().until(() -> reader.ids().size() == 300);
        assertThat(deaf.ended).isFalse();
        for (int step = 0; step < 4; step++) {
            int length = reader.text.length();
            skew.addAndGet(Duration.ofSeconds(20).toNanos());
            followers.wake();
            await("a sign of life").until(() -> reader.text.length() > length);
        }
        await().until(() -> deaf.ended);
        assertThat(reader.ended).isFalse();
        assertThat(followers.cut()).isEqualTo(1);
    }

    @Test
    void oneWhoReadsLaterGetsWhatItMissedFromTheDatabase() throws Exception {
        Client client = follow("slow", ALICE, 0);
        await().until(() -> client.text.length() > 0);
        client.reads = false;
        feed.add(1, 1000);
        await().until(() -> feed.reads.get() > 1);
        client.reads = true;
        followers.wake();
        await().until(() -> client.ids().size() == 900);
        assertThat(client.ids()).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aConnectionEndsAfterItsLifeSoThatItsClientIsAuthorizedAnew() throws Exception {
        Client client = follow("a", ALICE, 0);
        await().until(() -> client.text.length() > 0);
        for (int second = 0; second < 600; second += 20) {
            skew.addAndGet(Duration.ofSeconds(20).toNanos());
            int length = client.text.length();
            followers.wake();
            await().until(() -> client.text.length() > length || client.ended);
        }
        await().until(() -> client.ended && followers.size() == 0);
        assertThat(followers.cut()).isZero();
    }

    @Test
    void followersAreBounded() throws Exception {
        follow("a", ALICE, 0);
        follow("a", ALICE, 0);
        Client third = follow("a", ALICE, 0);
        assertThatThrownBy(() -> followers.permit("a")).hasMessageContaining("3 times already");
        follow("b", BOB, 0);
        assertThatThrownBy(() -> followers.permit("c")).hasMessageContaining("4 clients");
        third.ended = true;
        await().until(() -> followers.size() == 3);
        followers.permit("c");
    }

    @Test
    void anErrorEndsNeitherTheThreadNorTheConnections() throws Exception {
        Duration never = Duration.ofDays(1000);
        try (Followers<Integer> patient = new Followers<>(
                "events",
                new FollowedEvents(feed, new EventJson("https://ce:8443", MADE)),
                limit,
                new Followers.Bounds(never, never, never),
                () -> System.nanoTime() + skew.get())) {
            Client client = new Client();
            patient.add("a", patient.permit("a"), EventFeed.ALL_OWNERS, client, 0);
            await().until(() -> client.text.length() > 0);
            feed.errors.set(1);
            feed.add(1, 1);
            await().until(() -> feed.errors.get() == 0);
            await().until(() -> {
                skew.addAndGet(Duration.ofSeconds(5).toNanos());
                patient.wake();
                return client.ids().size() == 1;
            });
            assertThat(client.ended).isFalse();
        }
    }

    @Test
    void textsOfJobsStayInsideTheirEvent() throws Exception {
        feed.add(1, 1);
        Client client = follow("a", ALICE, 0);
        await().until(() -> client.ids().size() == 1);
        assertThat(client.text).contains("\"failureReason\":\"<b>\\n'; DROP TABLE job\"");
        assertThat(client.text.lines().filter(l -> l.startsWith("data: "))).hasSize(1);
    }

    /** What was sent of as many ids as the room of a page has kilobytes. */
    private static final class Rooms implements Followed<Integer> {
        private static final int ALL = 1000;

        final List<Integer> rooms = new CopyOnWriteArrayList<>();
        private final AtomicLong horizon = new AtomicLong(ALL);

        @Override
        public long horizon() {
            return horizon.get();
        }

        @Override
        public Set<Integer> ownersBetween(long after, long to) {
            return Set.of(ALICE);
        }

        @Override
        public Set<Integer> owners(Integer selection) {
            return Set.of();
        }

        @Override
        public Page page(Integer selection, long after, long to, int room) {
            rooms.add(room >> 10);
            return new Page(new byte[] {'\n'}, Math.min(to, after + (room >> 10)));
        }

        @Override
        public String cursor(long id) {
            return Long.toString(id);
        }
    }

    @Test
    void pagesGrowForOneWhoHasMuchToReadAndTakesThem() throws Exception {
        Rooms all = new Rooms();
        try (Followers<Integer> rooms =
                new Followers<>("rooms", all, limit, Followers.Bounds.USUAL, System::nanoTime)) {
            Client client = new Client();
            rooms.add("reader", rooms.permit("reader"), ALICE, client, 0);
            await().until(() -> all.rooms.stream().mapToInt(Integer::intValue).sum() >= Rooms.ALL);
            assertThat(all.rooms).startsWith(32, 64, 128, 128).endsWith(128).allMatch(room -> room <= 128);
            int before = all.rooms.size();
            all.horizon.incrementAndGet();
            await().until(() -> all.rooms.size() > before);
            assertThat(all.rooms).last().isEqualTo(32);

            client.reads = false;
            all.horizon.addAndGet(Rooms.ALL);
            await().until(() -> all.rooms.size() > before + 2);
            assertThat(all.rooms.subList(before, all.rooms.size())).containsOnly(32);
        }
    }
}
