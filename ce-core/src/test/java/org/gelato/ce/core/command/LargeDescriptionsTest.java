package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.service.JobDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Some hundred hand-overs at once must not take the memory of some hundred of the largest descriptions. */
class LargeDescriptionsTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final int LARGE = 100_000;

    private final List<ClaimedCommand> begun = new ArrayList<>();
    private final List<CommandOutcome> outcomes = new ArrayList<>();
    private int reads;

    private LargeDescriptions budget(int descriptions) {
        return new LargeDescriptions(
                (commands, results) -> begun.addAll(commands),
                c -> {
                    reads++;
                    return "x".repeat(LARGE);
                },
                8L * LARGE * descriptions);
    }

    private static ClaimedCommand start(int number, String text) {
        return TestCommands.claimed(number, CommandKind.JOB_START, 7).withText(text);
    }

    @Test
    void noMoreDescriptionsAreReadThanThereIsRoomFor() {
        LargeDescriptions budget = budget(3);
        budget.execute(
                IntStream.rangeClosed(1, 50).mapToObj(i -> start(i, null)).toList(), outcomes::add);
        assertThat(begun).hasSize(3).allSatisfy(c -> assertThat(c.text()).hasSize(LARGE));
        assertThat(reads).isEqualTo(3);
        assertThat(outcomes)
                .hasSize(47)
                .allSatisfy(o -> assertThat(o).isInstanceOfSatisfying(CommandOutcome.Later.class, l -> {
                    assertThat(l.surelyAbsent()).isTrue();
                    assertThat(l.counted()).isFalse();
                    assertThat(l.delay()).isPositive();
                    assertThat(l.reason()).contains("waits for memory");
                }));
        budget.release(begun.get(0));
        budget.release(begun.get(0));
        budget.execute(List.of(start(60, null), start(61, null)), outcomes::add);
        assertThat(begun).hasSize(4);
    }

    @Test
    void aDescriptionThatIsLargerThanAllRoomGoesAloneAndSmallOnesCount() {
        LargeDescriptions budget = budget(0);
        budget.execute(List.of(start(1, "x".repeat(10)), start(2, "x")), outcomes::add);
        assertThat(begun).extracting(ClaimedCommand::id).containsExactly(1L);
        assertThat(outcomes).hasSize(1);
        budget.release(begun.get(0));
        budget.execute(List.of(start(2, "x")), outcomes::add);
        assertThat(begun).extracting(ClaimedCommand::id).containsExactly(1L, 2L);
    }

    @Test
    void aJobWithALargeDescriptionIsHandedOver() {
        Caller alice = TestCe.caller("Alice");
        FakeLrms lrms = new FakeLrms();
        try (TestCe ce = new TestCe(DB.database(), lrms, "h1").start()) {
            JobDescription plain = TestCe.description(true);
            JobDescription large = new JobDescription(
                    plain.clientRef(),
                    plain.language(),
                    plain.text() + " ".repeat(LargeDescriptions.SMALL),
                    plain.delegationId(),
                    null,
                    null,
                    true);
            List<JobId> ids = ce.jobs.registration().register(alice, List.of(large, plain, large), null).stream()
                    .map(r -> r.id())
                    .toList();
            await().until(() -> ids.stream().allMatch(id -> ce.state(alice, id) == JobState.IDLE));
            assertThat(lrms.jobs()).hasSize(3);
        }
    }
}
