package org.gelato.ce.ws.dashboard;

import java.time.Duration;
import org.gelato.ce.core.job.LatencyHistogram;
import org.gelato.ce.ws.http.CallMeter;

/** Counts calls by their time, beside what another meter does. Any thread. */
public final class RequestTimes implements CallMeter {
    private final CallMeter beside;
    private final LatencyHistogram times = new LatencyHistogram();

    /** @param beside gets each call too */
    public RequestTimes(CallMeter beside) {
        this.beside = beside;
    }

    @Override
    public void called(String service, String operation, Outcome outcome, long nanos) {
        times.record(Duration.ofNanos(nanos));
        beside.called(service, operation, outcome, nanos);
    }

    /** The times of all calls since the start. */
    public LatencyHistogram times() {
        return times;
    }
}
