package org.gelato.ce.it.htcondor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.site.FreePort;

/** A real HTCondor that submits to a CE, made by {@code src/test/htcondor/condor-site}, and one account that uses it. */
final class CondorPool implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path SCRIPT = Path.of("src/test/htcondor/condor-site").toAbsolutePath();
    private static final String ACCOUNT = "gelatofactory";

    private final SiteCe ce;
    private final Path home;
    private final Map<String, String> site = new HashMap<>();

    private CondorPool(SiteCe ce, Path home) {
        this.ce = ce;
        this.home = home;
        site.put("CONDOR_SITE", home.toString());
        site.put("CONDOR_PORT", Integer.toString(FreePort.choose()));
        site.put("CONDOR_USER", ACCOUNT);
        site.put("CONDOR_CONFIG", home.resolve("condor_config").toString());
    }

    /** Why there can be none here; empty where there can be. */
    static Optional<String> missing() {
        if (System.getenv("GELATO_ROOT") == null) {
            return Optional.of(
                    "it adds a certificate and an account to the system: ./ce test --systems has a root for that");
        }
        return Files.isExecutable(Path.of("/usr/sbin/condor_master"))
                ? Optional.empty()
                : Optional.of("HTCondor is not installed");
    }

    /** Starts one whose clients trust the CE's authority; done when its schedd takes jobs. */
    static CondorPool start(SiteCe ce) throws IOException {
        CondorPool pool = new CondorPool(ce, Files.createTempDirectory(Path.of("/var/tmp"), "gelato-condor-"));
        pool.site.put(
                "CONDOR_CAS",
                ce.pki().writeAuthorities(pool.home.resolve("authorities.pem")).toString());
        pool.script("start");
        return pool;
    }

    /** Where the submitting account may write; its files stay readable for all. */
    Path jobs() {
        return home.resolve("jobs");
    }

    /** A file of the submitting account, which alone reads it. */
    Path secret(String name, String text) throws IOException {
        Path file = Files.writeString(home.resolve(name), text);
        run(site, "chown", ACCOUNT, file.toString());
        run(site, "chmod", "600", file.toString());
        return file;
    }

    /**
     * Submits jobs.
     *
     * @param description without universe, CE, and the line that queues
     * @return the cluster
     */
    int submit(int jobs, String description) throws IOException {
        String text = """
                universe = grid
                grid_resource = arc https://localhost:%d
                arc_resources = <QueueName>long</QueueName>
                initialdir = %s
                %s
                queue %d
                """.formatted(ce.port(), jobs(), description, jobs);
        String said = user(
                "condor_submit",
                "-terse",
                secret("submit-" + System.nanoTime(), text).toString());
        return Integer.parseInt(said.strip().replaceFirst("(?s)\\..*", ""));
    }

    /** The jobs of a cluster that HTCondor has in its queue or its history. */
    List<JsonNode> listed(int cluster) {
        List<JsonNode> all = new ArrayList<>(json(user("condor_q", "-json", Integer.toString(cluster))));
        all.addAll(json(user("condor_history", "-json", Integer.toString(cluster))));
        return all;
    }

    private static List<JsonNode> json(String text) {
        List<JsonNode> all = new ArrayList<>();
        try {
            JSON.readTree(text.isBlank() ? "[]" : text).forEach(all::add);
        } catch (IOException e) {
            throw new UncheckedIOException(text, e);
        }
        return all;
    }

    /** Waits until all jobs of a cluster are as wanted; returns them. */
    List<JsonNode> await(String what, int cluster, int jobs, Predicate<JsonNode> wanted) {
        return Awaitility.await(what)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(1))
                .until(
                        () -> listed(cluster),
                        all -> all.size() == jobs && all.stream().allMatch(wanted));
    }

    /** Ends schedd and grid manager; done when a new schedd takes jobs. */
    void killSchedd() {
        script("kill-schedd");
    }

    /** Runs a command as the submitting account; returns what it prints. */
    String user(String... command) {
        List<String> words = new ArrayList<>(List.of("runuser", "-u", ACCOUNT, "--"));
        words.addAll(List.of(command));
        return run(site, words.toArray(String[]::new));
    }

    private void script(String verb) {
        run(site, "bash", SCRIPT.toString(), verb);
    }

    /** What the command printed; it must end well. */
    static String run(Map<String, String> environment, String... command) {
        try {
            Path out = Files.createTempFile("condor", ".out");
            try {
                ProcessBuilder builder = new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectOutput(out.toFile());
                builder.environment().putAll(environment);
                Process process = builder.start();
                if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new AssertionError(String.join(" ", command) + " does not end: " + Files.readString(out));
                }
                if (process.exitValue() != 0) {
                    throw new AssertionError(String.join(" ", command) + ": " + Files.readString(out));
                }
                return Files.readString(out);
            } finally {
                Files.delete(out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        script("stop");
    }
}
