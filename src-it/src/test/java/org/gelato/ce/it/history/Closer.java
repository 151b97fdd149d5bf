package org.gelato.ce.it.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.gelato.ce.core.job.JobState;

/**
 * Follows the jobs of one owner to their ends when the faults are over: cancels those that do not end by themselves, or lets a lease
 * do that, lets go on those that are held, and reads everything once more. All of it is a part of the history.
 */
final class Closer {
    private static final int PAGE = 200;
    private static final int TRIES = 40;
    private static final int FEW_MESSAGES = 2;

    private static final String LEASE = "last";
    /** A lease that was over when the job got it leaves the job alone. */
    private static final long AGAIN_SECONDS = 20;

    private final String owner;
    private final CeClient ce;
    private final HistoryLog log;
    private final Portfolio jobs;
    /** When jobs got their last lease, as of {@link System#nanoTime}. */
    private final Map<String, Long> leased = new HashMap<>();

    /** @param ce CREAM2, which has events */
    Closer(String owner, CeClient ce, HistoryLog log, Portfolio jobs) {
        this.owner = owner;
        this.ce = ce;
        this.log = log;
        this.jobs = jobs;
    }

    private String name() {
        return "closer of " + owner;
    }

    /**
     * Until all has ended, or time is over, which the checker reports.
     *
     * @param end as of {@link System#nanoTime}
     */
    void follow(long end) {
        List<String> open = new ArrayList<>(jobs.all());
        while (!open.isEmpty() && System.nanoTime() - end < 0) {
            open.removeIf(this::isOver);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(open.isEmpty() ? 0 : 300));
        }
    }

    private boolean isOver(String job) {
        Answer answer = status(job);
        switch (answer.kind()) {
            case UNKNOWN_JOB -> {
                return true;
            }
            case STATE -> {
                boolean registered = answer.states().contains(JobState.REGISTERED);
                if (answer.isFinal() || registered) {
                    return !jobs.wasPurged(job) && !(registered && jobs.wasStarted(job));
                }
                end(job, answer);
                return false;
            }
            default -> {
                return false;
            }
        }
    }

    private void end(String job, Answer answer) {
        boolean leashed = jobs.isLeashed(job) && !log.hasWrongClock();
        if (leashed && !answer.states().contains(JobState.HELD)) {
            // its own lease or proxy does it
            return;
        }
        if (leashed) {
            log.record(name(), owner, Operation.RESUME, job, "", () -> ce.command(Operation.RESUME, job));
        } else if (log.isEndless(job) && job.hashCode() % 2 == 0) {
            lease(job);
        } else if (log.isEndless(job)) {
            log.record(name(), owner, Operation.CANCEL, job, "", () -> ce.command(Operation.CANCEL, job));
        } else if (answer.states().contains(JobState.HELD)) {
            log.record(name(), owner, Operation.RESUME, job, "", () -> ce.command(Operation.RESUME, job));
        }
    }

    /** The end of the lease cancels it: nobody else does. */
    private void lease(String job) {
        Long last = leased.get(job);
        if (last != null && System.nanoTime() - last < TimeUnit.SECONDS.toNanos(AGAIN_SECONDS)) {
            return;
        }
        Answer made = log.record(
                name(), owner, Operation.LEASE_BRIEFLY, null, LEASE, () -> ce.lease(Operation.LEASE_BRIEFLY, LEASE));
        Answer bound = log.record(name(), owner, Operation.ATTACH, job, LEASE, () -> ce.attach(job, LEASE));
        if (made.kind() == Answer.Kind.DONE && bound.kind() == Answer.Kind.DONE) {
            leased.put(job, System.nanoTime());
        }
    }

    private Answer status(String job) {
        return log.record(name(), owner, Operation.STATUS, job, "", () -> ce.status(job));
    }

    /** The last word on each job, also on those that no client knows, and then all events, which may come a little late. */
    void readAll() {
        Set<String> ended = new HashSet<>();
        for (String job : jobs.all()) {
            if (status(job).isFinal()) {
                ended.add(job);
            }
        }
        log.record(name(), owner, Operation.LIST, null, "", ce::list);
        jobs.all().stream()
                .filter(job -> log.isTalking(job) && !jobs.wasPurged(job))
                .forEach(this::readMessages);
        readPages(null);
        boolean complete = false;
        for (int attempt = 1; !complete && attempt <= TRIES; attempt++) {
            complete = endsIn(events()).containsAll(ended);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(complete ? 0 : 500));
        }
    }

    /** All of a job, again until no more can come. */
    private void readMessages(String job) {
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            Answer page = log.record(name(), owner, Operation.MESSAGES, job, "0", () -> ce.messages(job, 0, PAGE));
            boolean registered = status(job).states().contains(JobState.REGISTERED);
            if (registered
                    || page.kind() == Answer.Kind.UNKNOWN_JOB
                    || page.page().complete()) {
                readPages(job);
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
        }
    }

    /** What was read at once again, in small pages: of a job, or of all for null. */
    private void readPages(String job) {
        long from = 0;
        for (boolean more = true; more; ) {
            long after = from;
            Answer page = log.record(
                    name(),
                    owner,
                    Operation.MESSAGES,
                    job,
                    Long.toString(after),
                    () -> ce.messages(job, after, FEW_MESSAGES));
            more = page.page().more();
            from = page.page().next();
        }
    }

    private static Set<String> endsIn(List<SeenEvent> events) {
        return events.stream()
                .filter(e -> e.state().isFinal())
                .map(SeenEvent::job)
                .collect(Collectors.toSet());
    }

    private List<SeenEvent> events() {
        List<SeenEvent> all = new ArrayList<>();
        long from = 0;
        for (boolean more = true; more; ) {
            long first = from;
            Answer page = log.record(
                    name(), owner, Operation.EVENTS, null, Long.toString(first), () -> ce.events(first, PAGE));
            all.addAll(page.events());
            more = page.events().size() == PAGE;
            from = more ? all.get(all.size() - 1).id() + 1 : from;
        }
        return all;
    }
}
