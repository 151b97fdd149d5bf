package org.gelato.ce.cli.arcrest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;

/** The batch system and the queues of a GLUE 2 document, by the names that CREAM2 has for the same. */
final class ArcQueues {
    private ArcQueues() {}

    /** @param service the element ComputingService */
    static Map<String, String> properties(JsonNode service) {
        Map<String, String> properties = new LinkedHashMap<>();
        Activities.list(service, "ComputingManager").stream().findFirst().ifPresent(manager -> {
            String version = manager.path("ProductVersion").asText();
            properties.put("LRMS", manager.path("ProductName").asText() + (version.isEmpty() ? "" : " " + version));
            if (manager.hasNonNull("TotalSlots")) {
                properties.put(
                        "LRMS_SLOTS", "total=" + manager.path("TotalSlots").asText());
            }
        });
        for (JsonNode share : Activities.list(service, "ComputingShare")) {
            // Others are of one VO in a queue.
            String queue = share.path("MappingQueue").asText();
            if (!queue.isEmpty() && share.path("Name").asText().equals(queue)) {
                properties.put("QUEUE_" + queue, text(share));
            }
        }
        return properties;
    }

    private static String text(JsonNode share) {
        String state = share.path("ServingState").asText();
        String text = "accepts=" + yes(state.equals("production") || state.equals("queueing")) + " starts="
                + yes(state.equals("production") || state.equals("draining"));
        for (Map.Entry<String, String> column : Map.of(
                        "free", "FreeSlots", "maxWallTime", "MaxWallTime", "maxRunning", "MaxRunningJobs")
                .entrySet()) {
            JsonNode value = share.path(column.getValue());
            if (value.isValueNode() && value.asText().matches("[0-9]{1,9}")) {
                text += " " + column.getKey() + "=" + value.asText();
            }
        }
        return text;
    }

    private static String yes(boolean value) {
        return value ? "yes" : "no";
    }
}
