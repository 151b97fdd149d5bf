package org.gelato.ce.ws.dashboard;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.monitoring.RecentJobs;

/** A table of the page: what jobs have in common, with those that are present and those that ended lately. Used by one thread. */
final class ShareTable {
    /** Rows of a table. */
    static final int ROWS = 20;

    private final Map<List<String>, Row> rows = new LinkedHashMap<>();

    private static final class Row {
        private long registered;
        private long waiting;
        private long running;
        private long held;
        private RecentJobs.Share ended;

        long weight() {
            return registered + waiting + running + held + (ended == null ? 0 : ended.ended());
        }
    }

    private Row row(String name, String detail) {
        return rows.computeIfAbsent(List.of(name, detail == null ? "" : detail), k -> new Row());
    }

    void present(String name, String detail, JobState state, long jobs) {
        Row row = row(name, detail);
        switch (state) {
            case REGISTERED -> row.registered += jobs;
            case PENDING, IDLE -> row.waiting += jobs;
            case RUNNING, REALLY_RUNNING -> row.running += jobs;
            default -> row.held += jobs;
        }
    }

    void ended(List<RecentJobs.Share> shares) {
        shares.forEach(share -> row(share.name(), share.detail()).ended = share);
    }

    /** The rows with the most jobs. */
    List<Map<String, Object>> json() {
        return rows.entrySet().stream()
                .sorted(Comparator.comparingLong(
                                (Map.Entry<List<String>, Row> e) -> e.getValue().weight())
                        .reversed())
                .limit(ROWS)
                .map(e -> json(e.getKey(), e.getValue()))
                .toList();
    }

    private static Map<String, Object> json(List<String> key, Row row) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", key.get(0));
        json.put("detail", key.get(1));
        json.put("registered", row.registered);
        json.put("waiting", row.waiting);
        json.put("running", row.running);
        json.put("held", row.held);
        json.put("ended", row.ended == null ? 0 : row.ended.ended());
        json.put("failed", row.ended == null ? 0 : row.ended.failed());
        json.put("nonZero", row.ended == null ? 0 : row.ended.nonZero());
        json.put("cpuSeconds", row.ended == null ? 0 : row.ended.cpuSeconds());
        json.put("meanRunSeconds", row.ended == null ? null : row.ended.meanRunSeconds());
        return json;
    }
}
