package org.gelato.ce.it.kill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.it.slurm.SlurmSite;

/** A Slurm site whose controller can be killed. */
final class KillableSlurm implements AutoCloseable {
    private static final Duration SAVED_EVERY = Duration.ofSeconds(7);
    private static final Duration WRITING = Duration.ofSeconds(1);

    private static final int NUMBERS_EACH = 10_000;

    private final Path folder;
    private final SlurmSite site;
    private int restarts;

    KillableSlurm() {
        try {
            folder = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-kill-slurm-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        site = new SlurmSite(folder);
        Optional<String> missing = site.prepare();
        if (missing.isPresent()) {
            site.wipe();
            Skipped.because("Slurm", missing.get());
        }
        site.start();
    }

    Path conf() {
        return site.conf();
    }

    /**
     * kill -9 of slurmctld, after it had the time to save what it knows: it saves every five seconds, and of a job it
     * accepted since then nobody knows when it is killed. Of a job it began since then it knows only that it waits: it would
     * begin it again, slurmd would refuse the second copy, and Slurm would cancel the job that runs and drain its node. So
     * none begins from here on; {@link #restart} lets them.
     */
    void kill() {
        site.hold();
        // What is written right after the hold may have been gathered before it.
        Instant held = Instant.now().plus(WRITING);
        try {
            Awaitility.await().atMost(SAVED_EVERY.plus(WRITING)).until(() -> saved().isAfter(held));
        } catch (ConditionTimeoutException e) {
            // nothing has changed that it would save
        }
        killAtOnce();
    }

    private Instant saved() {
        try {
            FileTime time = Files.getLastModifiedTime(folder.resolve("state/job_state"));
            return time.toInstant();
        } catch (IOException e) {
            return Instant.MIN;
        }
    }

    private void killAtOnce() {
        try {
            long pid = Long.parseLong(
                    Files.readString(folder.resolve("run/slurmctld.pid")).strip());
            ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
            process.destroyForcibly();
            process.onExit().get(5, TimeUnit.MINUTES);
        } catch (Exception e) {
            throw new IllegalStateException("slurmctld was not killed", e);
        }
    }

    /**
     * As an administrator does after slurmctld has lost its latest jobs: without a higher FirstJobId it would give the
     * number of a job that slurmd still runs to another one, which Slurm then cancels, and drains the node.
     */
    void restart() {
        try {
            String conf = Files.readString(site.conf()).replaceAll("(?m)^FirstJobId=.*\\R", "");
            restarts++;
            Files.writeString(site.conf(), conf + "FirstJobId=" + (restarts * NUMBERS_EACH + 1) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        site.start();
    }

    /** How often the controller was handed each job, by the job's tag. */
    Map<String, Long> submissions() {
        return Arrays.stream(run("squeue", "--noheader", "--states=all", "--format=%j")
                        .split("\\s+"))
                .filter(name -> name.startsWith("cream_"))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    /** What Slurm noted at the end of these jobs, and of others that had their numbers. */
    String history(Collection<String> jobs) {
        if (jobs.isEmpty()) {
            return "";
        }
        try {
            List<String> lines = Files.readAllLines(site.jobCompletionLog());
            Set<String> numbers = lines.stream()
                    .filter(line ->
                            jobs.stream().anyMatch(job -> line.contains(job.replace("CREAM", "Name=cream_") + " ")))
                    .map(KillableSlurm::number)
                    .collect(Collectors.toSet());
            return lines.stream()
                    .filter(line -> numbers.contains(number(line)))
                    .collect(Collectors.joining("\n", "\n", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of a line of the job completion log, which begins with {@code JobId=}. */
    private static String number(String line) {
        return line.substring(0, Math.max(0, line.indexOf(' ')));
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
    }
}
