package org.gelato.ce.ws.parts;

import java.time.Duration;
import org.gelato.ce.ws.dashboard.RequestTimes;
import org.gelato.ce.ws.parts.monitoring.RequestMeters;
import org.gelato.ce.ws.parts.monitoring.StoredMeters;

/**
 * What is counted of all jobs and requests.
 *
 * @param stored read from the database now and then
 */
record MonitoringParts(StoredMeters stored, RequestTimes requests) {
    static MonitoringParts open(Opening o, StoreParts stores, AdmissionParts admission) {
        StoredMeters stored = new StoredMeters(
                o.meters(), stores.database(), stores.jobs(), stores.commands(), admission.controller(), o.clock());
        o.every(Duration.ZERO, StoredMeters.INTERVAL, stored::read);
        return new MonitoringParts(stored, new RequestTimes(new RequestMeters(o.meters())));
    }
}
