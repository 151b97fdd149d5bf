package org.gelato.ce.perf.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.gelato.ce.perf.site.CountStore;
import org.gelato.ce.perf.site.MeasuredSite;

/**
 * Samples a site once a second from its making to its close: processes in /proc, jobs by state in the database, on a
 * connection of its own. A sample with 200 000 stored jobs costs the database some 40 ms, which is counted like
 * everything else. Thread-safe.
 */
public final class Sampler implements AutoCloseable {
    private static final String SCHEDD = "condor_schedd";
    private final MeasuredSite site;
    private final CountStore store;
    private final long begin = System.nanoTime();
    private final ProcessGroup ce = new ProcessGroup();
    private final ProcessGroup helper = new ProcessGroup();
    private final ProcessGroup database = new ProcessGroup();
    private final ProcessGroup batch = new ProcessGroup();
    private final Set<Long> commands = new HashSet<>();
    private final List<SiteSample> samples = new ArrayList<>();
    private final String helperName;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "sampler");
        thread.setDaemon(true);
        return thread;
    });
    private RuntimeException failure;

    public Sampler(MeasuredSite site) {
        this.site = site;
        store = site.counts();
        helperName = servers()
                .flatMap(ProcessHandle::children)
                .flatMap(child -> ProcessReading.of(child.pid()).stream())
                .map(ProcessReading::name)
                .findFirst()
                .orElse("");
        now();
        clock.scheduleAtFixedRate(this::sample, 1, 1, TimeUnit.SECONDS);
    }

    private Stream<ProcessHandle> servers() {
        return site.cePids().stream().flatMap(pid -> ProcessHandle.of(pid).stream());
    }

    private void sample() {
        try {
            now();
        } catch (RuntimeException e) {
            synchronized (this) {
                failure = e;
            }
            throw e;
        }
    }

    /** Samples now; the sample is kept like all others. */
    public synchronized SiteSample now() {
        List<ProcessHandle> below =
                servers().flatMap(ProcessHandle::descendants).toList();
        List<Long> helpers = new ArrayList<>();
        for (ProcessHandle p : below) {
            boolean isHelper = ProcessReading.of(p.pid())
                    .filter(r -> r.name().equals(helperName))
                    .isPresent();
            if (isHelper) {
                helpers.add(p.pid());
            } else {
                commands.add(p.pid());
            }
        }
        ProcessGroup.Both helperUse = helper.sample(helpers);
        ProcessUsage commandUse = new ProcessUsage(
                helperUse.children().userMillis(), helperUse.children().systemMillis(), 0, 0, 0, commands.size());
        SiteSample sample = new SiteSample(
                seconds(),
                ce.sample(site.cePids()).own(),
                helperUse.own(),
                database.sample(site.databasePids()).own(),
                batch.sample(daemons()).own().plus(commandUse),
                store.byState());
        samples.add(sample);
        return sample;
    }

    /** The batch system's daemons are those with a file below its directory on their command line, or HTCondor's schedd, which alone has such in its environment. */
    private List<Long> daemons() {
        String slurm = site.base().resolve("slurm").toString();
        String torque = site.base().resolve("torque").toString();
        String condor = site.base().resolve("condor").toString();
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(p -> {
                        String words = read(p.pid(), "cmdline");
                        return words.contains(slurm)
                                || words.contains(torque)
                                || (words.contains(SCHEDD)
                                        && read(p.pid(), "environ").contains(condor));
                    })
                    .map(ProcessHandle::pid)
                    .toList();
        }
    }

    private static String read(long pid, String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // it has ended
        }
    }

    /** Seconds since the begin, by the clock of the samples. */
    public double seconds() {
        return (System.nanoTime() - begin) / 1e9;
    }

    /**
     * Everything up to now, in the order of time.
     *
     * @throws IllegalStateException when a sample failed, after which there were none
     */
    public synchronized List<SiteSample> samples() {
        if (failure != null) {
            throw new IllegalStateException("the monitor failed: " + failure.getMessage(), failure);
        }
        return List.copyOf(samples);
    }

    @Override
    public void close() {
        clock.shutdownNow();
        synchronized (this) {
            store.close();
        }
    }
}
