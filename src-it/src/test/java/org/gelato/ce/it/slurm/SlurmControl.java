package org.gelato.ce.it.slurm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.slurm.SlurmSite;

/** The tests' own control of the Slurm site, without the CE. */
final class SlurmControl implements AutoCloseable {
    private final SlurmSite site;
    private final Path folder;

    private SlurmControl(SlurmSite site, Path folder) {
        this.site = site;
        this.folder = folder;
    }

    /** Starts a site of 500 slots; skips the test with the reason where there can be none. */
    static SlurmControl start() {
        try {
            Path folder = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-slurm-");
            SlurmSite site = new SlurmSite(folder);
            Optional<String> missing = site.prepare();
            if (missing.isPresent()) {
                site.wipe();
                Skipped.because("Slurm", missing.get());
            }
            site.start();
            return new SlurmControl(site, folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path conf() {
        return site.conf();
    }

    SlurmSite site() {
        return site;
    }

    /** Lets no job of a partition start. */
    void hold(String partition) {
        run("scontrol", "update", "PartitionName=" + partition, "State=DOWN");
    }

    void resume(String partition) {
        run("scontrol", "update", "PartitionName=" + partition, "State=UP");
    }

    /** Names of all jobs the controller has ever seen; it forgets none within an hour. */
    List<String> jobNames() {
        return Arrays.asList(
                run("squeue", "--noheader", "--states=all", "--format=%j").split("\\s+"));
    }

    /** The script that the controller keeps of the job of this name. */
    String script(String name) {
        String id = run("squeue", "--noheader", "--states=all", "--name=" + name, "--format=%i")
                .strip();
        return run("scontrol", "write", "batch_script", id, "-");
    }

    private String run(String... command) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("SLURM_CONF", site.conf().toString());
            Process process = builder.start();
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command) + ": " + text);
            }
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        site.wipe();
        if (Files.exists(folder)) {
            throw new IllegalStateException(folder + " was left behind");
        }
    }
}
