package org.gelato.ce.core.follow;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.end.EndDecision;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.RepeatedFault;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.BatchSystem;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the jobs of one batch system: one process and one read per round whatever the number of jobs, and one
 * transaction when something changed. The wrapper's report takes precedence: an end the batch system reports waits one
 * more round for the wrapper's event, then the exit record and the claim are read, then the batch system's history, and
 * only then the job is failed with that reason (docs/developer/design.md section 6).
 *
 * <p>Own thread; adapts its interval to ten times what a round takes, never under the configured floor. What a round takes
 * is the least of the last three: one that met a hiccup must not put off the next poll by ten times the hiccup.
 * Keeps nothing that a crash could lose: the first round after a restart sees everything again.
 */
public final class LrmsPoller implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LrmsPoller.class);
    private static final Duration POLL_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration FRESH = Duration.ofSeconds(10);
    private static final Duration SOON = Duration.ofMillis(500);
    private static final int ROUNDS_COMPARED = 3;
    /** Rounds within which the batch system should show how the last jobs ended. */
    private static final int SHOWN_SOON = 3;

    private static final int REST_PER_ROUND = 10;

    private final Lrms lrms;
    private final FollowedJobs stored;
    private final EndCollector ends;
    private final CancelReminder reminder;
    private final Overruns overruns;
    private final EndedUsage used;
    private final MissingIds missingIds;
    private final EndsStillShown stillShown;
    private final WaitReasons waitReasons;
    private final Clock clock;
    private final Duration floor;
    private final List<Integer> queues;

    /** Rounds in a row without a job that is followed. */
    private int idle;

    private final Semaphore wakeups = new Semaphore(0);
    private final Thread thread;
    /** Before the next round. */
    private Duration rest = Duration.ZERO;

    private volatile boolean closing;
    private volatile BooleanSupplier pause = () -> false;
    private final PollHistory history;
    private final RepeatedFault polls;
    private final RepeatedFault unnamed;

    /**
     * @param stored the jobs that are followed
     * @param witnesses where the ends of jobs without their wrapper's word are found
     * @param floor shortest interval between rounds
     * @param queues rows of this batch system's queues
     */
    public LrmsPoller(
            BatchSystem system,
            FollowedJobs stored,
            EndWitnesses witnesses,
            CancelReminder reminder,
            Clock clock,
            Duration floor,
            List<Integer> queues) {
        this(system, stored, witnesses, reminder, clock, floor, queues, System::nanoTime);
    }

    /** @param ticker nanoseconds from any beginning */
    public LrmsPoller(
            BatchSystem system,
            FollowedJobs stored,
            EndWitnesses witnesses,
            CancelReminder reminder,
            Clock clock,
            Duration floor,
            List<Integer> queues,
            LongSupplier ticker) {
        this.lrms = system.port();
        this.stored = stored;
        EndDecision decision = new EndDecision(lrms.name(), lrms.ends());
        BatchMessages words = new BatchMessages(lrms, decision, witnesses.sandbox());
        this.polls = new RepeatedFault(log, clock, "poll of " + lrms.name());
        this.unnamed = new RepeatedFault(log, clock, "names of jobs in " + lrms.name());
        BatchHistory ended = new BatchHistory(
                system,
                new RepeatedFault(log, clock, "ends of jobs by the history of " + lrms.name()),
                "jobs not found out");
        this.ends = new EndCollector(ended, stored, witnesses, words, decision, List.copyOf(queues), clock, ticker);
        this.reminder = reminder;
        this.overruns = new Overruns(lrms.name(), stored.database());
        this.used = new EndedUsage(stored.database());
        this.stillShown = new EndsStillShown(lrms, stored.database());
        BatchHistory ids = new BatchHistory(
                system,
                new RepeatedFault(log, clock, "look-up of unknown ids in " + lrms.name()),
                "jobs run whose ids are not known");
        this.missingIds = new MissingIds(ids, stored.sandboxes());
        this.waitReasons = new WaitReasons(lrms.name(), stored.database());
        this.clock = clock;
        this.history = new PollHistory(clock);
        this.floor = floor;
        this.queues = List.copyOf(queues);
        this.thread = new Thread(this::run, "poller-" + lrms.name());
        thread.setDaemon(true);
    }

    /** Starts the rounds. */
    public void start() {
        thread.start();
    }

    /** Concludes nothing while this node has no standing in the database, as its jobs are another's then; before {@link #start()}. */
    public void pauseWhile(BooleanSupplier lost) {
        pause = lost;
    }

    /** A round is wanted soon; never blocks. */
    public void wake() {
        wakeups.release();
    }

    /** How the rounds went. */
    public PollHistory history() {
        return history;
    }

    /** The batch system's name. */
    public String name() {
        return lrms.name();
    }

    /** How long to rest after the last of {@code rounds}, what they took in nanoseconds; at least {@code floor}. */
    static Duration rest(Collection<Long> rounds, Duration floor) {
        Duration adapted = Duration.ofNanos(Collections.min(rounds) * REST_PER_ROUND);
        return adapted.compareTo(floor) > 0 ? adapted : floor;
    }

    private void run() {
        Deque<Long> rounds = new ArrayDeque<>();
        while (!closing) {
            try {
                if (wakeups.tryAcquire(rest.toMillis(), TimeUnit.MILLISECONDS)) {
                    wakeups.drainPermits();
                    // What woke us (a cancel) takes the batch system a moment to show.
                    wakeups.tryAcquire(SOON.toMillis(), TimeUnit.MILLISECONDS);
                }
                if (pause.getAsBoolean()) {
                    rest = floor;
                    continue;
                }
                long begun = System.nanoTime();
                round();
                history.good();
                polls.over();
                rounds.addLast(System.nanoTime() - begun - ends.nanosWithoutResponse());
                if (rounds.size() > ROUNDS_COMPARED) {
                    rounds.removeFirst();
                }
                rest = rest(rounds, floor);
            } catch (InterruptedException e) {
                return;
            } catch (TimeoutException e) {
                polls.failed("no response within " + POLL_TIMEOUT.toSeconds() + " s");
                history.failed("no response within " + POLL_TIMEOUT.toSeconds() + " s");
                rest = floor.multipliedBy(2);
            } catch (ExecutionException | RuntimeException | Error e) {
                Throwable why = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
                polls.failed(Messages.of(why));
                history.failed(Messages.of(why));
                rest = floor.multipliedBy(2);
            }
        }
    }

    /** One round: what the batch system shows against what the database follows. */
    void round() throws InterruptedException, ExecutionException, TimeoutException {
        Instant observed = clock.instant();
        Steps steps = new Steps();
        // Read before the poll: a job that is handed over in between is then in the poll or not considered.
        List<JobRow> followed =
                missingIds.filled(stored.database().read(h -> stored.jobs().followed(h, queues)), observed);
        steps.take(() -> ends.begin(followed, rest));
        idle = followed.isEmpty() ? idle + 1 : 0;
        if (idle > SHOWN_SOON && !ends.isOpen() && overruns.mayRest() && !stillShown.isDue(observed)) {
            used.store(observed);
            ends.rest();
            steps.end();
            return;
        }
        Map<String, LrmsJob> byId = new HashMap<>();
        for (LrmsJob job : lrms.poll(idsOf(followed)).get(POLL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
            byId.put(job.lrmsId(), job);
        }
        Map<Integer, LrmsJob> seen = new HashMap<>();
        TreeMap<Integer, String> reasonsToWait = new TreeMap<>();
        List<JobRow> ended = new ArrayList<>();
        List<JobRow> uncancelled = new ArrayList<>();
        List<String> nameless = new ArrayList<>();
        Map<JobRow, LrmsJob> over = new HashMap<>();
        for (JobRow row : followed) {
            LrmsJob job = stored.shown(row, byId);
            if (job != null && job.submitted() != null) {
                nameless.add(stored.sandboxes().id(row.id()) + " as " + job.lrmsId());
                job = job.named(stored.sandboxes().id(row.id()).tag());
                byId.put(job.lrmsId(), job);
            }
            boolean waitsAgain = job != null && waitsAgain(row, job);
            if (job == null ? !isFresh(row, observed) : job.state().isEnd()) {
                ended.add(row);
                over.put(row, job);
            } else {
                if (waitsAgain) {
                    over.put(row, job);
                }
                ends.alive(row);
                if (job != null && isNews(row, job)) {
                    seen.put(row.id(), job);
                } else if (job != null && waitReasons.isNews(row, job)) {
                    reasonsToWait.put(row.id(), waitReasons.of(job));
                }
                if (job != null && row.cancelReason() != null) {
                    uncancelled.add(row);
                }
            }
        }
        Set<Integer> reported = new HashSet<>();
        over.keySet().forEach(row -> reported.add(row.id())); // where it cannot be read, any may be reported
        warn(nameless);
        Map<Integer, WrapperEvent> reports = new LinkedHashMap<>();
        steps.take(() -> {
            reports.putAll(ends.waiting(reported));
            reported.retainAll(reports.keySet());
        });
        reported.forEach(seen::remove);
        reported.forEach(reasonsToWait::remove);
        ended.removeIf(row -> reported.contains(row.id()));
        steps.take(() -> observe(seen, observed));
        steps.take(() -> waitReasons.store(reasonsToWait));
        steps.take(() -> reminder.remind(uncancelled, observed));
        steps.take(() -> ends.collect(over, reports, ended, new EndCollector.Polled(followed, byId)));
        if (ends.isBehind()) {
            wake();
        }
        steps.take(() -> overruns.check(followed, byId.values(), observed));
        steps.take(() -> {
            used.polled(followed, byId.values());
            used.store(observed);
        });
        steps.take(() -> stillShown.polled(followed, byId.values(), observed));
        steps.end();
    }

    /** Of jobs that are known by id, account and time alone: one whose hand-over breaks off before its id is known is not found again. */
    private void warn(List<String> nameless) {
        if (nameless.isEmpty()) {
            unnamed.over();
            history.warns(null);
            return;
        }
        String words = nameless.size() + " have not the name that the CE gave them, nor another mark of it ("
                + Overruns.bounded(nameless)
                + "): a job whose hand-over breaks off is not found again; let the site's plugin for submissions leave the name"
                + " or the comment of the CE's jobs alone";
        unnamed.failed(words);
        history.warns("jobs in " + lrms.name() + ": " + words);
    }

    /** One of a round. */
    @FunctionalInterface
    private interface Step {
        void take() throws InterruptedException;
    }

    /** Takes the steps of a round, also those behind one that failed, unless the database is away. */
    private static final class Steps {
        private RuntimeException first;

        void take(Step step) throws InterruptedException {
            try {
                step.take();
            } catch (RuntimeException e) {
                if (Database.isOfAll(e)) {
                    throw e;
                }
                if (first == null) {
                    first = e;
                } else if (first != e) {
                    first.addSuppressed(e);
                }
            }
        }

        void end() {
            if (first != null) {
                throw first;
            }
        }
    }

    /** Whether a job that ran is in the queue: it was requeued, or the batch system shows an old state. */
    private static boolean waitsAgain(JobRow row, LrmsJob job) {
        JobState state = row.state() == JobState.HELD ? row.stateBeforeHold() : row.state();
        return job.isInQueue() && (state == JobState.RUNNING || state == JobState.REALLY_RUNNING);
    }

    private List<String> idsOf(List<JobRow> rows) {
        return rows.stream()
                .map(JobRow::lrmsId)
                .filter(id -> id != null && lrms.isId(id))
                .toList();
    }

    // A job may show up in the batch system's list a moment after its submission returned.
    private boolean isFresh(JobRow row, Instant now) {
        if (row.lrmsId() == null) {
            return !missingIds.isAbsent(row);
        }
        Instant handedOver =
                row.batchJob().at() == null ? row.since() : row.batchJob().at();
        return handedOver.plus(FRESH).isAfter(now);
    }

    /** Whether the batch system reports something new about a job that has not ended. */
    private static boolean isNews(JobRow row, LrmsJob job) {
        return switch (job.state()) {
            case QUEUED -> row.state() == JobState.HELD;
            case HELD -> row.state() != JobState.HELD;
            case RUNNING -> row.state() == JobState.IDLE || row.state() == JobState.HELD;
            default -> false;
        };
    }

    private void observe(Map<Integer, LrmsJob> seen, Instant observed) {
        stored.database()
                .batches()
                .write(
                        List.copyOf(seen.keySet()),
                        part -> observe(part, seen, observed),
                        id -> "what " + lrms.name() + " shows of "
                                + stored.sandboxes().id(id),
                        (id, reason) -> {});
    }

    private void observe(List<Integer> part, Map<Integer, LrmsJob> seen, Instant observed) {
        stored.database().change(h -> {
            List<JobStore.Stored> changes = new ArrayList<>();
            for (JobRow row : stored.jobs().lock(h, part)) {
                LrmsJob job = seen.get(row.id());
                Optional<JobStateMachine.Change> change = switch (job.state()) {
                    case QUEUED -> stored.machine().queued(row, observed).map(c -> c.described(waitReasons.of(job)));
                    case HELD -> stored.machine().held(row, observed).map(c -> c.described(waitReasons.of(job)));
                    default -> stored.machine().running(row, observed);
                };
                change.ifPresent(c -> changes.add(new JobStore.Stored(row, c, job.workerNode(), null)));
            }
            stored.jobs().store(h, changes);
        });
    }

    @Override
    public void close() {
        closing = true;
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
