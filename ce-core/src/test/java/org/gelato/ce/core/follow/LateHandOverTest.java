package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.intake.FenceRequest;
import org.gelato.ce.core.intake.StartFence;
import org.gelato.ce.core.intake.StoredFence;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No end of a job is shown while the wrapper of another hand-over, which no look-up has found, may still begin it. */
class LateHandOverTest extends EndedJobs {
    private final Queue<JobState> claimedIn = new ConcurrentLinkedQueue<>();

    private enum How {
        CANCELLED,
        VANISHED,
        REFUSED
    }

    /** A job whose first hand-over got no result, and is not found. */
    private JobId inDoubtOnce(How how) {
        AtomicBoolean again = new AtomicBoolean();
        lrms.answer(s -> !again.getAndSet(true)
                ? new SubmitResult.Unclear("timed out")
                : how == How.REFUSED && count("SELECT COUNT(*) FROM job WHERE lrms_id = '777'") == 0
                        ? new SubmitResult.Refused("no such queue")
                        : lrms.accept(s));
        return ce.submit(ALICE);
    }

    private void end(How how, JobId id) {
        await().until(() -> {
            DB.database()
                    .inTransaction(h ->
                            h.execute("UPDATE command SET state = 1, run_after = NULL WHERE run_after IS NOT NULL"));
            ce.dispatcher.wake();
            return ce.state(ALICE, id) != JobState.PENDING;
        });
        if (how == How.CANCELLED) {
            ce.jobs.commands().cancel(ALICE, JobFilter.ofIds(List.of(id.toString())));
        } else if (how == How.VANISHED) {
            end(id, LrmsJob.State.FAILED, "NODE_FAIL");
        }
    }

    private Path claim(JobId id) {
        int row = ce.numbers.row(id);
        return new SandboxStore(DB.database(), ce.numbers, ce.layout)
                .of(List.of(row))
                .get(row)
                .sandbox()
                .resolve("claim");
    }

    @ParameterizedTest
    @EnumSource
    void itIsTakenFromThatWrapperFirst(How how) {
        JobId id = inDoubtOnce(how);
        ce.accounts.before("append", () -> claimedIn.add(ce.state(ALICE, id)));
        end(how, id);
        becomes(
                id,
                how == How.CANCELLED
                        ? JobState.CANCELLED
                        : how == How.VANISHED ? JobState.DONE_FAILED : JobState.ABORTED);
        assertThat(ce.accounts.files()).containsKey(claim(id));
        assertThat(claimedIn).containsOnly(how == How.REFUSED ? JobState.PENDING : JobState.IDLE);
    }

