package org.gelato.ce.it.compatibility;

import java.util.ArrayList;
import java.util.List;

/** The children of a JobFilter, written in the order they are named, so that a test can turn the order around. */
final class Filter {
    private final List<String> parts = new ArrayList<>();

    static Filter all() {
        return new Filter();
    }

    static Filter ids(String... localIds) {
        return new Filter().andIds(localIds);
    }

    /** Ids with the creamURL of double slashes, as all commands of the original but submit write it. */
    Filter andIds(String... localIds) {
        for (String id : localIds) {
            parts.add(Bodies.t(
                    "jobId",
                    Bodies.leaf("id", id) + Bodies.leaf("creamURL", "https://localhost:1//ce-cream/services/CREAM2")));
        }
        return this;
    }

    Filter states(String... names) {
        for (String name : names) {
            parts.add(Bodies.leaf("status", name));
        }
        return this;
    }

    Filter from(String time) {
        parts.add(Bodies.leaf("fromDate", time));
        return this;
    }

    Filter to(String time) {
        parts.add(Bodies.leaf("toDate", time));
        return this;
    }

    Filter delegation(String id) {
        parts.add(Bodies.leaf("delegationId", id));
        return this;
    }

    Filter lease(String id) {
        parts.add(Bodies.leaf("leaseId", id));
        return this;
    }

    String text() {
        return String.join("", parts);
    }
}
