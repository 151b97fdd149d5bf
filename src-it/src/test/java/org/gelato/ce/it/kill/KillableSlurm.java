package org.gelato.ce.it.kill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.BatchSite;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.slurm.SlurmTestSite;

/** A Slurm site whose controller can be killed. */
public final class KillableSlurm implements BatchSite {
    private static final Pattern AT_REST = Pattern.compile("(?s)Agent queue size: +0\\R.*Agent count: +0\\R");

    private static final int NUMBERS_EACH = 10_000;

    private final Path folder;
    private final SlurmTestSite site;
    private final boolean forgetful;
    private int restarts;
    private int kills;

    public KillableSlurm() {
        this(false);
    }

    /** @param forgetful whether it forgets ended jobs within seconds, and may {@link #forget} all */
    public KillableSlurm(boolean forgetful) {
        this.forgetful = forgetful;
        try {
            folder = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-kill-slurm-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        site = forgetful ? SlurmTestSite.forgetful(folder) : new SlurmTestSite(folder);
        Optional<String> missing = site.prepare();
        if (missing.isPresent()) {
            site.wipe();
            Skipped.because("Slurm", missing.get());
        }
        site.start();
    }

    @Override
    public String lrms() {
        return "slurm";
    }

    @Override
    public String account() {
        return SlurmTestSite.ACCOUNT;
    }

    @Override
    public Map<String, Object> settings() {
        return Map.of("gelato.lrms.slurm.conf", conf().toString());
    }

    Path conf() {
        return site.conf();
    }

    @Override
    public void keepLogs(Path directory) {
        try {
            Files.createDirectories(directory);
            Files.copy(site.jobCompletionLog(), directory.resolve("jobs"), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * kill -9 of slurmctld, after it has saved what it knows: it saves every five seconds, and of a job it accepted since
     * then its kill comes at an unknown moment. Of a job it began since then it knows only that it waits, and of one it
     * was about to launch that it runs: it would launch it again, slurmd would refuse the second copy, and Slurm would
     * cancel the job that runs and drain its node. So none begins from here on, and those begun are launched first;
     * {@link #restart} lets them.
     */
    void kill() {
        site.hold();
        Awaitility.await("what it began is launched")
                .until(() -> AT_REST.matcher(site.command("sdiag")).find());
        String mark = "saved-" + ++kills;
        site.command("sbatch", "--hold", "--job-name=" + mark, "--output=/dev/null", "--wrap=:");
        Awaitility.await("it has saved").until(() -> saved(mark));
        killAtOnce();
    }

    private boolean saved(String mark) throws IOException {
        try {
            // names of jobs stand there as they are
            return Files.readString(folder.resolve("state/job_state"), StandardCharsets.ISO_8859_1)
                    .contains(mark);
        } catch (NoSuchFileException replacing) {
            // slurmctld does not rename: it unlinks what it saved last and then links the new file, so for a moment
            // none
            // has the name
            return false;
        }
    }

    /** Process id of slurmctld. */
    long controller() {
        return pid("run/slurmctld.pid");
    }

    /** Process id of munged. */
    long munge() {
        return pid("munge/run/munged.pid");
    }

    private long pid(String file) {
        try {
            return Long.parseLong(Files.readString(folder.resolve(file)).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public boolean isForgetful() {
        return forgetful;
    }

    /** slurmctld is killed and comes back without what it had saved of jobs: it ends those that nodes still run. */
    public void forget() {
        killAtOnce();
        try (Stream<Path> saved = Files.list(folder.resolve("state"))) {
            for (Path file : saved.toList()) {
                if (file.getFileName().toString().matches("job_state.*|hash\\..*")) {
                    SiteCe.remove(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        restart();
    }

    private void killAtOnce() {
        try {
            ProcessHandle process = ProcessHandle.of(controller()).orElseThrow();
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
        return Arrays.stream(site.command("squeue", "--noheader", "--states=all", "--format=%j")
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

    @Override
    public void close() {
        site.wipe();
    }
}
