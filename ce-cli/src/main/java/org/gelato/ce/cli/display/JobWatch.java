package org.gelato.ce.cli.display;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.gelato.ce.cli.context.AgeText;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.Grouping;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.Response;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.cli.wire.WireFault;

/**
 * Follows jobs of one CE to their end. The time between two polls grows from one second to ten, so that a long job costs
 * the CE little. A CE that can't be reached for a while, for example while it restarts, is polled again.
 */
public final class JobWatch {
    public static final Duration SHORTEST = Duration.ofSeconds(1);
    public static final Duration LONGEST = Duration.ofSeconds(10);
    /** How long the CE may be out of reach before the watch is given up. */
    public static final Duration PATIENCE = Duration.ofMinutes(5);

    private final CliContext context;
    private final ComputingElement ce;
    private final ProgressLine line;
    private final Map<String, JobUrl> waiting = new LinkedHashMap<>();
    private final Map<String, StatusReport> states = new LinkedHashMap<>();
    private final Map<JobUrl, StatusReport> ends = new LinkedHashMap<>();
    private final Map<JobUrl, WireFault> refusals = new LinkedHashMap<>();
    private final TimeLeft timeLeft = new TimeLeft();
    private boolean any;

    /** @param line shows how the jobs stand */
    public JobWatch(CliContext context, ComputingElement ce, ProgressLine line) {
        this.context = context;
        this.ce = ce;
        this.line = line;
    }

    /** Returns when every job has ended or is not known any more. */
    public void follow(Collection<JobUrl> jobs) throws InterruptedException {
        follow(jobs, StatusReport::isFinal, LONGEST);
    }

    /**
     * Returns when every job has ended or is not known any more.
     *
     * @param one whether to return as soon as one of them has
     */
    public void follow(Collection<JobUrl> jobs, boolean one) throws InterruptedException {
        any = one;
        follow(jobs);
    }

    /**
     * Returns when every job has come so far, or is not known any more.
     *
     * @param enough of a job that need not be followed any more
     * @param longest time between two polls
     */
    public void follow(Collection<JobUrl> jobs, Predicate<StatusReport> enough, Duration longest)
            throws InterruptedException {
        jobs.forEach(job -> waiting.put(job.localId(), job));
        Duration interval = SHORTEST;
        Instant lastResponse = context.clock().instant();
        try {
            while (true) {
                try {
                    poll(enough);
                    lastResponse = context.clock().instant();
                } catch (ConnectionFailure e) {
                    if (context.clock().instant().isAfter(lastResponse.plus(PATIENCE))) {
                        throw e;
                    }
                    line.show("waiting for the CE: " + e.getMessage(), "waiting for the CE: " + e.getMessage());
                }
                if (waiting.isEmpty() || (any && !(ends.isEmpty() && refusals.isEmpty()))) {
                    return;
                }
                pause(interval);
                Duration longer = interval.multipliedBy(5).dividedBy(4);
                interval = longer.compareTo(longest) > 0 ? longest : longer;
            }
        } finally {
            line.clear();
        }
    }

    /** A line that lives says every second for how long. */
    private void pause(Duration interval) throws InterruptedException {
        Instant end = context.clock().instant().plus(interval);
        if (!line.lives()) {
            context.pause().sleep(interval);
            return;
        }
        for (Instant now = context.clock().instant();
                now.isBefore(end);
                now = context.clock().instant()) {
            Duration left = Duration.between(now, end);
            context.pause().sleep(left.compareTo(SHORTEST) < 0 ? left : SHORTEST);
            if (!states.isEmpty()) {
                show();
            }
        }
    }

    /** The final states. */
    public Map<JobUrl, StatusReport> ends() {
        return ends;
    }

    /** The jobs missing in the CE's response. */
    public Map<JobUrl, WireFault> refusals() {
        return refusals;
    }

    private void poll(Predicate<StatusReport> enough) {
        for (List<String> part : Grouping.parts(new ArrayList<>(waiting.keySet()), Grouping.JOBS_PER_REQUEST)) {
            ce.status(JobSelector.of(part)).forEach(response -> note(response, enough));
        }
        ends.keySet().forEach(job -> waiting.remove(job.localId()));
        refusals.keySet().forEach(job -> waiting.remove(job.localId()));
        timeLeft.note(context.clock().instant(), ends.size());
        if (!waiting.isEmpty()) {
            show();
        }
    }

    private void show() {
        StatusReport first = states.values().stream()
                .filter(state -> !state.isFinal())
                .findFirst()
                .orElse(null);
        String how = states.size() == 1 ? "" : counts();
        String left = timeLeft.of(waiting.size())
                .map(time -> "; about " + AgeText.of(time) + " left")
                .orElse("");
        if (first == null) {
            line.show(how, null);
            return;
        }
        String why = first.waits().map(reason -> ": " + reason).orElse("");
        if (states.size() == 1) {
            line.show(first.name() + age(first) + why, first.name() + why);
        } else {
            line.show(how + left + (why.isEmpty() ? "" : "; " + first.name() + age(first) + why), how);
        }
    }

    private String counts() {
        Map<String, Long> counts = states.values().stream()
                .collect(Collectors.groupingBy(StatusReport::name, TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(e -> e.getValue() + " " + e.getKey())
                .collect(Collectors.joining(", "));
    }

    private String age(StatusReport state) {
        return state.time() == null
                ? ""
                : " for "
                        + AgeText.of(
                                Duration.between(state.time(), context.clock().instant()));
    }

    private void note(Response<StatusReport> response, Predicate<StatusReport> enough) {
        JobUrl job = waiting.get(response.subject());
        if (job == null) {
            return;
        }
        if (response.fault() != null) {
            refusals.put(job, response.fault());
            return;
        }
        states.put(response.subject(), response.value());
        if (response.value().isFinal()) {
            ends.put(job, response.value());
        } else if (enough.test(response.value())) {
            waiting.remove(response.subject());
        }
    }
}
