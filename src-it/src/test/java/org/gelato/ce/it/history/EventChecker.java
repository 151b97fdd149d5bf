package org.gelato.ce.it.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.gelato.ce.core.job.JobState;

/** Whether each owner was shown the events of its jobs in order, each once and all of them, and whether they agree with answers. */
final class EventChecker {
    private final History history;
    private final List<Violation> violations = new ArrayList<>();

    private EventChecker(History history) {
        this.history = history;
    }

    static List<Violation> check(History history) {
        EventChecker checker = new EventChecker(history);
        Set<String> owners = new TreeSet<>();
        history.calls().forEach(call -> owners.add(call.owner()));
        owners.forEach(checker::owner);
        return checker.violations;
    }

    private void owner(String owner) {
        List<Call> pages = history.calls().stream()
                .filter(c -> c.owner().equals(owner) && c.answer().kind() == Answer.Kind.EVENTS)
                .toList();
        pages.forEach(this::order);
        gaps(pages);
        states(pages);
    }

    private static long from(Call page) {
        return Long.parseLong(page.argument());
    }

    private void order(Call page) {
        long last = from(page) - 1;
        for (SeenEvent event : page.answer().events()) {
            if (event.id() <= last) {
                found(
                        Violation.Kind.EVENT_ORDER,
                        event.job(),
                        "event " + event.id() + " comes after " + last + " in #" + page.number());
            }
            last = event.id();
        }
    }

    /** An event that is shown once belongs to each page that covers its number, unless its job was purged in between. */
    private void gaps(List<Call> pages) {
        Map<Long, SeenEvent> all = new TreeMap<>();
        Map<Long, Call> shown = new TreeMap<>();
        for (Call page : pages) {
            for (SeenEvent event : page.answer().events()) {
                SeenEvent other = all.putIfAbsent(event.id(), event);
                shown.putIfAbsent(event.id(), page);
                if (other != null && !other.equals(event)) {
                    found(Violation.Kind.EVENT_ORDER, event.job(), event + " was " + other + " before");
                }
            }
        }
        for (Call page : pages) {
            List<SeenEvent> events = page.answer().events();
            Set<Long> there = new TreeSet<>();
            events.forEach(e -> there.add(e.id()));
            long end = events.stream().mapToLong(SeenEvent::id).max().orElse(-1);
            all.forEach((id, event) -> {
                boolean covered = id >= from(page) && id <= end && !there.contains(id);
                if (covered && !(shown.get(id).invoked() < page.completed() && mayBePurged(event.job(), page))) {
                    found(
                            Violation.Kind.EVENT_GAP,
                            event.job(),
                            event + " is not in #" + page.number() + ", which has some before and after; #"
                                    + shown.get(id).number() + " has it");
                }
            });
        }
    }

    private boolean mayBePurged(String job, Call page) {
        return purges(job).anyMatch(c -> c.invoked() < page.completed());
    }

    private Stream<Call> purges(String job) {
        return history.calls().stream()
                .filter(c -> (c.operation() == Operation.PURGE || c.operation() == Operation.CLEAN)
                        && job.equals(c.job())
                        && c.mayHaveHappened());
    }

    /** Of jobs that were never purged: their events are a life, which ends as the last answer says and has what answers had. */
    private void states(List<Call> pages) {
        List<Call> whole =
                pages.stream().filter(c -> c.invoked() >= history.closed()).toList();
        if (whole.stream().noneMatch(page -> from(page) <= 0)) {
            return;
        }
        Map<String, TreeMap<Long, JobState>> lives = new TreeMap<>();
        for (Call page : whole) {
            page.answer()
                    .events()
                    .forEach(e ->
                            lives.computeIfAbsent(e.job(), j -> new TreeMap<>()).put(e.id(), e.state()));
        }
        lives.forEach((job, events) -> {
            if (purges(job).findAny().isEmpty()) {
                life(job, List.copyOf(events.values()), whole.get(0).invoked());
            }
        });
        String owner = whole.get(0).owner();
        history.calls().stream()
                .filter(c -> c.operation().makesJobs()
                        && c.isConfirmed()
                        && c.owner().equals(owner))
                .map(Call::job)
                .distinct()
                .filter(job -> !lives.containsKey(job) && purges(job).findAny().isEmpty())
                .forEach(job -> found(Violation.Kind.EVENT_GAP, job, "it has no event at all"));
    }

    /** @param read when reading them began */
    private void life(String job, List<JobState> events, long read) {
        JobState last = null;
        for (JobState state : events) {
            if (last == null ? state != JobState.REGISTERED : !JobModel.follows(last, state)) {
                found(Violation.Kind.EVENT_STATES, job, "its events are " + events);
                return;
            }
            last = state;
        }
        Set<JobState> shown = EnumSet.copyOf(events);
        List<Call> answers = history.calls().stream()
                .filter(c -> job.equals(c.job()) && c.answer().kind() == Answer.Kind.STATE && c.completed() < read)
                .sorted(Comparator.comparingLong(Call::completed))
                .toList();
        answers.stream()
                .filter(c -> c.answer().states().stream().noneMatch(shown::contains))
                .findFirst()
                .ifPresent(c -> found(Violation.Kind.EVENT_STATES, job, c + ", and its events are " + events));
        JobState finalEvent = last;
        // an end may be corrected after it was answered
        answers.stream()
                .filter(c -> c.invoked() >= history.closed() && c.answer().isFinal())
                .reduce((a, b) -> b)
                .filter(c ->
                        c.answer().states().stream().noneMatch(s -> s == finalEvent || JobModel.follows(s, finalEvent)))
                .ifPresent(c -> found(Violation.Kind.EVENT_STATES, job, c + ", and its last event is " + finalEvent));
    }

    private void found(Violation.Kind kind, String job, String text) {
        violations.add(new Violation(kind, job, text));
    }
}
