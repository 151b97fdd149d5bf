package org.gelato.ce.core.lrms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.gelato.ce.core.audit.AuditAct;
import org.gelato.ce.core.audit.RecordedTrail;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.JobId;
import org.junit.jupiter.api.Test;

class BatchSystemTest {
    private static final JobId JOB = JobId.parse("CREAM000000001").orElseThrow();
    private static final JobId OTHER = JobId.parse("CREAM000000002").orElseThrow();

    private final FakeLrms lrms = new FakeLrms();
    private final RecordedTrail trail = new RecordedTrail();
    private final BatchSystem system = new BatchSystem(lrms, trail);

    private static Submission submission(JobId id) {
        return new Submission(
                id,
                1,
                "dteam001",
                "long",
                Path.of("/sandbox"),
                "#!/bin/bash",
                null,
                new Submission.Origin(new Owner("CN=ann,O=Test", "/dteam", "dteam"), null, "ce", false));
    }

    @Test
    void aJobThatWasAcceptedIsReportedBeforeItsResultIsSeenAndOneRefusedIsNot() {
        lrms.answer(s -> s.id().equals(JOB) ? new SubmitResult.Accepted("4711") : new SubmitResult.Refused("no"));
        List<CompletableFuture<SubmitResult>> results = system.submit(List.of(submission(JOB), submission(OTHER)));
        List<String> seen = results.get(0).thenApply(result -> trail.texts()).join();
        assertThat(results.get(1).join()).isInstanceOf(SubmitResult.Refused.class);
        assertThat(seen)
                .containsExactly("handed-over {account=dteam001, batch-id=4711, dn=CN=ann,O=Test, fqan=/dteam,"
                        + " job=CREAM000000001, target=fake/long}");
        assertThat(trail.acts()).extracting(AuditAct::caller).containsOnlyNulls();
    }

    @Test
    void aJobFoundWithoutAnIdWasAdoptedAndOneFoundByItsIdWasNot() {
        lrms.show(new LrmsJob("7", JOB.tag(), LrmsJob.State.RUNNING, null, null, null));
        lrms.show(new LrmsJob("8", OTHER.tag(), LrmsJob.State.RUNNING, null, null, null));
        Map<String, LrmsJob> found = system.find(List.of(
                        new Lrms.Lookup(JOB.tag(), "dteam001", null),
                        new Lrms.Lookup(OTHER.tag(), "dteam001", "8"),
                        new Lrms.Lookup("gelato-absent", "dteam001", null)))
                .join();
        assertThat(found).containsOnlyKeys(JOB.tag(), OTHER.tag());
        assertThat(trail.texts())
                .containsExactly("adopted {account=dteam001, batch-id=7, job=CREAM000000001, target=fake}");
    }

    /** An administrator may change SCHEDD_HOST or slurm.conf while the CE runs. */
    @Test
    void noJobIsAbsentByAnotherBatchSystemThanTheOneThatHasTheJobs() {
        AtomicReference<String> reached = new AtomicReference<>("one");
        SameBatchSystem same = new SameBatchSystem(() -> reached.get() == null
                ? CompletableFuture.failedFuture(new LrmsException("down"))
                : CompletableFuture.completedFuture(Optional.of(reached.get())));
        BatchSystem watched = new BatchSystem(lrms, trail, same);
        List<Lrms.Lookup> sought = List.of(new Lrms.Lookup(JOB.tag(), "dteam001", "7"));
        assertThat(watched.find(sought).join()).isEmpty();
        reached.set("two");
        assertThatThrownBy(() -> watched.find(sought).join())
                .hasCauseInstanceOf(LrmsException.class)
                .hasMessageContainingAll("'one'", "'two'");
        assertThat(watched.health().join().up()).isFalse();
        assertThat(watched.health().join().detail()).contains("gelato.lrms.identity");
        assertThat(handOver(watched)).isInstanceOf(SubmitResult.Unavailable.class);
        assertThat(lrms.submissions()).isEmpty();
        reached.set("one");
        assertThat(watched.health().join().up()).isTrue();
        assertThat(same.trouble()).isEmpty();
        reached.set(null);
        assertThatThrownBy(() -> watched.find(sought).join()).hasMessageContaining("down");
        same.expect("two");
        reached.set("two");
        assertThat(watched.find(sought).join()).isEmpty();
        assertThat(same.trouble()).isEmpty();
        lrms.show(new LrmsJob("7", JOB.tag(), LrmsJob.State.RUNNING, null, null, null));
        reached.set("three");
        assertThat(watched.find(sought).join()).containsOnlyKeys(JOB.tag());
    }

    /** As after a start while the batch system was down. */
    @Test
    void noJobIsHandedOverToOneThatMayBeAnother() {
        AtomicReference<String> reached = new AtomicReference<>();
        SameBatchSystem same = new SameBatchSystem(() -> reached.get() == null
                ? CompletableFuture.failedFuture(new LrmsException("down"))
                : CompletableFuture.completedFuture(Optional.of(reached.get())));
        same.expectInDoubt("one");
        BatchSystem watched = new BatchSystem(lrms, trail, same);
        assertThat(handOver(watched)).isEqualTo(new SubmitResult.Unavailable("down"));
        reached.set("two");
        assertThat(handOver(watched))
                .isInstanceOfSatisfying(
                        SubmitResult.Unavailable.class,
                        r -> assertThat(r.reason()).contains("'one'", "'two'"));
        assertThat(lrms.submissions()).isEmpty();
        reached.set("one");
        assertThat(handOver(watched)).isInstanceOf(SubmitResult.Accepted.class);
        reached.set(null);
        assertThat(handOver(watched)).as("seen once").isInstanceOf(SubmitResult.Accepted.class);
        same.expectInDoubt("two");
        assertThat(handOver(watched)).isEqualTo(new SubmitResult.Unavailable("down"));
        same.expect("two");
        assertThat(handOver(watched)).isInstanceOf(SubmitResult.Accepted.class);
    }

    private static SubmitResult handOver(BatchSystem to) {
        return to.submit(List.of(submission(JOB))).get(0).join();
    }

    @Test
    void oneThatDoesNotSayWhichItIsIsTheSameUntilItDoes() {
        AtomicReference<Optional<String>> reached = new AtomicReference<>(Optional.empty());
        BatchSystem watched = new BatchSystem(
                lrms, trail, new SameBatchSystem(() -> CompletableFuture.completedFuture(reached.get())));
        List<Lrms.Lookup> sought = List.of(new Lrms.Lookup(JOB.tag(), "dteam001", "7"));
        assertThat(watched.find(sought).join()).isEmpty();
        reached.set(Optional.of("one"));
        assertThat(watched.find(sought).join()).isEmpty();
        reached.set(Optional.of("two"));
        assertThatThrownBy(() -> watched.find(sought).join()).hasMessageContaining("'one'");
    }
}
