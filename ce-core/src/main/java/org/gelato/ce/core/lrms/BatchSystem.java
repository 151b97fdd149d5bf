package org.gelato.ce.core.lrms;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.gelato.ce.core.audit.AuditAct;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.job.JobId;

/**
 * A batch system, by which jobs get their ids. It reports which job became which batch job, before anybody stores the id; and
 * which batch job was found for a job whose hand-over an earlier process began. Any thread.
 *
 * @param port for all that gives no job an id
 * @param same whether what it does not know can be taken as gone
 */
public record BatchSystem(Lrms port, AuditTrail audit, SameBatchSystem same) {
    /** One that is always the same. */
    public BatchSystem(Lrms port, AuditTrail audit) {
        this(port, audit, SameBatchSystem.always());
    }

    /** The name of the batch system. */
    public String name() {
        return port.name();
    }

    /** Hands jobs over, as {@link Lrms#submit}; none to one that is not known to be the one that has the jobs. */
    public List<CompletableFuture<SubmitResult>> submit(List<Submission> batch) {
        List<CompletableFuture<SubmitResult>> results = same.isInDoubt() ? submitInDoubt(batch) : port.submit(batch);
        return IntStream.range(0, results.size())
                .mapToObj(i -> results.get(i).thenApply(result -> handedOver(batch.get(i), result)))
                .toList();
    }

    private List<CompletableFuture<SubmitResult>> submitInDoubt(List<Submission> batch) {
        CompletableFuture<List<CompletableFuture<SubmitResult>>> sent = same.check(name())
                .handle((same, e) -> e == null
                        ? port.submit(batch)
                        : batch.stream()
                                .<CompletableFuture<SubmitResult>>map(job ->
                                        CompletableFuture.completedFuture(new SubmitResult.Unavailable(Messages.of(e))))
                                .toList());
        return IntStream.range(0, batch.size())
                .mapToObj(i -> sent.thenCompose(results -> results.get(i)))
                .toList();
    }

    private SubmitResult handedOver(Submission job, SubmitResult result) {
        if (result instanceof SubmitResult.Accepted accepted) {
            AuditAct act = AuditAct.own(AuditEvent.HANDED_OVER)
                    .with(AuditField.ACCOUNT, job.account())
                    .with(AuditField.JOB, job.id().toString())
                    .with(AuditField.BATCH_ID, accepted.lrmsId())
                    .with(AuditField.TARGET, name() + "/" + job.queue());
            audit.done(
                    job.origin() == null
                            ? act
                            : act.with(AuditField.DN, job.origin().owner().subject())
                                    .with(AuditField.FQAN, job.origin().owner().group()));
        }
        return result;
    }

    /** Its health, and whether it is the one that has the jobs: that is looked for again while it was another one. */
    public CompletableFuture<Lrms.Health> health() {
        return port.health()
                .thenCompose(health -> same.trouble().isEmpty()
                        ? CompletableFuture.completedFuture(health)
                        : same.check(name())
                                .handle((same, e) -> e == null ? health : new Lrms.Health(false, Messages.of(e))));
    }

    /** Looks jobs up, as {@link Lrms#find}; fails, too, where some are absent and it is not the batch system that has the jobs. */
    public CompletableFuture<Map<String, LrmsJob>> find(Collection<Lrms.Lookup> lookups) {
        return port.find(lookups)
                .thenCompose(found -> lookups.stream().allMatch(job -> found.containsKey(job.tag()))
                        ? CompletableFuture.completedFuture(found)
                        : same.check(name()).thenApply(ignored -> found))
                .thenApply(found -> adopted(lookups, found));
    }

    /** A job that is looked up without an id was perhaps handed over by a process that died: what is found is ours. */
    private Map<String, LrmsJob> adopted(Collection<Lrms.Lookup> lookups, Map<String, LrmsJob> found) {
        audit.done(lookups.stream()
                .filter(job -> job.lrmsId() == null
                        && found.get(job.tag()) != null
                        && !found.get(job.tag()).isUnreadable())
                .map(job -> AuditAct.own(AuditEvent.ADOPTED)
                        .with(AuditField.ACCOUNT, job.account())
                        .with(
                                AuditField.JOB,
                                JobId.ofTag(job.tag()).map(JobId::toString).orElse(job.tag()))
                        .with(AuditField.BATCH_ID, found.get(job.tag()).lrmsId())
                        .with(AuditField.TARGET, name()))
                .toList());
        return found;
    }
}
