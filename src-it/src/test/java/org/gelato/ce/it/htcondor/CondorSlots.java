package org.gelato.ce.it.htcondor;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.testkit.condor.CondorTestSite;

/** A real HTCondor with slots, a pool below a CE. */
public final class CondorSlots implements AutoCloseable {
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

    public Path config() {
        return site.config();
    }

    /** Ends the schedd; done when a new one takes jobs. */
    public void killSchedd() {
        site.step("kill-schedd");
    }

    /** Ends all shadows, which watch over running jobs. */
    public void killShadows() {
        site.step("kill-shadows");
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
