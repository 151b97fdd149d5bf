package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.intake.WrapperEvent.Kind;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.lrms.LrmsJob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** A job that sends its own end early: what it uses then is accounted for, and it is named. */
class OverrunsTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final String LRMS_ID = "101";

    private final Logger logger = (Logger) LoggerFactory.getLogger(Overruns.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Instant later = Instant.now().plusSeconds(3600).truncatedTo(ChronoUnit.MICROS);
    private Database own;
    private TestCe ce;
    private Overruns overruns;
    private JobId id;

    @BeforeEach
    void open() {
        log.start();
        logger.addAppender(log);
        own = new Database(DB.config());
        ce = new TestCe(own, new FakeLrms(), "host1");
        overruns = new Overruns("fake", own);
        id = ce.submit(TestCe.caller("Alice"));
        own.inTransaction(h -> h.execute(
                "UPDATE job SET lrms_id = ?, state = 2, hand_over = 2 WHERE id = ?", LRMS_ID, ce.numbers.row(id)));
    }

    @AfterEach
    void close() {
        ce.close();
        own.close();
        logger.detachAppender(log);
    }

    private List<JobRow> followed() {
        return own.read(h -> ce.jobStore.byId(h, List.of(ce.numbers.row(id)))).stream()
                .filter(row -> !row.state().isFinal())
                .toList();
    }

    private void round(LrmsJob.State state, Instant observed) {
        overruns.check(followed(), List.of(new LrmsJob(LRMS_ID, id.tag(), state, null, null, "wn1")), observed);
    }

    private Instant usedUntil() {
        return own.read(h -> h.select("SELECT ended_at FROM usage_record WHERE job_number = ?", id.number())
                .map((r, c) -> r.getObject(1, java.time.LocalDateTime.class).toInstant(java.time.ZoneOffset.UTC))
                .one());
    }

    @Test
    void aJobThatReportsDoneAndRunsOnIsAccountedUntilItEndsAndLoggedOnce() {
        round(LrmsJob.State.RUNNING, Instant.now());
        ce.events.apply(List.of(ce.event(id, Kind.DONE, 0, null)));
        Instant said = usedUntil();
        for (int i = 1; i < Overruns.PATIENCE; i++) {
            round(LrmsJob.State.RUNNING, later);
        }
        assertThat(log.list).as("it may be tidying up").isEmpty();
        assertThat(usedUntil()).isEqualTo(said);

        for (int i = 0; i < 2 * Overruns.PATIENCE; i++) {
            round(LrmsJob.State.RUNNING, later);
        }
        assertThat(usedUntil()).isEqualTo(later);
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement(STRING)
                .contains(id.toString(), "fake", LRMS_ID);

        round(LrmsJob.State.DONE, later.plusSeconds(60));
        assertThat(usedUntil()).isEqualTo(later.plusSeconds(60));
        assertThat(overruns.mayRest()).isTrue();
    }

    @Test
    void ofManyJobsSomeAreNamedInOneLine() {
        int many = 25;
        List<JobId> ids = Stream.generate(() -> ce.submit(TestCe.caller("Alice")))
                .limit(many)
                .toList();
        own.inTransaction(h -> h.execute("UPDATE job SET lrms_id = CONCAT('s', id), state = 2, hand_over = 2"));
        ce.events.apply(
                ids.stream().map(each -> ce.event(each, Kind.DONE, 0, null)).toList());
        List<LrmsJob> shown = ids.stream()
                .map(each ->
                        new LrmsJob("s" + ce.numbers.row(each), each.tag(), LrmsJob.State.RUNNING, null, null, "wn1"))
                .toList();
        for (int i = 0; i < 2 * Overruns.PATIENCE; i++) {
            overruns.check(List.of(), shown, later);
        }
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement(STRING)
                .contains(" and 5 more. ")
                .hasSizeLessThan(1000);
    }

    /** It may have ended between two rounds, or before the CE was started. */
    @Test
    void aJobThatNoRoundFollowedIsFound() {
        for (int i = 1; i < Overruns.PATIENCE; i++) {
            assertThat(overruns.mayRest()).isTrue();
        }
        assertThat(overruns.mayRest()).isFalse();
        ce.events.apply(List.of(ce.event(id, Kind.DONE, 0, null)));
        for (int i = 0; i < Overruns.PATIENCE; i++) {
            round(LrmsJob.State.RUNNING, later);
            assertThat(overruns.mayRest()).as("until it ends").isFalse();
        }
        assertThat(usedUntil()).isEqualTo(later);
        assertThat(log.list).hasSize(1);
    }

    @Test
    void whatIsLeftOfAPlainJobCostsTheDatabaseNothing() {
        round(LrmsJob.State.RUNNING, Instant.now());
        ce.events.apply(List.of(ce.event(id, Kind.DONE, 0, null)));
        List<JobRow> none = followed();
        long statements = own.statements();
        Stream.of(LrmsJob.State.RUNNING, LrmsJob.State.RUNNING, LrmsJob.State.DONE)
                .forEach(state ->
                        overruns.check(none, List.of(new LrmsJob(LRMS_ID, id.tag(), state, null, null, "wn1")), later));
        assertThat(own.statements()).isEqualTo(statements);
        assertThat(overruns.mayRest()).isTrue();
        assertThat(log.list).isEmpty();
    }

    @Test
    void jobsOfOthersAreLeftAlone() {
        ce.events.apply(List.of(ce.event(id, Kind.DONE, 0, null)));
        Instant said = usedUntil();
        for (int i = 0; i < 2 * Overruns.PATIENCE; i++) {
            overruns.check(
                    List.of(),
                    List.of(
                            new LrmsJob("999", id.tag(), LrmsJob.State.RUNNING, null, null, "wn1"),
                            new LrmsJob("998", "somebody's", LrmsJob.State.RUNNING, null, null, "wn1"),
                            new LrmsJob("997", null, LrmsJob.State.RUNNING, null, null, "wn1")),
                    later);
        }
        assertThat(usedUntil()).isEqualTo(said);
        assertThat(log.list).isEmpty();
    }
}
