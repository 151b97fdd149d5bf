package org.gelato.ce.core.event;

import java.util.List;
import java.util.Map;

/** The hot statements of the event stream with values put in, and the indexes each may read by. */
public final class HotEventStatements {
    private HotEventStatements() {}

    public static Map<String, List<String>> all() {
        return Map.of(
                "look above the horizon",
                List.of(EventStore.AFTER.replace(":after", "1000").replace(":count", "5000"), "PRIMARY"),
                "last event",
                List.of(EventStore.LAST, "PRIMARY"),
                "events of an owner",
                List.of(range(EventStore.OF_OWNER), "job_state_history_owner"),
                "events of an owner by state",
                List.of(range(EventStore.OF_STATE.replace("<state>", "7")), "job_state_history_state"),
                "events of all owners",
                List.of(range(EventStore.OF_ALL), "PRIMARY"),
                "owners with news",
                List.of(range(EventStore.OWNERS), "PRIMARY"));
    }

    private static String range(String sql) {
        return sql.replace(":owner", "3")
                .replace(":from", "10")
                .replace(":to", "100000")
                .replace(":count", "100");
    }
}
