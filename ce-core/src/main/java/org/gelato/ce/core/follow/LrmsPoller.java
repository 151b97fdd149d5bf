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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.RepeatedFault;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.intake.WrapperEvents;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.BatchSystem;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.message.JournalMarks;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.core.wrapper.WrapperStatus;
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
    private static final Duration EVENTS_ON_THE_WAY = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofMillis(500);
    private static final int ROUNDS_COMPARED = 3;
    /** Rounds within which the batch system should show how the last jobs ended. */
    private static final int SHOWN_SOON = 3;

    private static final int REST_PER_ROUND = 10;

    private final BatchSystem system;
    private final Lrms lrms;
    private final Database database;
    private final JobStore jobs;
    private final SandboxStore sandboxes;
    private final JobStateMachine machine;
    private final WrapperEvents events;
    private final JobEndings endings;
    private final JournalMarks journals;
    private final BatchWords words;
    private final OpenEnds open;
    private final EndCorrections corrections;
    private final CancelReminder reminder;
    private final Overruns overruns;
    private final EndedUsage used;
    private final MissingIds missingIds;
    private final WaitReasons waitReasons;
    private final Clock clock;
    private final Duration floor;
    private final List<Integer> queues;
    private final Map<Integer, Instant> endedSince = new HashMap<>();
    /** Why the exit records of jobs do not count. */
    private final Map<Integer, String> refusals = new HashMap<>();

    /** Rounds in a row without a job that is followed. */
    private int idle;

    private final Semaphore wakeups = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closing;
    private final PollHistory history;
    private final RepeatedFault polls;
    private final RepeatedFault histories;
    private final RepeatedFault records;

    /**
     * @param journals gets the jobs that end without their wrapper's word
     * @param queues rows of this batch system's queues
     * @param floor shortest interval between rounds
     */
    public LrmsPoller(
            BatchSystem system,
            Database database,
            JobStore jobs,
            SandboxStore sandboxes,
            JobStateMachine machine,
            WrapperEvents events,
            JobEndings endings,
            JournalMarks journals,
            CancelReminder reminder,
            Clock clock,
            Duration floor,
            List<Integer> queues) {
        this.system = system;
        this.lrms = system.port();
        this.database = database;
        this.jobs = jobs;
        this.sandboxes = sandboxes;
        this.machine = machine;
        this.events = events;
        this.endings = endings;
        this.journals = journals;
        this.words = new BatchWords(lrms, endings);
        EndDecision decision = new EndDecision(machine, lrms.ends());
        this.polls = new RepeatedFault(log, clock, "poll of " + lrms.name());
        this.histories = new RepeatedFault(log, clock, "ends of jobs by the history of " + lrms.name());
        this.records = new RepeatedFault(log, clock, "ends of jobs by their sandboxes");
        this.open = new OpenEnds(system, database, jobs, sandboxes, decision, words, histories, clock);
        this.corrections = new EndCorrections(lrms, database, jobs, sandboxes, machine, decision, words, clock);
        this.reminder = reminder;
        this.overruns = new Overruns(lrms.name(), database);
        this.used = new EndedUsage(database);
        this.missingIds = new MissingIds(
                system, sandboxes, new RepeatedFault(log, clock, "look-up of unknown ids in " + lrms.name()));
        this.waitReasons = new WaitReasons(lrms.name(), database);
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
        Duration wait = Duration.ZERO;
        while (!closing) {
            try {
                if (wakeups.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS)) {
                    wakeups.drainPermits();
                    // What woke us (a cancel) takes the batch system a moment to show.
                    wakeups.tryAcquire(SOON.toMillis(), TimeUnit.MILLISECONDS);
                }
                long begun = System.nanoTime();
                round();
                history.good();
                polls.over();
                rounds.addLast(System.nanoTime() - begun);
                if (rounds.size() > ROUNDS_COMPARED) {
                    rounds.removeFirst();
                }
                wait = rest(rounds, floor);
            } catch (InterruptedException e) {
                return;
            } catch (TimeoutException e) {
                polls.failed("no response within " + POLL_TIMEOUT.toSeconds() + " s");
                history.failed("no response within " + POLL_TIMEOUT.toSeconds() + " s");
                wait = floor.multipliedBy(2);
            } catch (ExecutionException | RuntimeException | Error e) {
                Throwable why = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
                polls.failed(why.toString());
                history.failed(why.getMessage() == null ? why.toString() : why.getMessage());
                wait = floor.multipliedBy(2);
            }
        }
    }

    /** One round: what the batch system shows against what the database follows. */
    void round() throws InterruptedException, ExecutionException, TimeoutException {
        Instant observed = clock.instant();
        open.expire();
        // Read before the poll: a job that is handed over in between is then in the poll or not considered.
        List<JobRow> followed = missingIds.filled(database.read(h -> jobs.followed(h, queues)), observed);
        corrections.start(queues);
        idle = followed.isEmpty() ? idle + 1 : 0;
        if (idle > SHOWN_SOON && !corrections.isOpen() && overruns.mayRest()) {
            used.store(observed);
            endedSince.clear();
            refusals.clear();
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
        Map<JobRow, LrmsJob> over = new HashMap<>();
        for (JobRow row : followed) {
            LrmsJob job = of(row, byId);
            boolean waitsAgain = job != null && waitsAgain(row, job);
            if (job == null ? !isFresh(row, observed) : job.state().isEnd()) {
                ended.add(row);
                over.put(row, job);
            } else {
                if (waitsAgain) {
                    over.put(row, job);
                }
                endedSince.remove(row.id());
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
        Set<Integer> reported = open.settle(over);
        if (open.isBehind()) {
            wake();
        }
        reported.forEach(seen::remove);
        reported.forEach(reasonsToWait::remove);
        ended.removeIf(row -> reported.contains(row.id()));
        observe(seen, observed);
        waitReasons.store(reasonsToWait);
        reminder.remind(uncancelled, observed);
        resolve(ended, byId);
        endedSince.keySet().retainAll(ended.stream().map(JobRow::id).toList());
        refusals.keySet().retainAll(endedSince.keySet());
        overruns.check(followed, byId.values(), observed);
        corrections.check(followed, byId.values());
        used.polled(followed, byId.values());
        used.store(observed);
    }

    /** Whether a job that ran is in the queue: it was requeued, or the batch system shows an old state. */
    private static boolean waitsAgain(JobRow row, LrmsJob job) {
        JobState state = row.state() == JobState.HELD ? row.stateBeforeHold() : row.state();
        return job.isInQueue() && (state == JobState.RUNNING || state == JobState.REALLY_RUNNING);
    }

    /** The job of a row; one that got its id after the batch system forgot the first holder is not. */
    private LrmsJob of(JobRow row, Map<String, LrmsJob> byId) {
        LrmsJob job = byId.get(row.lrmsId());
        return job == null
                        || job.tag() == null
                        || job.tag().equals(sandboxes.id(row.id()).tag())
                ? job
                : null;
    }

    private static List<String> idsOf(List<JobRow> rows) {
        return rows.stream().map(JobRow::lrmsId).filter(Objects::nonNull).toList();
    }

    // A job may show up in the batch system's list a moment after its submission returned.
    private boolean isFresh(JobRow row, Instant now) {
        if (row.lrmsId() == null) {
            return !missingIds.isAbsent(row);
        }
        Instant handedOver = row.handedOverAt() == null ? row.since() : row.handedOverAt();
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
        database.batches()
                .write(
                        List.copyOf(seen.keySet()),
                        part -> observe(part, seen, observed),
                        id -> "what " + lrms.name() + " shows of " + sandboxes.id(id),
                        (id, reason) -> {});
    }

    private void observe(List<Integer> part, Map<Integer, LrmsJob> seen, Instant observed) {
        database.inTransaction(h -> {
            List<JobStore.Stored> changes = new ArrayList<>();
            for (JobRow row : jobs.lock(h, part)) {
                LrmsJob job = seen.get(row.id());
                Optional<JobStateMachine.Change> change = switch (job.state()) {
                    case QUEUED -> machine.queued(row, observed).map(c -> c.described(waitReasons.of(job)));
                    case HELD -> machine.held(row, observed).map(c -> c.described(waitReasons.of(job)));
                    default -> machine.running(row, observed);
                };
                change.ifPresent(c -> changes.add(new JobStore.Stored(row, c, job.workerNode(), null)));
            }
            jobs.store(h, changes);
            return null;
        });
    }

    /** Ended or vanished jobs: the second time they are seen so, their end is found out and stored. */
    private void resolve(List<JobRow> ended, Map<String, LrmsJob> byId) throws InterruptedException {
        List<JobRow> due = new ArrayList<>();
        Instant now = clock.instant();
        for (JobRow row : ended) {
            Instant first = endedSince.putIfAbsent(row.id(), now);
            if (first != null && !first.plus(EVENTS_ON_THE_WAY).isAfter(now)) {
                due.add(row);
            }
        }
        if (due.isEmpty()) {
            return;
        }
        Map<Integer, SandboxStore.Place> places =
                sandboxes.of(due.stream().map(JobRow::id).toList());
        List<JobRow> silent = new ArrayList<>();
        List<WrapperEvent> records = new ArrayList<>();
        List<String> undecided = new ArrayList<>();
        for (JobRow row : due) {
            SandboxStore.Place place = places.get(row.id());
            if (place == null) {
                continue; // purged meanwhile
            }
            try {
                JobEndings.ExitRecord record = endings.exitRecord(place);
                if (record.event() != null) {
                    records.add(record.event());
                    continue;
                }
                if (record.refusal() != null && refusals.put(row.id(), record.refusal()) == null) {
                    log.warn("exit record of {} does not count: {}", place.id(), record.refusal());
                }
                if (!adopted(row, place)) {
                    silent.add(row);
                }
            } catch (JobEndings.UndecidedException e) {
                undecided.add(place.id() + ": " + e.getMessage());
            }
        }
        if (undecided.isEmpty()) {
            this.records.over();
        } else {
            this.records.failed(undecided.size() + " undecided, " + Overruns.bounded(undecided));
        }
        events.apply(records);
        if (!silent.isEmpty()) {
            fail(silent, byId, places);
        }
    }

    /** A late double: another hand-over of the job claimed it, so that one is followed from now on. */
    private boolean adopted(JobRow row, SandboxStore.Place place) throws InterruptedException {
        Optional<String> claimant =
                endings.claimedBy(row.id(), place).filter(id -> row.lrmsId() == null || !lrms.isSame(row.lrmsId(), id));
        claimant.ifPresent(id -> {
            log.warn("{} is run by {} {}, not by {}: following that", place.id(), lrms.name(), id, row.lrmsId());
            sandboxes.adopt(row.id(), id);
        });
        return claimant.isPresent();
    }

    private void fail(List<JobRow> silent, Map<String, LrmsJob> byId, Map<Integer, SandboxStore.Place> places)
            throws InterruptedException {
        Map<String, LrmsJob> history;
        try {
            history = system.find(silent.stream()
                            .map(r -> sought(r, places.get(r.id())))
                            .toList())
                    .get(POLL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            histories.failed(silent.size() + " jobs not found out: " + e);
            return;
        }
        histories.over();
        Map<Integer, LrmsJob> ends = new HashMap<>();
        for (JobRow row : silent) {
            LrmsJob job = history.getOrDefault(places.get(row.id()).id().tag(), of(row, byId));
            if (job == null || job.state().isEnd()) {
                ends.put(row.id(), job);
            }
        }
        Map<Integer, String> texts = new HashMap<>();
        for (JobRow row : silent) {
            SandboxStore.Place place = places.get(row.id());
            LrmsJob job = words.explained(ends.get(row.id()), place);
            if (job != null) {
                ends.put(row.id(), job);
                texts.put(
                        row.id(),
                        job.state() == LrmsJob.State.FAILED ? words.about(job, null, place) : words.ownLines(place));
            }
        }
        database.batches()
                .write(
                        List.copyOf(ends.keySet()),
                        part -> storeFailures(part, ends, texts),
                        id -> "the end of " + sandboxes.id(id),
                        (id, reason) -> failPlainly(id, reason));
    }

    /** The end of one whose end the database did not take as it is. */
    private void failPlainly(int job, String reason) {
        Map<Integer, LrmsJob> unknown = new HashMap<>();
        unknown.put(job, new LrmsJob(null, null, LrmsJob.State.FAILED, null, null, null));
        String text = "what " + lrms.name() + " says about the job's end can't be stored: " + reason;
        database.batches()
                .write(
                        List.of(job),
                        part -> storeFailures(part, unknown, Map.of(job, text)),
                        id -> "that the end of " + sandboxes.id(id) + " can't be stored",
                        (id, again) -> {});
    }

    private void storeFailures(List<Integer> part, Map<Integer, LrmsJob> ends, Map<Integer, String> texts) {
        database.inTransaction(h -> {
            List<JobStore.Stored> changes = new ArrayList<>();
            List<JobRow> rows = jobs.lock(h, part);
            // Its wrapper may have reported it meanwhile: then that counts, with the batch system's word, in the next
            // round.
            Set<Integer> kept = open.kept(h, part);
            for (JobRow row : rows) {
                if (kept.contains(row.id())) {
                    continue;
                }
                LrmsJob job = ends.get(row.id());
                end(row, job, texts.get(row.id()))
                        .ifPresent(c ->
                                changes.add(new JobStore.Stored(row, c, null, null, job == null ? null : job.usage())));
            }
            jobs.store(h, changes);
            journals.ended(h, changes.stream().map(JobStore.Stored::job).toList());
            return null;
        });
    }

    private static Lrms.Lookup sought(JobRow row, SandboxStore.Place place) {
        return new Lrms.Lookup(place.id().tag(), place.account(), row.lrmsId());
    }

    /** Without an exit code: the batch system has the wrapper's, and that of the payload is known to the wrapper alone. */
    private Optional<JobStateMachine.Change> end(JobRow row, LrmsJob job, String text) {
        Instant now = clock.instant();
        String name = lrms.name();
        if (job == null) {
            return machine.failed(
                    row,
                    now,
                    null,
                    (row.lrmsId() == null ? "the job" : "job " + row.lrmsId()) + " vanished from " + name
                            + ": no event, no exit record, and its history does not know it" + refused(row));
        }
        return switch (job.state()) {
            case CANCELLED -> machine.cancelled(row, now);
            case FAILED -> machine.failed(row, now, null, text + refused(row));
            // what a requested cancel ends with where the batch system shows the signal alone
            default ->
                row.cancelReason() != null && JobStateMachine.isKilled(job.exitCode())
                        ? machine.cancelled(row, now)
                        : machine.failed(
                                row,
                                now,
                                null,
                                WrapperStatus.words(job.exitCode())
                                                .orElse("the job wrapper ended without an exit record")
                                        + "; "
                                        + name + " reports exit code "
                                        + (job.exitCode() == null ? "unknown" : job.exitCode())
                                        + (job.reason() == null ? "" : " (" + job.reason() + ")") + text
                                        + refused(row));
        };
    }

    private String refused(JobRow row) {
        String refusal = refusals.get(row.id());
        return refusal == null ? "" : "; what was left as its exit record does not count: " + refusal;
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