    /** As a wrapper does that sees no sandbox: its claim is in the database. */
    @Test
    void aRefusalEndsNoJobWhoseWrapperHasReportedMeanwhile() {
        JobId id = inDoubtOnce(How.REFUSED);
        ce.accounts.before("finish", () -> {
            lrms.show(new LrmsJob("777", id.tag(), LrmsJob.State.RUNNING, null, "wn1", null));
            DB.database()
                    .inTransaction(h -> h.createUpdate("UPDATE job SET state = :state, lrms_id = '777'")
                            .bind("state", JobState.RUNNING.code())
                            .execute());
        });
        end(How.REFUSED, id);
        await().until(() -> count("SELECT COUNT(*) FROM command WHERE kind = 1 AND state < 3") == 0);
        assertThat(history(id)).doesNotContain(JobState.ABORTED);
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.RUNNING);
    }

    @ParameterizedTest
    @EnumSource
    void whatThatWrapperHasIsFollowed(How how) {
        JobId id = inDoubtOnce(how);
        ce.accounts.before("append", () -> {
            ce.accounts.write(claim(id).resolve("owner"), "lrmsid=777\n".getBytes(StandardCharsets.UTF_8));
            lrms.show(new LrmsJob("777", id.tag(), LrmsJob.State.RUNNING, null, "wn1", null));
        });
        end(how, id);
        await().until(() -> count("SELECT COUNT(*) FROM job WHERE lrms_id = '777'") == 1);
        becomes(id, JobState.RUNNING);
        assertThat(history(id)).doesNotContain(JobState.CANCELLED, JobState.DONE_FAILED, JobState.ABORTED);
    }

    /** Its node may be dead, and no batch system knows it: the refusal counts after an hour of tries. */
    @Test
    void aRefusedJobWhoseWrapperIsNeverSeenComesToAnEnd() {
        JobId id = inDoubtOnce(How.REFUSED);
        ce.accounts.before("append", () -> ce.accounts.write(claim(id).resolve("owner"), new byte[0]));
        await().until(() -> tries("run_after = NULL, state = 1") > 3);
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.PENDING);
        await().until(() ->
                tries("tries = 400, run_after = NULL, state = 1") > 0 && ce.state(ALICE, id) == JobState.ABORTED);
        assertThat(last(id).failureReason()).contains("no such queue");
    }

    private int tries(String change) {
        DB.database().inTransaction(h -> h.execute("UPDATE command SET " + change + " WHERE run_after IS NOT NULL"));
        ce.dispatcher.wake();
        return count("SELECT COALESCE(MAX(tries), 0) FROM command");
    }

    /** One that sees no sandbox claims its job in the database, also while the batch system's history is looked up. */
    @Test
    void aWrapperThatClaimsItsJobInTheDatabaseAfterTheLookIsFollowed() {
        JobId id = inDoubtOnce(How.VANISHED);
        AtomicBoolean claimed = new AtomicBoolean();
        lrms.whenLookedUp(() -> {
            if (claimed.get()) {
                lrms.show(new LrmsJob("777", id.tag(), LrmsJob.State.RUNNING, null, "wn1", null));
            } else if (ce.state(ALICE, id) == JobState.IDLE) {
                claimed.set(true);
                assertThat(fence().claim(new FenceRequest(id, 1, "wn1 7", "wn1", "777", TestCe.TOKENS.of(id))))
                        .isEqualTo(StartFence.Verdict.GRANTED);
            }
        });
        end(How.VANISHED, id);
        await().until(claimed::get);
        int polls = lrms.polls();
        await().until(() -> lrms.polls() > polls + 2);
        assertThat(history(id)).endsWith(JobState.RUNNING).doesNotContain(JobState.DONE_FAILED);
    }

    /** Its job can write there, and the batch system's commands take no such id. */
    @Test
    void aClaimWithWhatIsNoIdIsNotFollowed() throws Exception {
        lrms.ids("[0-9]+");
        JobId id = running();
        ce.accounts.write(claim(id).resolve("owner"), "lrmsid=x\"\n".getBytes(StandardCharsets.UTF_8));
        end(id, LrmsJob.State.FAILED, "NODE_FAIL");
        becomes(id, JobState.DONE_FAILED);
        assertThat(count("SELECT COUNT(*) FROM job WHERE lrms_id = 'x\"'")).isZero();
        JobId reported = running();
        DB.database().inTransaction(h -> h.execute("UPDATE job SET lrms_id = 'x\"' WHERE state NOT IN (7, 8)"));
        ce.jobs.commands().cancel(ALICE, JobFilter.ofIds(List.of(reported.toString())));
        int polls = lrms.polls();
        await().until(() -> lrms.polls() > polls + 2);
        assertThat(lrms.refusedIds()).isEmpty();
    }

    /** A link in the claim's place, or a directory without rights. */
    @Test
    void aClaimThatCannotBeLookedForHoldsUpNoEnd() {
        JobId id = running();
        ce.accounts.unreadable(
                claim(id), new AccountCommandException(AccountCommandException.Code.REFUSED, "Too many links"));
        end(id, LrmsJob.State.FAILED, "NODE_FAIL");
        becomes(id, JobState.DONE_FAILED);
    }

    /** As one leaves it whose node dies just then, or that works while its twin was refused. */
    @Test
    void aClaimThatDoesNotSayWhoseItIsIsAClaim() throws Exception {
        JobId id = running();
        ce.accounts.write(claim(id).resolve(".owner"), new byte[0]);
        ends(id);
        assertThat(ce.state(ALICE, id)).isEqualTo(JobState.REALLY_RUNNING);
    }

    /** As after a crash between the claim and the store of a refusal: the start was repeated. */
    @Test
    void aJobThatTheCeTookBackSaysSo() {
        JobId id = running();
        ce.accounts.write(claim(id), new byte[] {1});
        end(id, LrmsJob.State.DONE, null);
        becomes(id, JobState.DONE_FAILED);
        assertThat(last(id).failureReason()).startsWith("the CE had taken the job back before its wrapper began");
    }

    private void ends(JobId id) {
        end(id, LrmsJob.State.DONE, null);
        int lookUps = lrms.lookUps();
        await().until(() -> lrms.lookUps() > lookUps + 1);
    }

    private StartFence fence() {
        return new StoredFence(
                DB.database(), new JobStore(), ce.numbers, new JobStateMachine(), TestCe.TOKENS, Clock.systemUTC());
    }
}
