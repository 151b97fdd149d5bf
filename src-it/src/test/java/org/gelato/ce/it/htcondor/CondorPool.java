package org.gelato.ce.it.htcondor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.condor.CondorTestSite;

/** A real HTCondor that submits to a CE, and one account that uses it. */
final class CondorPool implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ACCOUNT = "gelatofactory";

    private final SiteCe ce;
    private final Path home;
    private final CondorTestSite site;

    private CondorPool(SiteCe ce, Path home) {
        this.ce = ce;
        this.home = home;
        // outside, as the folder is made by its start
        Path authorities = ce.pki().writeAuthorities(ce.base().resolve("authorities.pem"));
        site = new CondorTestSite(home, ACCOUNT, Map.of("CONDOR_CAS", authorities.toString()));
    }

    /** Why there can be none here; empty where there can be. */
    static Optional<String> missing() {
        if (System.getenv("GELATO_ROOT") == null) {
            return Optional.of(
                    "it adds a certificate and an account to the system: ./ce test --systems has a root for that");
        }
        return CondorTestSite.missing("condor_master");
    }

    /** Starts one whose clients trust the CE's authority; done when its schedd takes jobs. */
    static CondorPool start(SiteCe ce) throws IOException {
        CondorPool pool = new CondorPool(ce, Files.createTempDirectory(Path.of("/var/tmp"), "gelato-condor-"));
        pool.site.step("start");
        return pool;
    }

    /** Where the submitting account may write; its files stay readable for all. */
    Path jobs() {
        return home.resolve("jobs");
    }

    /** A file of the submitting account, which alone reads it. */
    Path secret(String name, String text) throws IOException {
        Path file = Files.writeString(home.resolve(name), text);
        site.command("chown", ACCOUNT, file.toString());
        site.command("chmod", "600", file.toString());
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
        return await(what, cluster, jobs, PATIENCE, wanted);
    }

    List<JsonNode> await(String what, int cluster, int jobs, Duration patience, Predicate<JsonNode> wanted) {
        return Awaitility.await(what)
                .atMost(patience)
                .pollInterval(Duration.ofSeconds(1))
                .until(
                        () -> listed(cluster),
                        all -> all.size() == jobs && all.stream().allMatch(wanted));
    }

    /** Ends schedd and grid manager; done when a new schedd takes jobs. */
    void killSchedd() {
        site.step("kill-schedd");
    }

    /** Runs a command as the submitting account; returns what it prints. */
    String user(String... command) {
        return site.user(command);
    }

    @Override
    public void close() {
        site.close();
    }
}
