package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.cli.terminal.GivenFile;
import org.gelato.ce.cli.terminal.Signals.Signal;
import org.gelato.ce.cli.wire.MessageCalls;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.cli.wire.WireFault;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command as a job: what is sent, what is seen, and what it ends with. */
class RunCommandTest {
    private static final String QUEUE = "ce:9443/cream-fork-demo";
    private static final String JOB = "https://ce:9443/CREAM000000001";

    @TempDir
    Path temp;

    private final FakeCe ce = new FakeCe();

    @BeforeEach
    void queue() {
        ce.workingDirectory = temp;
        ce.environment.put("CE_RESOURCE", QUEUE);
    }

    private static MessageCalls.Report output(String kind, long offset, String text) {
        return report(kind, offset, null, text);
    }

    private static MessageCalls.Report report(String kind, long number, String level, String text) {
        return new MessageCalls.Report(
                "1",
                "CREAM000000001",
                kind,
                number,
                FakeCe.NOON,
                level,
                level == null ? null : "step",
                text.getBytes(StandardCharsets.UTF_8),
                JsonNodeFactory.instance.nullNode());
    }

    private static MessageCalls.End end(String state, String exitCode) {
        return new MessageCalls.End(
                "CREAM000000001",
                new StatusReport(state, null, exitCode, state.equals("DONE-OK") ? null : "killed", null),
                JsonNodeFactory.instance.nullNode());
    }

    @Test
    void printsWhatTheCommandPrintsAndEndsWithItsCode() {
        ce.live = List.of(
                output("stdout", 0, "one\n"),
                output("stderr", 0, "careful\n"),
                output("stdout", 0, "one\ntw"),
                report("message", 1, "info", "half\ndone"),
                output("stdout", 6, "o\u001b[1m"),
                end("DONE-OK", "3"));
        ce.waits = "Resources";
        assertThat(ce.run("run", "--", "work", "-f", "@x")).isEqualTo(3);
        assertThat(ce.out()).isEqualTo("one\ntwo\u001b[1m");
        assertThat(ce.err()).isEqualTo("""
                        ce run: job https://ce:9443/CREAM000000001
                        ce run: PENDING
                        ce run: IDLE: Resources
                        careful
                        ce run: INFO [step] half done
                        """);
        assertThat(ce.calls).noneMatch(call -> call.startsWith("purge") || call.startsWith("cancel"));
    }

    @Test
    void theLineLivesUntilTheCommandRuns() {
        ce.terminal = true;
        ce.states = List.of("IDLE", "REALLY-RUNNING");
        ce.waits = "Priority";
        ce.live = List.of(output("stdout", 0, "x"), end("DONE-OK", "0"));
        assertThat(ce.run("run", "work")).isZero();
        assertThat(ce.err())
                .isEqualTo("ce run: job " + JOB
                        + "\n\r\u001b[KIDLE for 0s: Priority\r\u001b[KIDLE for 1s: Priority\r\u001b[K");
        assertThat(ce.out()).isEqualTo("x");
    }

    @Test
    void everyWordArrivesAsItIs() {
        ce.live = List.of(end("DONE-OK", "0"));
        assertThat(ce.run(
                        "run",
                        "--cores",
                        "4",
                        "--memory",
                        "1.5G",
                        "--time",
                        "90s",
                        "--env",
                        "A=x\"]; Executable = \"/bin/evil",
                        "--",
                        "./it's\"; b",
                        "$(rm)",
                        "a'b",
                        "\\\"",
                        ""))
                .isEqualTo(125);
        assertThat(ce.err()).contains("'./it's\"; b': no file ");
        assertThat(ce.run(
                        "run",
                        "--cores",
                        "4",
                        "--memory",
                        "1.5G",
                        "--time",
                        "90s",
                        "--env",
                        "A=x\"]; Executable = \"/bin/evil",
                        "--",
                        "/bin/echo",
                        "$(rm)",
                        "a'b",
                        "\\\"",
                        ""))
                .isZero();
        assertThat(ce.jdls).containsExactly("""
                        [
                          Executable = "/bin/echo";
                          Arguments = "'$(rm)' 'a'\\''b' '\\\\"' ''";
                          StdOutput = "ce-run.stdout";
                          StdError = "ce-run.stderr";
                          LiveOutput = true;
                          OutputSandbox = {"ce-run.stdout", "ce-run.stderr"};
                          OutputSandboxBaseDestURI = "gsiftp://localhost";
                          Environment = {"A=x\\"]; Executable = \\"/bin/evil"};
                          CpuNumber = 4;
                          SMPGranularity = 4;
                          CERequirements = other.GlueHostMainMemoryRAMSize >= 1536 && other.GlueCEPolicyMaxWallClockTime >= 2; BatchSystem = "fork"; QueueName = "demo";
                        ]
                        """);
    }

