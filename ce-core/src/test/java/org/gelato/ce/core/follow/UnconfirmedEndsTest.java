package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.LrmsJob;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ends by the wrappers' word alone, which no poll has shown. */
class UnconfirmedEndsTest extends EndedJobs {
    @Test
    void aHistoryThatIsNotReadIsAskedLessAndLessOftenUntilItResponds() throws Exception {
        JobId id = running();
        done(id, 0, null);
        ce.close();
        lrms.hideEnded(true);
        end(id, LrmsJob.State.FAILED, "TIMEOUT");
        lrms.lookUpFails(true);
        int before = lrms.lookUps();
        try (Database own = new Database(DB.config());
                TestCe other = new TestCe(own, lrms, "host3")) {
            for (int round = 0; round < 16; round++) {
                other.poller.round();
            }
            assertThat(lrms.lookUps() - before).isBetween(3, 5);
            lrms.lookUpFails(false);
            for (int round = 0; round < 16; round++) {
                other.poller.round();
            }
        }
        assertThat(last(id).failureReason()).isEqualTo("fake says: TIMEOUT");
    }

    /** A part of its program took too much memory, and the rest went on and ended with 0; no poll has shown the end. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anEndThatNoPollHasShownIsAskedOfTheHistory(boolean isAway) {
        JobId id = running();
        lrms.hideEnded(true);
        if (isAway) {
            ce.close();
        }
        end(id, LrmsJob.State.FAILED, "out of memory (limit 500 MiB)");
        if (isAway) {
            DB.database().inTransaction(h -> h.execute("UPDATE job SET state_since = state_since - INTERVAL 1 DAY"));
            ce = new TestCe(DB.database(), lrms, "host1").start();
        }
        done(id, 0, null);
        becomes(id, JobState.DONE_FAILED);
        assertThat(last(id).failureReason()).isEqualTo("fake says: out of memory (limit 500 MiB)");
    }

    private JobId endedWithoutAPoll() throws Exception {
        rounds(1, lrms);
        JobId id = running();
        done(id, 0, null);
        ce.close();
        lrms.hideEnded(true);
        end(id, LrmsJob.State.FAILED, "TIMEOUT");
        return id;
    }

    private static int confirmed(Handle h, String until) {
        return h.execute("DELETE FROM ends_confirmed")
                + h.execute("INSERT INTO ends_confirmed SELECT id, UTC_TIMESTAMP(6) " + until + " FROM queue");
    }

    /** The database knows until when all ends are confirmed. */
    @Test
    void endsAreAskedOfTheHistoryAfterAStartHoweverLongTheCeWasAway() throws Exception {
        JobId id = endedWithoutAPoll();
        DB.database()
                .inTransaction(h -> h.execute("UPDATE job SET state_since = state_since - INTERVAL 2 DAY")
                        + confirmed(h, "- INTERVAL 3 DAY"));
        rounds(2, lrms);
        assertThat(last(id).failureReason()).isEqualTo("fake says: TIMEOUT");
        lrms.hideAll(true);
        int looked = lrms.lookUps();
        rounds(2, lrms);
        assertThat(lrms.lookUps()).as("look-ups of what is confirmed").isEqualTo(looked);
    }

    @Test
    void aClockThatWasAheadKeepsNoEndFromTheHistory() throws Exception {
        JobId id = endedWithoutAPoll();
        DB.database().inTransaction(h -> confirmed(h, "+ INTERVAL 1 HOUR"));
        rounds(2, lrms);
        assertThat(last(id).failureReason()).isEqualTo("fake says: TIMEOUT");
    }

    @Test
    void anEndThatNoHistoryKnowsSaysThatItIsNotConfirmed() {
        JobId id = running();
        lrms.forget(id.tag());
        done(id, 0, null);
        await().untilAsserted(() -> assertThat(last(id).description()).isEqualTo("fake has not confirmed this end"));
        assertThat(history(id)).endsWith(JobState.DONE_OK).doesNotHaveDuplicates();
    }

    @Test
    void aHistoryThatShowsAnEndedJobAsRunningForEverIsNotAskedForEver() throws Exception {
        JobId id = running();
        done(id, 0, null);
        ce.close();
        lrms.hideAll(true);
        try (TestCe other = new TestCe(DB.database(), lrms, "host3")) {
            for (int round = 0; round < UnconfirmedEnds.MAX_TRIES + 5; round++) {
                other.poller.round();
            }
            int looked = lrms.lookUps();
            assertThat(looked).isGreaterThanOrEqualTo(UnconfirmedEnds.MAX_TRIES);
            for (int round = 0; round < 5; round++) {
                other.poller.round();
            }
            assertThat(lrms.lookUps()).isEqualTo(looked);
        }
        assertThat(last(id).state()).isEqualTo(JobState.DONE_OK);
    }

    @Test
    void manyEndsAreOneLookUpARound() throws Exception {
        ce.close();
        FakeLrms hidden = new FakeLrms();
        hidden.hideEnded(true);
        try (TestCe other = new TestCe(DB.database(), hidden, "host3")) {
            for (int i = 0; i < 20; i++) {
                JobId id = other.submit(ALICE);
                DB.database()
                        .inTransaction(h -> h.createUpdate("UPDATE job SET state = :state, lrms_id = id WHERE id = :id")
                                .bind("state", JobState.DONE_OK.code())
                                .bind("id", other.numbers.row(id))
                                .execute());
                String lrmsId = Integer.toString(other.numbers.row(id));
                hidden.show(new LrmsJob(lrmsId, id.tag(), LrmsJob.State.DONE, 0, null, "wn1"));
            }
            for (int round = 0; round < 5; round++) {
                other.poller.round();
            }
        }
        assertThat(hidden.lookUps()).isEqualTo(1);
        assertThat(hidden.mostLookedUp()).isEqualTo(20);
    }
}
