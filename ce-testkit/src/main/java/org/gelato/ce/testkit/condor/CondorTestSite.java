package org.gelato.ce.testkit.condor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.testkit.site.FreePort;

/**
 * A real HTCondor on this host, everything below one folder, by {@code condor-site.sh}, which says what each step does. All methods block
 * until the step is done. The daemons outlive this process until {@link #close}.
 */
public final class CondorTestSite implements AutoCloseable {
    private static final String SCRIPT = "condor-site.sh";
    private static final Duration LONGEST = Duration.ofMinutes(4);

    private final Path home;
    private final String account;
    private final Map<String, String> environment = new HashMap<>();

    /**
     * @param home absolute; the account must be able to pass through the directories above
     * @param account that submits; made where it is missing
     * @param settings further variables of the script
     */
    public CondorTestSite(Path home, String account, Map<String, String> settings) {
        this.home = home;
        this.account = account;
        environment.put("CONDOR_SITE", home.toString());
        environment.put("CONDOR_PORT", Integer.toString(FreePort.choose()));
        environment.put("CONDOR_USER", account);
        environment.put("CONDOR_CONFIG", config().toString());
        environment.putAll(settings);
    }

    /**
     * Why there can be none here; empty where there can be.
     *
     * @param program of {@code /usr/sbin}, without which it is of no use
     */
    public static Optional<String> missing(String program) {
        if (!System.getProperty("user.name").equals("root")) {
            return Optional.of("HTCondor's daemons need root");
        }
        return Files.isExecutable(Path.of("/usr/sbin", program))
                ? Optional.empty()
                : Optional.of("HTCondor is not installed");
    }

    /** A step of the script; returns what it prints. */
    public String step(String verb) {
        Path script = null;
        try (InputStream text = CondorTestSite.class.getResourceAsStream(SCRIPT)) {
            script = Files.createTempFile("condor-site", ".sh");
            Files.copy(text, script, StandardCopyOption.REPLACE_EXISTING);
            return command("bash", script.toString(), verb);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            delete(script);
        }
    }

    /** Value of {@code CONDOR_CONFIG} for clients. */
    public Path config() {
        return home.resolve("condor_config");
    }

    /** Runs a command as root, who administers HTCondor; returns what it prints; it must end well. */
    public String command(String... command) {
        Path out = null;
        try {
            // a file, as daemons would keep a pipe open
            out = Files.createTempFile("condor", ".out");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(out.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(String.join(" ", command) + " does not end: " + Files.readString(out));
            }
            if (process.exitValue() != 0) {
                throw new IllegalStateException(String.join(" ", command) + ": " + Files.readString(out));
            }
            return Files.readString(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            delete(out);
        }
    }

    /** Runs a command as the account. */
    public String user(String... command) {
        List<String> words = new ArrayList<>(List.of("runuser", "-u", account, "--"));
        words.addAll(List.of(command));
        return command(words.toArray(String[]::new));
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

    /** Ends all daemons, and removes the folder. */
    @Override
    public void close() {
        step("stop");
    }
}
