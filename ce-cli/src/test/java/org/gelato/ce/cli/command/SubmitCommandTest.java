package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.gelato.ce.cli.display.JobWatch;
import org.gelato.ce.cli.terminal.Pipes;
import org.gelato.ce.cli.wire.WireFault;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubmitCommandTest {
    private static final String QUEUE = "ce:9443/cream-fork-demo";

    @TempDir
    Path temp;

    private final FakeCe ce = new FakeCe();

    @BeforeEach
    void files() throws IOException {
        Files.writeString(temp.resolve("a.jdl"), "[Executable = \"/bin/true\";]");
        Files.writeString(temp.resolve("bad.jdl"), "[Executable = \"refuse\";]");
        ce.workingDirectory = temp;
    }

    @Test
    void printsIdsAndNothingElse() {
        assertThat(ce.run("submit", "-r", QUEUE, "a.jdl", "a.jdl")).isZero();
        assertThat(ce.out()).isEqualTo("https://ce:9443/CREAM000000001\nhttps://ce:9443/CREAM000000002\n");
        assertThat(ce.err()).isEmpty();
        assertThat(ce.jdls.get(0))
                .isEqualTo("[Executable = \"/bin/true\"; BatchSystem = \"fork\"; QueueName = \"demo\";]");
    }

    @Test
    void delegatesUnderAnIdOfItsOwnUnlessOneIsGiven() {
        ce.run("submit", "-r", QUEUE, "a.jdl");
        String id = ce.calls.get(1).substring("delegate ".length());
        assertThat(id).matches("[0-9a-f]{40}");
        assertThat(ce.calls)
                .containsExactly("connect ce:9443", "delegate " + id, "register 1 " + id, "start CREAM000000001");
        ce.calls.clear();
        ce.run("submit", "-r", QUEUE, "-D", "mine", "a.jdl");
        assertThat(ce.calls).containsExactly("connect ce:9443", "register 1 mine", "start CREAM000000002");
    }

    @Test
    void refusedDescriptionIsReportedAndTheOthersRun() {
        assertThat(ce.run("submit", "-r", QUEUE, "bad.jdl", "a.jdl")).isEqualTo(1);
        assertThat(ce.out()).isEqualTo("https://ce:9443/CREAM000000001\n");
        assertThat(ce.err()).isEqualTo("ce submit: bad.jdl: line 1, column 2: Executable: no good\n");
    }

    @Test
    void nothingIsStartedWhenNothingWasRegistered() {
        assertThat(ce.run("submit", "-r", QUEUE, "-D", "d", "bad.jdl")).isEqualTo(1);
        assertThat(ce.calls).noneMatch(call -> call.startsWith("start"));
    }

    @Test
    void jobThatDidNotStartIsNoResult() {
        ce.refusal = new WireFault("JobStatusInvalidFault", "2", "no", "N/A");
        assertThat(ce.run("submit", "-r", QUEUE, "a.jdl")).isEqualTo(1);
        assertThat(ce.out()).isEmpty();
        assertThat(ce.err()).contains("https://ce:9443/CREAM000000001").contains("not started: no");
    }

    @Test
    void aFileThatCantBeReadStopsEverythingBeforeItIsSent() {
        assertThat(ce.run("submit", "-r", QUEUE, "a.jdl", "missing.jdl")).isEqualTo(1);
        assertThat(ce.calls).isEmpty();
        assertThat(ce.err()).isEqualTo("ce submit: missing.jdl: no such file\n");
    }

    private void sandbox(String... items) throws IOException {
        Files.createDirectories(temp.resolve("sub"));
        Files.writeString(temp.resolve("sub/run.sh"), "echo");
        Files.writeString(temp.resolve("sub/data"), "1");
        Files.writeString(
                temp.resolve("sub/in.jdl"),
                "Executable = \"run.sh\"; InputSandbox = {\"" + String.join("\", \"", items) + "\"};");
    }

    @Test
    void inputIsUploadedBetweenRegisterAndStart() throws IOException {
        sandbox("run.sh", "file://" + temp.resolve("sub/data"), "gsiftp://h/other");
        assertThat(ce.run("submit", "-r", QUEUE, "-D", "d", "sub/in.jdl"))
                .as(ce.err())
                .isZero();
        assertThat(ce.calls)
                .containsExactly(
                        "connect ce:9443",
                        "register 1 d",
                        "upload CREAM000000001 run.sh",
                        "upload CREAM000000001 data",
                        "start CREAM000000001");
        assertThat(ce.err()).isEmpty();
    }

    @Test
    void whatTheUserGivesMayBeAPipe() throws Exception {
        sandbox();
        Pipes.write(temp.resolve("sub/63"), "[Executable = \"/bin/cat\"; InputSandbox = {\"sub/data\", \"sub/64\"};]");
        Pipes.write(temp.resolve("sub/64"), "piped");
        List<String> sent = new ArrayList<>();
        ce.whileUploading = file -> {
            for (int i = 0; i < 2; i++) {
                sent.add(file.name() + " " + Pipes.read(file.path()));
            }
        };
        assertThat(ce.run("submit", "-r", QUEUE, "sub/63")).as(ce.err()).isZero();
        assertThat(sent).containsExactly("data 1", "data 1", "64 piped", "64 piped");
    }

    @Test
    void aJobThatLacksAFileIsTakenBackAndTheOthersRun() throws IOException {
        sandbox("run.sh", "data");
        ce.unwanted = "data";
        assertThat(ce.run("submit", "-r", QUEUE, "-D", "d", "sub/in.jdl", "a.jdl"))
                .isEqualTo(1);
        assertThat(ce.calls)
                .endsWith(
                        "upload CREAM000000001 run.sh",
                        "status CREAM000000001",
                        "purge CREAM000000001",
                        "start CREAM000000002");
        assertThat(ce.out()).isEqualTo("https://ce:9443/CREAM000000002\n");
        assertThat(ce.err())
                .contains("sub/data was not uploaded: HTTP 413: too large; the job was not started and is removed")
                .hasLineCount(1);
        ce.refusal = new WireFault("JobStatusInvalidFault", "2", "no purge", "N/A");
        assertThat(ce.run("submit", "-r", QUEUE, "-D", "d", "sub/in.jdl")).isEqualTo(1);
        assertThat(ce.err()).contains("https://ce:9443/CREAM000000003 is left, not started: no purge");
    }

    @Test
    void inputThatCantBeUploadedStopsEverythingBeforeItIsSent() throws IOException {
        for (String item : List.of("absent", ".hidden", "..", "/etc", "x/", "file://host/x")) {
            sandbox(item);
            ce.err.reset();
            assertThat(ce.run("submit", "-r", QUEUE, "sub/in.jdl")).as(item).isEqualTo(1);
            assertThat(ce.calls).isEmpty();
            assertThat(ce.err())
                    .contains("sub/in.jdl: line 1, column 24: InputSandbox: '" + item + "'")
                    .hasLineCount(1);
        }
    }

    @Test
    void adlAndXrslAreSentAsTheyAreWithTheirFilesAndTheQueueBeside() throws IOException {
        Files.createDirectories(temp.resolve("sub"));
        Files.writeString(temp.resolve("sub/data"), "1");
        String xrsl = "&(executable=/bin/cat)(inputfiles=(in data)(far \"https://h/far\"))(walltime=60)\n";
        String adl = "<ActivityDescription><DataStaging><InputFile><Name>data</Name></InputFile></DataStaging>"
                + "</ActivityDescription>";
        Files.writeString(temp.resolve("sub/job.xrsl"), xrsl);
        Files.writeString(temp.resolve("sub/job.adl"), adl);
        assertThat(ce.run("submit", "-r", QUEUE, "-D", "d", "sub/job.xrsl", "sub/job.adl", "a.jdl"))
                .as(ce.err())
                .isZero();
        assertThat(ce.jdls).startsWith(xrsl.replace("60", "\"60 minutes\""), adl);
        assertThat(ce.queues).containsExactly("demo", "demo", null);
        assertThat(ce.calls)
                .contains("upload CREAM000000001 in", "upload CREAM000000002 data")
                .noneMatch(call -> call.contains("far"));
        ce.queues.clear();
        assertThat(ce.run("submit", "-e", "ce", "-D", "d", "sub/job.adl")).isZero();
        assertThat(ce.queues).containsOnlyNulls().hasSize(1);
    }

    @Test
    void anInputFileOfXrslThatIsNotThereStopsEverythingBeforeItIsSent() throws IOException {
        Files.writeString(temp.resolve("job.xrsl"), "&(executable=x)(inputfiles=(in absent))");
        assertThat(ce.run("submit", "-r", QUEUE, "job.xrsl")).isEqualTo(1);
        assertThat(ce.err())
                .startsWith("ce submit: job.xrsl: input file 'in': no file ")
                .hasLineCount(1);
        Files.writeString(temp.resolve("job.xrsl"), "&(executable=x)(inputfiles=(a/../b a.jdl))");
        assertThat(ce.run("submit", "-r", QUEUE, "job.xrsl")).isEqualTo(1);
        assertThat(ce.err()).contains("job.xrsl: input file 'a/../b': a file with this name can't be uploaded");
        assertThat(ce.calls).isEmpty();
    }

    @Test
    void readsOneDescriptionFromStandardInput() {
        ce.input = "Executable = \"/bin/date\"";
        ce.environment.put("CE_RESOURCE", QUEUE);
        assertThat(ce.run("submit", "-")).isZero();
        assertThat(ce.jdls)
                .containsExactly("Executable = \"/bin/date\"; BatchSystem = \"fork\"; QueueName = \"demo\";");
        assertThat(ce.run("submit", "-", "-")).isEqualTo(2);
    }

    @Test
    void explicitEndpointLeavesTheQueueToTheDescription() {
        ce.environment.put("CE_RESOURCE", QUEUE);
        assertThat(ce.run("submit", "-e", "other:1", "a.jdl")).isZero();
        assertThat(ce.jdls).containsExactly("[Executable = \"/bin/true\";]");
        assertThat(ce.calls.get(0)).isEqualTo("connect other:1");
    }

    @Test
    void wrongCommandLinesSendNothing() {
        assertThat(ce.run("submit")).isEqualTo(2);
        assertThat(ce.run("submit", "a.jdl")).isEqualTo(2);
        assertThat(ce.run("submit", "-r", "nonsense", "a.jdl")).isEqualTo(2);
        assertThat(ce.run("submit", "-r", QUEUE, "-e", "ce", "a.jdl")).isEqualTo(2);
        assertThat(ce.run("submit", "-r", QUEUE, "-a", "-D", "x", "a.jdl")).isEqualTo(2);
        assertThat(ce.run("submit", "-r", QUEUE, "--frobnicate", "a.jdl")).isEqualTo(2);
        assertThat(ce.calls).isEmpty();
        assertThat(ce.out()).isEmpty();
    }

    @Test
    void waitEndsWithTheJob() {
        ce.waits = "held back by the\nquota of dteam";
        assertThat(ce.run("submit", "-r", QUEUE, "--wait", "a.jdl")).isZero();
        assertThat(ce.out()).isEqualTo("https://ce:9443/CREAM000000001\n");
        assertThat(ce.err()).isEqualTo("""
                        ce submit: PENDING
                        ce submit: IDLE: held back by the quota of dteam
                        ce submit: REALLY-RUNNING
                        ce submit: 1 job ended: 1 DONE-OK
                        """);
        assertThat(ce.pauses).hasSize(3).startsWith(JobWatch.SHORTEST);
    }

    @Test
    void waitFailsUnlessTheJobIsDoneOk() {
        for (String end : List.of("DONE-FAILED", "CANCELLED", "ABORTED")) {
            ce.states = List.of("IDLE", end);
            ce.err.reset();
            assertThat(ce.run("submit", "-r", QUEUE, "--wait", "a.jdl")).isEqualTo(1);
            assertThat(ce.err())
                    .contains(end)
                    .endsWith("ce submit: 1 job ended: 1 " + end + "\n")
                    .hasLineCount(3);
        }
    }

    @Test
    void theExitCodeIsThatOfTheProgramWhereItIsRequested() {
        assertThat(ce.run("submit", "-r", QUEUE, "--wait", "--exit-code", "a.jdl"))
                .isZero();
        ce.exitCodes.put("CREAM000000002", "256");
        assertThat(ce.run("submit", "-r", QUEUE, "--wait", "--exit-code", "a.jdl"))
                .as("0 to a shell")
                .isEqualTo(255);
        ce.states = List.of("IDLE", "CANCELLED");
        assertThat(ce.run("submit", "-r", QUEUE, "--wait", "--exit-code", "a.jdl"))
                .isEqualTo(SubmitCommand.NO_EXIT_CODE);
        assertThat(ce.run("submit", "-r", QUEUE, "--wait", "--exit-code", "bad.jdl"))
                .isEqualTo(SubmitCommand.NO_EXIT_CODE);
        assertThat(ce.run("submit", "-r", QUEUE, "--exit-code", "a.jdl")).isEqualTo(2);
        assertThat(ce.run("submit", "-r", QUEUE, "--wait", "--exit-code", "a.jdl", "a.jdl"))
                .isEqualTo(2);
    }

    @Test
    void aDescriptionForOtherSoftwareIsRecognized() throws IOException {
        Files.writeString(temp.resolve("job.sub"), "executable = a.sh\nqueue\n");
        assertThat(ce.run("submit", "-r", QUEUE, "job.sub")).isEqualTo(1);
        assertThat(ce.err())
                .isEqualTo(
                        "ce submit: job.sub: this is a submit description of HTCondor, and ce submit takes JDL, ADL and"
                                + " xRSL; the nearest here is: ce run -- ./a.sh\n");
        assertThat(ce.calls).isEmpty();
    }

    @Test
    void aCeWithoutAQueueIsAskedForItsQueues() {
        ce.service.put("LRMS", "slurm 24.11");
        ce.service.put("QUEUE_long", "accepts=yes");
        ce.service.put("QUEUE_short", "accepts=yes");
        for (String resource : List.of("ce:9443", "ce:9443/", "https://ce:9443/cream-slurm-long", "ce:9443/long")) {
            ce.err.reset();
            assertThat(ce.run("submit", "-r", resource, "a.jdl")).isEqualTo(2);
            assertThat(ce.err())
                    .isEqualTo("ce submit: '" + resource + "' names no queue: write ce:9443/cream-LRMS-QUEUE;"
                            + " it has cream-slurm-long, cream-slurm-short\n");
        }
        ce.err.reset();
        assertThat(ce.run("run", "-e", "ce:9443", "-r", "long", "true")).isEqualTo(2);
        assertThat(ce.err())
                .isEqualTo("ce run: 'long' is no queue of ce:9443: write cream-LRMS-QUEUE;"
                        + " it has cream-slurm-long, cream-slurm-short\n");
        // One that cannot be asked, or says nothing.
        ce.service.clear();
        ce.err.reset();
        assertThat(ce.run("submit", "-r", "ce:9443", "a.jdl")).isEqualTo(2);
        assertThat(ce.err()).isEqualTo("ce submit: 'ce:9443' names no queue: write ce:9443/cream-LRMS-QUEUE\n");
        assertThat(ce.calls).allMatch(call -> call.startsWith("connect"));
    }

    @Test
    void aMisspeltAttributeIsReportedWithTheOneItMayBe() throws IOException {
        Files.writeString(
                temp.resolve("odd.jdl"), "[Executable = \"/bin/true\"; Argumnets = \"1\";\n  FooBar = 2; Rank = 1;]");
        assertThat(ce.run("submit", "-r", QUEUE, "odd.jdl")).isZero();
        assertThat(ce.err())
                .isEqualTo(
                        "ce submit: odd.jdl: line 1, column 28: attribute Argumnets is not known and will do nothing;"
                                + " did you mean Arguments?\n"
                                + "ce submit: odd.jdl: line 2, column 3: attribute FooBar is not known and will do nothing\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `Executable = "/bin/true"\nStdOutput = "o";`       | line 2, column 1: a ';' is missing before 'StdOutput'
            `Executable = '/bin/true';`                        | `line 1, column 15: unexpected character ''': texts stand in double quotes`
            `Executable = /bin/true;`                          | line 1, column 15: unexpected '/': texts stand in double quotes
            `Executable = "x";\n Arguments = hello world;`     | line 2, column 20: unexpected 'world': texts stand in double quotes
            `Executable = "x";\n CERequirements = "a >= ";`    | line 2, column 2: CERequirements: unexpected end
            `Executable = "x";\n CERequirements = a >= ;`      | line 2, column 24: unexpected ';'
            """)
    void aMistakeIsNamedByItsPlaceBeforeAnythingIsSent(String jdl, String message) throws IOException {
        Files.writeString(temp.resolve("odd.jdl"), "[" + jdl.replace("\\n", "\n") + "]");
        assertThat(ce.run("submit", "-r", QUEUE, "odd.jdl")).isEqualTo(1);
        assertThat(ce.err()).startsWith("ce submit: odd.jdl: ").hasLineCount(1);
        assertThat(ce.err().strip()).endsWith(message);
        assertThat(ce.calls).isEmpty();
    }

    @Test
    void whatDoesNotDoWhatItSaysIsReported() throws IOException {
        Files.writeString(temp.resolve("odd.jdl"), """
                [ Executable = "/bin/true"; Memory = 4000;
                  CERequirements = other.GlueCEName == "long" && other.GlueCEUniqueID == "ce:9443/cream-fork-demo"; ]
                """);
        assertThat(ce.run("submit", "-r", QUEUE, "odd.jdl")).isZero();
        assertThat(ce.err()).isEqualTo("""
                ce submit: odd.jdl: line 1, column 29: attribute Memory is not known and will do nothing; \
                write CERequirements = "other.GlueHostMainMemoryRAMSize >= 4000", a number of MiB
                ce submit: odd.jdl: line 2, column 3: CERequirements name the queue long, and the job goes to demo
                """);
    }

    @Test
    void waitOutlastsARestartOfTheCe() {
        ce.outages = 10;
        assertThat(ce.run("submit", "-r", QUEUE, "--wait", "a.jdl")).isZero();
    }

    @Test
    void waitGivesUpOnACeThatStaysAway() {
        ce.outages = Integer.MAX_VALUE;
        assertThat(ce.run("submit", "-r", QUEUE, "--wait", "a.jdl")).isEqualTo(1);
        Duration waited = ce.pauses.stream().reduce(Duration.ZERO, Duration::plus);
        assertThat(waited).isBetween(JobWatch.PATIENCE, JobWatch.PATIENCE.plus(JobWatch.LONGEST));
        assertThat(ce.out()).isEqualTo("https://ce:9443/CREAM000000001\n");
    }

    @Test
    void progressShowsOnATerminalOnly() {
        ce.terminal = true;
        assertThat(ce.run("submit", "-r", QUEUE, "--wait", "a.jdl")).isZero();
        assertThat(screen(ce.err()))
                .containsExactly(
                        "PENDING for 0s",
                        "PENDING for 1s",
                        "IDLE for 1s",
                        "IDLE for 2s",
                        "REALLY-RUNNING for 2s",
                        "REALLY-RUNNING for 3s",
                        "ce submit: 1 job ended: 1 DONE-OK");
        assertThat(ce.out()).doesNotContain("IDLE");
    }

    /** What stood in the line one after the other. */
    private static List<String> screen(String text) {
        return Arrays.stream(text.replace("\n", "").split("\r\u001b\\[K"))
                .filter(line -> !line.isEmpty())
                .toList();
    }

    @Test
    void theLineOfManyJobsCountsThemAndSaysWhyOneWaits() {
        ce.terminal = true;
        ce.states = List.of("IDLE", "DONE-OK");
        ce.waits = "Resources \u001b[31m " + "x".repeat(100);
        assertThat(ce.run("submit", "-r", QUEUE, "--wait", "a.jdl", "a.jdl")).isZero();
        assertThat(screen(ce.err()))
                .containsExactly(
                        "2 IDLE; IDLE for 0s: Resources ?[31m " + "x".repeat(39) + "...",
                        "2 IDLE; IDLE for 1s: Resources ?[31m " + "x".repeat(39) + "...",
                        "ce submit: 2 jobs ended: 2 DONE-OK");
    }

    @Test
    void jsonReportsTheResultOfEachFile() throws IOException {
        assertThat(ce.run("submit", "--json", "-r", QUEUE, "--wait", "a.jdl", "bad.jdl"))
                .isEqualTo(1);
        JsonNode root = new ObjectMapper().readTree(ce.out());
        assertThat(root.at("/jobs/0/id").asText()).isEqualTo("https://ce:9443/CREAM000000001");
        assertThat(root.at("/jobs/0/status").asText()).isEqualTo("DONE-OK");
        assertThat(root.at("/jobs/0/exitCode").asText()).isEqualTo("0");
        assertThat(root.at("/refused/0/file").asText()).isEqualTo("bad.jdl");
        assertThat(root.at("/refused/0/fault/cause").asText()).isEqualTo("Executable: no good");
        assertThat(root.at("/delegationId").asText()).hasSize(40);
    }

    @Test
    void manyDescriptionsGoInBoundedRequests() {
        String[] args = new String[3 + 250];
        args[0] = "submit";
        args[1] = "-r";
        args[2] = QUEUE;
        Arrays.fill(args, 3, args.length, "a.jdl");
        assertThat(ce.run(args)).isZero();
        assertThat(ce.calls).filteredOn(c -> c.startsWith("register")).hasSize(3);
        assertThat(ce.out().lines()).hasSize(250).doesNotHaveDuplicates();
    }
}
