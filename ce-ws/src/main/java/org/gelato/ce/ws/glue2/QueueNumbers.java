package org.gelato.ce.ws.glue2;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.gelato.ce.core.lrms.ClusterStatus;

/**
 * The limits of a queue: those that are configured, and those the batch system reports, which are the true ones. A default above a
 * limit, or a part above the whole, would contradict it (docs/developer/protocol/glue2.md section 5), so the smaller one counts.
 */
record QueueNumbers(SiteFacts.QueueLimits configured, Optional<ClusterStatus.Queue> reported) {
    void addTo(Entity.Builder share) {
        Duration maxWall = reported.map(ClusterStatus.Queue::maxWallTime).orElse(configured.maxWallTime());
        OptionalInt running = reported.map(ClusterStatus.Queue::maxRunning).orElse(OptionalInt.empty());
        share.with("MaxWallTime", seconds(maxWall))
                .with("DefaultWallTime", seconds(smaller(configured.defaultWallTime(), maxWall)))
                .with("MaxCPUTime", seconds(configured.maxCpuTime()))
                .with("DefaultCPUTime", seconds(smaller(configured.defaultCpuTime(), configured.maxCpuTime())))
                .with("MaxTotalJobs", configured.maxTotalJobs())
                .with("MaxRunningJobs", smaller(number(running), configured.maxTotalJobs()))
                .with("MaxSlotsPerJob", configured.maxSlotsPerJob())
                .with("MaxMainMemory", configured.maxMemory())
                .with("MaxVirtualMemory", configured.maxVirtualMemory());
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
