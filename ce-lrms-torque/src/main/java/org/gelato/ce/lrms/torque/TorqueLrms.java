package org.gelato.ce.lrms.torque;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.core.lrms.DiagnosticCommands;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.SiteScriptLines;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.SupportedRequests;
import org.gelato.ce.core.lrms.command.LrmsCommands;

/**
 * Torque through its own commands (docs/developer/protocol/lrms.md): one process for each job handed over, two where the site has a
 * {@code pbs_local_submit_attributes.sh}; one for a poll of all jobs; one for a cancel or release of up to 200, two for a
 * hold, after one that looks whose their ids are. Reports a job as not accepted only where that is certain; every other failure is {@link SubmitResult.Unclear}.
 * Called from any thread, never blocks, keeps no state: after a crash the job is either in Torque under its tag or nowhere,
 * and Torque itself is queried. Futures other than submit's fail with {@link LrmsException} when Torque reported no
 * result, and as {@link AccountCommands} says when the helper failed.
 */
public final class TorqueLrms implements Lrms {
    private final TorqueConfig config;
    private final LrmsCommands commands;
    private final TorqueLookup lookup;
    private final JobActions actions;
    private final Executor work;

    /**
     * @param accounts the helper; must allow qsub, qdel, qhold, qrls, qstat and pbsnodes in {@link TorqueConfig#commands}, and
     *     {@code /bin/bash} where the site has submit attributes
     * @param work runs the parsing of large listings and the reading of the accounting log; may block for seconds
     */
    public TorqueLrms(TorqueConfig config, AccountCommands accounts, Executor work) {
        this.config = config;
        this.work = work;
        this.commands = new LrmsCommands(config.site(), accounts, TorqueMessages::brief);
        this.lookup = new TorqueLookup(config, commands, work);
        this.actions = new JobActions(config, commands, work);
    }

    /** The name of Torque in legacy CEs and clients; Slurm has its own. */
    @Override
    public String name() {
        return config.idName();
    }

    @Override
    public DiagnosticCommands diagnosticCommands() {
        List<String> queues = List.of("qstat -Q");
        return config.slurm()
                ? new DiagnosticCommands(
                        "Slurm", List.of("systemctl status slurmctld", "qstat -Q"), queues, List.of("qstat -f %s"))
                : new DiagnosticCommands(
                        "Torque",
                        List.of("systemctl status pbs_server", "qstat -B"),
                        queues,
                        List.of("qstat -f %s", "tracejob %s"));
    }

    @Override
    public SupportedRequests supportedRequests() {
        return QsubOptions.renderers(config).options(config.commands().submitAttributes() != null);
    }

    @Override
    public List<CompletableFuture<SubmitResult>> submit(List<Submission> batch) {
        return batch.stream().map(this::submit).toList();
    }

    private CompletableFuture<SubmitResult> submit(Submission submission) {
        return commands.withAttributes(
                submission, config.commands().submitAttributes(), attributes -> submit(submission, attributes));
    }

    private CompletableFuture<SubmitResult> submit(Submission submission, SiteScriptLines attributes) {
        return commands.submit(
                submission, () -> SubmitFile.of(submission, attributes, config), new QsubResponse(config.slurm()));
    }

    @Override
    public CompletableFuture<Map<String, String>> cancel(String account, Collection<String> lrmsIds) {
        return actions.cancel(account, lrmsIds);
    }

    /** {@inheritDoc} Torque reports success for a running job and lets it run: the result is a message. */
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
        return lookup.all(List.of());
    }

    @Override
    public CompletableFuture<List<LrmsJob>> poll(Collection<String> followed) {
        return lookup.all(followed);
    }

    @Override
    public boolean isId(String text) {
        return actions.isId(text);
    }

    @Override
    public CompletableFuture<Map<String, LrmsJob>> find(Collection<Lookup> lookups) {
        return lookup.find(lookups);
    }

    /** {@inheritDoc} A server that was set up anew counts from 0 again, and so does one that is given a next number. */
    @Override
    public CompletableFuture<Set<String>> stillOwned(Collection<Lookup> jobs) {
        return lookup.stillOwned(jobs);
    }

    /** {@inheritDoc} qstat shows of a deleted job its wrapper's exit code; only the accounting log records the deletion. */
    @Override
    public Ends ends() {
        return config.accountingDirectory() != null && !config.slurm() ? Ends.ALL : Ends.NOT_CANCELS;
    }

    @Override
    public CompletableFuture<Health> health() {
        return commands.health("qstat", TorqueOwnAccountCommands.health(config), "qstat -Q", completed -> {
            String message = TorqueMessages.brief(completed.stderr() + "\n" + completed.stdout());
            return completed.exit() == 0
                    ? new Health(true, "qstat -Q responds")
                    : new Health(false, message.isEmpty() ? "qstat -Q ended with status " + completed.exit() : message);
        });
    }

    /** {@inheritDoc} The version is that of the first node's daemon that reports one; Slurm's pbsnodes reports none. */
    @Override
    public CompletableFuture<ClusterStatus> status() {
        return status("qstat", TorqueOwnAccountCommands.queues(config))
                .thenApply(StatusListing::queues)
                .thenCompose(queues -> status("pbsnodes", TorqueOwnAccountCommands.nodes(config))
                        .thenApply(nodes -> nodes.nodes(queues)));
    }

    private CompletableFuture<StatusListing> status(String program, List<String> arguments) {
        StatusListing listing = new StatusListing(program);
        return commands.read(program, arguments, work, listing::take).thenApply(ended -> listing);
    }

    @Override
    public int statusCommands() {
        return 2;
    }
}
