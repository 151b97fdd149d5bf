package org.gelato.ce.core.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.intake.StartFence.Verdict;
import org.gelato.ce.core.intake.WrapperEvent.Kind;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Wrappers that claim their job at the CE, because they do not see its sandbox. */
class StartFenceTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    private TestCe ce;
    private JobId id;

    @BeforeEach
    void submit() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1").start();
        id = ce.submit(ALICE);
        awaitState(JobState.IDLE);
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private void awaitState(JobState state) {
        await(id + " becomes " + state).until(() -> ce.state(ALICE, id) == state);
    }

    private FenceRequest claim(String claimant, String lrmsId) {
        return new FenceRequest(id, 1, claimant, "wn7", lrmsId, TestCe.TOKENS.of(id));
    }

    private Verdict ask(String claimant) {
        return ce.claims.claim(claim(claimant, null));
    }

    private JobFilter ids() {
        return JobFilter.ofIds(List.of(id.toString()));
    }

    @Test
    void aClaimMakesTheJobRunOnItsNodeAndMayBeRepeated() {
        assertThat(ask("first")).isEqualTo(Verdict.GRANTED);
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.RUNNING);
        assertThat(ce.jobs.queries().info(ALICE, ids()).get(0).info().workerNode())
                .isEqualTo("wn7");
        assertThat(ask("first")).as("its answer was lost").isEqualTo(Verdict.GRANTED);
        assertThat(ask("second")).isEqualTo(Verdict.TAKEN);
        assertThat(ask("first")).isEqualTo(Verdict.GRANTED);
    }

    @Test
    void oneOfManyWrappersThatAskAtOnceGetsTheJob() throws Exception {
        ExecutorService wrappers = Executors.newFixedThreadPool(8);
        try {
            List<Future<Verdict>> responses = IntStream.range(0, 24)
                    .mapToObj(i -> wrappers.submit(() -> ask("wrapper " + i)))
                    .toList();
            int granted = 0;
            for (Future<Verdict> response : responses) {
                granted += response.get() == Verdict.GRANTED ? 1 : 0;
            }
            assertThat(granted).isEqualTo(1);
        } finally {
            wrappers.shutdown();
        }
    }

    @Test
    void aWrongTokenClaimsNothing() {
        assertThat(ce.claims.claim(new FenceRequest(id, 1, "x", "wn7", null, TestCe.TOKENS.of(new JobId(7)))))
                .isEqualTo(Verdict.REFUSED);
        assertThat(ask("first")).isEqualTo(Verdict.GRANTED);
    }

    @Test
    void aJobThatIsToBeCancelledIsNobodysToRun() {
        ce.poller.close();
        ce.jobs.commands().cancel(ALICE, ids());
        assertThat(ask("first")).isEqualTo(Verdict.OVER);
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.IDLE);
    }

    @Test
    void anEndedOrPurgedJobIsNobodysToRun() {
        assertThat(ask("first")).isEqualTo(Verdict.GRANTED);
        ce.events.apply(List.of(ce.event(id, Kind.DONE, 0, null)));
        assertThat(ask("first")).isEqualTo(Verdict.OVER);
        assertThat(ask("second")).isEqualTo(Verdict.OVER);
        ce.jobs.commands().purge(ALICE, ids());
        await("job is gone").until(() -> !ce.jobs.queries().list(ALICE).contains(id));
        assertThat(ask("second")).isEqualTo(Verdict.OVER);
    }

    @Test
    void aLateDoublesEndIsNotTheJobsEnd() {
        String real = ce.lrms.jobs().iterator().next().lrmsId();
        ce.lrms.accept(ce.lrms.submissions().get(0));
        String late = ce.lrms.jobs().stream()
                .map(LrmsJob::lrmsId)
                .filter(l -> !l.equals(real))
                .findFirst()
                .orElseThrow();
        assertThat(ce.claims.claim(claim("late", late))).isEqualTo(Verdict.GRANTED);
        LrmsJob ended = new LrmsJob(real, id.tag(), LrmsJob.State.DONE, 0, null, "wn1");
        ce.lrms.show(ended);
        await("the claimant is followed").until(() -> late.equals(lrmsId()));
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.RUNNING);
    }

    private String lrmsId() {
        return DB.database()
                .read(h -> h.select("SELECT lrms_id FROM job WHERE id = ?", ce.numbers.row(id))
                        .mapTo(String.class)
                        .one());
    }

    @Test
    void onlyAWholeClaimIsRead() {
        String good = "job=CREAM000000042\nattempt=2\nevent=CLAIM\ntime=1\nnode=wn1\nexit=\nreason=\nlrmsid=17\n"
                + "token=abc\nclaimant=wn1 4711 99 17 u\n";
        assertThat(parse(good)).contains(new FenceRequest(new JobId(42), 2, "wn1 4711 99 17 u", "wn1", "17", "abc"));
        for (String bad : List.of(
                good.replace("CLAIM", "DONE"),
                good.replace("claimant=wn1 4711 99 17 u", "claimant="),
                good.replace("attempt=2", "attempt=70000"),
                good.replace("attempt=2", "attempt=-1"),
                good.replace("CREAM", "SCREAM"),
                good.replace("17 u", "u".repeat(513)),
                good + "x=" + "y".repeat(8192))) {
            assertThat(parse(bad)).as(bad).isEmpty();
        }
    }

    private static Optional<FenceRequest> parse(String text) {
        return FenceRequest.parse(text.getBytes(StandardCharsets.UTF_8));
    }
}
