package org.gelato.ce.core.intake;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.wrapper.WrapperTokens;
import org.jdbi.v3.core.Handle;

/**
 * Claims in the database: one conditional update decides, and the same transaction makes the job RUNNING, so a crash leaves
 * both or neither. Called by request threads. The secret is checked before the database hears of the job.
 */
public final class StoredFence implements StartFence {
    private final Database database;
    private final JobStore jobs;
    private final JobNumbers numbers;
    private final JobStateMachine machine;
    private final WrapperTokens tokens;
    private final Clock clock;
    private final FenceStore claims = new FenceStore();

    public StoredFence(
            Database database,
            JobStore jobs,
            JobNumbers numbers,
            JobStateMachine machine,
            WrapperTokens tokens,
            Clock clock) {
        this.database = database;
        this.jobs = jobs;
        this.numbers = numbers;
        this.machine = machine;
        this.tokens = tokens;
        this.clock = clock;
    }

    @Override
    public Verdict claim(FenceRequest claim) {
        if (!tokens.matches(claim.job(), claim.token())) {
            return Verdict.REFUSED;
        }
        return database.inTransaction(h -> claim(h, numbers.row(claim.job()), claim));
    }

    private Verdict claim(Handle h, int id, FenceRequest claim) {
        boolean now = claims.claim(h, id, claim.claimant(), claim.attempt(), claim.lrmsId());
        List<JobRow> rows = jobs.lock(h, List.of(id));
        if (rows.isEmpty()) {
            return Verdict.OVER;
        }
        JobRow row = rows.get(0);
        if (now) {
            Instant after = row.since().plusNanos(1000);
            Instant at = clock.instant();
            machine.running(row, at.isBefore(after) ? after : at)
                    .ifPresent(c -> jobs.store(h, List.of(new JobStore.Stored(row, c, claim.node(), claim.lrmsId()))));
            return Verdict.GRANTED;
        }
        if (row.state().isFinal() || row.cancelReason() != null) {
            return Verdict.OVER;
        }
        return claims.claimant(h, id).filter(claim.claimant()::equals).isPresent() ? Verdict.GRANTED : Verdict.TAKEN;
    }
}
