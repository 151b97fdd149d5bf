package org.gelato.ce.ws.dashboard;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.gelato.ce.core.job.LatencyHistogram;
import org.gelato.ce.ws.http.CallMeter;

/** Counts calls by their time, and those that failed, beside what another meter does. Any thread. */
public final class RequestTimes implements CallMeter {
    private final CallMeter beside;
    private final LatencyHistogram times = new LatencyHistogram();
    private final LongAdder failed = new LongAdder();

    /** @param beside gets each call too */
    public RequestTimes(CallMeter beside) {
        this.beside = beside;
    }

    @Override
    public void called(String service, String operation, Outcome outcome, long nanos) {
        times.record(Duration.ofNanos(nanos));
        if (outcome == Outcome.FAILED) {
            failed.increment();
        }
        beside.called(service, operation, outcome, nanos);
    }

    /** The times of all calls since the start. */
    public LatencyHistogram times() {
        return times;
    }

    /** Calls that ended by a defect, or because a part does not respond. */
    public long failed() {
        return failed.sum();
    }
}
