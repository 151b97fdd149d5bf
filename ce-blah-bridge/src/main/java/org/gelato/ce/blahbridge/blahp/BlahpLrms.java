package org.gelato.ce.blahbridge.blahp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.SupportedRequests;

/**
 * Hands jobs to a site's own blahpd, with guards against its known false results (docs/developer/protocol/lrms.md, BLAH).
 * Its status is a safety net only, because job wrappers report for themselves: it is queried job by job, in turns.
 *
 * <p>Called from any thread. What a crash leaves is found in blahpd's log of submissions; a job whose fate the log cannot
 * report yet is queried again, never submitted again on a guess.
 */
public final class BlahpLrms implements Lrms {
    private static final int WRAPPER_MODE = 0700;
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("uuuuMMdd", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final BlahpConfig config;
    private final AccountCommands accounts;
    private final Executor work;
    private final Clock clock;
    private final Blahpd blahpd;
    private final BlahpLog log;
    private final StatusRounds statuses;
    /** Submissions without a result, and late results; by tag. */
    private final Map<String, CompletableFuture<SubmitResult>> open = new ConcurrentHashMap<>();

    private BlahpLrms(BlahpConfig config, AccountCommands accounts, Executor work, Clock clock, Blahpd blahpd) {
        this.config = config;
        this.accounts = accounts;
        this.work = work;
        this.clock = clock;
        this.blahpd = blahpd;
        this.log = new BlahpLog(config);
        this.statuses = new StatusRounds(this::status, clock);
    }

    /**
     * Starts blahpd.
     *
     * @param accounts writes job wrappers
     * @param work reads the log of submissions; may block for seconds
     * @throws IOException when blahpd does not start
     */
    public static BlahpLrms open(BlahpConfig config, AccountCommands accounts, Executor work, Clock clock)
            throws IOException {
        return new BlahpLrms(config, accounts, work, clock, Blahpd.start(config, clock));
    }

    @Override
    public String name() {
        return config.gridType();
    }

    /** {@inheritDoc} Scripts of the site get the CERequirements from blahpd. */
    @Override
    public SupportedRequests supportedRequests() {
        return SubmitAd.renderers(config.hostSmpSize()).options(true);
    }

    @Override
    public List<CompletableFuture<SubmitResult>> submit(List<Submission> batch) {
        return batch.stream().map(this::submit).toList();
    }

    private CompletableFuture<SubmitResult> submit(Submission s) {
        String ad;
        try {
            ad = SubmitAd.of(s, config.gridType(), config.hostSmpSize(), config.queue(s));
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(new SubmitResult.Refused(e.getMessage()));
        }
        if (!config.sudo() && !s.account().equals(config.ownAccount())) {
            return CompletableFuture.completedFuture(new SubmitResult.Refused("blahpd runs jobs as "
                    + config.ownAccount() + " only, not as " + s.account()
                    + ": set gelato.lrms.blahp.sudo where it may switch accounts"));
        }
        FileContent wrapper =
                new FileContent(s.wrapperFile(), WRAPPER_MODE, s.wrapper().getBytes(StandardCharsets.UTF_8));
        return accounts.put(s.account(), wrapper)
                .handle((done, failure) -> failure)
                .thenCompose(failure -> failure == null
                        ? handOver(s, ad)
                        // blahpd was not called: whatever happened to the file, there is no job
                        : CompletableFuture.completedFuture(notWritten(Causes.of(failure))));
    }

    private CompletableFuture<SubmitResult> handOver(Submission s, String ad) {
        String tag = s.id().tag();
        CompletableFuture<SubmitResult> response = blahpd.call(s.account(), "BLAH_JOB_SUBMIT", List.of(ad))
                .handle((words, failure) ->
                        failure == null ? BlahpResponse.submitted(words) : BlahpResponse.submitted(Causes.of(failure)));
        open.put(tag, response);
        response.thenAccept(result -> {
            if (!(result instanceof SubmitResult.Accepted)) {
                open.remove(tag, response);
            }
        });
        return response.copy()
                .orTimeout(config.timeout().toMillis(), TimeUnit.MILLISECONDS)
                .handle((result, late) -> {
                    if (late != null) {
                        return new SubmitResult.Unclear("blahpd did not return a result of the submission within "
                                + config.timeout().toSeconds() + " s");
                    }
                    open.remove(tag, response);
                    return result;
                });
    }

    private static SubmitResult notWritten(Throwable failure) {
        return failure instanceof AccountCommandException e && e.code() == AccountCommandException.Code.REFUSED
                ? new SubmitResult.Refused(e.getMessage())
                : new SubmitResult.Unavailable(
                        "the job wrapper could not be written: " + failure.getMessage(),
                        SubmitResult.Scope.ofFailure(failure));
    }

    @Override
    public CompletableFuture<Map<String, String>> cancel(String account, Collection<String> lrmsIds) {
        return each(
                        lrmsIds,
                        blahId -> command(account, "BLAH_JOB_CANCEL", blahId)
                                .thenApply(BlahpResponse::cancelled)
                                .thenCompose(words -> words == null || !BlahJobId.isOfCondor(blahId)
                                        ? CompletableFuture.completedFuture(words)
                                        // HTCondor's scripts fail in the same words for a job that has ended
                                        : statuses.ask(blahId, null).thenCompose(job -> cancelledInCondor(job, words))))
                .thenApply(results -> {
                    results.forEach((id, words) -> {
                        if (words == null) {
                            statuses.cancelTaken(id);
                        }
                    });
                    return results;
                });
    }

    /** A job whose status fails is gone only where the schedd responds. */
    private CompletableFuture<String> cancelledInCondor(LrmsJob job, String words) {
        if (job.state().isEnd()) {
            return CompletableFuture.completedFuture(null);
        }
        return job.state() == LrmsJob.State.UNKNOWN
                ? pinged().thenApply(responds -> responds ? null : words)
                : CompletableFuture.completedFuture(words);
    }

    /** Whether the batch system behind blahpd responds; false where blahpd cannot tell. */
    private CompletableFuture<Boolean> pinged() {
        return blahpd.pings()
                .thenCompose(pings -> pings && config.schedd().isEmpty()
                        ? command(Blahpd.NOBODY, Blahpd.PING, config.gridType())
                                .thenApply(words -> BlahpResponse.held(words) == null)
                        : CompletableFuture.completedFuture(false))
                .exceptionally(failure -> false);
    }

    /** {@inheritDoc} blahpd refuses to hold a running job, but HTCondor's ends its run. */
    @Override
    public CompletableFuture<Map<String, String>> hold(String account, Collection<String> lrmsIds) {
        return each(
                lrmsIds,
                blahId -> BlahJobId.isOfCondor(blahId)
                        ? statuses.ask(blahId, null).thenCompose(job -> switch (job.state()) {
                            case QUEUED ->
                                command(account, "BLAH_JOB_HOLD", blahId).thenApply(BlahpResponse::held);
                            case HELD -> CompletableFuture.completedFuture(null);
                            default ->
                                CompletableFuture.completedFuture(
                                        "blahpd can hold waiting jobs of HTCondor only, this one is " + job.state());
                        })
                        : command(account, "BLAH_JOB_HOLD", blahId).thenApply(BlahpResponse::held));
    }

    @Override
    public CompletableFuture<Map<String, String>> release(String account, Collection<String> lrmsIds) {
        return each(
                lrmsIds, blahId -> command(account, "BLAH_JOB_RESUME", blahId).thenApply(BlahpResponse::released));
    }

    private CompletableFuture<List<String>> command(String account, String verb, String argument) {
        return blahpd.call(account, verb, List.of(argument))
                .orTimeout(config.timeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    private CompletableFuture<Map<String, String>> each(
            Collection<String> lrmsIds, Function<String, CompletableFuture<String>> command) {
        Map<String, CompletableFuture<String>> calls = new LinkedHashMap<>();
        for (String id : lrmsIds) {
            String blahId = blahId(id);
            calls.put(
                    id,
                    blahId == null
                            ? CompletableFuture.completedFuture("not the id of a job of blahpd's")
                            : command.apply(blahId));
        }
        return CompletableFuture.allOf(calls.values().toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    Map<String, String> words = new LinkedHashMap<>();
                    calls.forEach((id, call) -> words.put(id, call.join()));
                    return words;
                });
    }

    /** {@inheritDoc} Queries those that the last call named. */
    @Override
    public CompletableFuture<List<LrmsJob>> poll() {
        return statuses.round(statuses.followed());
    }

    @Override
    public CompletableFuture<List<LrmsJob>> poll(Collection<String> followed) {
        return statuses.round(followed);
    }

    /** {@inheritDoc} It shows a removed job as removed or with the exit code of its wrapper, as the batch system behind it does. */
    @Override
    public Ends ends() {
        return BlahJobId.isCondor(config.gridType()) ? Ends.FAILURES : Ends.NOT_CANCELS;
    }

    @Override
    public boolean findsManyAtOnce() {
        return false;
    }

    @Override
    public boolean isSame(String lrmsId, String reportedId) {
        return BlahJobId.isSame(lrmsId, reportedId);
    }

    private CompletableFuture<LrmsJob> status(String lrmsId, String tag) {
        String blahId = blahId(lrmsId);
        if (blahId == null) {
            return CompletableFuture.completedFuture(
                    new LrmsJob(lrmsId, tag, LrmsJob.State.UNKNOWN, null, "not the id of a job of blahpd's", null));
        }
        return command(Blahpd.NOBODY, "BLAH_JOB_STATUS", blahId)
                .thenApply(words -> StatusResponse.of(lrmsId, tag, words));
    }

    /** A job that reported its own id with its claim is known by its batch id alone. */
    private String blahId(String lrmsId) {
        return BlahJobId.is(lrmsId) ? lrmsId : config.id(DAY.format(clock.instant()), lrmsId);
    }

    @Override
    public CompletableFuture<Map<String, LrmsJob>> find(Collection<Lookup> lookups) {
        Set<String> tags = lookups.stream().map(Lookup::tag).collect(Collectors.toSet());
        Map<String, List<String>> late = new HashMap<>();
        Map<String, LrmsJob> unknown = new HashMap<>();
        for (String tag : tags) {
            CompletableFuture<SubmitResult> response = open.get(tag);
            if (response != null && !response.isDone()) {
                unknown.put(tag, LrmsJob.unreadable(tag, "blahpd has not returned a result of its submission"));
            } else if (response != null && response.join() instanceof SubmitResult.Accepted accepted) {
                late.put(tag, List.of(accepted.lrmsId()));
            }
        }
        List<String> others =
                tags.stream().filter(tag -> !unknown.containsKey(tag)).toList();
        if (late.size() < others.size() && blahpd.age().compareTo(config.timeout()) < 0) {
            return failed("blahpd was started less than " + config.timeout().toSeconds()
                    + " s ago: what an earlier one was doing may not be over");
        }
        return CompletableFuture.supplyAsync(() -> logged(others, late), work)
                .thenCompose(this::statusOf)
                .thenApply(found -> {
                    found.putAll(unknown);
                    return found;
                });
    }

    private Map<String, List<String>> logged(Collection<String> tags, Map<String, List<String>> late) {
        List<String> unknown = tags.stream().filter(t -> !late.containsKey(t)).toList();
        Map<String, List<String>> all = new LinkedHashMap<>(late);
        if (!unknown.isEmpty()) {
            try {
                all.putAll(log.submitted(unknown));
            } catch (IOException e) {
                throw new CompletionException(new IOException(
                        "the log of submissions " + config.accountingLog() + " cannot be read: " + Messages.of(e), e));
            }
        }
        return all;
    }

    private CompletableFuture<Map<String, LrmsJob>> statusOf(Map<String, List<String>> submitted) {
        List<CompletableFuture<LrmsJob>> queries = new ArrayList<>();
        Map<String, LrmsJob> found = new HashMap<>();
        submitted.forEach((tag, ids) -> {
            if (ids.isEmpty()) {
                found.put(tag, LrmsJob.unreadable(tag, "the log of submissions has no id of it that can be read"));
            }
            ids.forEach(id -> queries.add(statuses.ask(id, tag)));
        });
        return CompletableFuture.allOf(queries.toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    queries.forEach(job -> found.merge(
                            job.join().tag(),
                            job.join(),
                            (one, next) -> one.state().isEnd() && !next.state().isEnd() ? next : one));
                    return found;
                });
    }

    private static <T> CompletableFuture<T> failed(String words) {
        return CompletableFuture.failedFuture(new IllegalStateException(words));
    }

    @Override
    public CompletableFuture<Health> health() {
        // Its ping knows the schedd of this host alone, which may not exist where jobs go to another one.
        return blahpd.version()
                .thenCombine(
                        blahpd.pings(),
                        (banner, pings) -> pings && config.schedd().isEmpty() ? ping(banner) : up(banner))
                .thenCompose(Function.identity())
                .exceptionally(failure -> new Health(false, Messages.of(failure)));
    }

    /** Of the batch system behind blahpd. */
    private CompletableFuture<Health> ping(String banner) {
        return command(Blahpd.NOBODY, Blahpd.PING, config.gridType()).thenCompose(words -> {
            String failure = BlahpResponse.held(words);
            return failure == null ? up(banner) : CompletableFuture.completedFuture(new Health(false, failure));
        });
    }

    private static CompletableFuture<Health> up(String banner) {
        return CompletableFuture.completedFuture(new Health(true, banner));
    }

    @Override
    public void close() {
        blahpd.close();
    }
}
