package org.gelato.ce.it.htcondor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.BatchSite;
import org.gelato.ce.testkit.condor.CondorTestSite;

/** A real HTCondor with slots, a pool below a CE. */
public final class CondorSlots implements BatchSite {
    /** The account that has jobs. */
    public static final String ACCOUNT = "gelatopool";

    /** One that the schedd does not let in. */
    static final String DENIED = "gelatodenied";

    private final Path home;
    private final CondorTestSite site;

    private CondorSlots(Path home, int slots) {
        this.home = home;
        site = new CondorTestSite(home, ACCOUNT, Map.of("CONDOR_SLOTS", Integer.toString(slots)));
    }

    /** Why there can be none here; empty where there can be. */
    public static Optional<String> missing() {
        if (System.getenv("GELATO_ROOT") == null) {
            return Optional.of("it adds an account to the system: ./ce test --systems has a root for that");
        }
        return CondorTestSite.missing("condor_startd");
    }

    /** Starts one; done when its schedd takes jobs. */
    public static CondorSlots start(Path home, int slots) {
        CondorSlots pool = new CondorSlots(home, slots);
        pool.site.step("start");
        return pool;
    }

    @Override
    public String lrms() {
        return "condor";
    }

    @Override
    public String account() {
        return ACCOUNT;
    }

    @Override
    public Map<String, Object> settings() {
        return Map.of("gelato.lrms.condor.config", config().toString());
    }

    @Override
    public void keepLogs(Path directory) {
        try {
            Files.createDirectories(directory);
            command("cp", "-r", home.resolve("log").toString(), directory.toString());
            Files.writeString(directory.resolve("queue"), command("condor_q", "-all", "-long"));
            Files.writeString(directory.resolve("history"), command("condor_history", "-long"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path config() {
        return site.config();
    }

    /** Ends the schedd; done when a new one takes jobs. */
    public void killSchedd() {
        site.step("kill-schedd");
    }

    /** Ends all shadows, which watch over running jobs; returns the tags of those jobs. */
    public Set<String> killShadows() {
        Set<String> ids = endShadows();
        return Awaitility.await("what the jobs " + ids + " are")
                .atMost(Duration.ofMinutes(2))
                .ignoreExceptions()
                .until(() -> tags(ids), tags -> tags.size() == ids.size());
    }

    /** The same under a schedd that may be stopped; returns the jobs' ids of HTCondor. */
    public Set<String> endShadows() {
        return site.step("kill-shadows").lines().collect(Collectors.toSet());
    }

    private Set<String> tags(Set<String> ids) {
        List<String> columns = List.of("ClusterId", "ProcId", "GelatoTag");
        return Stream.of(List.of("condor_q", "-all", "-af"), List.of("condor_history", "-af"))
                .flatMap(words -> command(
                                Stream.concat(words.stream(), columns.stream()).toArray(String[]::new))
                        .lines())
                .map(line -> line.split(" "))
                .filter(words -> ids.contains(words[0] + "." + words[1]))
                .map(words -> words[2])
                .collect(Collectors.toSet());
    }

    /** HTCondor forgets the jobs that left its queue. */
    void loseHistory() {
        site.step("lose-history");
    }

    Path eventLog() {
        return home.resolve("log/EventLog");
    }

    /** The schedd responds no more. */
    public void stopSchedd() {
        site.step("stop-schedd");
    }

    /** It does again. */
    public void continueSchedd() {
        site.step("continue-schedd");
    }

    /** Ends the schedd; done when one with an empty queue, which counts from 1, takes jobs. */
    public void newQueue() {
        site.step("new-queue");
    }

    /** Runs a command as root, who administers HTCondor; returns what it prints. */
    public String command(String... command) {
        return site.command(command);
    }

    /** Runs a command as the account. */
    public String user(String... command) {
        return site.user(command);
    }

    @Override
    public void close() {
        site.close();
    }
}
