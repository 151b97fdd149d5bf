package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.gelato.ce.core.wrapper.WrapperRun.jdl;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.TransferPrograms;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scripts that load their common part, as it should be and not. */
class WrapperLoadTest {
    private static final String RAN = "echo ran; touch ran";

    @TempDir
    Path directory;

    private WrapperRun job;

    @BeforeEach
    void sandbox() throws IOException {
        job = new WrapperRun(directory);
        job.command("sleep", "echo \"$1\" >> '" + directory + "/slept'");
    }

    private Path common() throws IOException {
        return job.common().resolve(WrapperRun.names(job.common()).get(0));
    }

    private void assertFailed(Ended ended, String reason) throws IOException {
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.stderr()).isEqualTo(reason + "\n");
        assertThat(job.sandbox.resolve("OSB")).doesNotExist();
        assertThat(job.sandbox.resolve("claim")).isDirectory();
        WrapperEvent record = WrapperRun.read(job.sandbox.resolve("exit"));
        assertThat(record.kind()).isEqualTo(WrapperEvent.Kind.DONE);
        assertThat(record.job()).isEqualTo(new JobId(42));
        assertThat(record.attempt()).isEqualTo(2);
        assertThat(record.exitCode()).isNull();
        assertThat(record.reason()).isEqualTo(reason);
        assertThat(record.token()).isEqualTo(WrapperRun.TOKEN);
        assertThat(record.node()).isNotEmpty();
        assertThat(record.time())
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(1));
    }

    @Test
    void aMissingPartIsWaitedForAndThenNamed() throws IOException {
        Path script = job.write(shell(RAN, ""));
        Path missing = common();
        Files.delete(missing);
        Ended ended = job.start(script).end();
        assertFailed(ended, "Cannot load the job wrapper: cat: " + quoted(missing) + ": No such file or directory");
        assertThat(directory.resolve("slept")).hasContent("1\n2\n4\n8\n16\n32\n");
    }

    /** As cat writes it. */
    private static String quoted(Path file) {
        return file.toString().contains("'") ? "\"" + file + "\"" : "'" + file + "'";
    }

    @Test
    void aPartThatAppearsLateIsRun() throws IOException {
        Path script = job.write(shell(RAN, ""));
        Path late = common();
        Path elsewhere = Files.move(late, directory.resolve("elsewhere"));
        job.command("sleep", "[ \"$1\" -lt 4 ] || mv '" + elsewhere + "' \"" + late + "\"");
        Ended ended = job.start(script).end();
        assertThat(ended.status()).as(ended.stderr()).isZero();
        assertThat(job.output("out")).isEqualTo("ran\n");
    }

    @Test
    void aPartThatWasChangedIsRefusedAtOnce() throws IOException {
        Path script = job.write(shell(RAN, ""));
        Path changed = common();
        Files.writeString(changed, "touch '" + directory + "/evil'\n" + Files.readString(changed));
        Ended ended = job.start(script).end();
        assertFailed(ended, "Cannot load the job wrapper: " + changed + ": its SHA-256 is not its name");
        assertThat(directory.resolve("evil")).doesNotExist();
        assertThat(directory.resolve("slept")).doesNotExist();
    }

    @Test
    void ofHalfAPartTheErrorIsTheReason() throws IOException {
        job.command("cat", "head -c 5000 \"$1\"; echo 'cat: Input/output error' >&2; exit 1");
        Ended ended = job.start(job.write(shell(RAN, ""))).end();
        assertThat(ended.stderr()).endsWith("cat: Input/output error\n");
        assertThat(WrapperRun.read(job.sandbox.resolve("exit")).reason())
                .endsWith("cat: Input/output error")
                .doesNotContain("__gelato_settle()");
    }

    @Test
    void whatWasVerifiedIsRunThoughTheFileIsChangedMeanwhile() throws IOException {
        Path script = job.write(shell(RAN, ""));
        job.command(
                "sha256sum", "echo 'touch \"" + directory + "/evil\"' > \"" + common() + "\"; exec /usr/bin/sha256sum");
        Ended ended = job.start(script).end();
        assertThat(ended.status()).as(ended.stderr()).isZero();
        assertThat(job.output("out")).isEqualTo("ran\n");
        assertThat(directory.resolve("evil")).doesNotExist();
        assertThat(common()).content().contains("evil");
    }

    @Test
    void aSecondWrapperWithoutItsPartSaysNothingAboutTheJob() throws IOException {
        Path script = job.write(shell(RAN, ""));
        assertThat(job.start(script).end().status()).isZero();
        String record = Files.readString(job.sandbox.resolve("exit"));
        Files.delete(common());
        assertThat(job.start(script).end().status()).isEqualTo(1);
        assertThat(job.sandbox.resolve("exit")).hasContent(record);
    }

    @Test
    void variablesOfTheNodeAreNotTakenForTheJobs() throws IOException {
        job.environment.put("__gelato_stdin", "/etc/hostname");
        job.environment.put("__gelato_output", "*");
        job.environment.put("__gelato_notice", "forged");
        job.environment.put("__gelato_s", "64");
        Ended ended = job.run(jdl("Executable = \"/bin/cat\"; StdOutput = \"out\"; StdError = \"err\";"));
        assertThat(ended.stderr()).isEmpty();
        assertThat(job.output("out")).isEmpty();
        assertThat(job.output("err")).isEmpty();
    }

    @Test
    void jobsOfOneKindShareTheirPart() {
        CommonPart plain =
                JobWrapper.divided(shell("a", ""), job.settings(), directory).common();
        CommonPart other = JobWrapper.divided(
                        jdl("Executable = \"/bin/b\"; StdInput = \"x\"; InputSandbox = \"x\"; Environment = \"A=1\";"),
                        job.settings(),
                        directory)
                .common();
        CommonPart fetching = JobWrapper.divided(
                        jdl("Executable = \"/bin/b\"; InputSandbox = \"gsiftp://h/in\";"), job.settings(), directory)
                .common();
        assertThat(other.sha256()).isEqualTo(plain.sha256()).matches("[0-9a-f]{64}");
        assertThat(fetching.sha256()).isNotEqualTo(plain.sha256());
        assertThat(plain.content())
                .asString(StandardCharsets.UTF_8)
                .isASCII()
                .endsWith("\n")
                .doesNotEndWith("\n\n");
    }

    @Test
    void aScriptHasTwoKilobytesWhateverTheWrapperHas() {
        Path home = Path.of("/var/lib/gelato/sandbox/dteam/0123456789abcdef0123");
        Path sandbox = home.resolve("12/34/CREAM123456789");
        WrapperSettings settings = new WrapperSettings(
                new JobId(123_456_789),
                1,
                Map.of(
                        "GRID_GLOBAL_JOBID",
                        "CREAM123456789",
                        "GRID_GLOBAL_JOBURL",
                        "https://ce01.example.org:8443/arex/CREAM123456789",
                        "GRID_GLOBAL_JOBINTERFACE",
                        "org.nordugrid.arcrest",
                        "GRID_GLOBAL_JOBHOST",
                        "ce01.example.org"),
                "ce01.example.org:8443/cream-slurm-long",
                sandbox,
                home.resolve("events"),
                null,
                Path.of("/etc/grid-security/certificates"),
                "0123456789abcdef0123456789abcdef0123456789a",
                "dteam",
                new ProxySettings(
                        home.resolve("proxy/0123456789abcdef0123456789abcdef"),
                        "https://ce01.example.org:8443/ce-cream/proxy/CREAM123456789",
                        Instant.ofEpochSecond(2_000_000_000),
                        new ProxyGuard(Duration.ofHours(1), Duration.ofMinutes(1)),
                        false),
                null,
                job.patience,
                TransferPrograms.NONE,
                new MessageSettings(10_000, 4 << 20, 4 << 20),
                null);
        JobRequest request = jdl("Executable = \"/bin/sleep\"; Arguments = \"3\"; StdOutput = \"env.out\";"
                + " StdError = \"env.err\"; OutputSandbox = { \"env.out\", \"env.err\" };"
                + " OutputSandboxBaseDestURI = \"gsiftp://localhost\";");
        String script = JobWrapper.divided(request, settings, home.resolve("wrapper/2026-11"))
                .script();
        assertThat(script.getBytes(StandardCharsets.UTF_8).length).as(script).isLessThanOrEqualTo(2048);
        assertThat(JobWrapper.script(request, settings).length()).isGreaterThan(15_000);
    }

    @Test
    void nodesThatDoNotSeeTheSandboxGetNoDividedScript() {
        job.remote = new RemoteSandbox("https://ce/c", "https://ce/i/", "https://ce/o/");
        job.eventsUrl = "https://ce/e";
        assertThatThrownBy(() -> JobWrapper.divided(shell("true", ""), job.settings(), directory))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
