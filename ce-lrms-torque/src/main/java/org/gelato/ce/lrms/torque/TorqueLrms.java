package org.gelato.ce.lrms.torque;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;

/**
 * Torque through its own commands (docs/protocol/lrms.md): one process for each job handed over, two where the site has a
 * {@code pbs_local_submit_attributes.sh}; one for a poll of all jobs; one for a cancel or release of up to 200, two for a
 * hold. Guarantees that a job is called not accepted only where it surely was not; whatever else goes wrong is
 * {@link SubmitResult.Unclear}. Called from any thread, never blocks, keeps no state: after a crash, whenever it came, the
 * job is either in Torque under its tag or nowhere, and Torque itself is asked. Futures other than submit's fail with
 * {@link TorqueException} when Torque gave no verdict, and as {@link AccountCommands} says when the helper was the trouble.
 */
public final class TorqueLrms implements Lrms {
    private static final int MAX_WORDS = 256 * 1024;

    private final TorqueConfig config;
    private final TorqueCommands commands;
    private final TorqueLookup lookup;
    private final JobActions actions;

    /**
     * @param accounts the helper; must allow qsub, qdel, qhold, qrls and qstat in {@link TorqueConfig#binDirectory}, and
     *     {@code /bin/bash} where the site has submit attributes
     * @param work runs the parsing of large listings and the reading of the accounting log; may block for seconds
     */
    public TorqueLrms(TorqueConfig config, AccountCommands accounts, Executor work) {
        this.config = config;
        this.commands = new TorqueCommands(config, accounts);
        this.lookup = new TorqueLookup(commands, work);
        this.actions = new JobActions(commands, work);
    }

    /** The name old CEs and their clients know Torque by; of Slurm its own. */
    @Override
    public String name() {
        return config.slurm() ? "slurm" : "pbs";
    }

    @Override
    public List<CompletableFuture<SubmitResult>> submit(List<Submission> batch) {
        return batch.stream().map(this::submit).toList();
    }

    private CompletableFuture<SubmitResult> submit(Submission submission) {
        if (config.submitAttributes() == null) {
            return submit(submission, SubmitAttributes.NONE);
        }
        Run run;
        try {
            run = SubmitAttributes.run(submission, config.submitAttributes(), commands);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(new SubmitResult.Refused(e.getMessage()));
        }
        return commands.run(submission.account(), run)
                .thenApply(SubmitAttributes::of)
                .handle((attributes, failure) -> failure == null
                        ? submit(submission, attributes)
                        : CompletableFuture.completedFuture(withoutAttributes(unwrapped(failure))))
                .thenCompose(result -> result);
    }

    private CompletableFuture<SubmitResult> submit(Submission submission, SubmitAttributes attributes) {
        Run run;
        try {
            run = SubmitFile.of(submission, attributes, commands);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(new SubmitResult.Refused(e.getMessage()));
        }
        return commands.run(submission.account(), run)
                .handle((completed, failure) ->
                        failure == null ? QsubAnswer.of(completed, config.slurm()) : QsubAnswer.of(failure));
    }

    /** qsub was not run: the job is surely nowhere. */
    private static SubmitResult withoutAttributes(Throwable cause) {
        return cause instanceof AccountCommandException refused
                        && refused.code() == AccountCommandException.Code.REFUSED
                ? new SubmitResult.Refused(cause.getMessage())
                : new SubmitResult.Unavailable(String.valueOf(cause.getMessage()));
    }

    @Override
    public CompletableFuture<Map<String, String>> cancel(String account, Collection<String> lrmsIds) {
        return actions.cancel(account, lrmsIds);
    }

    /** {@inheritDoc} Torque answers well for a running job and lets it run: that comes back in words. */
    @Override
    public CompletableFuture<Map<String, String>> hold(String account, Collection<String> lrmsIds) {
        return actions.hold(account, lrmsIds);
    }

    @Override
    public CompletableFuture<Map<String, String>> release(String account, Collection<String> lrmsIds) {
        return actions.release(account, lrmsIds);
    }

    @Override
    public CompletableFuture<List<LrmsJob>> poll() {
        return lookup.all();
    }

    @Override
    public CompletableFuture<Map<String, LrmsJob>> findByTag(Collection<String> tags) {
        return lookup.find(tags.stream().map(tag -> new Sought(tag, null, null)).toList());
    }

    @Override
    public CompletableFuture<Map<String, LrmsJob>> find(Collection<Sought> sought) {
        return lookup.find(sought);
    }

    @Override
    public CompletableFuture<Health> health() {
        return commands.run(AccountCommands.SELF, MAX_WORDS, "qstat", TorqueOwnAccountCommands.health(config))
                .handle((completed, failure) -> {
                    if (failure != null) {
                        return new Health(false, unwrapped(failure).getMessage());
                    }
                    if (completed.timedOut()) {
                        return new Health(false, "qstat -Q did not end in time");
                    }
                    String words = TorqueWords.brief(completed.stderr() + "\n" + completed.stdout());
                    return completed.exit() == 0
                            ? new Health(true, "qstat -Q answers")
                            : new Health(
                                    false, words.isEmpty() ? "qstat -Q ended with status " + completed.exit() : words);
                });
    }

    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
