package org.gelato.ce.it.slurm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.slurm.SlurmTestSite;

/** The tests' own control of the Slurm site, without the CE. */
final class SlurmControl implements AutoCloseable {
    private final SlurmTestSite site;
    private final Path folder;

    private SlurmControl(SlurmTestSite site, Path folder) {
        this.site = site;
        this.folder = folder;
    }

    /** Starts a site of 500 slots; skips the test with the reason where there can be none. */
    static SlurmControl start() {
        Path folder = newFolder();
        return start(new SlurmTestSite(folder), folder);
    }

    /** Starts a site that enforces memory; skips as {@link #start}. */
    static SlurmControl startFarm(SlurmTestSite.Memory memory) {
        Path folder = newFolder();
        return start(SlurmTestSite.farm(folder, memory), folder);
    }

    /** Starts a site that meddles with jobs; skips as {@link #start}. */
    static SlurmControl startMeddling() {
        Path folder = newFolder();
        return start(SlurmTestSite.meddling(folder), folder);
    }

    private static SlurmControl start(SlurmTestSite site, Path folder) {
        site.prepare().ifPresent(missing -> {
            site.wipe();
            Skipped.because("Slurm", missing);
        });
        site.start();
        return new SlurmControl(site, folder);
    }

    private static Path newFolder() {
        try {
            return Files.createTempDirectory(Path.of("/var/tmp"), "gelato-slurm-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path conf() {
        return site.conf();
    }

    SlurmTestSite site() {
        return site;
    }

    /** Lets no job of a partition start. */
    void hold(String partition) {
        site.command("scontrol", "update", "PartitionName=" + partition, "State=DOWN");
    }

    void resume(String partition) {
        site.command("scontrol", "update", "PartitionName=" + partition, "State=UP");
    }

    /** The id in Slurm of a job of the CE, by its sandbox; empty where it is not shown in one of these states. */
    Optional<String> idOf(String job, String states) {
        String sandbox = "/" + job.substring(job.lastIndexOf('/') + 1);
        return site.command("squeue", "--noheader", "--states=" + states, "--format=%i %Z")
                .lines()
                .filter(line -> line.endsWith(sandbox))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .findFirst();
    }

    /** Names of all jobs the controller has ever seen; it forgets none within an hour. */
    List<String> jobNames() {
        return Arrays.asList(site.command("squeue", "--noheader", "--states=all", "--format=%j")
                .split("\\s+"));
    }

    /** The script that the controller keeps of the job of this name. */
    String script(String name) {
        String id = site.command("squeue", "--noheader", "--states=all", "--name=" + name, "--format=%i")
                .strip();
        return site.command("scontrol", "write", "batch_script", id, "-");
    }

    @Override
    public void close() {
        site.wipe();
        if (Files.exists(folder)) {
            throw new IllegalStateException(folder + " was left behind");
        }
    }
}
