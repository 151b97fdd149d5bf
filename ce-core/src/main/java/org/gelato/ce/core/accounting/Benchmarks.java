package org.gelato.ce.core.accounting;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * How fast one core of each queue is. A value counts from its day until a later one of its kind; the first value of a queue counts for
 * all times before it too, as with APEL's own client (docs/developer/protocol/accounting.md section 3). Immutable.
 */
public final class Benchmarks {
    /** Kinds APEL knows; the first that a queue has is the one for messages that take a single value. */
    public enum Kind {
        HEPSCORE23("HEPscore23"),
        HEPSPEC("HEPSPEC"),
        SI2K("Si2k");

        private final String wireName;

        Kind(String wireName) {
            this.wireName = wireName;
        }

        /** As messages have it. */
        public String wireName() {
            return wireName;
        }
    }

    /**
     * A value of a queue.
     *
     * @param value per core; positive
     * @param from when it begins to count; null for always
     */
    public record Value(String queue, Kind kind, BigDecimal value, Instant from) {
        Instant begin() {
            return from == null ? Instant.MIN : from;
        }
    }

    private final Map<String, List<Value>> byQueue;

    /** Values in any order. */
    public Benchmarks(Collection<Value> values) {
        byQueue = values.stream()
                .sorted(Comparator.comparing(Value::begin))
                .collect(Collectors.groupingBy(Value::queue, Collectors.toUnmodifiableList()));
    }

    /** Queues that have a value, sorted. */
    public Set<String> queues() {
        return new TreeSet<>(byQueue.keySet());
    }

    /** Values that count for a job of a queue that ended then, the preferred kind first; empty for a queue without. */
    Map<Kind, BigDecimal> at(String queue, Instant end) {
        Map<Kind, BigDecimal> values = new EnumMap<>(Kind.class);
        List<Value> all = byQueue.getOrDefault(queue, List.of());
        List<Value> past = new ArrayList<>(all);
        past.removeIf(v -> v.begin().isAfter(end));
        if (past.isEmpty() && !all.isEmpty()) {
            Instant first = all.get(0).begin();
            past.addAll(all.stream().filter(v -> v.begin().equals(first)).toList());
        }
        past.forEach(v -> values.put(v.kind(), v.value()));
        return values;
    }

    /**
     * What a core of worker nodes is worth that several queues use: the values that count at a moment for each of these queues, where
     * all have the same.
     *
     * @return by kind; empty without queues, and where one of them has no value or another one
     */
    public Map<Kind, BigDecimal> common(Collection<String> queues, Instant at) {
        Map<Kind, BigDecimal> common = null;
        for (String queue : queues) {
            Map<Kind, BigDecimal> own = at(queue, at);
            if (common == null) {
                common = own;
            } else {
                common.entrySet()
                        .removeIf(e -> !own.containsKey(e.getKey())
                                || own.get(e.getKey()).compareTo(e.getValue()) != 0);
            }
        }
        return common == null ? Map.of() : common;
    }
}
