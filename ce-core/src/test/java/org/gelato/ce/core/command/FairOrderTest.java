package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.JobFilter;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Owners take turns, whatever their order and number of jobs; the claim reads no unneeded row. */
class FairOrderTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final Caller BOB = TestCe.caller("Bob");
    private int node;

    @BeforeEach
    void noJobs() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        node = DB.database()
                .inTransaction(h -> new NodeStore()
                        .register(h, "x", new NodeStore.Running(1, null, Instant.EPOCH), Instant.now(), false));
    }

    private static TestCe ce() {
        return new TestCe(DB.database(), new FakeLrms(), "h1");
    }

    private static void submit(TestCe ce, Caller caller, int number, boolean atOnce) {
        for (int left = number; left > 0; left -= 500) {
            List<String> ids = ce
                    .jobs
                    .registration()
                    .register(
                            caller,
                            Stream.generate(() -> TestCe.description(atOnce))
                                    .limit(Math.min(500, left))
                                    .toList(),
                            null)
                    .stream()
                    .map(r -> r.id().toString())
                    .toList();
            if (!atOnce) {
                ce.jobs.commands().start(caller, JobFilter.ofIds(ids));
            }
        }
    }

    private List<ClaimedCommand> claim(TestCe ce, int limit) {
        return claim(TestCommands.room(limit), ce).commands();
    }

    private CommandStore.Claim claim(Map<String, Integer> room, TestCe ce) {
        return DB.database().inTransaction(h -> ce.commands.claim(h, node, room, Instant.now(), Duration.ofHours(1)));
    }

    private static long of(Caller caller, List<ClaimedCommand> claimed) {
        return claimed.stream()
                .filter(c -> c.owner().subject().equals(caller.identity().subject()))
                .count();
    }

    private static void served(TestCe ce) {
        DB.database().read(h -> {
            ce.commands.lanes().followTurns(h, Lane.handOver("fake"));
            ce.commands.lanes().recallTurns(h, Lane.handOver("fake"));
            return null;
        });
    }

    @Test
    void fiveJobsBehindFiveThousandAreAmongTheNextTen() {
        try (TestCe ce = ce()) {
            submit(ce, ALICE, 5000, true);
            assertThat(claim(ce, 100)).hasSize(100);
            submit(ce, BOB, 5, false);
            List<ClaimedCommand> next = claim(ce, 10);
            assertThat(of(BOB, next)).isEqualTo(5);
            assertThat(of(ALICE, next)).isEqualTo(5);
        }
    }

    private static int owner(Handle h, Caller caller) {
        return h.createQuery("SELECT o.id FROM owner o JOIN subject s ON s.id = o.subject_id WHERE s.dn = :dn")
                .bind("dn", caller.identity().subject())
                .mapTo(Integer.class)
                .one();
    }

    @Test
    void whereVosTakeTurnsThoseOfItsOwnersAreFurtherApart() {
        try (TestCe ce = ce()) {
            submit(ce, ALICE, 3, true);
            submit(ce, BOB, 3, true);
            String lane = Lane.handOver("fake");
            DB.database().read(h -> {
                LaneStore restarted = new LaneStore(true);
                restarted.recallTurns(h, lane);
                long last = restarted.next(h, lane, owner(h, ALICE));
                assertThat(restarted.next(h, lane, owner(h, ALICE))).isEqualTo(last + 2);
                LaneStore anew = new LaneStore(true);
                assertThat(anew.next(h, lane, owner(h, ALICE))).isEqualTo(1);
                assertThat(anew.next(h, lane, owner(h, BOB))).isEqualTo(2);
                LaneStore ofUsers = new LaneStore(false);
                assertThat(ofUsers.next(h, lane, owner(h, ALICE))).isEqualTo(1);
                assertThat(ofUsers.next(h, lane, owner(h, BOB))).isEqualTo(1);
                return null;
            });
        }
    }

    @Test
    void purgesOfOneOwnerAreNotBehindAllOfAnother() {
        try (TestCe ce = ce()) {
            for (Caller caller : List.of(ALICE, BOB)) {
                List<String> ids = ce
                        .jobs
                        .registration()
                        .register(
                                caller,
                                Stream.generate(() -> TestCe.description(false))
                                        .limit(caller.equals(ALICE) ? 300 : 5)
                                        .toList(),
                                null)
                        .stream()
                        .map(r -> r.id().toString())
                        .toList();
                ce.jobs.commands().purge(caller, JobFilter.ofIds(ids));
            }
            List<ClaimedCommand> next = claim(Map.of(Lane.PURGE, 10), ce).commands();
            assertThat(of(BOB, next)).isEqualTo(5);
            assertThat(of(ALICE, next)).isEqualTo(5);
        }
    }

    @Test
    void whoComesBackGetsNoCreditForTheTimeAway() {
        try (TestCe ce = ce()) {
            submit(ce, BOB, 5, true);
            claim(ce, 5);
            submit(ce, ALICE, 300, true);
            claim(ce, 100);
            submit(ce, BOB, 50, true);
            assertThat(of(BOB, claim(ce, 20))).isBetween(9L, 11L);
        }
    }

    @Test
    void aNodeThatStartsAnewGoesOnWhereTheQueueIs() {
        try (TestCe ce = ce()) {
            submit(ce, ALICE, 300, true);
            claim(ce, 100);
        }
        try (TestCe next = ce()) {
            served(next);
            submit(next, BOB, 50, true);
            submit(next, ALICE, 20, true);
            List<ClaimedCommand> claimed = claim(next, 40);
            assertThat(of(BOB, claimed)).isBetween(19L, 21L);
            // Alice's new jobs stand behind her old ones.
            List<Integer> rows = claimed.stream()
                    .filter(c -> c.owner().subject().equals(ALICE.identity().subject()))
                    .map(c -> c.job().id())
                    .toList();
            assertThat(rows).isSorted();
        }
    }

    @Test
    void twoNodesShareOneQueueFairly() {
        try (TestCe one = ce();
                Database other = new Database(DB.config());
                TestCe two = new TestCe(other, new FakeLrms(), "h2")) {
            submit(one, ALICE, 500, true);
            claim(one, 100);
            claim(two, 100); // by this it knows how far the queue is
            submit(two, BOB, 100, true);
            List<ClaimedCommand> next = new ArrayList<>(claim(one, 20));
            next.addAll(claim(two, 20));
            assertThat(of(BOB, next)).isBetween(18L, 22L);
            assertThat(next.stream().map(ClaimedCommand::id).distinct()).hasSize(40);
        }
    }

    @Test
    void aLaneWithoutRoomIsNotRead() {
        try (TestCe ce = ce()) {
            submit(ce, ALICE, 200, true);
            CommandStore.Claim none = claim(Map.of(Lane.CONTROL, 10, Lane.PURGE, 10), ce);
            assertThat(none.commands()).isEmpty();
            assertThat(none.readAll()).isTrue();
            CommandStore.Claim some = claim(Map.of(Lane.CONTROL, 10, Lane.handOver("fake"), 3), ce);
            assertThat(some.commands()).hasSize(3);
            assertThat(some.readAll()).isFalse();
        }
    }

    @Test
    void claimersDoNotWaitForEachOtherNorLockWhatTheyDoNotTake() {
        try (TestCe ce = ce();
                Database other = new Database(DB.config())) {
            submit(ce, ALICE, 300, true);
            List<Long> both = other.inTransaction(h -> {
                List<ClaimedCommand> first = ce.commands
                        .claim(h, node, TestCommands.room(50), Instant.now(), Duration.ofHours(1))
                        .commands();
                // While the first transaction is open.
                List<ClaimedCommand> second = claim(ce, 50);
                return Stream.concat(first.stream(), second.stream())
                        .map(ClaimedCommand::id)
                        .toList();
            });
            assertThat(both).doesNotHaveDuplicates().hasSize(100).isSorted();
        }
    }

    @Test
    void thousandsThatWerePutOffAreNotReadByTheClaim() {
        try (TestCe ce = ce()) {
            submit(ce, ALICE, 2000, true);
            for (List<ClaimedCommand> batch = claim(ce, 100); !batch.isEmpty(); batch = claim(ce, 100)) {
                List<CommandOutcome.Later> later = batch.stream()
                        .map(c -> CommandOutcome.Later.absent(c, Duration.ofHours(1), "not now"))
                        .toList();
                DB.database().inTransaction(h -> {
                    new OutcomeStore(ce.commands.lanes()).retry(h, later, Instant.now());
                    return null;
                });
            }
            submit(ce, BOB, 1, true);
            assertThat(rowsRead()).isLessThan(20);
            assertThat(queueAgain(ce, Instant.now())).isZero();
            assertThat(queueAgain(ce, Instant.now().plusSeconds(3601))).isEqualTo(1000);
            assertThat(claim(ce, 100))
                    .hasSize(100)
                    .allSatisfy(c -> assertThat(c.tries()).isEqualTo(2));
        }
    }

    @Test
    void whatIsSetAsideIsInTurnsAlsoForAProcessThatIsNew() {
        String aside = new PauseScope(Lane.handOver("fake"), 0, 0, 7).name();
        try (TestCe ce = ce()) {
            for (Caller caller : List.of(ALICE, BOB)) {
                submit(ce, caller, caller == ALICE ? 60 : 10, true);
                setAside(ce, claim(ce, 60), aside);
            }
            List<ClaimedCommand> tried = claim(Map.of(aside, 20), ce).commands();
            assertThat(of(BOB, tried)).isEqualTo(10);
            setAside(ce, tried, aside);
            assertThat(claim(Map.of(aside, 20), ce).commands())
                    .as("what is put back keeps its turn")
                    .extracting(ClaimedCommand::id)
                    .isEqualTo(tried.stream().map(ClaimedCommand::id).toList());
        }
        try (TestCe next = ce()) {
            DB.database().read(h -> next.commands.lanes().paused(h));
            submit(next, BOB, 30, true);
            setAside(next, claim(next, 30), aside);
            assertThat(of(BOB, claim(Map.of(aside, 20), next).commands())).isBetween(9L, 11L);
            List<ClaimedCommand> last = claim(Map.of(aside, 100), next).commands();
            DB.database().read(h -> next.commands.lanes().paused(h));
            assertThat(next.commands.lanes().turns().knows(aside))
                    .as("remembered though nothing stands there")
                    .isFalse();
            submit(next, BOB, 1, true);
            List<ClaimedCommand> bobs = claim(next, 1);
            setAside(next, bobs, aside);
            setAside(next, last.subList(0, 1), aside);
            assertThat(claim(Map.of(aside, 2), next).commands())
                    .as("turns after those of before")
                    .extracting(ClaimedCommand::id)
                    .containsExactly(last.get(0).id(), bobs.get(0).id());
        }
    }

    @Test
    void whatComesBackFromAPauseIsTheNextAndFromALimitStaysThere() {
        String paused = new PauseScope(Lane.handOver("fake"), 5, 0).name();
        String limited = new PauseScope(Lane.handOver("fake"), 0, 0, 7).name();
        try (TestCe ce = ce()) {
            submit(ce, ALICE, 40, true);
            setAside(ce, claim(ce, 10), paused);
            setAside(ce, claim(ce, 10), limited);
            List<ClaimedCommand> back = claim(Map.of(paused, 1), ce).commands();
            List<ClaimedCommand> beyond = claim(Map.of(limited, 1), ce).commands();
            submit(ce, BOB, 5, true);
            setAside(ce, back, null);
            setAside(ce, beyond, null);
            assertThat(claim(ce, 1))
                    .extracting(ClaimedCommand::id)
                    .containsExactly(back.get(0).id());
            assertThat(claim(Map.of(limited, 1), ce).commands())
                    .extracting(ClaimedCommand::id)
                    .containsExactly(beyond.get(0).id());
        }
    }

    private static void setAside(TestCe ce, List<ClaimedCommand> commands, String lane) {
        DB.database().inTransaction(h -> {
            new OutcomeStore(ce.commands.lanes())
                    .retry(
                            h,
                            commands.stream()
                                    .map(c -> CommandOutcome.Later.absent(c, Duration.ZERO, "beyond a limit")
                                            .uncounted()
                                            .inLane(lane))
                                    .toList(),
                            Instant.now());
            return null;
        });
    }

    private static int queueAgain(TestCe ce, Instant now) {
        return DB.database().inTransaction(h -> ce.commands.queueAgain(h, now));
    }

    /** Index entries and rows one query reads. */
    private static long rowsRead() {
        return DB.database().inTransaction(h -> {
            long first = readSoFar(h);
            long before = readSoFar(h);
            List<Map<String, Object>> due = h.createQuery(CommandStore.DUE)
                    .bindList("lanes", List.copyOf(TestCommands.room(1).keySet()))
                    .bind("limit", 100)
                    .mapToMap()
                    .list();
            assertThat(due).hasSize(1);
            // Asking reads rows itself.
            return readSoFar(h) - before - (before - first);
        });
    }

    /** By this connection; to set it back needs a right that a CE's account does not have on MySQL. */
    private static long readSoFar(Handle h) {
        return h.select("SHOW SESSION STATUS LIKE 'Handler_read%'").map((r, c) -> r.getLong(2)).list().stream()
                .mapToLong(n -> n)
                .sum();
    }

    @Test
    void howFarTheQueueIsIsReadFromIndexEntriesAlone() {
        try (TestCe ce = ce()) {
            submit(ce, ALICE, 30, true);
            claim(ce, 20);
        }
        DB.database()
                .inTransaction(
                        h -> h.execute("UPDATE command SET state = 3 + MOD(turn, 2) WHERE state = 2 AND turn > 5"));
        List<String> extras = DB.database()
                .read(h -> h
                        .select("EXPLAIN FORMAT = TRADITIONAL " + LaneStore.SERVED.replace(":lane", "'hand-over fake'"))
                        .mapToMap()
                        .list()
                        .stream()
                        .map(row -> String.valueOf(row.get("extra")))
                        .toList());
        assertThat(extras.stream().collect(Collectors.groupingBy(e -> e, Collectors.counting())))
                .containsEntry("Select tables optimized away", 3L);
    }
}
