package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.wrapper.peer.FakeCe;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.TransferPrograms;
import org.gelato.ce.description.jdl.Jdl;

/** A sandbox with the wrapper of a job, run by a real bash as a batch system would. */
final class WrapperRun {
    static final String TOKEN = FakeCe.TOKEN;
    final Path root;
    final Path sandbox;
    final Path events;
    final Path scratch;
    final Map<String, String> environment = new HashMap<>();
    /** Texts of the script that stand for what a test cannot change. */
    final Map<String, String> replaced = new HashMap<>();

    String eventsUrl;
    Path caDirectory;
    String vo;
    Path proxy;
    Instant proxyEnd;
    /** By which the job finds its own id. */
    Map<String, String> names = Map.of("CREAM_JOBID", "https://ce.example.org:8443/CREAM000000042");
    /** Whether the proxy is a bearer token. */
    boolean token;

    ProxyGuard guard = new ProxyGuard(Duration.ofHours(1), Duration.ofSeconds(60));
    RemoteSandbox remote;
    /** Storage is retried for longer than any number of tries here takes. */
    WrapperPatience patience =
            new WrapperPatience(Duration.ofMinutes(1), Duration.ofDays(2), null, 0, Duration.ofMinutes(10));

    TransferPrograms programs = TransferPrograms.NONE;
    /** Whether it may leave its working directory. */
    boolean leaves;

    /** Whether the script is whole though the sandbox is shared. */
    boolean whole;

    MessageSettings messages = new MessageSettings(10_000, 4 << 20, 4 << 20);
    String messagesUrl = "https://ce.example.org:8443/ce-cream/wrapper-messages";

    String proxyUrl = "https://ce.example.org:8443/ce-cream/proxy/CREAM000000042";

    WrapperRun(Path root) throws IOException {
        this.root = root;
        sandbox = Files.createDirectories(root.resolve("it's a sandbox/CREAM000000042"));
        events = root.resolve("events");
        scratch = Files.createDirectories(root.resolve("scratch"));
        environment.put("PATH", "/usr/bin:/bin");
        environment.put("HOME", root.toString());
        environment.put("TMPDIR", scratch.toString());
        environment.put("SLURM_JOB_ID", "4711");
    }

    static JobRequest jdl(String attributes) {
        try {
            return Jdl.parse("BatchSystem = \"slurm\"; QueueName = \"q\";" + attributes);
        } catch (DescriptionException e) {
            throw new AssertionError(e);
        }
    }

    /** A job that runs this shell text; what it prints ends in OSB/out. */
    static JobRequest shell(String text, String more) {
        String quoted = BashQuote.quote(text).replace("\"", "\\\"");
        return jdl("Executable = \"/bin/bash\"; Arguments = \"-c " + quoted
                + "\"; StdOutput = \"out\"; StdError = \"err\";" + more);
    }

    Path upload(String name, String content) throws IOException {
        Path file = sandbox.resolve("ISB").resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    /** Puts a command before those of the system. */
    void command(String name, String script) throws IOException {
        Path file = Files.createDirectories(root.resolve("bin")).resolve(name);
        Files.writeString(file, "#!/bin/bash\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        environment.put("PATH", root.resolve("bin") + ":/usr/bin:/bin");
    }

    WrapperSettings settings() {
        return new WrapperSettings(
                new JobId(42),
                2,
                names,
                "ce.example.org:8443/cream-slurm-q",
                remote == null ? sandbox : Path.of("/on/another/host", sandbox.toString()),
                eventsUrl == null ? events : null,
                eventsUrl,
                caDirectory,
                TOKEN,
                vo,
                proxy == null
                        ? null
                        : new ProxySettings(remote == null ? proxy : null, proxyUrl, proxyEnd, guard, token),
                remote,
                patience,
                programs,
                messages,
                eventsUrl == null ? null : messagesUrl);
    }

    Running start(JobRequest request) throws IOException {
        return start(write(request));
    }

    /** Where the common part lies. */
    Path common() {
        return root.resolve("it's common");
    }

    /** The script as a batch system would have it, with the common part where it belongs. */
    Path write(JobRequest request) throws IOException {
        String text;
        if (whole || remote != null) {
            text = replaced(JobWrapper.script(request, settings()));
        } else {
            JobWrapper.Divided divided = JobWrapper.divided(request, settings(), common());
            String common = replaced(new String(divided.common().content(), StandardCharsets.US_ASCII));
            text = divided.script().replace(divided.common().sha256(), sha256(common));
            Files.createDirectories(common());
            Files.writeString(common().resolve(sha256(common)), common);
        }
        return Files.writeString(sandbox.resolve("wrapper.sh"), text);
    }

    private String replaced(String text) {
        String result = text;
        for (Map.Entry<String, String> other : replaced.entrySet()) {
            assertThat(result).contains(other.getKey());
            result = result.replace(other.getKey(), other.getValue());
        }
        return result;
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    Running start(Path script) throws IOException {
        // A build in the background of a script ignores SIGINT, one of nohup SIGHUP, and a shell cannot trap what was
        // ignored before it.
        ProcessBuilder bash = new ProcessBuilder("env", "--default-signal=INT,HUP", "bash", script.toString())
                .directory(root.toFile())
                .redirectOutput(root.resolve("stdout").toFile())
                .redirectError(root.resolve("stderr").toFile());
        bash.environment().clear();
        bash.environment().putAll(environment);
        Process process = bash.start();
        process.getOutputStream().close();
        return new Running(process);
    }

    Ended run(JobRequest request) throws IOException {
        return start(request).end();
    }

    String output(String name) throws IOException {
        return Files.readString(sandbox.resolve("OSB").resolve(name));
    }

    /** In the order of their file names, which is the order of time. */
    List<WrapperEvent> spooled() throws IOException {
        try (Stream<Path> files = Files.list(events)) {
            return files.filter(Files::isRegularFile)
                    .sorted()
                    .map(WrapperRun::read)
                    .toList();
        }
    }

    static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    static WrapperEvent read(Path file) {
        try {
            return WrapperEvent.parse(Files.readAllBytes(file)).orElseThrow();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    final class Running {
        final Process process;

        Running(Process process) {
            this.process = process;
        }

        Ended end() throws IOException {
            try {
                int status = process.waitFor();
                if (!leaves) {
                    assertThat(names(scratch)).as("left in scratch").isEmpty();
                }
                return new Ended(
                        status, Files.readString(root.resolve("stdout")), Files.readString(root.resolve("stderr")));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    record Ended(int status, String stdout, String stderr) {}
}
