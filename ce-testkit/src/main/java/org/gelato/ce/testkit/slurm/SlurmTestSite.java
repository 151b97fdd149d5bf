package org.gelato.ce.testkit.slurm;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A Slurm site on this host, everything below one folder: 500 slots and partitions {@code long} and {@code short}, or a {@link #farm}.
 * Runs {@code slurm-site.sh}, which says what each step does. All methods block until the step is done and may be called again
 * at any time; used by one thread. The daemons outlive this process; {@link #stop} finds them by their folder.
 */
public final class SlurmTestSite implements AutoCloseable {
    /** The unprivileged account jobs run as. */
    public static final String ACCOUNT = "dteam001";

    private static final Duration LONGEST_STEP = Duration.ofMinutes(10);

    private final Path folder;
    private final Map<String, String> settings;

    /** What ends a job of a {@link #farm} that takes more memory than it has. */
    public enum Memory {
        /** The kernel ends single processes, and the job may go on: {@link #prepare} says where a host has no cgroups to write to. */
        CGROUP,
        /** slurmd ends the whole job when it next measures it. */
        SLURMD
    }

    /** @param folder absolute; jobs' accounts must be able to pass through the directories above */
    public SlurmTestSite(Path folder, int slots) {
        this(folder, Map.of("SLURM_SLOTS", Integer.toString(slots)));
    }

    private SlurmTestSite(Path folder, Map<String, String> settings) {
        if (!folder.isAbsolute()) {
            throw new IllegalArgumentException("the site's folder must be absolute: " + folder);
        }
        this.folder = folder.normalize();
        this.settings = settings;
    }

    /**
     * A site that enforces memory: four nodes of 8 slots, 16000 MB and two GPUs {@code fermi} that are there by name alone; 500 MB a slot
     * unless requested otherwise; partition {@code long}, {@code short} with a limit of one minute, and {@code high}, which takes the fourth
     * node from jobs of {@code low} by requeueing them.
     */
    public static SlurmTestSite farm(Path folder, Memory memory) {
        return new SlurmTestSite(
                folder,
                Map.of("SLURM_FORM", "farm", "SLURM_MEMORY", memory.name().toLowerCase(Locale.ROOT)));
    }

    /** The same with accounts and QOS, which a slurmdbd keeps and slurmctld enforces; none is made, and the account may submit nothing yet. */
    public static SlurmTestSite farmWithAccounts(Path folder) {
        return new SlurmTestSite(folder, Map.of("SLURM_FORM", "farm", "SLURM_DBD", "yes"));
    }

    /** A site of 500 slots that shows ended jobs for a few seconds only. */
    public static SlurmTestSite forgetful(Path folder) {
        return new SlurmTestSite(folder, Map.of("SLURM_SLOTS", "500", "SLURM_MIN_JOB_AGE", "5"));
    }

    /**
     * A site of 500 slots that forgets ended jobs as soon as Slurm can, whose plugin replaces name and comment of all jobs of {@code short},
     * and whose prolog fails while {@link #failProlog} says so.
     */
    public static SlurmTestSite meddling(Path folder) {
        return new SlurmTestSite(
                folder, Map.of("SLURM_SLOTS", "500", "SLURM_MIN_JOB_AGE", "2", "SLURM_PLUGINS", "yes"));
    }

    /** Whether the prolog of a {@link #meddling} site fails from now on. Slurm drains a node where one does; ending that resumes it. */
    public void failProlog(boolean fails) throws IOException {
        Path flag = folder.resolve("etc/prolog-fails");
        if (fails) {
            Files.createFile(flag);
        } else {
            Files.delete(flag);
            command("scontrol", "update", "NodeName=wn0", "State=RESUME");
        }
    }

    /**
     * The site that a page of the documentation tells administrators to write: one node of two CPUs, named as this host.
     *
     * @param page absolute
     */
    public static SlurmTestSite ofPage(Path folder, Path page) {
        return new SlurmTestSite(folder, Map.of("SLURM_FORM", "page", "SLURM_PAGE", page.toString()));
    }

    /** A site of 500 slots. */
    public SlurmTestSite(Path folder) {
        this(folder, 500);
    }

    /**
     * Installs Slurm and makes the account where that may be done.
     *
     * @return why there can be no site here; empty when {@link #start} may be called
     */
    public Optional<String> prepare() {
        Outcome outcome = step("prepare");
        return outcome.exit() == 0
                ? Optional.empty()
                : Optional.of(outcome.output().strip());
    }

    /**
     * Brings up whatever is not up.
     *
     * @throws IllegalStateException with the script's words when it cannot
     */
    public void start() {
        must("start");
    }

    /** Ends slurmctld alone; {@link #start} brings it back with its jobs. */
    public void stopController() {
        must("stop-controller");
    }

    /** From now on no job begins; jobs are taken and wait. */
    public void hold() {
        must("hold");
    }

    /** Ends all jobs and daemons. */
    public void stop() {
        must("stop");
    }

    /** {@link #stop}, and removes the folder. */
    public void wipe() {
        must("wipe");
    }

    @Override
    public void close() {
        stop();
    }

    /** Value of {@code SLURM_CONF} for clients. */
    public Path conf() {
        return folder.resolve("etc/slurm.conf");
    }

    /** Where ended jobs are noted. */
    public Path jobCompletionLog() {
        return folder.resolve("log/jobcomp.log");
    }

    private void must(String verb) {
        Outcome outcome = step(verb);
        if (outcome.exit() != 0) {
            throw new IllegalStateException(
                    "slurm-site.sh " + verb + " ended with " + outcome.exit() + ": " + outcome.output());
        }
    }

    /**
     * Runs a command of Slurm's on this site, as this process's user.
     *
     * @return what it prints
     * @throws IllegalStateException when it fails
     */
    public String command(String... command) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("SLURM_CONF", conf().toString());
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
            throw new IllegalStateException("interrupted in " + command[0], e);
        }
    }

    private record Outcome(int exit, String output) {}

    private Outcome step(String verb) {
        Path script = null;
        Path output = null;
        try (InputStream text = SlurmTestSite.class.getResourceAsStream("slurm-site.sh")) {
            if (text == null) {
                throw new IllegalStateException("slurm-site.sh is not beside " + SlurmTestSite.class.getName());
            }
            script = Files.createTempFile("slurm-site", ".sh");
            output = Files.createTempFile("slurm-site", ".out");
            Files.copy(text, script, StandardCopyOption.REPLACE_EXISTING);
            ProcessBuilder builder = new ProcessBuilder(List.of("bash", script.toString(), verb))
                    .redirectErrorStream(true)
                    // a file, as whoever inherits a pipe would keep us waiting
                    .redirectOutput(output.toFile());
            builder.environment().putAll(settings);
            builder.environment().putAll(Map.of("SLURM_SITE", folder.toString(), "SLURM_USERS", ACCOUNT));
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(LONGEST_STEP.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Outcome(-1, "not done after " + LONGEST_STEP);
            }
            return new Outcome(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in slurm-site.sh " + verb, e);
        } finally {
            delete(script);
            delete(output);
        }
    }

    private static void delete(Path file) {
        if (file != null) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
