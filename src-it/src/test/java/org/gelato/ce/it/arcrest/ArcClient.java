package org.gelato.ce.it.arcrest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.SiteCe;

/** A user of Debian's ARC client, with a home directory of his own. */
final class ArcClient {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** All that the client reads credentials from. */
    private static final List<String> CREDENTIALS =
            List.of("X509_USER_PROXY", "X509_USER_CERT", "X509_USER_KEY", "BEARER_TOKEN", "BEARER_TOKEN_FILE");

    private final SiteCe ce;
    private final Path home;
    private final Map<String, String> credentials;

    /** @param credentials variables of the environment that name them */
    ArcClient(SiteCe ce, String name, Map<String, String> credentials) {
        this.ce = ce;
        this.credentials = credentials;
        try {
            home = Files.createDirectory(ce.base().resolve("arc-" + name));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Where the client's files are. */
    Path home() {
        return home;
    }

    String url() {
        return "https://localhost:" + ce.port() + "/arex";
    }

    Path file(String name, String text) {
        try {
            return Files.writeString(home.resolve(name), text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Forgets all jobs, as on another machine. */
    void forget() {
        try {
            Files.delete(home.resolve(".arc/jobs.dat"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    void await(String state) {
        Awaitility.await("arcstat shows " + state)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> run("arcstat", "-a").contains("State: " + state));
    }

    /** Waits until so many jobs are all in the state. */
    void awaitAll(int jobs, String state) {
        Awaitility.await("arcstat shows " + jobs + " times " + state)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> run("arcstat", "-a").split("State: " + state, -1).length == jobs + 1);
    }

    /** What a command prints, whether it succeeds or not. */
    String run(String... command) {
        try {
            List<String> words = new ArrayList<>(List.of(command));
            words.set(0, "/usr/bin/" + command[0]);
            Path out = Files.createTempFile(home, "out", ".txt");
            ProcessBuilder builder = new ProcessBuilder(words)
                    .directory(home.toFile())
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(out.toFile());
            Map<String, String> environment = builder.environment();
            environment.keySet().removeAll(CREDENTIALS);
            environment.put("HOME", home.toString());
            environment.put("XDG_RUNTIME_DIR", home.toString());
            environment.put("X509_CERT_DIR", ce.pki().certificates().toString());
            environment.putAll(credentials);
            Process process = builder.start();
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(String.join(" ", command) + " does not end: " + Files.readString(out));
            }
            return Files.readString(out);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
