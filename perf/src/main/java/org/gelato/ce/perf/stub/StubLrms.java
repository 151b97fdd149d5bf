package org.gelato.ce.perf.stub;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.attribute.UserPrincipal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.intake.WrapperEvent.Kind;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A batch system with slots and virtual job time that starts no process and responds at once, so that a measurement sees
 * the CE alone. The sandbox and the wrapper are written through the helper, as every batch system has it; the wrapper is
 * not run, but {@link SimulatedWrapper} leaves what it would leave, so the CE goes its usual ways. Everything happens on
 * one thread, whose CPU time is a meter of its own. Its jobs live in memory: with the process they are gone, and the CE
 * will report that they vanished.
 */
public final class StubLrms implements Lrms {
    /** CPU seconds of the simulation, which are part of the CE's process and not of the CE. */
    public static final String CPU_METER = "perf.stub.cpu.seconds";

    private static final Logger log = LoggerFactory.getLogger(StubLrms.class);
    private static final int WRAPPER_MODE = 0700;
    private static final Duration SHOWN = Duration.ofMinutes(1);
    private static final Duration REMEMBERED = Duration.ofMinutes(10);

    private final StubSettings settings;
    private final AccountCommands accounts;
    private final Clock clock;
    private final StubControl control;
    private final ScheduledThreadPoolExecutor thread;
    private final Map<String, Optional<UserPrincipal>> owners = new ConcurrentHashMap<>();
    private volatile long threadId;

    // Of the thread alone.
    private final Map<String, StubJob> jobs = new LinkedHashMap<>();
    private final Map<String, StubJob> byTag = new HashMap<>();
    private final Deque<StubJob> queue = new ArrayDeque<>();
    private int busy;
    private long lastId;

    public StubLrms(StubSettings settings, AccountCommands accounts, Clock clock) {
        this(settings, accounts, clock, new StubControl(null, settings));
    }

