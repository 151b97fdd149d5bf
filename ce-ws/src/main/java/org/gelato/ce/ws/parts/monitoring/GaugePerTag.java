package org.gelato.ce.ws.parts.monitoring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Gauges of one name, distinguished by a tag whose values come up while the CE runs. A gauge is registered once and never removed:
 * the page of metrics is written meanwhile, and fails where one was removed and registered again (Micrometer's MultiGauge does
 * so). For any thread.
 */
public final class GaugePerTag {
    /** Of values of the tag; a bound for memory. Further ones have no gauge. */
    static final int MAX = 2000;

    private final MeterRegistry meters;
    private final String name;
    private final String description;
    private final String unit;
    private final String tag;
    private final Tags common;
    private final double absent;
    private final Set<Tags> registered = new HashSet<>();
    private volatile Map<Tags, Double> values = Map.of();
    private volatile boolean known = true;

    /**
     * @param unit null for none
     * @param tag null where only {@link #setAll} is used
     * @param common further tags
     * @param absent value of a gauge whose value of the tag is not among the latest
     */
    public GaugePerTag(
            MeterRegistry meters,
            String name,
            String description,
            String unit,
            String tag,
            Tags common,
            double absent) {
        this.meters = meters;
        this.name = name;
        this.description = description;
        this.unit = unit;
        this.tag = tag;
        this.common = common;
        this.absent = absent;
    }

    /** Replaces the values; those of one page may be of two calls. */
    public void set(Map<String, Double> latest) {
        Map<Tags, Double> tagged = new HashMap<>();
        latest.forEach((key, value) -> tagged.put(Tags.of(tag, key), value));
        setAll(tagged);
    }

    /** All are NaN until the next values. */
    public void unknown() {
        known = false;
    }

    /** As {@link #set}, for several tags; their names must always be the same. */
    public synchronized void setAll(Map<Tags, Double> latest) {
        values = Map.copyOf(latest);
        known = true;
        for (Tags key : latest.keySet()) {
            if (registered.size() < MAX && registered.add(key)) {
                Gauge.builder(name, this, self -> self.known ? self.values.getOrDefault(key, self.absent) : Double.NaN)
                        .description(description)
                        .baseUnit(unit)
                        .tags(common.and(key))
                        .register(meters);
            }
        }
    }
}