    @Test
    void filesGoAlongAndComeBack() throws IOException {
        Files.writeString(temp.resolve("work.sh"), "x");
        Files.createDirectories(temp.resolve("sub"));
        Files.writeString(temp.resolve("sub/data"), "x");
        ce.files.put("ce-run.stdout", "0123456789");
        ce.files.put("ce-run.stderr", "");
        ce.files.put("result", "42");
        ce.live = List.of(output("stdout", 0, "0123"), output("stdout", 8, "89"), end("DONE-OK", "0"));
        assertThat(ce.run(
                        "run",
                        "--input",
                        "sub/data",
                        "--input",
                        "https://h/far",
                        "--output",
                        "result",
                        "--output",
                        "*.log",
                        "--purge",
                        "./work.sh"))
                .as(ce.err())
                .isZero();
        assertThat(ce.calls)
                .contains("upload CREAM000000001 data", "upload CREAM000000001 work.sh", "purge CREAM000000001")
                .noneMatch(call -> call.contains("far"));
        assertThat(ce.jdls.get(0))
                .contains(
                        "Executable = \"work.sh\";",
                        "InputSandbox = {\"sub/data\", \"https://h/far\", \"./work.sh\"};",
                        "\"result\", \"*.log\"};");
        assertThat(temp.resolve("result")).hasContent("42");
        assertThat(temp.resolve("ce-run.stdout")).doesNotExist();
        // What did not come live is read from the file, once.
        assertThat(ce.out()).isEqualTo("0123456789");
        assertThat(ce.err())
                .contains("ce run: the job prints more than comes live: the rest follows when it has ended\n");
    }

