package org.gelato.ce.it.site;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.gelato.ce.cli.Main;
import org.gelato.ce.cli.ProtocolConnector;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.StandardStreams;
import org.gelato.ce.cli.terminal.GivenFile;

/** A user of a CE by the commands of {@code ce}: the same options and the same wire as a user's. */
public final class SiteUser {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SiteCe ce;
    private final Map<String, String> credentials;

    public SiteUser(SiteCe ce, Path proxy) {
        this(ce, Map.of("X509_USER_PROXY", proxy.toString()));
    }

    private SiteUser(SiteCe ce, Map<String, String> credentials) {
        this.ce = ce;
        this.credentials = credentials;
    }

    /** A user with a bearer token and no proxy, whatever this machine has. */
    public static SiteUser byToken(SiteCe ce, String token) {
        return new SiteUser(
                ce,
                Map.of(
                        "BEARER_TOKEN",
                        token,
                        "X509_USER_PROXY",
                        ce.base().resolve("none").toString()));
    }

    /**
     * What a command did.
     *
     * @param exit 0, 1 or 2
     */
    public record Outcome(int exit, String out, String err) {
        public JsonNode json() {
            try {
                return JSON.readTree(out);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("no JSON: " + out + err, e);
            }
        }
    }

    /** The report's sleep job, with the seconds given. */
    public static String sleepJob(int seconds) {
        return "[ JobType = \"Normal\"; Executable = \"/bin/sleep\"; Arguments = \"" + seconds
                + "\"; StdOutput = \"env.out\"; StdError = \"env.err\"; ]";
    }

    /** A job that runs a line of shell. */
    public static String shellJob(String line) {
        return "[ Executable = \"/bin/bash\"; Arguments = \"-c '" + line
                + "'\"; StdOutput = \"env.out\"; StdError = \"env.err\"; ]";
    }

    public Outcome run(String input, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = run(out, err, input, args);
        return new Outcome(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Runs a command whose output can be seen while it runs; returns its exit code. */
    public int run(OutputStream out, OutputStream err, String input, String... args) {
        CliContext context = new CliContext(
                new StandardStreams(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        input.isEmpty() ? GivenFile.Kind.OTHER : GivenFile.Kind.PIPE,
                        false),
                environment(),
                ce.base(),
                Clock.systemUTC(),
                time -> TimeUnit.NANOSECONDS.sleep(time.toNanos()),
                new ProtocolConnector());
        return Main.run(context, args);
    }

    /** The variables that its commands are given. */
    public Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>(credentials);
        environment.put("X509_CERT_DIR", ce.pki().certificates().toString());
        environment.put("CE_ENDPOINT", "localhost:" + ce.port());
        environment.put("CE_RESOURCE", ce.resource("long"));
        return environment;
    }

    /**
     * The command as it is installed: in a clone it would first build all modules, while tests run on them.
     *
     * @param home made for it, where there is none
     * @return the program
     */
    public static Path install(Path home) throws IOException {
        Path clone = Path.of("").toAbsolutePath().getParent();
        Files.createDirectories(home.resolve("lib"));
        Files.createSymbolicLink(home.resolve("lib/ce-cli"), clone.resolve("ce-cli/target"));
        return Files.copy(clone.resolve("ce"), home.resolve("ce"), StandardCopyOption.COPY_ATTRIBUTES);
    }

    /** Runs a command that must succeed. */
    public Outcome must(String input, String... args) {
        Outcome outcome = run(input, args);
        if (outcome.exit() != 0) {
            throw new AssertionError("ce " + String.join(" ", args) + " answered " + outcome.exit() + ": "
                    + outcome.out() + outcome.err()
                    + (outcome.err().contains("no response in time") ? ce.threads() : ""));
        }
        return outcome;
    }

    /** Submits a job; returns its id. */
    public String submit(String jdl, String... options) {
        List<String> args = new ArrayList<>(List.of("submit"));
        args.addAll(List.of(options));
        args.add("-");
        return must(jdl, args.toArray(new String[0])).out().strip();
    }

    /** The states of jobs, by id. */
    public Map<String, String> states(Collection<String> ids) {
        List<String> args = new ArrayList<>(List.of("status", "--json"));
        args.addAll(ids);
        Map<String, String> states = new LinkedHashMap<>();
        run("", args.toArray(new String[0]))
                .json()
                .path("jobs")
                .forEach(j -> states.put(
                        j.path("id").asText(),
                        j.path("status").asText(j.at("/fault/kind").asText())));
        return states;
    }

    public String state(String id) {
        return states(List.of(id)).get(id);
    }

    /** The full record of a job. */
    public JsonNode info(String id) {
        return must("", "info", "--json", id).json().at("/jobs/0");
    }

    /** Waits until a job is in a state. */
    public void await(String id, String state) {
        await(List.of(id), state);
    }

    /** Waits until jobs are not on their way to the batch system any more: until then JobCancel refuses them, as CREAM does. */
    public void awaitHandOver(Collection<String> ids) {
        Awaitility.await(ids.size() + " jobs are handed over")
                .atMost(Duration.ofMinutes(4))
                .until(() -> {
                    Map<String, String> states = states(ids);
                    return states.size() == Set.copyOf(ids).size() && !states.containsValue("PENDING");
                });
    }

    /** Waits until jobs are in a state; an unexpected end fails at once. */
    public void await(Collection<String> ids, String state) {
        Awaitility.await(ids.size() + " jobs become " + state)
                .atMost(Duration.ofMinutes(4))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    Map<String, String> states = states(ids);
                    for (Map.Entry<String, String> e : states.entrySet()) {
                        if (List.of("ABORTED", "DONE-FAILED", "DONE-OK", "CANCELLED")
                                        .contains(e.getValue())
                                && !e.getValue().equals(state)) {
                            throw new AssertionError(e.getKey() + " ended: " + info(e.getKey()));
                        }
                    }
                    // No answer at all, as from a CE that is away, is no agreement.
                    return states.size() == Set.copyOf(ids).size()
                            && states.values().stream().allMatch(state::equals);
                });
    }
}
