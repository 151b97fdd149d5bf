package org.gelato.ce.ws.audit;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitOptions;
import org.gelato.ce.core.lrms.SubmitResult;

/**
 * Writes down which job became which batch job, when the batch system has accepted it and before its id is stored; and
 * which batch job was found for a job whose hand-over an earlier process began. Any thread.
 */
public final class AuditedLrms implements Lrms {
    private final Lrms lrms;
    private final AuditLog audit;

    public AuditedLrms(Lrms lrms, AuditLog audit) {
        this.lrms = lrms;
        this.audit = audit;
    }

    @Override
    public List<CompletableFuture<SubmitResult>> submit(List<Submission> batch) {
        List<CompletableFuture<SubmitResult>> results = lrms.submit(batch);
        return IntStream.range(0, results.size())
                .mapToObj(i -> results.get(i).thenApply(result -> handedOver(batch.get(i), result)))
                .toList();
    }

    private SubmitResult handedOver(Submission job, SubmitResult result) {
        if (result instanceof SubmitResult.Accepted accepted) {
            AuditLine line = new AuditLine(AuditEvent.HANDED_OVER)
                    .with(AuditField.ACCOUNT, job.account())
                    .with(AuditField.JOB, job.id().toString())
                    .with(AuditField.BATCH_ID, accepted.lrmsId())
                    .with(AuditField.TARGET, lrms.name() + "/" + job.queue());
            if (job.origin() != null) {
                line.with(AuditField.DN, job.origin().dn())
                        .with(AuditField.FQAN, job.origin().fqan());
            }
            audit.done(line);
        }
        return result;
    }

    @Override
    public String name() {
        return lrms.name();
    }

    @Override
    public SubmitOptions submitOptions() {
        return lrms.submitOptions();
    }

    @Override
    public CompletableFuture<Map<String, String>> cancel(String account, Collection<String> lrmsIds) {
        return lrms.cancel(account, lrmsIds);
    }

    @Override
    public CompletableFuture<Map<String, String>> hold(String account, Collection<String> lrmsIds) {
        return lrms.hold(account, lrmsIds);
    }

    @Override
    public CompletableFuture<Map<String, String>> release(String account, Collection<String> lrmsIds) {
        return lrms.release(account, lrmsIds);
    }

    @Override
    public CompletableFuture<Map<String, String>> resume(String account, Collection<String> lrmsIds) {
        return lrms.resume(account, lrmsIds);
    }

    @Override
    public CompletableFuture<List<LrmsJob>> poll() {
        return lrms.poll();
    }

    @Override
    public CompletableFuture<List<LrmsJob>> poll(Collection<String> followed) {
        return lrms.poll(followed);
    }

    @Override
    public boolean isSame(String lrmsId, String reportedId) {
        return lrms.isSame(lrmsId, reportedId);
    }

    @Override
    public CompletableFuture<Map<String, LrmsJob>> find(Collection<Sought> sought) {
        return lrms.find(sought).thenApply(found -> adopted(sought, found));
    }

    /** A job that is looked up without an id was perhaps handed over by a process that died: what is found is ours. */
    private Map<String, LrmsJob> adopted(Collection<Sought> sought, Map<String, LrmsJob> found) {
        audit.done(sought.stream()
                .filter(job -> job.lrmsId() == null
                        && found.get(job.tag()) != null
                        && !found.get(job.tag()).isUnreadable())
                .map(job -> new AuditLine(AuditEvent.ADOPTED)
                        .with(AuditField.ACCOUNT, job.account())
                        .with(
                                AuditField.JOB,
                                JobId.ofTag(job.tag()).map(JobId::toString).orElse(job.tag()))
                        .with(AuditField.BATCH_ID, found.get(job.tag()).lrmsId())
                        .with(AuditField.TARGET, lrms.name()))
                .toList());
        return found;
    }

    @Override
    public CompletableFuture<Set<String>> stillTheirs(Collection<Sought> jobs) {
        return lrms.stillTheirs(jobs);
    }

    @Override
    public Ends ends() {
        return lrms.ends();
    }

    @Override
    public Optional<String> ownWords(String line) {
        return lrms.ownWords(line);
    }

    @Override
    public CompletableFuture<Health> health() {
        return lrms.health();
    }

    @Override
    public CompletableFuture<ClusterStatus> status() {
        return lrms.status();
    }

    @Override
    public int statusCommands() {
        return lrms.statusCommands();
    }

    @Override
    public void close() {
        lrms.close();
    }
}
