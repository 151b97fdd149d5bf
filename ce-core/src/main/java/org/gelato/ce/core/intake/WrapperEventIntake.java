package org.gelato.ce.core.intake;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import org.gelato.ce.core.db.BatchWrites;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.GroupCommit;
import org.gelato.ce.core.end.EndDecision;
import org.gelato.ce.core.end.EndRule;
import org.gelato.ce.core.end.Evidence;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.job.UsageRecords;
import org.gelato.ce.core.message.JournalMarks;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;
import org.gelato.ce.core.wrapper.WrapperTokens;
import org.jdbi.v3.core.Handle;

/**
 * Believes or drops what wrappers report, and applies a whole batch in one transaction, which
 * batches that come at the same time share. Called by the spool reader, the
 * HTTPS end point and the poller, from any thread. A repeated event changes nothing, so whoever brings events removes
 * them only after this returned.
 *
 * <p>Clocks of worker nodes are not trusted: the time of an event is moved between the job's last change and now, so that
 * neither skew nor a wrong zone can make the rules drop it (docs/developer/protocol/behaviour.md section 12, trap 6).
 *
 * <p>Events of one job that the database rejects hold up no other job's, see {@link #plain}.
 *
 * <p>An end that needs the batch system's word ({@link EndDecision}) is kept, and becomes the job's end with that: {@link ReportedEnds}.
 */
public final class WrapperEventIntake implements WrapperEvents {
    private static final int MAX_EVENTS = 1000;
    /** An end that is reported later than that after it happened waits for the batch system's word. */
    public static final Duration OLD = Duration.ofMinutes(5);
    /** Of the CE's hosts among each other. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

    private final Database database;
    private final JobStore jobs;
    private final JobNumbers numbers;
    private final JobStateMachine machine;
    private final WrapperTokens tokens;
    private final JournalMarks journals;
    private final Clock clock;
    private final GroupCommit<List<WrapperEvent>, Integer> shared;
    private final LongAdder dropped = new LongAdder();
    private final UsageRecords usage = new UsageRecords();
    private final ReportedEnds reported = new ReportedEnds();
    private final EndDecision decision = new EndDecision();

    /** @param journals gets how many messages jobs have sent */
    public WrapperEventIntake(
            Database database,
            JobStore jobs,
            JobNumbers numbers,
            JobStateMachine machine,
            WrapperTokens tokens,
            JournalMarks journals,
            Clock clock) {
        this.database = database;
        this.jobs = jobs;
        this.numbers = numbers;
        this.machine = machine;
        this.tokens = tokens;
        this.journals = journals;
        this.clock = clock;
        shared = new GroupCommit<>(
                MAX_EVENTS,
                List::size,
                request -> GroupCommit.ONE,
                requests -> database.inTransaction(h -> store(h, requests)));
    }

    @Override
    public int apply(List<WrapperEvent> events) {
        List<WrapperEvent> believed = new ArrayList<>();
        for (WrapperEvent e : events) {
            if (tokens.matches(e.job(), e.token())) {
                believed.add(e);
            } else {
                dropped.increment();
            }
        }
        if (believed.isEmpty()) {
            return 0;
        }
        believed.sort(Comparator.comparing(WrapperEvent::kind));
        Map<JobId, List<WrapperEvent>> byJob = new LinkedHashMap<>();
        believed.forEach(
                e -> byJob.computeIfAbsent(e.job(), id -> new ArrayList<>()).add(e));
        int[] known = {0};
        List<BatchWrites.Held<?>> held = new ArrayList<>();
        held.add(database.batches()
                .write(
                        List.copyOf(byJob.values()),
                        part -> known[0] += shared.submit(
                                part.stream().flatMap(List::stream).toList()),
                        one -> "what the wrapper of " + one.get(0).job() + " reports",
                        (one, reason) -> known[0] += plain(one, reason, held)));
        held.forEach(BatchWrites.Held::rethrow);
        return known[0];
    }

    /**
     * What remains of a job's events that the database rejects: the end as it was, without what was measured and where; if that is rejected
     * too, an end with the reason. What is dropped of it the batch system shows, or it is in the job's exit record.
     */
    private int plain(List<WrapperEvent> events, String reason, List<BatchWrites.Held<?>> held) {
        int[] known = {0};
        List<WrapperEvent> reduced =
                events.stream().map(e -> e.withoutDetails(reason)).toList();
        List<WrapperEvent> last = events.stream()
                .filter(e -> e.kind() == WrapperEvent.Kind.DONE)
                .map(e -> e.unreadable(reason))
                .toList();
        held.add(database.batches()
                .write(
                        List.of(reduced),
                        part -> known[0] += shared.submit(reduced),
                        one -> "what the wrapper of " + one.get(0).job() + " reports, in part,",
                        (one, why) -> held.add(database.batches()
                                .write(
                                        last,
                                        ends -> known[0] += shared.submit(ends),
                                        end -> "the end of " + end.job(),
                                        (end, again) -> known[0]++))));
        return known[0];
    }

