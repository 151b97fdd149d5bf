package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.sandbox.JobScripts;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An Error of one job, or of one poll, does not end the thread that all jobs need. */
class LoopsAfterErrorsTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final Duration SOON = Duration.ofSeconds(40);

    private final AtomicInteger failures = new AtomicInteger(3);

    private final FakeLrms lrms = new FakeLrms() {
        @Override
        public CompletableFuture<List<LrmsJob>> poll() {
            if (failures.getAndDecrement() > 0) {
                throw new NoClassDefFoundError("org/example/Gone");
            }
            return super.poll();
        }
    };

    @AfterEach
    void cleanUp() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
    }

    private static void awaitState(TestCe ce, JobId id, JobState state) {
        await().atMost(SOON).untilAsserted(() -> assertThat(ce.state(ALICE, id)).isEqualTo(state));
    }

    @Test
    void theClaimerAndThePollerGoOn() {
        try (TestCe ce = new TestCe(DB.database(), lrms, "h1").start()) {
            JobScripts usual = ce.scripts;
            ce.scripts = (account, home, request, settings) -> {
                throw new NoClassDefFoundError("org/example/Gone");
            };
            JobId broken = ce.submit(ALICE);
            await().atMost(SOON)
                    .until(() -> DB.database()
                                    .read(h -> h.select(
                                                    "SELECT COUNT(*) FROM command WHERE failure_reason LIKE '%Gone%'")
                                            .mapTo(Integer.class)
                                            .one())
                            == 1);
            ce.scripts = usual;
            JobId next = ce.submit(ALICE);
            awaitState(ce, next, JobState.IDLE);
            assertThat(ce.state(ALICE, broken)).isEqualTo(JobState.PENDING);
            lrms.move(next.tag(), LrmsJob.State.RUNNING, null, null);
            awaitState(ce, next, JobState.RUNNING);
            assertThat(failures).hasValueLessThan(0);
        }
    }

    /** Throws an Error the first time that it runs. */
    private static Runnable once(AtomicInteger thrown) {
        return () -> {
            if (thrown.getAndIncrement() == 0) {
                throw new NoClassDefFoundError("org/example/Gone");
            }
        };
    }

    @Test
    void theCompleterGoesOnAndStoresTheOutcomeThatMetTheError() {
        failures.set(0);
        AtomicInteger thrown = new AtomicInteger();
        try (TestCe ce = new TestCe(DB.database(), lrms, "h1").start()) {
            ce.beforeOutcomes = once(thrown);
            awaitState(ce, ce.submit(ALICE), JobState.IDLE);
            assertThat(thrown).hasValueGreaterThan(1);
            assertThat(lrms.submissions()).as("handed over").hasSize(1);
        }
    }

    /** Else a node would have fewer places after each Error, and none in the end. */
    @Test
    void anErrorAfterOutcomesAreStoredKeepsNoPlaceOfTheirCommands() {
        failures.set(0);
        AtomicInteger thrown = new AtomicInteger();
        AtomicInteger renamed = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        try (TestCe ce = new TestCe(DB.database(), lrms, "h1")) {
            ce.jobs.registration().register(ALICE, Collections.nCopies(3, TestCe.description(false)), null);
            ce.jobs.commands().purge(ALICE, JobFilter.all());
            ce.accounts.before("rename", renamed::incrementAndGet);
            ce.accounts.before("remove", once(thrown));
            // All three are then written at once.
            ce.beforeOutcomes = () -> {
                await().atMost(SOON).until(() -> renamed.get() == 3);
                once(refused).run();
            };
            ce.start();
            await().atMost(SOON).until(() -> thrown.get() > 0 && ce.dispatcher.inFlight() == 0);
            awaitState(ce, ce.submit(ALICE), JobState.IDLE);
        }
    }
}
