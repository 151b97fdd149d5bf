package org.gelato.ce.it.site;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;
import eu.emi.security.authn.x509.helpers.ssl.SSLTrustManager;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.awaitility.Awaitility;
import org.gelato.ce.cli.credential.TlsClient;
import org.gelato.ce.cli.credential.TrustedAuthorities;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.site.FreePort;
import org.gelato.ce.testkit.site.HostLimitsOff;

/**
 * A CE as a site runs it: own process, own configuration file, own database, under {@code ulimit -n 1024}. Its directory
 * is below /var/tmp, where every account may pass.
 */
public final class SiteCe implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(3);
    private static final int REASONS = 12;

    private final Path base;
    private final GridPki pki;
    private final int port;
    private final String lrms;
    private final Path configuration;
    private final String account;
    private Process process;
    private String readyPath = "/health/ready";

    /**
     * Prepares a CE; nothing runs yet.
     *
     * @param lrms fork or slurm
     * @param account every member of the VO is mapped to it
     * @param settings further configuration keys
     */
    public SiteCe(String name, String lrms, String account, Map<String, Object> settings) {
        try {
            base = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-" + name + "-");
            Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
            this.lrms = lrms;
            this.account = account;
            pki = GridPki.open(base.resolve("pki"), "localhost");
            port = settings.get("gelato.port") instanceof Integer given ? given : FreePort.choose();
            Files.writeString(gridmap(), "\"/dteam\" " + account + "\n\"/dteam/*\" " + account + "\n");
            Files.writeString(base.resolve("ban"), "");
            Files.writeString(base.resolve("admins"), "");
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("gelato.home", base.resolve("state").toString());
            values.put("gelato.host", "localhost");
            values.put("gelato.address", "127.0.0.1");
            values.put("gelato.port", port);
            values.put("gelato.sandbox-root", base.resolve("sandbox").toString());
            values.put("gelato.tls.host-certificate", pki.hostCertificate().toString());
            values.put("gelato.tls.host-key", pki.hostKey().toString());
            values.put("gelato.tls.ca-directory", pki.certificates().toString());
            values.put("gelato.tls.voms-directory", pki.vomsdir().toString());
            values.put("gelato.tls.refresh", "1 s");
            values.put("gelato.authorization.gridmap", gridmap().toString());
            values.put("gelato.authorization.ban", base.resolve("ban").toString());
            values.put("gelato.authorization.admins", base.resolve("admins").toString());
            values.put("gelato.database.embedded.cache", cache().toString());
            // A key costs half a second of CPU in a JVM that has just started, and tests start many CEs.
            values.put("gelato.delegation.key-pool", 1);
            values.put("gelato.lrms.kind", lrms);
            values.put("gelato.lrms.queues", List.of("long", "short"));
            values.put("gelato.lrms.poll-interval", "1 s");
            HostLimitsOff.in(values);
            values.putAll(settings);
            if (!settings.containsKey("gelato.database.url") && !settings.containsKey("gelato.home")) {
                EmptySchema.copyInto(base.resolve("state/database"));
            }
            configuration = base.resolve("gelato.conf");
            Files.writeString(
                    configuration,
                    ConfigFactory.parseMap(values)
                            .root()
                            .render(ConfigRenderOptions.defaults()
                                    .setOriginComments(false)
                                    .setComments(false)
                                    .setJson(false)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Unpacked database programs, shared with all tests and clones of this user, because they are large. */
    public static Path cache() {
        String given = System.getProperty("gelato.cache", "");
        return given.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache", "gelato") : Path.of(given);
    }

    public Path base() {
        return base;
    }

    public Path configuration() {
        return configuration;
    }

    public Path gridmap() {
        return base.resolve("grid-mapfile");
    }

    public Path log() {
        return base.resolve("ce.log");
    }

    public GridPki pki() {
        return pki;
    }

    /**
     * TLS as a client of this CE uses it.
     *
     * @param credential null for a client without certificate
     */
    public SSLContext tls(GridCredential credential) {
        try {
            KeyManager[] keys = credential == null
                    ? null
                    : new KeyManager[] {credential.x509().getKeyManager()};
            TrustManager[] trust = {new SSLTrustManager(TrustedAuthorities.load(pki.certificates()))};
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(keys, trust, null);
            return tls;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public int port() {
        return port;
    }

    public String account() {
        return account;
    }

    /** {@code host:port/cream-lrms-queue}. */
    public String resource(String queue) {
        return "localhost:" + port + "/cream-" + lrms + "-" + queue;
    }

    /** Starts the process and waits until it is ready. */
    public SiteCe start() {
        return start(program(), Map.of(), readyPath);
    }

    /**
     * Its own command for tests. Most of these processes end a minute after their start, so the second compiler takes only
     * what is hot indeed, and a tenth of that where a key of 2048 bits takes ten times as long without it.
     *
     * @param options further ones of the JVM
     */
    public List<String> program(String... options) {
        List<String> program = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=CompileThresholdScaling,java.math.*::*,0.1",
                "-XX:CompileCommand=CompileThresholdScaling,sun.security.*::*,0.1",
                "-XX:CompileCommand=CompileThresholdScaling,com.sun.crypto.*::*,0.1",
                "-XX:Tier4InvocationThreshold=150000",
                "-XX:Tier4MinInvocationThreshold=18000",
                "-XX:Tier4CompileThreshold=450000",
                "-XX:Tier4BackEdgeThreshold=1200000",
                "-XX:+UseSerialGC",
                "-Xmx512m"));
        program.addAll(SharedClasses.options());
        program.addAll(List.of(options));
        program.addAll(List.of(
                "-cp",
                SharedClasses.classPath(),
                "org.gelato.ce.ws.boot.Main",
                "run",
                "--config",
                configuration.toString()));
        return program;
    }

    /**
     * Starts it by another command than its own, as in a container of the site's, and waits until it is ready.
     *
     * @param environment variables beside those of this process
     * @param ready path that responds when it is ready
     */
    public SiteCe start(List<String> program, Map<String, String> environment, String ready) {
        readyPath = ready;
        launch(program, environment);
        Awaitility.await("CE is ready, see " + log()).atMost(START).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("the CE ended while it started:\n" + reasons());
            }
            return isReady();
        });
        return this;
    }

    /** The last lines of the log without the places of a stack trace: of a long message a summary of tests shows the beginning. */
    private String reasons() throws IOException {
        List<String> lines = Files.readAllLines(log()).stream()
                .filter(line -> !line.startsWith("\tat "))
                .toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - REASONS), lines.size()));
    }

    /** Starts it and does not wait. */
    public void launch(List<String> program, Map<String, String> environment) {
        List<String> command = new ArrayList<>(List.of("/bin/bash", "-c", "ulimit -n 1024; exec \"$@\"", "ce"));
        command.addAll(program);
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(base.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
            builder.environment().putAll(environment);
            process = builder.start();
            SharedClasses.started(process, command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the CE reports that it is ready. */
    public boolean isReady() {
        try (InputStream response = get(readyPath)) {
            response.readAllBytes();
            return true;
        } catch (CliException | IOException e) {
            return false;
        }
    }

    /** Reads a page without a client certificate. */
    public InputStream get(String path) {
        return new HttpsGet(
                        new Endpoint("localhost", port),
                        TlsClient.socketFactory(pki.certificates()),
                        Duration.ofSeconds(10))
                .open(path);
    }

    public ProcessHandle process() {
        return process.toHandle();
    }

    /** Ends the CE by SIGKILL. */
    public void kill() {
        process.destroyForcibly();
        await(Duration.ofSeconds(30));
    }

    /** Stops the CE by SIGTERM and waits for its end. */
    public void stop() {
        process.destroy();
        if (!await(Duration.ofMinutes(3))) {
            kill();
            throw new IllegalStateException("the CE did not stop within three minutes, see " + log());
        }
    }

    private boolean await(Duration time) {
        try {
            process.onExit().get(time.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A user with a VOMS proxy of the VO. */
    public SiteUser user(String name) {
        Path proxy = base.resolve("proxy-" + name + ".pem");
        pki.proxy(pki.user(name)).write(proxy);
        return new SiteUser(this, proxy);
    }

    /** Removes a tree of the tests. A job outlives its CE and may write into its sandbox meanwhile: then what is left is removed, too. */
    public static void remove(Path tree) {
        Awaitility.await("the removal of " + tree)
                .atMost(Duration.ofMinutes(1))
                .ignoreExceptionsMatching(
                        e -> cause(e) instanceof DirectoryNotEmptyException || cause(e) instanceof NoSuchFileException)
                .until(() -> {
                    if (Files.exists(tree)) {
                        try (Stream<Path> all = Files.walk(tree)) {
                            for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
                                Files.deleteIfExists(p);
                            }
                        }
                    }
                    return true;
                });
    }

    private static Throwable cause(Throwable e) {
        return e instanceof UncheckedIOException ? e.getCause() : e;
    }

    /** What the CE's threads do now, for the message of a test that waited in vain. */
    public String threads() {
        try {
            Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
            Process print = new ProcessBuilder(
                            jcmd.toString(), Long.toString(process().pid()), "Thread.print")
                    .redirectErrorStream(true)
                    .start();
            return new String(print.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Stops what runs and removes everything but the log. */
    @Override
    public void close() {
        if (process != null && process.isAlive()) {
            stop();
        }
        try {
            Path kept = Path.of("target", "ce-logs");
            Files.createDirectories(kept);
            if (Files.exists(log())) {
                Files.copy(log(), kept.resolve(base.getFileName() + ".log"));
            }
            Path calls = base.resolve("state/access.log");
            if (Files.exists(calls)) {
                Files.copy(calls, kept.resolve(base.getFileName() + ".access.log"));
            }
            remove(base);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
