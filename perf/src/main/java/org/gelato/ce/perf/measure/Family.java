package org.gelato.ce.perf.measure;

import java.util.HashMap;
import java.util.Map;

/**
 * The processes below the CE's JVM: the helper, its workers, and the commands they run. Sampled now and then; what a process
 * was at the last sample is kept, so that the CPU time of one that ended meanwhile counts up to there. A start that came
 * and ended between two samples is known by the faults of ended children alone, and counts as one. Thread-safe.
 */
public final class Family {
    private final long jvm;
    private final String helperName;
    private final Map<Long, ProcessReading> first = new HashMap<>();
    private final Map<Long, ProcessReading> last = new HashMap<>();
    private final Map<Long, Long> parents = new HashMap<>();

    /** Begins to count with what is there now. */
    public Family(long jvm) {
        this.jvm = jvm;
        sample();
        first.putAll(last);
        helperName = ProcessHandle.of(jvm).stream()
                .flatMap(ProcessHandle::children)
                .flatMap(child -> ProcessReading.of(child.pid()).stream())
                .map(ProcessReading::name)
                .findFirst()
                .orElse("");
    }

    /** Samples all of them. */
    public synchronized void sample() {
        ProcessHandle.of(jvm).ifPresent(ce -> {
            see(ce);
            ce.descendants().forEach(this::see);
        });
    }

    private void see(ProcessHandle process) {
        ProcessReading.of(process.pid()).ifPresent(reading -> {
            last.put(process.pid(), reading);
            process.parent().ifPresent(parent -> parents.putIfAbsent(process.pid(), parent.pid()));
        });
    }

    /** Processes the JVM itself has started since the beginning. */
    public synchronized long startedByJvm() {
        return started(jvm);
    }

    /** Processes that helper and workers have started since the beginning, as far as they were seen. */
    public synchronized long startedByHelper() {
        return last.entrySet().stream()
                .filter(e -> isHelper(e.getKey(), e.getValue()))
                .mapToLong(e -> started(e.getKey()))
                .sum();
    }

    /** Workers of accounts started since the beginning. */
    public synchronized long startedWorkers() {
        return last.entrySet().stream()
                .filter(e -> isHelper(e.getKey(), e.getValue()) && !first.containsKey(e.getKey()))
                .filter(e -> isChildOfHelper(e.getKey()))
                .count();
    }

    // A worker's own child has the helper's name too until it has become its program.
    private boolean isChildOfHelper(long pid) {
        return parents.getOrDefault(parents.getOrDefault(pid, 0L), 0L) == jvm;
    }

    private long started(long parent) {
        long seen = parents.entrySet().stream()
                .filter(e -> e.getValue() == parent && !first.containsKey(e.getKey()))
                .count();
        ProcessReading before = first.get(parent);
        ProcessReading after = last.get(parent);
        boolean hasEnded =
                after != null && after.endedChildrenFaults() > (before == null ? 0 : before.endedChildrenFaults());
        return seen == 0 && hasEnded ? 1 : seen;
    }

    /** CPU of the JVM since the beginning. */
    public synchronized long jvmCpuMillis() {
        return last.get(jvm).cpuMillis() - first.get(jvm).cpuMillis();
    }

    /** CPU of the helper and its workers themselves since the beginning. */
    public synchronized long helperCpuMillis() {
        return sum(false);
    }

    /** CPU of the commands they ran and waited for. */
    public synchronized long commandCpuMillis() {
        return sum(true);
    }

    private long sum(boolean children) {
        long sum = 0;
        for (Map.Entry<Long, ProcessReading> e : last.entrySet()) {
            if (isHelper(e.getKey(), e.getValue())) {
                ProcessReading before = first.get(e.getKey());
                sum += cpu(e.getValue(), children) - (before == null ? 0 : cpu(before, children));
            }
        }
        return sum;
    }

    private static long cpu(ProcessReading reading, boolean children) {
        return children ? reading.childrenCpuMillis() : reading.cpuMillis();
    }

    private boolean isHelper(long pid, ProcessReading reading) {
        return pid != jvm && reading.name().equals(helperName);
    }
}
