package org.gelato.ce.ws.glue2;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.gelato.ce.core.lrms.ClusterStatus;

/**
 * The limits of a queue: those the site tells, and those the batch system reports, which are the true ones. A default above a
 * limit, or a part above the whole, would contradict it (docs/protocol/glue2.md section 5), so the smaller one counts.
 */
record QueueNumbers(SiteFacts.QueueLimits told, Optional<ClusterStatus.Queue> reported) {
    void addTo(Entity.Builder share) {
        Duration maxWall = reported.map(ClusterStatus.Queue::maxWallTime).orElse(told.maxWallTime());
        OptionalInt running = reported.map(ClusterStatus.Queue::maxRunning).orElse(OptionalInt.empty());
        share.with("MaxWallTime", seconds(maxWall))
                .with("DefaultWallTime", seconds(smaller(told.defaultWallTime(), maxWall)))
                .with("MaxCPUTime", seconds(told.maxCpuTime()))
                .with("DefaultCPUTime", seconds(smaller(told.defaultCpuTime(), told.maxCpuTime())))
                .with("MaxTotalJobs", told.maxTotalJobs())
                .with("MaxRunningJobs", smaller(number(running), told.maxTotalJobs()))
                .with("MaxSlotsPerJob", told.maxSlotsPerJob())
                .with("MaxMainMemory", told.maxMemory())
                .with("MaxVirtualMemory", told.maxVirtualMemory());
        reported.ifPresent(queue -> share.with("FreeSlots", number(queue.freeSlots())));
    }

    /** The smaller one; null when the first is. */
    private static <T extends Comparable<T>> T smaller(T value, T limit) {
        return value == null || limit == null || value.compareTo(limit) <= 0 ? value : limit;
    }

    private static Long seconds(Duration time) {
        return time == null ? null : time.toSeconds();
    }

    /** Null when it is not known. */
    static Integer number(OptionalInt value) {
        return value.isPresent() ? (Integer) value.getAsInt() : null;
    }
}
