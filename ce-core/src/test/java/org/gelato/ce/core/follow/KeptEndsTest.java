package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.LrmsJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An end that waits for the batch system's word is stored, whatever becomes of that. */
class KeptEndsTest extends EndedJobs {
    private enum Fault {
        POLLS_FAIL,
        LOOK_UPS_FAIL,
        NOT_SHOWN_THOUGH_THE_HISTORY_SAYS_RUNNING,
        QUEUE_NOT_CONFIGURED
    }

    @ParameterizedTest
    @EnumSource
    void anEndIsStoredWhateverKeepsTheBatchSystemsWordAway(Fault fault) {
        JobId id = running();
        handedOverLongAgo();
        switch (fault) {
            case POLLS_FAIL -> lrms.pollFails(true);
            case QUEUE_NOT_CONFIGURED -> {
                int other = new OwnerStore(DB.database()).queue("fake", "gone");
                DB.database().inTransaction(h -> h.execute("UPDATE job SET queue_id = ?", other));
            }
            default -> {
                lrms.lookUpFails(fault == Fault.LOOK_UPS_FAIL);
                lrms.hideAll(true);
            }
        }
        done(id, null, SIGTERM);
        keptForLong();
        becomes(id, JobState.DONE_FAILED);
        assertThat(last(id).failureReason()).isEqualTo(SIGTERM);
        assertThat(kept()).isZero();
    }

    private enum Unheard {
        BEFORE_A_START,
        BEFORE_THE_CLOCK_WAS_SET,
        WITHOUT_ROUNDS
    }

    /** That the batch system was not asked meanwhile is no word of it. */
    @ParameterizedTest
    @EnumSource
    void anEndDoesNotWaitWhileTheBatchSystemIsNotAsked(Unheard when) {
        JobId id = running();
        if (when != Unheard.BEFORE_A_START) {
            perReading.set(Duration.ofMinutes(1).toNanos());
            rounds(20);
            perReading.set(0);
        }
        done(id, null, SIGTERM);
        if (when != Unheard.BEFORE_A_START) {
            passed.addAndGet(Duration.ofMinutes(when == Unheard.WITHOUT_ROUNDS ? 10 : -10)
                    .toNanos());
            rounds(2);
        }
        keptForLongByTheClock();
        rounds(12);
        assertThat(kept()).isEqualTo(1);
        end(id, LrmsJob.State.FAILED, "TIMEOUT");
        becomes(id, JobState.DONE_FAILED);
        assertThat(last(id).failureReason()).isEqualTo(SIGTERM + "; fake says: TIMEOUT");
    }

    @Test
    void aLongIntervalOfPollsIsNoPause() {
        assertThat(EndCollector.isPause(Duration.ofMinutes(11), Duration.ofMinutes(10)))
                .isFalse();
        assertThat(EndCollector.isPause(Duration.ofMinutes(16), Duration.ofMinutes(10)))
                .isTrue();
    }

    private void rounds(int number) {
        int before = lrms.polls();
        await().until(() -> lrms.polls() > before + number);
    }

    private static void handedOverLongAgo() {
        DB.database().inTransaction(h -> h.execute("UPDATE job SET handed_over_at = '2020-01-01'"));
    }

    @Test
    void aKeptEndOfAJobThatEndedOtherwiseIsForgotten() {
        JobId cancelled = running();
        done(cancelled, null, SIGTERM);
        cancelRequested(cancelled);
        done(cancelled, null, SIGTERM);
        assertThat(last(cancelled).state()).isEqualTo(JobState.CANCELLED);
        assertThat(kept()).isZero();

        JobId twice = running();
        done(twice, null, SIGTERM);
        done(twice, 0, null);
        assertThat(kept()).isEqualTo(1);
        keptForLong();
        await().untilAsserted(() -> assertThat(kept()).isZero());
        assertThat(last(twice).state()).isEqualTo(JobState.DONE_OK);
        assertThat(last(twice).description()).as("nobody was asked").isNull();
    }

    @Test
    void anEndThatIsReportedWhileTheHistoryIsReadIsNotPassedOver() {
        JobId id = running();
        handedOverLongAgo();
        lrms.whenLookedUp(() -> done(id, null, SIGTERM));
        lrms.hideEnded(true);
        end(id, LrmsJob.State.FAILED, "TIMEOUT");
        becomes(id, JobState.DONE_FAILED);
        assertThat(last(id).failureReason()).isEqualTo(SIGTERM + "; fake says: TIMEOUT");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCancelLongAfterAKeptEndCountsOnlyWithItsSignal(boolean heard) {
        JobId id = running();
        if (heard) {
            signalled(id);
        } else {
            done(id, 137, null);
        }
        lrms.show(shown(id).endedAt(Instant.now().plusSeconds(600)));
        becomes(id, heard ? JobState.CANCELLED : JobState.DONE_OK);
    }

    @Test
    void anotherJobOfTheNameSaysNothingAboutAKeptEnd() {
        JobId id = running();
        done(id, null, SIGTERM);
        handedOverLongAgo();
        lrms.hideAll(true);
        lrms.forget(id.tag());
        lrms.show(new LrmsJob("99999", id.tag(), LrmsJob.State.CANCELLED, null, null, "wn1"));
        becomes(id, JobState.DONE_FAILED);
        assertThat(last(id).failureReason()).isEqualTo(SIGTERM);
    }

    /** A look-up of all at once would outlast its time, every time. */
    @Test
    void veryManyEndsAreLookedUpAPartAtATime() {
        lrms.hideAll(true);
        JobId id = running();
        lrms.forget(id.tag());
        done(id, null, SIGTERM);
        List<String> names = DB.database()
                .read(h -> h.select("SELECT column_name FROM information_schema.columns"
                                + " WHERE table_schema = DATABASE() AND table_name = 'job' AND column_name <> 'id'")
                        .mapTo(String.class)
                        .list());
        String columns = String.join(", ", names);
        DB.database()
                .inTransaction(h -> h.execute("UPDATE job SET handed_over_at = '2020-01-01'")
                        + h.execute("INSERT INTO job (id, " + columns + ") WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL"
                                + " SELECT i + 1 FROM n WHERE i < 700) SELECT id + i, " + columns + " FROM job, n")
                        + h.execute("INSERT IGNORE INTO reported_end SELECT j.id, e.event, e.reported_at"
                                + " FROM job j, reported_end e"));
        await().untilAsserted(() -> assertThat(kept()).isZero());
        assertThat(count("SELECT COUNT(*) FROM job WHERE failure_reason = '" + SIGTERM + "'"))
                .isEqualTo(701);
        assertThat(lrms.mostLookedUp()).isEqualTo(EndCollector.MAX);
    }
}
