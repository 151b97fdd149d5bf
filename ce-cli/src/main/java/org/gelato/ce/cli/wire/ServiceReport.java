package org.gelato.ce.cli.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a CE reports about itself.
 *
 * @param description null when absent
 * @param startedAt null when absent
 * @param status null when absent
 */
public record ServiceReport(
        String interfaceVersion,
        String serviceVersion,
        String description,
        Instant startedAt,
        boolean acceptsJobs,
        String status,
        @JsonInclude(JsonInclude.Include.ALWAYS) Map<String, String> properties,
        @JsonInclude(JsonInclude.Include.ALWAYS) List<String> messages) {
    private static final String QUEUE = "QUEUE_";

    /** Its queues by the names that users give them behind the name of the CE: {@code cream-LRMS-QUEUE}. */
    public List<String> queues() {
        String lrms = properties.getOrDefault("LRMS", "").split(" ", 2)[0];
        return lrms.isEmpty()
                ? List.of()
                : properties.keySet().stream()
                        .filter(name -> name.startsWith(QUEUE))
                        .map(name -> "cream-" + lrms + "-" + name.substring(QUEUE.length()))
                        .toList();
    }
}
