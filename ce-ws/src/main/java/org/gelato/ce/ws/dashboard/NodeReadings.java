package org.gelato.ce.ws.dashboard;

import java.util.Map;
import org.gelato.ce.core.monitoring.Latency;
import org.gelato.ce.core.monitoring.Measure;

/** What this node can say of itself at a moment. */
public interface NodeReadings {
    /**
     * Levels at this moment, and counts since the start of the process.
     *
     * @return NaN, or no entry, for what is unknown
     */
    Map<Measure, Double> values();

    /** Counts for each bucket since the start of the process. */
    Map<Latency, double[]> latencies();
}
