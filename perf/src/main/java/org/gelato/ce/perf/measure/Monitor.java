package org.gelato.ce.perf.measure;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.perf.site.PerfSite;

/** Samples the processes of a site each second, from its making to its close: peaks, CPU time, starts. */
public final class Monitor implements AutoCloseable {
    private final PerfSite site;
    private final Family family;
    private final long databaseCpuBefore;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "monitor");
        thread.setDaemon(true);
        return thread;
    });
    private volatile ProcessReading peak;

    public Monitor(PerfSite site) {
        this.site = site;
        family = new Family(site.cePid());
        peak = reading();
        databaseCpuBefore = databaseCpu();
        clock.scheduleAtFixedRate(this::sample, 1, 1, TimeUnit.SECONDS);
    }

    /**
     * What was seen.
     *
     * @param descriptorsPeak of the JVM
     * @param threadsPeak of the JVM
     * @param rssMibPeak of the JVM
     * @param jvmStarts processes the JVM itself started
     * @param helperStarts processes that helper and workers started, as far as they were seen
     * @param workerStarts those of them that are workers
     * @param jvmCpu milliseconds, as the following ones
     * @param helperCpu helper and workers
     * @param commandCpu commands they ran
     * @param databaseCpu the database server
     */
    public record Seen(
            int descriptorsPeak,
            int threadsPeak,
            long rssMibPeak,
            long jvmStarts,
            long helperStarts,
            long workerStarts,
            long jvmCpu,
            long helperCpu,
            long commandCpu,
            long databaseCpu) {}

    private ProcessReading reading() {
        return ProcessReading.of(site.cePid())
                .orElseThrow(() -> new IllegalStateException("the CE ended while it was measured"));
    }

    private long databaseCpu() {
        return ProcessReading.of(site.databasePid())
                .orElseThrow(() -> new IllegalStateException("the database ended while it was measured"))
                .cpuMillis();
    }

    private synchronized void sample() {
        ProcessReading now = reading();
        peak = new ProcessReading(
                now.name(),
                now.userMillis(),
                now.systemMillis(),
                now.childrenUserMillis(),
                now.childrenSystemMillis(),
                now.endedChildrenFaults(),
                Math.max(peak.rssKib(), now.rssKib()),
                Math.max(peak.threads(), now.threads()),
                Math.max(peak.descriptors(), now.descriptors()));
        family.sample();
    }

    /** Everything up to now. */
    public Seen seen() {
        sample();
        return new Seen(
                peak.descriptors(),
                peak.threads(),
                peak.rssKib() >> 10,
                family.startedByJvm(),
                family.startedByHelper(),
                family.startedWorkers(),
                family.jvmCpuMillis(),
                family.helperCpuMillis(),
                family.commandCpuMillis(),
                databaseCpu() - databaseCpuBefore);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
