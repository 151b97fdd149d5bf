package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.intake.WrapperEvent.Kind;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.job.UsageRecords;
import org.gelato.ce.core.lrms.LrmsJob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What polls show of ended jobs comes into their usage records, by few statements. */
class EndedUsageTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05Z");
    private static final Usage USED = new Usage(null, Duration.ofSeconds(7), 2, null, Usage.Source.BATCH_SYSTEM);

    private final List<JobId> ids = new ArrayList<>();
    private Database own;
    private TestCe ce;
    private EndedUsage ended;

    @BeforeEach
    void open() {
        own = new Database(DB.config());
        ce = new TestCe(own, new FakeLrms(), "host1");
        ended = new EndedUsage(own);
        for (int i = 0; i < 3; i++) {
            JobId id = ce.submit(TestCe.caller("Alice"));
            ids.add(id);
            own.inTransaction(h -> h.execute(
                    "UPDATE job SET lrms_id = ?, state = 2, hand_over = 2 WHERE id = ?",
                    lrmsId(id),
                    ce.numbers.row(id)));
        }
    }

    @AfterEach
    void close() {
        ce.close();
        own.close();
    }

    private String lrmsId(JobId id) {
        return Integer.toString(100 + ids.indexOf(id));
    }

    private List<JobRow> followed() {
        return own
                .read(h -> ce.jobStore.byId(h, ids.stream().map(ce.numbers::row).toList()))
                .stream()
                .filter(row -> !row.state().isFinal())
                .toList();
    }

    private LrmsJob shown(JobId id) {
        return new LrmsJob(lrmsId(id), id.tag(), LrmsJob.State.DONE, 0, null, "wn1").using(USED);
    }

    /** One round of the poller; answers its statements. */
    private long round(int seconds, List<LrmsJob> shown) {
        ended.polled(followed(), shown);
        long before = own.statements();
        ended.store(BEGIN.plusSeconds(seconds));
        return own.statements() - before;
    }

    private void done(JobId id) {
        ce.events.apply(List.of(ce.event(id, Kind.DONE, 0, null)));
    }

    private Usage stored(JobId id) {
        return own.read(h -> new UsageRecords().of(h, List.of(id))).get(id);
    }

    @Test
    void jobsThatEndedTogetherAreOneStatementOnce() {
        ids.forEach(this::done);
        List<LrmsJob> all = ids.stream().map(this::shown).toList();
        assertThat(round(0, all.subList(0, 1))).isZero();
        assertThat(round(29, all)).isZero();
        assertThat(round(30, all)).isEqualTo(1);
        assertThat(ids).allSatisfy(id -> assertThat(stored(id)).isEqualTo(USED));
        assertThat(round(90, all) + round(200, all)).as("shown on and on").isZero();
    }

    @Test
    void aRestingPollerWritesWhatWaits() {
        done(ids.get(0));
        round(0, List.of(shown(ids.get(0))));
        ended.store(BEGIN.plusSeconds(31));
        assertThat(stored(ids.get(0))).isEqualTo(USED);
    }

    @Test
    void aJobThatLivesForTheCeIsLeftForLater() {
        JobId id = ids.get(0);
        round(0, List.of(shown(id)));
        assertThat(round(40, List.of(shown(id)))).isZero();
        done(id);
        round(41, List.of(shown(id)));
        assertThat(round(80, List.of(shown(id)))).isEqualTo(1);
        assertThat(stored(id)).isEqualTo(USED);
    }

    @Test
    void whatHasNoRecordIsGivenUp() {
        List<LrmsJob> foreign =
                List.of(new LrmsJob("9", "cream_000000009", LrmsJob.State.DONE, 0, null, "wn1").using(USED));
        long statements = 0;
        for (int round = 0; round < 20; round++) {
            statements += round(round * 31, foreign);
        }
        assertThat(statements).isEqualTo(EndedUsage.TRIES);
    }

    @Test
    void anIdThatIsGivenAgainIsAnotherJobs() {
        done(ids.get(0));
        round(0, List.of(shown(ids.get(0))));
        round(30, List.of(shown(ids.get(0))));
        JobId next = ids.get(1);
        own.inTransaction(h -> h.execute("UPDATE job SET lrms_id = '100' WHERE id = ?", ce.numbers.row(next)));
        done(next);
        LrmsJob again = new LrmsJob("100", next.tag(), LrmsJob.State.DONE, 0, null, "wn1").using(USED);
        round(31, List.of(again));
        round(61, List.of(again));
        assertThat(stored(next)).isEqualTo(USED);
    }

    @Test
    void onlyAJobThatRanAndEndedUsedAnything() {
        assertThat(new LrmsJob("1", "t", LrmsJob.State.RUNNING, null, null, "wn1")
                        .using(USED)
                        .usage())
                .isNull();
        assertThat(new LrmsJob("1", "t", LrmsJob.State.CANCELLED, null, null, null)
                        .using(USED)
                        .usage())
                .isNull();
    }
}
