package org.gelato.ce.ws.parts;

import io.micrometer.core.instrument.Gauge;
import java.time.Duration;
import org.gelato.ce.core.base.ByteBoundedCache;
import org.gelato.ce.core.base.CacheShare;
import org.gelato.ce.ws.dashboard.RequestTimes;
import org.gelato.ce.ws.parts.monitoring.RequestMeters;
import org.gelato.ce.ws.parts.monitoring.StoredMeters;
import org.gelato.ce.ws.web.Version;

/**
 * What is counted of all jobs and requests.
 *
 * @param stored read from the database now and then
 */
record MonitoringParts(StoredMeters stored, RequestTimes requests) {
    static MonitoringParts open(Opening o, StoreParts stores, AdmissionParts admission) {
        StoredMeters stored = new StoredMeters(
                o.meters(),
                stores.database(),
                stores.jobs(),
                stores.commands(),
                stores.numbers(),
                admission.controller(),
                o.clock());
        o.every(Duration.ZERO, StoredMeters.INTERVAL, stored::read);
        Gauge.builder("ce.version", () -> 1)
                .tag("version", Version.text())
                .description("1 for the version of this node")
                .register(o.meters());
        for (CacheShare share : CacheShare.values()) {
            Gauge.builder("ce.cache", share, ByteBoundedCache::held)
                    .description("Memory of a cache, about")
                    .baseUnit("bytes")
                    .tag("cache", share.label())
                    .register(o.meters());
        }
        return new MonitoringParts(stored, new RequestTimes(new RequestMeters(o.meters())));
    }
}
