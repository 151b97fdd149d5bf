package org.gelato.ce.blahbridge.fork;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.blahbridge.fork.ForkJob.Phase;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.fault.Repeated;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.SupportedRequests;
import org.gelato.ce.description.JobRequest.Resource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs wrappers on the CE's own host, as many at once as there are slots, in the order of acceptance.
 *
 * <p>Called from any thread; all state lives on one thread of its own, which waits for nothing but its own small files. An
 * accepted job is on disk before it is reported as accepted. Jobs run detached: they outlive the CE, and after a restart,
 * also after kill -9, each is found again by process id and start time, or by the wrapper's claim. Exit codes are not known
 * here: the wrapper reports them.
 */
public final class ForkLrms implements Lrms {
    private static final Logger log = LoggerFactory.getLogger(ForkLrms.class);

    private static final String UNREADABLE = "the job's state file cannot be read";

    private final ForkLrmsConfig config;
    private final AccountCommands commands;
    private final Clock clock;
    private final ForkState state;
    private final ForkJobs jobs;
    private final ProcessTable processes;
    private final ForkStarter starter;
    private final ForkCanceller canceller;
    private final ScheduledThreadPoolExecutor executor;
    private final Map<String, CompletableFuture<SubmitResult>> submitting = new ConcurrentHashMap<>();
    private final Set<Long> seenAlive = new HashSet<>();
    private final String host;

