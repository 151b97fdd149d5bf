package org.gelato.ce.it.htcondor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.testkit.site.FreePort;

/** A real HTCondor with slots, made by {@code src/test/htcondor/condor-site}: a pool below a CE. */
final class CondorSlots implements AutoCloseable {
    /** The account that has jobs. */
    static final String ACCOUNT = "gelatopool";

    /** One that the schedd does not let in. */
    static final String DENIED = "gelatodenied";

    private static final Path SCRIPT = Path.of("src/test/htcondor/condor-site").toAbsolutePath();

    private final Path home;
    private final Map<String, String> environment = new HashMap<>();

    private CondorSlots(Path home, int slots) {
        this.home = home;
        environment.put("CONDOR_SITE", home.toString());
        environment.put("CONDOR_PORT", Integer.toString(FreePort.choose()));
        environment.put("CONDOR_USER", ACCOUNT);
        environment.put("CONDOR_SLOTS", Integer.toString(slots));
        environment.put("CONDOR_CONFIG", config().toString());
    }

    /** Why there can be none here; empty where there can be. */
    static Optional<String> missing() {
        if (System.getenv("GELATO_ROOT") == null) {
            return Optional.of("it adds an account to the system: ./ce test --systems has a root for that");
        }
        return Files.isExecutable(Path.of("/usr/sbin/condor_startd"))
                ? Optional.empty()
                : Optional.of("HTCondor is not installed");
    }

    /** Starts one; done when its schedd takes jobs. */
    static CondorSlots start(Path home, int slots) {
        CondorSlots pool = new CondorSlots(home, slots);
        pool.script("start");
        return pool;
    }

    Path config() {
        return home.resolve("condor_config");
    }

    /** Ends the schedd; done when a new one takes jobs. */
    void killSchedd() {
        script("kill-schedd");
    }

    /** The schedd responds no more. */
    void stopSchedd() {
        script("stop-schedd");
    }

    /** It does again. */
    void continueSchedd() {
        script("continue-schedd");
    }

    /** Ends the schedd; done when one with an empty queue, which counts from 1, takes jobs. */
    void newQueue() {
        script("new-queue");
    }

    /** Runs a command as root, who administers HTCondor; returns what it prints. */
    String command(String... command) {
        return run(command);
    }

    /** Runs a command as the account. */
    String user(String... command) {
        List<String> words = new ArrayList<>(List.of("runuser", "-u", ACCOUNT, "--"));
        words.addAll(List.of(command));
        return run(words.toArray(String[]::new));
    }

    private void script(String verb) {
        run("bash", SCRIPT.toString(), verb);
    }

    private String run(String... command) {
        return CondorPool.run(environment, command);
    }

    @Override
    public void close() {
        script("stop");
    }
}
