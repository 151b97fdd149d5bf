package org.gelato.ce.it.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.gelato.ce.core.job.JobState;

/**
 * Whether each owner was shown the messages of its jobs as they were sent: each in its place, none skipped, none of another job. The
 * text of a message is its job and its number.
 */
final class MessageChecker {
    private final History history;
    private final List<Violation> violations = new ArrayList<>();
    private final List<Call> pages;

    private MessageChecker(History history) {
        this.history = history;
        pages = history.calls().stream()
                .filter(c -> c.answer().kind() == Answer.Kind.MESSAGES)
                .toList();
    }

    static List<Violation> check(History history) {
        MessageChecker checker = new MessageChecker(history);
        checker.pages.forEach(checker::order);
        checker.places();
        checker.ends();
        return checker.violations;
    }

    private static long after(Call page) {
        return Long.parseLong(page.argument());
    }

    /** Within a page: from the first message on, or from any on, without a gap. */
    private void order(Call page) {
        long last = after(page);
        Map<String, Integer> numbers = new HashMap<>();
        for (MessagePage.Seen message : page.answer().page().messages()) {
            String job = message.job();
            if (page.job() != null && !page.job().equals(job)) {
                found(Violation.Kind.MESSAGE_ORDER, page.job(), message + " is another job's, in #" + page.number());
            }
            if (!message.text().equals(job + " " + message.number())) {
                found(Violation.Kind.MESSAGE_ORDER, job, message + " was not sent so");
            }
            if (message.id() <= last) {
                found(Violation.Kind.MESSAGE_ORDER, job, message + " comes after " + last + " in #" + page.number());
            }
            last = message.id();
            Integer before = numbers.put(job, message.number());
            int expected = before == null ? (after(page) == 0 ? 1 : message.number()) : before + 1;
            // of what is being purged a beginning may be gone
            if (message.number() != expected && !mayBePurged(job, page)) {
                found(
                        message.number() < expected ? Violation.Kind.MESSAGE_ORDER : Violation.Kind.MESSAGE_GAP,
                        job,
                        message + " comes in place of " + expected + " in #" + page.number());
            }
        }
    }

    /** A message that was shown once has one place, and belongs to each page that covers it, unless its job was purged. */
    private void places() {
        Map<Long, MessagePage.Seen> all = new TreeMap<>();
        Map<String, MessagePage.Seen> byNumber = new HashMap<>();
        Map<Long, Call> shown = new HashMap<>();
        for (Call page : pages) {
            for (MessagePage.Seen message : page.answer().page().messages()) {
                MessagePage.Seen same = all.putIfAbsent(message.id(), message);
                MessagePage.Seen twin = byNumber.putIfAbsent(message.job() + " " + message.number(), message);
                shown.merge(message.id(), page, (a, b) -> a.completed() <= b.completed() ? a : b);
                for (MessagePage.Seen other : new MessagePage.Seen[] {same, twin}) {
                    if (other != null && !other.equals(message)) {
                        found(Violation.Kind.MESSAGE_ORDER, message.job(), message + " was " + other + " before");
                    }
                }
            }
        }
        for (Call page : pages) {
            skipped(page, all, shown);
        }
    }

    private void skipped(Call page, Map<Long, MessagePage.Seen> all, Map<Long, Call> shown) {
        MessagePage answer = page.answer().page();
        Set<Long> there = new HashSet<>();
        answer.messages().forEach(m -> there.add(m.id()));
        all.forEach((id, message) -> {
            boolean asked = page.job() == null
                    ? shown.get(id).owner().equals(page.owner())
                    : page.job().equals(message.job());
            // where there is no more, all that was seen before is covered
            boolean covered =
                    id <= answer.next() || (!answer.more() && shown.get(id).completed() < page.invoked());
            if (asked && id > after(page) && covered && !there.contains(id) && !mayBePurged(message.job(), page)) {
                found(
                        Violation.Kind.MESSAGE_GAP,
                        message.job(),
                        message + " is not in #" + page.number() + " after " + page.argument() + "; #"
                                + shown.get(id).number() + " has it");
            }
        });
    }

    private boolean mayBePurged(String job, Call page) {
        return history.calls().stream()
                .anyMatch(c -> (c.operation() == Operation.PURGE || c.operation() == Operation.CLEAN)
                        && job.equals(c.job())
                        && c.mayHaveHappened()
                        && c.invoked() < page.completed());
    }

    /** Of a job that has ended nothing more comes, and of one that ran to its end all has come. */
    private void ends() {
        Map<String, Call> complete = new TreeMap<>();
        for (Call page : pages) {
            String job = page.job();
            if (job == null) {
                continue;
            }
            MessagePage answer = page.answer().page();
            Optional<Call> end = Optional.ofNullable(complete.get(job)).filter(c -> c.completed() < page.invoked());
            if (end.isPresent()) {
                long last = end.get().answer().page().next();
                answer.messages().stream()
                        .filter(m -> m.id() > last)
                        .findFirst()
                        .ifPresent(m -> found(
                                Violation.Kind.MESSAGE_ORDER,
                                job,
                                m + " came after #" + end.get().number() + " was complete"));
            }
            if (answer.complete() && !answer.more()) {
                complete.putIfAbsent(job, page);
            }
        }
        history.said().forEach((job, count) -> {
            Optional<Call> last = pages.stream()
                    .filter(c -> job.equals(c.job())
                            && after(c) == 0
                            && !c.answer().page().more()
                            && c.invoked() >= history.closed())
                    .reduce((a, b) -> b);
            boolean done = history.calls().stream()
                    .filter(c -> c.operation() == Operation.STATUS && job.equals(c.job()))
                    .reduce((a, b) -> b)
                    .filter(c -> c.answer().states().equals(Set.of(JobState.DONE_OK)))
                    .isPresent();
            last.filter(page -> done && page.answer().page().messages().size() != count && !mayBePurged(job, page))
                    .ifPresent(page -> found(
                            Violation.Kind.MESSAGE_GAP,
                            job,
                            "it sent " + count + " messages and ended, and the last reader saw " + page));
        });
    }

    private void found(Violation.Kind kind, String job, String text) {
        violations.add(new Violation(kind, job, text));
    }
}