    /** Events without the right secret so far. */
    public long dropped() {
        return dropped.sum();
    }

    private List<Integer> store(Handle h, List<List<WrapperEvent>> requests) {
        TreeSet<Integer> ids = new TreeSet<>();
        requests.forEach(events -> events.forEach(e -> ids.add(numbers.row(e.job()))));
        Map<Integer, JobRow> rows = new HashMap<>();
        jobs.lock(h, ids).forEach(row -> rows.put(row.id(), row));
        // One job may bring several events at once (a short job): each is applied to the state the one before left, and
        // all is written as one set.
        List<JobStore.Stored> changes = new ArrayList<>();
        List<UsageRecords.Report> late = new ArrayList<>();
        Map<Integer, WrapperEvent> doubtful = new TreeMap<>();
        List<Integer> cancelled = new ArrayList<>();
        Map<Integer, Long> sent = new HashMap<>();
        List<Integer> known = new ArrayList<>();
        for (List<WrapperEvent> request : requests) {
            int count = 0;
            for (WrapperEvent e : request) {
                JobRow row = rows.get(numbers.row(e.job()));
                if (row == null) {
                    continue;
                }
                count++;
                if (e.messages() > 0 || (e.kind() == WrapperEvent.Kind.DONE && journals.mayHaveRow(row.id()))) {
                    sent.merge(row.id(), e.messages(), Math::max);
                }
                Usage used = used(row, e);
                if (used != null && row.state().isFinal()) {
                    late.add(new UsageRecords.Report(e.job(), null, used));
                }
                Optional<EndDecision.Decision> end = Optional.of(e)
                        .filter(one -> one.kind() == WrapperEvent.Kind.DONE)
                        .map(one -> end(row, one));
                if (end.isPresent() && end.get().rule().end() == EndRule.End.NONE) {
                    doubtful.putIfAbsent(row.id(), e.using(used));
                    continue;
                }
                change(row, e, end).ifPresent(c -> {
                    changes.add(new JobStore.Stored(row, c, e.node(), e.lrmsId(), used));
                    rows.put(row.id(), row.after(c));
                    if (c.state() == JobState.CANCELLED) {
                        cancelled.add(row.id()); // its end may be kept from before the cancel was requested
                    }
                });
            }
            known.add(count);
        }
        jobs.store(h, changes);
        reported.keep(h, doubtful, clock.instant());
        reported.settled(h, cancelled);
        usage.merge(h, late);
        journals.announced(h, sent);
        Steps.reached(Step.EVENTS_WRITTEN, rows.keySet(), row -> row);
        return known;
    }

    /** A job cannot have had its nodes for longer than the CE has known it, which is the CE's own time. */
    private Usage used(JobRow row, WrapperEvent e) {
        return e.usage() == null
                ? null
                : e.usage()
                        .within(Duration.between(row.registration().at(), clock.instant())
                                .plus(CLOCKS_DIFFER));
    }

    private Optional<JobStateMachine.Change> change(JobRow row, WrapperEvent e, Optional<EndDecision.Decision> end) {
        Instant at = between(row.since().plusNanos(1000), e.time(), clock.instant());
        return switch (e.kind()) {
            case RUNNING -> machine.running(row, at);
            case REALLY_RUNNING -> machine.reallyRunning(row, at);
            case DONE -> end.flatMap(decided -> decided.change(machine, row, at));
        };
    }

    /** How a job ended by its wrapper's report. Those that are not followed, or have ended, get no other word. */
    private EndDecision.Decision end(JobRow row, WrapperEvent e) {
        Instant now = clock.instant();
        Instant old = now.minus(OLD);
        boolean isOld = row.since().isBefore(old) && e.time().isBefore(old);
        List<Evidence> evidence = new ArrayList<>();
        Evidence.CancelRequest.of(row).ifPresent(evidence::add);
        evidence.add(e.report(row, now, isOld));
        EndDecision.Decision end = decision.of(evidence);
        if (end.rule().end() != EndRule.End.NONE || JobState.IN_LRMS.contains(row.state())) {
            return end;
        }
        evidence.add(new Evidence.Word(now, null, null));
        return decision.of(evidence);
    }

    private static Instant between(Instant earliest, Instant time, Instant latest) {
        if (time.isBefore(earliest) || latest.isBefore(earliest)) {
            return earliest;
        }
        return time.isAfter(latest) ? latest : time;
    }
}
