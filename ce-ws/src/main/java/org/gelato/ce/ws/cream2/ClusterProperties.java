package org.gelato.ce.ws.cream2;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Supplier;
import org.gelato.ce.core.lrms.ClusterStatus;

/**
 * The batch system as properties of getServiceInfo, of the configured queues alone. Not CREAM's: its clients print any
 * property. What is not known is left out.
 */
public final class ClusterProperties {
    private final String lrms;
    private final List<String> queues;
    private final Supplier<Optional<ClusterStatus>> status;
    private final Function<String, Optional<String>> waits;

    /**
     * @param queues those that jobs may be submitted to
     * @param waits what there is to say of them, and of their jobs
     */
    public ClusterProperties(List<String> queues, QueueWaits waits) {
        this(waits.lrms(), queues, waits.cluster(), waits::of);
    }

    /**
     * @param lrms the batch system's name
     * @param queues those that jobs may be submitted to
     * @param status what the batch system reported last; returns at once
     * @param waits why jobs of a queue wait; returns at once
     */
    public ClusterProperties(
            String lrms,
            List<String> queues,
            Supplier<Optional<ClusterStatus>> status,
            Function<String, Optional<String>> waits) {
        this.lrms = lrms;
        this.queues = List.copyOf(queues);
        this.status = status;
        this.waits = waits;
    }

    /**
     * {@code LRMS}, {@code LRMS_API}, {@code LRMS_SLOTS}, {@code QUEUE_name} for each queue, and {@code WAITING_name} for one whose jobs
     * wait for a reason that is known; times in seconds.
     */
    Map<String, String> all() {
        ClusterStatus now = status.get().orElse(ClusterStatus.UNKNOWN);
        Map<String, String> all = new LinkedHashMap<>();
        all.put("LRMS", now.version() == null ? lrms : lrms + " " + now.version());
        if (now.api() != null) {
            all.put("LRMS_API", now.api());
        }
        String slots = pair("total", now.slots(), "free", now.freeSlots());
        if (!slots.isEmpty()) {
            all.put("LRMS_SLOTS", slots);
        }
        for (String name : queues) {
            all.put(
                    "QUEUE_" + name,
                    now.queue(name).map(ClusterProperties::text).orElse("configured"));
        }
        for (String name : queues) {
            waits.apply(name).ifPresent(why -> all.put("WAITING_" + name, why));
        }
        return all;
    }

    private static String text(ClusterStatus.Queue queue) {
        StringBuilder text = new StringBuilder("accepts=" + yes(queue.accepts()) + " starts=" + yes(queue.starts()));
        String slots = pair("slots", queue.slots(), "free", queue.freeSlots());
        text.append(slots.isEmpty() ? "" : " " + slots);
        if (queue.maxWallTime() != null) {
            text.append(" maxWallTime=").append(queue.maxWallTime().toSeconds());
        }
        queue.maxRunning().ifPresent(most -> text.append(" maxRunning=").append(most));
        return text.toString();
    }

    private static String pair(String first, OptionalInt one, String second, OptionalInt other) {
        return one.isPresent() && other.isPresent()
                ? first + "=" + one.getAsInt() + " " + second + "=" + other.getAsInt()
                : "";
    }

    private static String yes(boolean value) {
        return value ? "yes" : "no";
    }
}
