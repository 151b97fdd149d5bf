package org.gelato.ce.lrms.condor;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.QueueName;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.SupportedRequests;
import org.gelato.ce.core.lrms.command.LrmsCommands;

/**
 * HTCondor through its commands (docs/developer/decisions/0100): one process hands over what waits of an account and queue, one lists all
 * jobs, one cancels up to 200. Reports a job as not accepted only where that is certain; every other failure is
 * {@link SubmitResult.Unclear}. Called from any thread, never blocks, keeps no state that a crash may lose: after one HTCondor itself is
 * queried by tag. Futures other than submit's fail with {@link LrmsException} when HTCondor reported no result, and as
 * {@link AccountCommands} says when the helper failed.
 */
public final class CondorLrms implements Lrms {
    private final CondorConfig config;
    private final LrmsCommands commands;
    private final Rounds rounds;
    private final CondorLookup lookup;
    private final CondorActions actions;
    private final EndedInQueue ended;
    private final Executor work;

    /**
     * @param accounts the helper; must allow the commands in {@link CondorConfig#commands}
     * @param work runs the parsing of large listings; may block for seconds
     */
    public CondorLrms(CondorConfig config, AccountCommands accounts, Executor work, Clock clock) {
        this.config = config;
        this.work = work;
        this.commands = new LrmsCommands(config.site(), accounts, CondorMessages::brief);
        this.rounds = new Rounds(config, accounts);
        this.lookup = new CondorLookup(config, commands, work, clock);
        this.actions = new CondorActions(commands, lookup, config.suspendRunning());
        this.ended = new EndedInQueue(actions, clock);
    }

    @Override
    public String name() {
        return "condor";
    }

    /** A shadow writes an end after it has acknowledged it to the node; killed in between, HTCondor starts the job once more. */
    @Override
    public Ends ends() {
        return Ends.NOT_REQUEUES;
    }

    @Override
    public SupportedRequests supportedRequests() {
        return RequestLines.RENDERERS.options(config.commands().submitAttributes() != null);
    }

    @Override
    public List<CompletableFuture<SubmitResult>> submit(List<Submission> batch) {
        if (config.commands().submitAttributes() != null) {
            return batch.stream().map(this::withScript).toList();
        }
        // those that can go together do so at once
        List<Rounds.Ready> ready = new ArrayList<>();
        List<SubmitResult> refused = new ArrayList<>();
        for (Submission submission : batch) {
            try {
                ready.add(ready(submission, List.of()));
                refused.add(null);
            } catch (IllegalArgumentException e) {
                refused.add(new SubmitResult.Refused(e.getMessage()));
            }
        }
        List<CompletableFuture<SubmitResult>> sent = rounds.submit(ready);
        List<CompletableFuture<SubmitResult>> results = new ArrayList<>();
        int next = 0;
        for (SubmitResult result : refused) {
            results.add(result == null ? noted(sent.get(next++)) : CompletableFuture.completedFuture(result));
        }
        return results;
    }

    private CompletableFuture<SubmitResult> withScript(Submission submission) {
        return commands.withAttributes(submission, config.commands().submitAttributes(), attributes -> {
            Rounds.Ready ready;
            try {
                ready = ready(submission, ScriptLines.of(attributes));
            } catch (ScriptLines.UnusableException e) {
                return CompletableFuture.completedFuture(new SubmitResult.Unavailable(e.getMessage()));
            } catch (IllegalArgumentException e) {
                return CompletableFuture.completedFuture(new SubmitResult.Refused(e.getMessage()));
            }
            return noted(rounds.submit(List.of(ready)).get(0));
        });
    }

    private CompletableFuture<SubmitResult> noted(CompletableFuture<SubmitResult> sent) {
        return sent.thenApply(result -> {
            if (result instanceof SubmitResult.Accepted accepted) {
                ended.known(List.of(accepted.lrmsId()));
                lookup.handedOver();
            }
            return result;
        });
    }

    private Rounds.Ready ready(Submission submission, List<SubmitLine> script) {
        QueueName.check(submission, "queue");
        SubmitDescription.check(submission);
        List<SubmitLine> site = new ArrayList<>(config.queues().getOrDefault(submission.queue(), List.of()));
        site.addAll(script);
        return new Rounds.Ready(submission, SubmitDescription.of(submission, site, config));
    }

    @Override
    public CompletableFuture<Map<String, String>> cancel(String account, Collection<String> lrmsIds) {
        return actions.cancel(account, lrmsIds);
    }

    @Override
    public CompletableFuture<Map<String, String>> hold(String account, Collection<String> lrmsIds) {
        return actions.hold(account, lrmsIds);
    }

    @Override
    public CompletableFuture<Map<String, String>> release(String account, Collection<String> lrmsIds) {
        return actions.release(account, lrmsIds, false);
    }

    @Override
    public CompletableFuture<Map<String, String>> resume(String account, Collection<String> lrmsIds) {
        return actions.release(account, lrmsIds, config.suspendRunning());
    }

    @Override
    public CompletableFuture<List<LrmsJob>> poll() {
        return lookup.all().thenApply(CondorListing::jobs);
    }

    /**
     * {@inheritDoc} One listing here too, and a second of followed jobs that are not in it; what it shows of ended jobs that are not followed
     * is taken out of the queue.
     */
    @Override
    public CompletableFuture<List<LrmsJob>> poll(Collection<String> followed) {
        return lookup.all(followed).thenApply(listing -> {
            ended.polled(followed, listing.shown());
            return listing.jobs();
        });
    }

    /** {@inheritDoc} As its queue is the durable record; they count against {@code MAX_JOBS_PER_OWNER} meanwhile. */
    @Override
    public boolean keepsEnded() {
        return true;
    }

    @Override
    public void endsStored(Collection<String> lrmsIds) {
        ended.known(lrmsIds);
    }

    /** {@inheritDoc} Ended jobs that stay in its queue. */
    @Override
    public Optional<String> warning() {
        return ended.trouble();
    }

    @Override
    public boolean isId(String text) {
        return CondorId.FORM.matcher(text).matches()
                || CondorId.NUMBER_FORM.matcher(text).matches();
    }

    @Override
    public CompletableFuture<Map<String, LrmsJob>> find(Collection<Lookup> lookups) {
        return lookup.find(lookups);
    }

    /** {@inheritDoc} A schedd whose queue was made anew counts from 1 again. */
    @Override
    public CompletableFuture<Set<String>> stillOwned(Collection<Lookup> jobs) {
        return lookup.byId(jobs.stream().map(Lookup::lrmsId).toList())
                .thenApply(shown -> jobs.stream()
                        .filter(job -> shown.containsKey(job.lrmsId())
                                && shown.get(job.lrmsId()).isOf(job))
                        .map(Lookup::lrmsId)
                        .collect(Collectors.toSet()));
    }

    @Override
    public CompletableFuture<Health> health() {
        return commands.health("condor_q", CondorOwnAccountCommands.HEALTH, "condor_q", completed -> {
            String message = CondorMessages.brief(completed.stderr());
            return completed.exit() == 0
                    ? new Health(true, "the schedd responds")
                    : new Health(false, message.isEmpty() ? "condor_q ended with status " + completed.exit() : message);
        });
    }

    /** {@inheritDoc} HTCondor has no queues. */
    @Override
    public CompletableFuture<ClusterStatus> status() {
        SlotListing listing = new SlotListing();
        return commands.read("condor_status", CondorOwnAccountCommands.SLOTS, work, listing::take)
                .thenApply(done -> listing.status());
    }

    @Override
    public int statusCommands() {
        return 1;
    }
}