    /** @param control changes its behaviour while it runs */
    StubLrms(StubSettings settings, AccountCommands accounts, Clock clock, StubControl control) {
        this.control = control;
        this.settings = settings;
        this.accounts = accounts;
        this.clock = clock;
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread t = new Thread(task, "stub-batch");
            t.setDaemon(true);
            threadId = t.getId();
            return t;
        });
        thread.setRemoveOnCancelPolicy(true);
        thread.prestartCoreThread();
        if (control.mayChange()) {
            thread.scheduleWithFixedDelay(this::fill, 1, 1, TimeUnit.SECONDS);
        }
    }

    /** Adds the meter of the simulation's own CPU time. */
    void bind(MeterRegistry meters) {
        FunctionCounter.builder(CPU_METER, this, StubLrms::cpuSeconds)
                .description("CPU time of the simulated batch system")
                .register(meters);
    }

    private double cpuSeconds() {
        return Math.max(0, ManagementFactory.getThreadMXBean().getThreadCpuTime(threadId)) / 1e9;
    }

    @Override
    public String name() {
        return "stub";
    }

    @Override
    public List<CompletableFuture<SubmitResult>> submit(List<Submission> batch) {
        return batch.stream().map(this::submit).toList();
    }

    private CompletableFuture<SubmitResult> submit(Submission s) {
        FileContent wrapper =
                new FileContent(s.wrapperFile(), WRAPPER_MODE, s.wrapper().getBytes(StandardCharsets.UTF_8));
        return accounts.makeDirectory(s.account(), s.sandbox())
                .thenCompose(made -> accounts.put(s.account(), wrapper))
                .thenCompose(written -> control.response())
                .thenApplyAsync(written -> accept(s), thread)
                .exceptionally(StubLrms::notTaken);
    }

    // It is accepted after its wrapper was written: whatever failed, the job is certainly not here.
    private static SubmitResult notTaken(Throwable failure) {
        Throwable why = Causes.of(failure);
        boolean isRefused =
                why instanceof AccountCommandException a && a.code() == AccountCommandException.Code.REFUSED;
        boolean never = isRefused || why instanceof IllegalArgumentException;
        return never ? new SubmitResult.Refused(why.getMessage()) : new SubmitResult.Unavailable(why.toString());
    }

    private SubmitResult accept(Submission s) {
        String id = Long.toString(++lastId);
        SimulatedWrapper wrapper = SimulatedWrapper.of(
                s.wrapper(),
                id,
                owners.computeIfAbsent(s.account(), StubLrms::principal).orElse(null),
                clock);
        StubJob job = new StubJob(id, s.id().tag(), wrapper);
        jobs.put(id, job);
        byTag.put(job.tag, job);
        queue.add(job);
        fill();
        return new SubmitResult.Accepted(id);
    }

    /** Empty for the account of this process. */
    private static Optional<UserPrincipal> principal(String account) {
        if (account.equals(System.getProperty("user.name"))) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(account));
        } catch (IOException e) {
            throw new IllegalArgumentException("there is no account " + account, e);
        }
    }

    private void fill() {
        while (busy < control.slots() && !queue.isEmpty()) {
            StubJob job = queue.remove();
            busy++;
            job.run();
            step(job, () -> {
                if (job.wrapper.claim()) {
                    job.wrapper.tell(Kind.RUNNING);
                    after(settings.stageIn(), job, () -> payload(job));
                } else {
                    leave(job, LrmsJob.State.DONE, 0, null);
                }
            });
        }
    }

    private void payload(StubJob job) throws IOException {
        job.wrapper.tell(Kind.REALLY_RUNNING);
        after(settings.jobTime(), job, () -> {
            job.wrapper.done("0", "");
            leave(job, LrmsJob.State.DONE, 0, null);
        });
    }

    /** A step of a wrapper's life. */
    @FunctionalInterface
    private interface Step {
        void take() throws IOException;
    }

    private void after(Duration time, StubJob job, Step step) {
        job.next = thread.schedule(() -> step(job, step), time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** A wrapper that cannot write its files dies, as on a node that lost its file system. */
    private void step(StubJob job, Step step) {
        try {
            step.take();
        } catch (IOException | RuntimeException e) {
            log.warn("the wrapper of {} failed", job.tag, e);
            if (!job.hasEnded()) {
                leave(job, LrmsJob.State.FAILED, null, e.toString());
            }
        }
    }

    /** A running job gives its slot back. */
    private void leave(StubJob job, LrmsJob.State how, Integer exit, String reason) {
        job.end(how, exit, reason, clock.instant());
        busy--;
        // Not at once: jobs of no length would nest.
        thread.execute(this::fill);
    }

    @Override
    public CompletableFuture<Map<String, String>> cancel(String account, Collection<String> lrmsIds) {
        return each(lrmsIds, id -> {
            StubJob job = jobs.get(id);
            if (job == null || job.hasEnded()) {
                return null;
            }
            if (job.state == LrmsJob.State.RUNNING) {
                if (job.next != null) {
                    job.next.cancel(false);
                }
                step(job, () -> {
                    job.wrapper.done("", "Job has been terminated (got SIGTERM)");
                    leave(job, LrmsJob.State.CANCELLED, null, "cancelled");
                });
            } else {
                queue.remove(job);
                job.end(LrmsJob.State.CANCELLED, null, "cancelled", clock.instant());
            }
            return null;
        });
    }

    /** {@inheritDoc} A running job stays so, which is reported. */
    @Override
    public CompletableFuture<Map<String, String>> hold(String account, Collection<String> lrmsIds) {
        return each(lrmsIds, id -> {
            StubJob job = jobs.get(id);
            if (job != null && job.state == LrmsJob.State.QUEUED) {
                queue.remove(job);
                job.state = LrmsJob.State.HELD;
            }
            return job != null && job.state == LrmsJob.State.HELD ? null : refusal(id, job, "held");
        });
    }

    @Override
    public CompletableFuture<Map<String, String>> release(String account, Collection<String> lrmsIds) {
        return each(lrmsIds, id -> {
            StubJob job = jobs.get(id);
            if (job != null && job.state == LrmsJob.State.HELD) {
                job.state = LrmsJob.State.QUEUED;
                queue.add(job);
                fill();
                return null;
            }
            return job != null && job.state == LrmsJob.State.QUEUED ? null : refusal(id, job, "released");
        });
    }

    private static String refusal(String id, StubJob job, String what) {
        return job == null
                ? "job " + id + " is not known"
                : "job " + id + " is " + job.state + " and cannot be " + what;
    }

    private CompletableFuture<Map<String, String>> each(
            Collection<String> lrmsIds, java.util.function.UnaryOperator<String> words) {
        List<String> ids = List.copyOf(lrmsIds);
        return CompletableFuture.supplyAsync(
                () -> {
                    Map<String, String> result = new HashMap<>();
                    ids.forEach(id -> result.put(id, words.apply(id)));
                    return result;
                },
                thread);
    }

    @Override
    public CompletableFuture<List<LrmsJob>> poll() {
        return CompletableFuture.supplyAsync(
                () -> {
                    forget();
                    Instant since = clock.instant().minus(SHOWN);
                    List<LrmsJob> shown = new ArrayList<>();
                    for (StubJob job : jobs.values()) {
                        if (!job.hasEnded() || job.endedAt.isAfter(since)) {
                            shown.add(job.shown());
                        }
                    }
                    return shown;
                },
                thread);
    }

    private void forget() {
        Instant before = clock.instant().minus(REMEMBERED);
        jobs.values().removeIf(job -> {
            boolean isOld = job.hasEnded() && job.endedAt.isBefore(before);
            if (isOld) {
                byTag.remove(job.tag, job);
            }
            return isOld;
        });
    }

    @Override
    public CompletableFuture<Map<String, LrmsJob>> find(Collection<Lookup> lookups) {
        List<Lookup> wanted = List.copyOf(lookups);
        return CompletableFuture.supplyAsync(
                () -> {
                    Map<String, LrmsJob> found = new HashMap<>();
                    for (Lookup one : wanted) {
                        StubJob job = byTag.get(one.tag());
                        if (job != null) {
                            found.put(one.tag(), job.shown());
                        }
                    }
                    return found;
                },
                thread);
    }

    @Override
    public CompletableFuture<Health> health() {
        return CompletableFuture.completedFuture(
                new Health(true, "simulated batch system, " + settings.slots() + " slots"));
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
