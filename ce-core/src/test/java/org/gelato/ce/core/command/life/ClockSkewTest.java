package org.gelato.ce.core.command.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.intake.WrapperEvent.Kind;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker node's clock does not decide what happens to its events (docs/developer/protocol/behaviour.md section 12, trap 6). */
class ClockSkewTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    private TestCe ce;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1").start();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {-7200, -1, 1, 7200})
    void anEventOfASkewedClockIsBelievedAndMoved(long seconds) {
        JobId id = ce.submit(ALICE);
        await("the job is queued").until(() -> ce.state(ALICE, id) == JobState.IDLE);
        Instant before = Instant.now();
        for (Kind kind : List.of(Kind.RUNNING, Kind.REALLY_RUNNING, Kind.DONE)) {
            WrapperEvent event = ce.event(id, kind, kind == Kind.DONE ? 0 : null, null);
            assertThat(ce.events.apply(List.of(new WrapperEvent(
                            id,
                            event.attempt(),
                            kind,
                            Instant.now().plus(Duration.ofSeconds(seconds)),
                            event.node(),
                            event.exitCode(),
                            event.reason(),
                            event.lrmsId(),
                            event.token()))))
                    .isEqualTo(1);
        }
        List<JobStatus> history = ce.jobs
                .queries()
                .info(ALICE, JobFilter.ofIds(List.of(id.toString())))
                .get(0)
                .info()
                .history();
        assertThat(history)
                .extracting(JobStatus::state)
                .endsWith(JobState.RUNNING, JobState.REALLY_RUNNING, JobState.DONE_OK);
        assertThat(history)
                .extracting(JobStatus::since)
                .isSorted()
                .allSatisfy(t -> assertThat(t)
                        .isBetween(before.minusSeconds(60), Instant.now().plusSeconds(1)));
    }
}
