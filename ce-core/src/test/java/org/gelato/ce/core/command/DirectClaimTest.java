package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Commands that are claimed by the transaction that inserts them. */
class DirectClaimTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private TestCe ce;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1").start();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private JobId register() {
        return ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
    }

    private DirectClaims.Reservation room(CommandKind kind, int count) {
        return await().atMost(LIMIT)
                .until(() -> ce.dispatcher.reserve(kind, count), Optional::isPresent)
                .orElseThrow();
    }

    @Test
    void aStartOnAnIdleNodeIsClaimedWithItsInsert() {
        room(CommandKind.JOB_START, 1).release();
        AtomicInteger rooms = new AtomicInteger();
        ce.direct = (kind, count) -> {
            Optional<DirectClaims.Reservation> room = ce.dispatcher.reserve(kind, count);
            room.ifPresent(r -> rooms.incrementAndGet());
            return room;
        };
        JobId id = register();
        JobFilter it = JobFilter.ofIds(List.of(id.toString()));
        ce.jobs.commands().start(ALICE, it);
        await().atMost(LIMIT).until(() -> ce.state(ALICE, id) == JobState.IDLE);
        assertThat(rooms.get()).isEqualTo(1);
        assertThat(ce.wrappers.get(id).attempt()).isEqualTo(1);
        await().atMost(LIMIT).until(() -> ce.dispatcher.inFlight() == 0);
    }

    @Test
    void roomIsBoundedAndGivenBack() {
        DirectClaims.Reservation all = room(CommandKind.JOB_START, ce.throttle.window());
        assertThat(ce.dispatcher.reserve(CommandKind.JOB_START, 1)).isEmpty();
        room(CommandKind.JOB_PURGE, 1).release(); // a lane of its own
        all.release();
        room(CommandKind.JOB_START, 1).release();
        assertThat(ce.dispatcher.reserve(CommandKind.JOB_SET_LEASEID, 1))
                .as("it is not executed")
                .isEmpty();
    }

    /** The commit's response was lost; it had worked. */
    @Test
    void aClaimInDoubtReturnsToTheQueueAndTheJobIsHandedOverOnce() {
        JobId id = register();
        int row = ce.numbers.row(id);
        DirectClaims.Reservation room = room(CommandKind.JOB_START, 1);
        List<ClaimedCommand> claimed = ce.database.inTransaction(h -> {
            ClaimedCommand found = ce.commands
                    .lockToClaim(h, List.of(row), CommandKind.JOB_START)
                    .get(0);
            h.execute("UPDATE job SET state = 1, hand_over = 1, attempt = 1 WHERE id = ?", row);
            return ce.commands.insertClaimed(
                    h,
                    List.of(CommandStore.NewCommand.start(
                            row,
                            found.job().registration().ownerId(),
                            found.job().registration().queueId())),
                    Set.of(),
                    Instant.now(),
                    room,
                    Map.of(row, found));
        });
        assertThat(claimed).hasSize(1);
        room.doubt(claimed);
        await().atMost(LIMIT).until(() -> ce.state(ALICE, id) == JobState.IDLE);
        assertThat(ce.lrms.submissions().stream().filter(s -> s.id().equals(id)))
                .hasSize(1);
        await().atMost(LIMIT).until(() -> ce.dispatcher.inFlight() == 0);
    }

    /** The commit's response was lost; it had not worked. */
    @Test
    void aClaimThatNeverWasHarmsNothing() {
        JobId id = register();
        int row = ce.numbers.row(id);
        DirectClaims.Reservation room = room(CommandKind.JOB_START, 1);
        ClaimedCommand never = ce.database
                .inTransaction(h -> ce.commands.lockToClaim(h, List.of(row), CommandKind.JOB_START))
                .get(0)
                .claimed(Integer.MAX_VALUE, 1);
        room.doubt(List.of(never));
        await().atMost(LIMIT).until(() -> ce.dispatcher.inFlight() == 0);
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.REGISTERED);
        ce.jobs.commands().start(ALICE, JobFilter.ofIds(List.of(id.toString())));
        await().atMost(LIMIT).until(() -> ce.state(ALICE, id) == JobState.IDLE);
    }
}
