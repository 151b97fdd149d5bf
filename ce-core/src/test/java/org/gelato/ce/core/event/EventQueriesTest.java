package org.gelato.ce.core.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EventQueriesTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private EventScene scene;
    private EventQueries events;

    @BeforeEach
    void scene() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        scene = new EventScene(DB.database(), 3);
        events = scene.node();
    }

    private static EventQuery query(long from, long to, int size) {
        return new EventQuery(from, to, null, null, Set.of(), null, size);
    }

    private List<JobEvent> all() {
        return events.query(EventScene.ALICE, EventScene.from(0)).events();
    }

    private List<Long> ids(EventQuery query) {
        return events.query(EventScene.ALICE, query).events().stream()
                .map(JobEvent::id)
                .toList();
    }

    @Test
    void eventsTellJobAndState() {
        List<JobEvent> all = all();
        assertThat(all).extracting(JobEvent::job).isEqualTo(scene.jobs);
        assertThat(all).extracting(e -> e.status().state()).containsOnly(JobState.REGISTERED);
        assertThat(all).extracting(JobEvent::id).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void rangesAreInclusiveAndSizesHold() {
        List<Long> ids = all().stream().map(JobEvent::id).toList();
        assertThat(ids(query(ids.get(1), ids.get(1), 10))).containsExactly(ids.get(1));
        assertThat(ids(query(0, ids.get(1), 10))).containsExactly(ids.get(0), ids.get(1));
        assertThat(ids(query(0, Long.MAX_VALUE, 2))).containsExactly(ids.get(0), ids.get(1));
        assertThat(ids(query(ids.get(2) + 1, Long.MAX_VALUE, 2))).isEmpty();
        assertThat(ids(query(Long.MAX_VALUE, Long.MAX_VALUE, 2))).isEmpty();
    }

    @Test
    void reversedRangesAreRefused() {
        assertThatThrownBy(() -> ids(query(5, 4, 1)))
                .hasFieldOrPropertyWithValue("code", FaultCode.INVALID_ARGUMENT)
                .hasMessage("fromEventId 5 is greater than toEventId 4!");
        Instant now = Instant.now();
        assertThatThrownBy(() -> ids(new EventQuery(0, Long.MAX_VALUE, now, now.minusMillis(1), Set.of(), null, 1)))
                .hasFieldOrPropertyWithValue("code", FaultCode.INVALID_ARGUMENT)
                .hasMessage("fromDate is later than toDate!");
    }

    @Test
    void otherOwnersEventsStayHiddenFromAdminsToo() {
        Caller admin = TestCe.admin();
        assertThat(events.query(admin, EventScene.from(0)).events()).isEmpty();
        List<JobId> own = scene.register(admin, 1, null);
        assertThat(events.query(admin, EventScene.from(0)).events())
                .extracting(JobEvent::job)
                .isEqualTo(own);
        assertThat(all()).extracting(JobEvent::job).isEqualTo(scene.jobs);
    }

    @Test
    void iceIdMeansItsJobsOnly() {
        List<JobId> ofIce = scene.register(EventScene.ALICE, 2, "ice@wms");
        assertThat(events.query(EventScene.ALICE, new EventQuery(0, Long.MAX_VALUE, null, null, Set.of(), "ice@wms", 9))
                        .events())
                .extracting(JobEvent::job)
                .isEqualTo(ofIce);
        assertThat(ids(new EventQuery(0, Long.MAX_VALUE, null, null, Set.of(), "other", 9)))
                .isEmpty();
        assertThat(all()).hasSize(5);
    }

    @Test
    void datesAreInclusive() {
        List<JobEvent> all = all();
        Instant second = all.get(1).status().since();
        assertThat(ids(new EventQuery(0, Long.MAX_VALUE, second, second, Set.of(), null, 9)))
                .contains(all.get(1).id());
        assertThat(ids(new EventQuery(
                        0, Long.MAX_VALUE, all.get(2).status().since().plusMillis(1), null, Set.of(), null, 9)))
                .isEmpty();
        assertThat(ids(new EventQuery(0, Long.MAX_VALUE, Instant.EPOCH, null, Set.of(), null, 2)))
                .hasSize(2);
    }

    @Test
    void usualQueryTakesTwoStatements() throws SQLException {
        long next = all().get(2).id() + 1;
        try (Connection writer = scene.open()) {
            scene.write(writer, 1);
            writer.commit();
        }
        long before = DB.database().statements();
        assertThat(ids(query(next, Long.MAX_VALUE, 100))).hasSize(1);
        assertThat(DB.database().statements() - before).isEqualTo(2);
    }

    @Test
    void rareStateIsFoundAmongManyWithoutReadingThem() throws SQLException {
        long rare;
        try (Connection writer = scene.open()) {
            scene.write(writer, 1000);
            rare = scene.write(writer, 1, JobState.ABORTED.code()).get(0);
            scene.write(writer, 1000);
            writer.commit();
        }
        assertThat(ids(query(0, Long.MAX_VALUE, 10))).hasSize(10);
        long rowsBefore = rowsRead();
        assertThat(ids(new EventQuery(
                        0, Long.MAX_VALUE, null, null, Set.of(JobState.ABORTED, JobState.CANCELLED), null, 10)))
                .containsExactly(rare);
        assertThat(rowsRead() - rowsBefore).isLessThan(100);
        assertThat(ids(new EventQuery(
                        rare - 1, rare + 1, null, null, Set.of(JobState.ABORTED, JobState.IDLE), null, 10)))
                .containsExactly(rare - 1, rare, rare + 1);
    }

    /** Rows all connections have read from tables and indexes. */
    private static long rowsRead() {
        return DB.database()
                .read(h -> h.select("SHOW GLOBAL STATUS LIKE 'Handler_read_next'")
                        .map((r, c) -> r.getLong(2))
                        .one());
    }

    @Test
    void filterThatMatchesNothingEndsAndNamesTheNextId() {
        DB.database().inTransaction(h -> {
            for (int rows = 3; rows < 110_000; rows *= 2) {
                h.execute("INSERT INTO job_state_history (job_id, owner_id, state, at)"
                        + " SELECT job_id, owner_id, 2, at FROM job_state_history");
            }
            return null;
        });
        List<Long> last = DB.database()
                .read(h -> h.select("SELECT id FROM job_state_history ORDER BY id DESC LIMIT 1")
                        .mapTo(Long.class)
                        .list());
        long next = 0;
        int refusals = 0;
        while (next <= last.get(0)) {
            try {
                assertThat(ids(new EventQuery(next, Long.MAX_VALUE, null, null, Set.of(), "nobody", 10)))
                        .isEmpty();
                break;
            } catch (ServiceException e) {
                assertThat(e.getMessage())
                        .matches("no event matches up to id [0-9]+, ask again with fromEventId [0-9]+!");
                long on = Long.parseLong(e.getMessage().replaceAll(".*fromEventId ([0-9]+)!", "$1"));
                assertThat(on).isGreaterThan(next);
                next = on;
                refusals++;
            }
        }
        assertThat(refusals).isBetween(1, 2);
    }
}