    @Test
    void standardInputIsTheCommands() throws IOException {
        Path copies = Files.createDirectory(temp.resolve("copies"));
        ce.environment.put("TMPDIR", copies.toString());
        List<String> sent = new ArrayList<>();
        ce.whileUploading = file -> {
            try {
                sent.add(Files.readString(file.path())
                        + PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        for (GivenFile.Kind kind : List.of(GivenFile.Kind.PIPE, GivenFile.Kind.REGULAR)) {
            ce.inputKind = kind;
            ce.input = "b\na\n";
            ce.err.reset();
            assertThat(ce.run("run", "--", "sort")).as(ce.err()).isZero();
            assertThat(ce.err()).startsWith("ce run: standard input: 4 bytes\nce run: job ");
        }
        assertThat(ce.jdls)
                .allSatisfy(jdl ->
                        assertThat(jdl).contains("StdInput = \"ce-run.stdin\";", "InputSandbox = {\"ce-run.stdin\"};"));
        assertThat(ce.calls).contains("upload CREAM000000001 ce-run.stdin", "upload CREAM000000002 ce-run.stdin");
        assertThat(sent).containsExactly("b\na\nrw-------", "b\na\nrw-------");
        assertThat(copies).isEmptyDirectory();
    }

    @Test
    void noStandardInputIsNone() {
        ce.input = "typed";
        assertThat(ce.run("run", "cat")).as("a terminal, /dev/null, a socket").isZero();
        ce.inputKind = GivenFile.Kind.PIPE;
        assertThat(ce.run("run", "-n", "cat")).isZero();
        assertThat(ce.err()).doesNotContain("standard input");
        ce.input = "";
        assertThat(ce.run("run", "cat")).isZero();
        assertThat(ce.err()).contains("ce run: waits for standard input, a pipe, and reads it to its end");
        assertThat(ce.jdls).hasSize(3).noneMatch(jdl -> jdl.contains("StdInput"));
        assertThat(ce.calls).noneMatch(call -> call.startsWith("upload"));
    }

    @Test
    void standardInputThatCannotBeKeptIsNotDropped() {
        ce.environment.put("TMPDIR", temp.resolve("absent").toString());
        ce.inputKind = GivenFile.Kind.REGULAR;
        ce.input = "x";
        assertThat(ce.run("run", "cat")).isEqualTo(125);
        assertThat(ce.err()).contains("standard input can't be copied to ", "TMPDIR names another directory");
        assertThat(ce.jdls).isEmpty();
    }

    @Test
    void whatIsThereAlreadyIsNotOverwritten() throws IOException {
        Files.writeString(temp.resolve("result"), "mine");
        assertThat(ce.run("run", "--output", "result", "work")).isEqualTo(125);
        assertThat(ce.err()).contains("result is there already").hasLineCount(1);
        assertThat(ce.calls).isEmpty();
    }

    @Test
    void aFileThatTheCommandDidNotMakeIsAFailure() {
        ce.live = List.of(end("DONE-OK", "0"));
        assertThat(ce.run("run", "--output", "result", "work")).isEqualTo(1);
        assertThat(ce.err()).contains("ce run: --output: the command made no result\n");
    }

    @Test
    void aCeWithoutMessagesShowsAllAtTheEnd() {
        ce.files.put("ce-run.stdout", "all\n");
        assertThat(ce.run("run", "work")).isZero();
        assertThat(ce.out()).isEqualTo("all\n");
        assertThat(ce.err())
                .contains("ce run: this CE has no messages of jobs; the output follows when the job has ended\n");
    }

    @Test
    void ctrlCAsksOnATerminalAndCancels() {
        ce.terminal = true;
        ce.input = "\n";
        ce.states = List.of("IDLE");
        ce.whilePausing = () -> {
            if (ce.pauses.size() == 3) {
                ce.signals.accept(Signal.INT);
            }
        };
        assertThat(ce.run("run", "work")).isEqualTo(130);
        assertThat(ce.calls).filteredOn(call -> call.startsWith("cancel")).containsExactly("cancel CREAM000000001");
        assertThat(ce.err().replaceAll("\r\u001b\\[K[^\r\n]*", ""))
                .isEqualTo("ce run: job " + JOB + "\n\nCancel " + JOB + "? [Y/n] ce run: cancelling " + JOB
                        + "\nce run: CANCELLED\n");
        assertThat(ce.signals).as("handler after the end").isNull();
    }

    @Test
    void ctrlCThatIsTakenBackGoesOnAndTheNextOneLeaves() {
        ce.terminal = true;
        ce.input = "n\n";
        ce.states = List.of("IDLE", "IDLE", "IDLE", "IDLE", "IDLE", "DONE-OK");
        ce.whilePausing = () -> {
            if (ce.pauses.size() == 2 || ce.pauses.size() == 4) {
                ce.signals.accept(Signal.INT);
            }
        };
        assertThat(ce.run("run", "work")).isZero();
        assertThat(ce.calls).contains("leave 130").noneMatch(call -> call.startsWith("cancel"));
        assertThat(ce.err()).contains("ce run: left; " + JOB + " goes on: ce cancel " + JOB + " cancels it\n");
    }

    @Test
    void withoutATerminalASignalCancels() {
        for (Signal signal : List.of(Signal.INT, Signal.TERM)) {
            ce.pauses.clear();
            ce.states = List.of("IDLE");
            ce.whilePausing = () -> {
                if (ce.pauses.size() == 2) {
                    ce.signals.accept(signal);
                }
            };
            ce.err.reset();
            assertThat(ce.run("run", "work")).isEqualTo(signal.exitCode());
            assertThat(ce.err()).doesNotContain("?").contains("ce run: cancelling ");
        }
        ce.pauses.clear();
        ce.terminal = true;
        ce.err.reset();
        assertThat(ce.run("run", "work")).as("SIGTERM on a terminal").isEqualTo(143);
        assertThat(ce.err()).doesNotContain("? [Y/n]");
    }

    @Test
    void aCommandThatWasNotRunHasNoCode() {
        ce.states = List.of("IDLE", "ABORTED");
        assertThat(ce.run("run", "work")).isEqualTo(125);
        assertThat(ce.err()).contains("ce run: ABORTED\n");
    }

    @Test
    void aJobThatFailedIsNoSuccessWhateverItsCommandEndedWith() {
        ce.live = List.of(end("DONE-FAILED", "0"));
        ce.states = List.of("REALLY-RUNNING");
        assertThat(ce.run("run", "work")).isEqualTo(1);
        assertThat(ce.err()).contains("ce run: DONE-FAILED: killed\n");
    }

    @Test
    void aCommandThatIsRefusedHasNoCode() {
        assertThat(ce.run("run", "refuse")).isEqualTo(125);
        assertThat(ce.err()).contains("ce run: Executable: no good\n");
        ce.refusal = new WireFault("GenericFault", "0", "no start", null);
        assertThat(ce.run("run", "work")).isEqualTo(125);
    }

    @Test
    void wrongCommandLinesSendNothing() {
        assertThat(ce.run("run")).isEqualTo(2);
        assertThat(ce.run("run", "--json", "work")).isEqualTo(2);
        assertThat(ce.err()).contains("--json does not go with it");
        ce.out.reset();
        assertThat(ce.run("run", "--help")).isZero();
        assertThat(ce.out()).contains("--cores").doesNotContain("--json");
        assertThat(ce.run("run", "--cores", "0", "work")).isEqualTo(2);
        assertThat(ce.run("run", "--memory", "2X", "work")).isEqualTo(2);
        assertThat(ce.run("run", "--memory", "0M", "work")).isEqualTo(2);
        assertThat(ce.run("run", "--time", "soon", "work")).isEqualTo(2);
        assertThat(ce.run("run", "--env", "A B=1", "work")).isEqualTo(2);
        assertThat(ce.run("run", "--env", "ABSENT", "work")).isEqualTo(2);
        assertThat(ce.run("run", "--env", "A= x", "work")).isEqualTo(2);
        assertThat(ce.run("run", "--env", "A=x\\", "work")).isEqualTo(2);
        assertThat(ce.run("run", "work", "\u001b")).isEqualTo(2);
        assertThat(ce.run("run", "A=b")).isEqualTo(2);
        ce.environment.clear();
        assertThat(ce.run("run", "work")).isEqualTo(2);
        assertThat(ce.calls).isEmpty();
    }
}
