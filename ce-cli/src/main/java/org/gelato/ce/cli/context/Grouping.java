package org.gelato.ce.cli.context;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.JobUrl;

/** Splits a list of jobs into what one connection and one request can carry. */
public final class Grouping {
    /** Jobs named in one request: bounds the size of request and response. */
    public static final int JOBS_PER_REQUEST = 500;

    private Grouping() {}

    /** The jobs of each CE, both in the order of first mention, each job once. */
    public static Map<Endpoint, List<JobUrl>> byEndpoint(List<JobUrl> jobs) {
        Map<Endpoint, List<JobUrl>> groups = new LinkedHashMap<>();
        for (JobUrl job : new java.util.LinkedHashSet<>(jobs)) {
            groups.computeIfAbsent(job.endpoint(), e -> new ArrayList<>()).add(job);
        }
        return groups;
    }

    /** The list in pieces of at most that size. */
    public static <T> List<List<T>> parts(List<T> list, int size) {
        List<List<T>> parts = new ArrayList<>();
        for (int from = 0; from < list.size(); from += size) {
            parts.add(list.subList(from, Math.min(list.size(), from + size)));
        }
        return parts;
    }
}