    private ForkLrms(ForkLrmsConfig config, AccountCommands commands, Clock clock, ForkState state) throws IOException {
        this.config = config;
        this.commands = commands;
        this.clock = clock;
        this.state = state;
        this.jobs = new ForkJobs(state);
        this.processes = new ProcessTable(Path.of("/proc"));
        this.executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "fork-lrms");
            thread.setDaemon(true);
            return thread;
        });
        this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.starter = new ForkStarter(jobs, commands, processes, clock, executor, config.slots());
        this.canceller = new ForkCanceller(jobs, commands, processes, clock, executor, config.killGrace());
        this.host = hostName();
    }

    /**
     * Opens the state directory, takes up the jobs in it and begins to run them.
     *
     * @throws IOException when the state cannot be read, another CE has it, or processes cannot be seen
     */
    public static ForkLrms open(ForkLrmsConfig config, AccountCommands commands, Clock clock) throws IOException {
        ForkState state = new ForkState(config.stateDirectory());
        try {
            ForkLrms lrms = new ForkLrms(config, commands, clock, state);
            long millis = config.scanInterval().toMillis();
            lrms.executor.scheduleWithFixedDelay(
                    Repeated.of("scan of jobs", lrms::scan), 0, millis, TimeUnit.MILLISECONDS);
            return lrms;
        } catch (IOException | RuntimeException e) {
            state.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return ForkType.NAME;
    }

    /** {@inheritDoc} Jobs here have no other limit. */
    @Override
    public SupportedRequests supportedRequests() {
        return new SupportedRequests(Set.of(Resource.WALL_TIME), false);
    }

    @Override
    public List<CompletableFuture<SubmitResult>> submit(List<Submission> batch) {
        List<CompletableFuture<SubmitResult>> results = new ArrayList<>(batch.size());
        for (Submission s : batch) {
            CompletableFuture<SubmitResult> result = submit(s);
            String tag = s.id().tag();
            submitting.put(tag, result);
            result.whenComplete((r, failure) -> submitting.remove(tag, result));
            results.add(result);
        }
        return results;
    }

    private CompletableFuture<SubmitResult> submit(Submission s) {
        AccountCommands.FileContent wrapper = new AccountCommands.FileContent(
                s.wrapperFile(), 0700, s.wrapper().getBytes(StandardCharsets.UTF_8));
        return commands.makeDirectory(s.account(), s.sandbox())
                .thenCompose(made -> commands.put(s.account(), wrapper))
                .thenApplyAsync(put -> accept(s), executor)
                .exceptionally(failure -> notAccepted(failure.getCause() == null ? failure : failure.getCause()));
    }

    /**
     * Before this nothing of the job is in the state, so every failure so far means that it is certainly not accepted.
     */
    private static SubmitResult notAccepted(Throwable failure) {
        if (failure instanceof AccountCommandException e && e.code() == Code.REFUSED) {
            return new SubmitResult.Refused(e.getMessage());
        }
        return new SubmitResult.Unavailable(
                String.valueOf(failure.getMessage()), SubmitResult.Scope.ofFailure(failure));
    }

    private SubmitResult accept(Submission s) {
        ForkJob known = jobs.tagged(s.id().tag());
        if (known != null && known.attempt() == s.attempt()) {
            return new SubmitResult.Accepted(known.lrmsId());
        }
        long number = 0;
        try {
            number = jobs.nextNumber();
            ForkJob job = ForkJob.queued(number, s, clock.instant());
            jobs.record(job);
            starter.fillSlots();
            return new SubmitResult.Accepted(job.lrmsId());
        } catch (IOException e) {
            String message = "cannot write the job's state: " + e.getMessage();
            return number > 0 && jobs.onDisk(number)
                    ? new SubmitResult.Unclear(message)
                    : new SubmitResult.Unavailable(message);
        } catch (IllegalArgumentException e) {
            return new SubmitResult.Refused(e.getMessage());
        }
    }

    @Override
    public CompletableFuture<Map<String, String>> cancel(String account, Collection<String> lrmsIds) {
        return each(lrmsIds, id -> {
            Path file = jobs.unreadable(id);
            return file == null
                    ? canceller.cancel(account, id)
                    : CompletableFuture.completedFuture("nothing is known of " + id + ", as " + file
                            + " cannot be read: remove it when the job does not run");
        });
    }

    @Override
    public CompletableFuture<Map<String, String>> hold(String account, Collection<String> lrmsIds) {
        return each(lrmsIds, id -> move(account, id, Phase.QUEUED, Phase.HELD));
    }

    @Override
    public CompletableFuture<Map<String, String>> release(String account, Collection<String> lrmsIds) {
        return each(lrmsIds, id -> move(account, id, Phase.HELD, Phase.QUEUED));
    }

    private CompletableFuture<String> move(String account, String id, Phase from, Phase to) {
        ForkJob job = jobs.find(id);
        String message = null;
        if (job == null) {
            message = "there is no job " + id;
        } else if (!job.account().equals(account)) {
            message = id + " belongs to another account";
        } else if (job.phase() == from) {
            try {
                jobs.record(job.to(to, clock.instant()));
            } catch (IOException e) {
                message = "cannot write the job's state: " + e.getMessage();
            }
        } else if (job.phase() == Phase.RUNNING || job.phase() == Phase.STARTING) {
            message = "the job is running, and fork suspends no running job";
        } else if (job.phase() != to) {
            message = id + " is not waiting: it is " + job.phase();
        }
        return CompletableFuture.completedFuture(message);
    }

    /** Starts the action for every id on our thread; the results may come later. */
    private CompletableFuture<Map<String, String>> each(
            Collection<String> ids, Function<String, CompletableFuture<String>> ask) {
        List<String> copy = List.copyOf(ids);
        return here(() -> {
                    Map<String, CompletableFuture<String>> responses = new LinkedHashMap<>();
                    for (String id : copy) {
                        responses.computeIfAbsent(id, ask);
                    }
                    scan();
                    return responses;
                })
                .thenCompose(responses -> CompletableFuture.allOf(
                                responses.values().toArray(CompletableFuture[]::new))
                        .thenApply(all -> {
                            Map<String, String> message = new LinkedHashMap<>();
                            responses.forEach((id, response) -> message.put(id, response.getNow(null)));
                            return message;
                        }));
    }

    @Override
    public CompletableFuture<List<LrmsJob>> poll() {
        return here(() -> Stream.concat(
                        jobs.all().stream().map(job -> job.shown(host)),
                        jobs.unreadable().stream().map(id -> unreadable(id, null)))
                .toList());
    }

    private static LrmsJob unreadable(String id, String tag) {
        return new LrmsJob(id, tag, LrmsJob.State.UNKNOWN, null, UNREADABLE, null);
    }

    /** Waits for submissions of these tags that are under way: before, a tag cannot be reported as absent. */
    @Override
    public CompletableFuture<Map<String, LrmsJob>> find(Collection<Lookup> lookups) {
        Set<String> wanted = lookups.stream().map(Lookup::tag).collect(Collectors.toSet());
        CompletableFuture<?>[] underWay =
                wanted.stream().map(submitting::get).filter(f -> f != null).toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(underWay)
                .thenCompose(settled -> here(() -> {
                    Map<String, LrmsJob> found = new HashMap<>();
                    for (ForkJob job : jobs.all()) { // in order of acceptance: the last one stays
                        if (wanted.contains(job.tag())) {
                            found.put(job.tag(), job.shown(host));
                        }
                    }
                    List<String> unreadable = jobs.unreadable();
                    for (Lookup one : lookups) {
                        if (one.lrmsId() == null ? !unreadable.isEmpty() : unreadable.contains(one.lrmsId())) {
                            found.putIfAbsent(one.tag(), unreadable(one.lrmsId(), one.tag()));
                        }
                    }
                    return found;
                }));
    }

    /** {@inheritDoc} A wrapper that reported its end before this host was restarted ended before. */
    @Override
    public Ends ends() {
        return Ends.CANCELS;
    }

    @Override
    public CompletableFuture<Health> health() {
        return commands.ping()
                .orTimeout(10, TimeUnit.SECONDS)
                .thenApply(pong -> new Health(true, "fork, " + config.slots() + " slots on " + host))
                .exceptionally(failure -> new Health(false, "the helper does not respond: " + failure.getMessage()));
    }

    /** {@inheritDoc} Every queue has all slots. */
    @Override
    public CompletableFuture<ClusterStatus> status() {
        return here(() -> {
            long running = jobs.all().stream()
                    .filter(job -> job.phase() == Phase.RUNNING)
                    .count();
            return new ClusterStatus(
                    null,
                    OptionalInt.of(config.slots()),
                    OptionalInt.of((int) Math.max(0, config.slots() - running)),
                    List.of());
        });
    }

    /** One scan of all jobs; on our thread. */
    private void scan() {
        jobs.writeAgain();
        Instant now = clock.instant();
        for (ForkJob job : jobs.all()) {
            if (job.phase() == Phase.RUNNING) {
                if (processes.alive(job.process())) {
                    seenAlive.add(job.number());
                } else {
                    starter.confirmEnd(job, this::ended);
                }
            } else if (job.phase().isFinal()
                    && job.changed().plus(config.keepEnded()).isBefore(now)) {
                jobs.forget(job);
            }
        }
        starter.settleStarts();
        canceller.endOverruns();
        canceller.pressOn();
        starter.fillSlots();
    }

    private void ended(ForkJob job) {
        boolean rebooted = !job.process().boot().equals(processes.boot());
        if (job.cancelling()) {
            jobs.note(job.to(Phase.CANCELLED, clock.instant()));
        } else if (job.overrun()) {
            jobs.note(job.to(Phase.FAILED, clock.instant(), job.overtime()));
        } else if (rebooted) {
            jobs.note(job.to(Phase.FAILED, clock.instant(), "the host was restarted while the job ran"));
        } else {
            jobs.note(job.to(Phase.ENDED, clock.instant()));
        }
        if (seenAlive.remove(job.number())) { // not after a restart of ours: the number may mean another group by then
            canceller.kill(job);
        }
        starter.forget(job.number());
        canceller.forget(job.number());
    }

    private <T> CompletableFuture<T> here(Supplier<T> question) {
        return CompletableFuture.supplyAsync(question, executor);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /** Ends the watching; jobs run on and are taken up by the next one that opens the state. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(10, TimeUnit.SECONDS)) {
                log.warn("the fork batch system's thread did not end in time");
            }
            state.close();
        } catch (IOException e) {
            log.warn("cannot release {}: {}", config.stateDirectory(), e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
