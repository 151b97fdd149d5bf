package org.gelato.ce.cli.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.gelato.ce.cli.choice.Grouping;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.terminal.Printable;
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
    private final Map<String, JobUrl> waiting = new LinkedHashMap<>();
    private final Map<String, String> states = new LinkedHashMap<>();
    private final Map<JobUrl, StatusReport> ends = new LinkedHashMap<>();
    private final Map<JobUrl, WireFault> refusals = new LinkedHashMap<>();

    public JobWatch(CliContext context, ComputingElement ce) {
        this.context = context;
        this.ce = ce;
    }

    /** Returns when every job has ended or is not known any more. */
    public void follow(Collection<JobUrl> jobs) throws InterruptedException {
        jobs.forEach(job -> waiting.put(job.localId(), job));
        Duration interval = SHORTEST;
        Instant lastResponse = context.clock().instant();
        try {
            while (true) {
                try {
                    poll();
                    lastResponse = context.clock().instant();
                } catch (ConnectionFailure e) {
                    if (context.clock().instant().isAfter(lastResponse.plus(PATIENCE))) {
                        throw e;
                    }
                    progress("waiting for the CE: " + e.getMessage());
                }
                if (waiting.isEmpty()) {
                    return;
                }
                context.pause().sleep(interval);
                Duration longer = interval.multipliedBy(5).dividedBy(4);
                interval = longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
            }
        } finally {
            progress("");
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

    private void poll() {
        for (List<String> part : Grouping.parts(new ArrayList<>(waiting.keySet()), Grouping.JOBS_PER_REQUEST)) {
            ce.status(JobSelector.of(part)).forEach(this::note);
        }
        ends.keySet().forEach(job -> waiting.remove(job.localId()));
        refusals.keySet().forEach(job -> waiting.remove(job.localId()));
        Map<String, Long> counts = states.values().stream()
                .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
        progress(counts.entrySet().stream()
                .map(e -> e.getValue() + " " + e.getKey())
                .collect(Collectors.joining(", ")));
    }

    private void note(Response<StatusReport> response) {
        JobUrl job = waiting.get(response.subject());
        if (job == null) {
            return;
        }
        if (response.fault() != null) {
            refusals.put(job, response.fault());
            states.put(response.subject(), "unknown");
            return;
        }
        states.put(response.subject(), Printable.line(response.value().name()));
        if (response.value().isFinal()) {
            ends.put(job, response.value());
        }
    }

    /** Rewrites the one line, on a terminal only: log files must not fill up with it. */
    private void progress(String text) {
        if (context.interactive()) {
            context.err().print("\r\u001b[K" + Printable.line(text));
            context.err().flush();
        }
    }
}
