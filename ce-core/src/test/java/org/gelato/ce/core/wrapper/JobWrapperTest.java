package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.gelato.ce.core.wrapper.WrapperRun.jdl;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.TransferPrograms;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs from claim to exit record, run by a real bash. */
class JobWrapperTest {
    @TempDir
    Path directory;

    private WrapperRun job;

    /** Whether the script is whole; else its common part is a file. */
    boolean isWhole() {
        return false;
    }

    @BeforeEach
    void sandbox() throws IOException {
        job = new WrapperRun(directory);
        job.whole = isWhole();
    }

    @Test
    void sleepJobTellsItsWholeLife() throws IOException {
        Instant before = Instant.now().minusSeconds(1);
        Ended ended = job.run(
                jdl(
                        "JobType = \"Normal\"; Executable = \"/bin/sleep\"; Arguments = \"0.1\"; StdOutput = \"env.out\"; StdError = \"env.err\";"));
        assertThat(ended.status()).isZero();
        assertThat(ended.stdout()).isEqualTo("job exit status = 0\njw exit status = 0\n");
        assertThat(ended.stderr()).isEmpty();
        assertThat(job.output("env.out")).isEmpty();
        assertThat(job.output("env.err")).isEmpty();
        assertThat(job.spooled())
                .extracting(WrapperEvent::kind)
                .containsExactly(WrapperEvent.Kind.RUNNING, WrapperEvent.Kind.REALLY_RUNNING, WrapperEvent.Kind.DONE);
        assertThat(job.spooled()).allSatisfy(event -> {
            assertThat(event.job()).hasToString("CREAM000000042");
            assertThat(event.attempt()).isEqualTo(2);
            assertThat(event.node())
                    .isEqualTo(Files.readString(Path.of("/proc/sys/kernel/hostname"))
                            .trim());
            assertThat(event.lrmsId()).isEqualTo("4711");
            assertThat(event.token()).isEqualTo(WrapperRun.TOKEN);
            assertThat(event.reason()).isNull();
            assertThat(event.time()).isBetween(before, Instant.now().plusSeconds(1));
        });
        assertThat(job.spooled().get(2).exitCode()).isZero();
        assertThat(job.spooled().get(1).exitCode()).isNull();
        assertThat(WrapperRun.names(job.events.resolve("tmp"))).isEmpty();
    }

    @Test
    void exitRecordIsTheLastEvent() throws IOException {
        job.run(shell("exit 3", ""));
        WrapperEvent record = WrapperRun.read(job.sandbox.resolve("exit"));
        assertThat(record).isEqualTo(job.spooled().get(2));
        assertThat(record.exitCode()).isEqualTo(3);
        assertThat(record.reason()).isNull();
    }

    @Test
    void ownerOfTheClaimCanBeFoundAmongProcesses() throws IOException {
        job.run(shell(
                "cat '" + job.sandbox.toString().replace("'", "'\\''") + "/claim/owner'; echo wrapper $PPID;"
                        + " tr \"\\0\" \" \" < /proc/$PPID/stat",
                ""));
        String[] lines = job.output("out").split("\n");
        String pid = lines[5].replace("wrapper ", "");
        assertThat(lines[0]).isEqualTo("pid=" + pid);
        assertThat(lines[1]).isEqualTo("start=" + lines[6].split(" ")[21]).matches("start=[0-9]+");
        assertThat(lines[2]).isEqualTo("attempt=2");
        assertThat(lines[3]).isEqualTo("lrmsid=4711");
        assertThat(lines[4]).matches("node=.+");
    }

    /** The CE has cancelled the job, and made a file where the claim would be. */
    @Test
    void aJobThatTheCeHasClaimedRunsNothing() throws IOException {
        Files.writeString(job.sandbox.resolve("claim"), "cancelled");
        Ended ended = job.run(shell("echo ran", ""));
        assertThat(ended.status()).isZero();
        assertThat(ended.stdout()).isEqualTo("Job CREAM000000042 has been claimed already, nothing to do\n");
        assertThat(job.sandbox.resolve("OSB/out")).doesNotExist();
        assertThat(job.sandbox.resolve("exit")).doesNotExist();
    }

    @Test
    void lateDoubleRunsNothing() throws IOException {
        JobRequest request = shell("echo ran", "");
        job.run(request);
        String record = Files.readString(job.sandbox.resolve("exit"));
        Files.delete(job.sandbox.resolve("OSB/out"));
        Ended second = job.run(request);
        assertThat(second.status()).isZero();
        assertThat(second.stdout()).isEqualTo("Job CREAM000000042 has been claimed already, nothing to do\n");
        assertThat(job.sandbox.resolve("OSB/out")).doesNotExist();
        assertThat(job.spooled()).hasSize(3);
        assertThat(job.sandbox.resolve("exit")).hasContent(record);
    }

    @Test
    void jobThatCannotBeClaimedFails() throws IOException {
        Files.createSymbolicLink(job.sandbox.resolve("claim"), Path.of("nowhere"));
        Ended ended = job.run(shell("echo ran", ""));
        assertThat(ended.status()).isEqualTo(1);
        assertThat(job.spooled())
                .singleElement()
                .satisfies(event -> assertThat(event.reason()).startsWith("Cannot claim the job"));
    }

    @Test
    void bareExecutableAndInputComeFromTheSandbox() throws IOException {
        job.upload("-run me.sh", "#!/bin/sh\necho \"$0\" \"$@\"; cat; ls -l in | cut -c1-10");
        job.upload("in", "from the sandbox\n");
        Ended ended =
                job.run(jdl("Executable = \"-run me.sh\"; Arguments = \"1\"; StdInput = \"in\"; StdOutput = \"out\";"
                        + "InputSandbox = { \"/home/me/-run me.sh\", \"file:///x/in\" };"));
        assertThat(ended.status()).isZero();
        assertThat(job.output("out")).matches("/.*/-run me.sh 1\nfrom the sandbox\n-rw-------\n");
    }

    @Test
    void scriptWithoutInterpreterLineRunsAsItAlwaysDid() throws IOException {
        job.upload("plain.sh", "echo plain $1");
        job.run(jdl("Executable = \"plain.sh\"; Arguments = \"x\"; StdOutput = \"out\"; InputSandbox = \"plain.sh\";"));
        assertThat(job.output("out")).isEqualTo("plain x\n");
    }

    @Test
    void executableAndInputMayBeginWithAVariable() throws IOException {
        Files.writeString(directory.resolve("in put"), "hello");
        job.environment.put("SITE", "/bin");
        Ended ended = job.run(jdl("Executable = \"${SITE}/cat\"; StdInput = \"$DIR/in put\"; StdOutput = \"out\";"
                + "Environment = \"DIR=" + directory + "\";"));
        assertThat(ended.status()).isZero();
        assertThat(job.output("out")).isEqualTo("hello");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Executable = "/no/such/thing"                                      | /no/such/thing not found or unreadable
            Executable = "/etc/passwd"                                         | /etc/passwd not found or unreadable
            Executable = "/bin/../etc"                                         | /bin/../etc not found or unreadable
            Executable = "$NOWHERE/x"                                          | $NOWHERE/x not found or unreadable
            Executable = "x"; InputSandbox = "x"                               | Cannot move ISB (not in the input sandbox): x
            Executable = "/bin/true"; InputSandbox = { "a", "b" }              | Cannot move ISB (not in the input sandbox): a
            Executable = "/bin/true"; StdInput = "/no/input"                   | Cannot read StdInput: /no/input
            Executable = "/bin/true"; StdInput = "/tmp"                        | Cannot read StdInput: /tmp
            """)
    void whatIsMissingEndsTheJobWithAReason(String attributes, String reason) throws IOException {
        Ended ended = job.run(jdl(attributes + "; StdOutput = \"out\";"));
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.stdout()).isEqualTo("jw exit status = 1\n");
        assertThat(job.spooled())
                .extracting(WrapperEvent::kind)
                .containsExactly(WrapperEvent.Kind.RUNNING, WrapperEvent.Kind.DONE);
        WrapperEvent done = job.spooled().get(1);
        assertThat(done.reason()).isEqualTo(reason);
        assertThat(done.exitCode()).isNull();
        assertThat(WrapperRun.read(job.sandbox.resolve("exit"))).isEqualTo(done);
    }

    @Test
    void noWorkingDirectoryIsAReason() throws IOException {
        job.environment.put("TMPDIR", "/no/such/dir");
        assertThat(job.run(shell("echo ran", "")).status()).isEqualTo(1);
        assertThat(job.spooled().get(1).reason())
                .isEqualTo("Cannot make a working directory in /no/such/dir: No such file or directory");
    }

    @Test
    void whyAnOutputFileCannotBeMadeIsAReason() throws IOException {
        job.upload("d", "a file");
        job.run(jdl("Executable = \"/bin/true\"; InputSandbox = \"d\"; StdOutput = \"d/out\";"));
        assertThat(job.spooled().get(1).reason())
                .isEqualTo("Cannot make the directory of StdOutput: d/out: File exists");
    }

    @Test
    void homeIsTheWorkingDirectoryWhereThereIsNone() throws IOException {
        job.environment.put("HOME", "/no/such/home");
        job.run(shell("[ \"$HOME\" = \"$PWD\" ] && echo same", ""));
        assertThat(job.output("out")).isEqualTo("same\n");
    }

    @Test
    void longReasonsAreOneShortLine() throws IOException {
        String name = "line\nline" + "x".repeat(5000);
        job.run(jdl("Executable = \"/" + name + "\";"));
        assertThat(job.spooled().get(1).reason()).startsWith("/line linexxx").hasSize(1500);
    }

    @Test
    void argumentsAreInterpretedOnTheWorkerNode() throws IOException {
        job.upload("a.txt", "");
        job.upload("b.txt", "");
        job.environment.put("SITE", "on  the node");
        job.run(jdl("Executable = \"/usr/bin/printf\"; StdOutput = \"out\"; InputSandbox = { \"a.txt\", \"b.txt\" };"
                + " Environment = \"MINE=*\"; Arguments = \"'[%s]' 'a;b  c' \\\"$SITE\\\" $SITE \\\"$NONE\\\" $NONE '$SITE'"
                + " *.txt '*' \\\"$MINE\\\" no*match \\* $__unset x=y\";"));
        assertThat(job.output("out"))
                .isEqualTo("[a;b  c][on  the node][on][the][node][][$SITE][a.txt][b.txt][*][*][no*match][*][x=y]");
    }

    @Test
    void wrapperLeaksNothingIntoTheJob() throws IOException {
        job.run(shell("env; set", ""));
        assertThat(job.output("out")).doesNotContain("__gelato").doesNotContain("s3cr3t");
    }

    @Test
    void gridVariablesAreExported() throws IOException {
        job.run(
                shell(
                        "env; umask",
                        "edg_jobid = \"https://wms/x\"; LB_sequence_code = \"UI=1\"; HLRLocation = \"hlr\"; MwVersion = \"3.1\";"));
        assertThat(job.output("out").lines())
                .contains(
                        "GRID_JOBID=https://wms/x",
                        "CREAM_JOBID=https://ce.example.org:8443/CREAM000000042",
                        "CE_ID=ce.example.org:8443/cream-slurm-q",
                        "GLITE_WMS_JOBID=https://wms/x",
                        "GLITE_WMS_SEQUENCE_CODE=UI=1",
                        "HLR_LOCATION=hlr",
                        "EDG_MW_VERSION=3.1",
                        "0022");
    }

    /** DIRAC's pilots tell by the names what runs them. */
    @Test
    void aJobHasTheNamesOfItsProtocolAlone() throws IOException {
        job.names = Map.of("GRID_GLOBAL_JOBID", "CREAM000000042", "GRID_GLOBAL_JOBHOST", "ce.example.org");
        job.run(shell("env", ""));
        assertThat(job.output("out").lines())
                .contains("GRID_GLOBAL_JOBID=CREAM000000042", "GRID_GLOBAL_JOBHOST=ce.example.org")
                .noneMatch(line -> line.startsWith("CREAM_JOBID"));
    }

    @Test
    void sameNameJoinsOutputAndError() throws IOException {
        job.run(jdl("Executable = \"/bin/sh\"; Arguments = \"-c 'echo a; echo b >&2; echo c'\";"
                + "StdOutput = \"logs/all\"; StdError = \"logs/all\";"));
        assertThat(job.output("all")).isEqualTo("a\nb\nc\n");
    }

    @Test
    void outputIsKept() throws IOException {
        Ended ended = job.run(shell(
                "echo 1 > a.log; echo 2 > 'b c.log'; mkdir d; echo 3 > d/e; echo out",
                "OutputSandbox = { \"*.log\", \"d/e\", \"out\", \"gone\", \"none*\" };"
                        + "OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(ended.status()).isZero();
        assertThat(WrapperRun.names(job.sandbox.resolve("OSB")))
                .containsExactlyInAnyOrder("a.log", "b c.log", "e", "out", "err");
        assertThat(job.output("b c.log")).isEqualTo("2\n");
        assertThat(job.output("out")).isEqualTo("out\n");
        assertThat(ended.stdout())
                .contains("Cannot read or missing file ./gone\n", "Cannot read or missing file none*\n");
    }

    @Test
    void destinationsNameTheFiles() throws IOException {
        JobRequest request = shell(
                "echo 1 > x; echo 2 > y",
                "OutputSandbox = { \"x\", \"y\" };"
                        + "OutputSandboxDestURI = { \"gsiftp://localhost/some/q'z\", \"gsiftp://localhost\" };");
        job.run(request);
        assertThat(job.output("q'z")).isEqualTo("1\n");
        assertThat(job.output("y")).isEqualTo("2\n");
        String line = JobWrapper.script(request, job.settings())
                .lines()
                .filter(l -> l.startsWith("__output_file_dest[0]="))
                .findFirst()
                .orElseThrow();
        // What a client does to find out whether this CE puts a slash after OSB.
        int slash = line.lastIndexOf('/');
        assertThat(line.substring(slash - 3, slash)).isEqualTo("OSB");
        assertThat(line).contains("gsiftp://ce.example.org/");
    }

    @Test
    void outputWithARenamedDestinationIsKeptUnderThatNameAlone() throws IOException {
        job.run(shell(
                "echo 1; echo 2 >&2",
                "OutputSandbox = { \"out\", \"err\" };"
                        + "OutputSandboxDestURI = { \"gsiftp://localhost/result\", \"gsiftp://localhost\" };"));
        assertThat(WrapperRun.names(job.sandbox.resolve("OSB"))).containsExactlyInAnyOrder("result", "err");
        assertThat(job.output("result")).isEqualTo("1\n");
        assertThat(job.output("err")).isEqualTo("2\n");
    }

    @Test
    void oddNamesAreKeptToo() throws IOException {
        Ended ended = job.run(jdl("Executable = \"/usr/bin/touch\"; StdOutput = \"x$(id)\";"
                + "Arguments = \"'x]$(echo)' 'x\\\"\\\\$HOME`id`' \\\"x'[0]\\\" 'x\n1'\";"
                + "OutputSandbox = \"x*\"; OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(ended.stderr()).isEmpty();
        assertThat(ended.status()).isZero();
        assertThat(WrapperRun.names(job.sandbox.resolve("OSB")))
                .containsExactlyInAnyOrder("x$(id)", "x]$(echo)", "x\"\\\\$HOME`id`", "x'[0]", "x\n1");
    }

    @Test
    void outputThatCannotBeKeptIsAReason() throws IOException {
        Files.createFile(job.sandbox.resolve("OSB"));
        Ended ended = job.run(shell("echo x", ""));
        assertThat(ended.status()).isEqualTo(1);
        assertThat(job.spooled().get(2).reason())
                .startsWith("Cannot upload out into " + job.sandbox + "/OSB/out: mkdir: ");
        assertThat(job.spooled().get(2).exitCode()).isNull();
    }

    @Test
    void twoFilesOfOneNameAreNotMixedUp() throws IOException {
        job.run(shell(
                "mkdir a b; echo 1 > a/x; echo 2 > b/x",
                "OutputSandbox = \"*/x\"; OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(job.output("x")).isEqualTo("1\n");
        assertThat(job.spooled().get(2).reason()).startsWith("Cannot upload b/x into ");
    }

    @Test
    void unwritableLeftoversAreRemoved() throws IOException {
        assertThat(job.run(shell("mkdir -p a/b; touch a/b/c; chmod 0 a/b a", ""))
                        .status())
                .isZero();
    }

    @Test
    void eventThatCannotBeWrittenDoesNotLoseTheExitRecord() throws IOException {
        job.command("sleep", "echo \"$1\" >> '" + directory + "/slept'");
        Files.createFile(job.events);
        Ended ended = job.run(shell("exit 4", ""));
        assertThat(ended.status()).isZero();
        assertThat(ended.stderr()).contains("Cannot write " + job.events);
        assertThat(WrapperRun.read(job.sandbox.resolve("exit")).exitCode()).isEqualTo(4);
        assertThat(directory.resolve("slept")).content().startsWith("1\n2\n3\n1\n2\n3\n");
    }

    @Test
    void wrapperThatCanTellNobodyFails() throws IOException {
        job.command("sleep", ":");
        Files.createFile(job.events);
        Files.createDirectories(job.sandbox.resolve("exit/x"));
        Files.createDirectories(job.sandbox.resolve(".exit/x"));
        Ended ended = job.run(shell("exit 4", ""));
        assertThat(ended.status()).isEqualTo(75);
        assertThat(ended.stdout()).isEqualTo("job exit status = 4\njw exit status = 1\n");
    }

    /** The CE reads it by that name, too. */
    @Test
    void aRecordThatCannotGetItsNameTellsTheEnd() throws IOException {
        job.command("sleep", ":");
        Files.createFile(job.events);
        Files.createDirectories(job.sandbox.resolve("exit/x"));
        assertThat(job.run(shell("exit 4", "")).status()).isZero();
        assertThat(WrapperRun.read(job.sandbox.resolve(".exit")).exitCode()).isEqualTo(4);
    }

    @Test
    void environmentOfBashDoesNotBendTheWrapper() throws IOException {
        job.environment.put("SHELLOPTS", "errexit:nounset:noglob:noclobber");
        job.environment.put("BASHOPTS", "nullglob:failglob");
        job.environment.put("POSIXLY_CORRECT", "1");
        Ended ended = job.run(jdl("Executable = \"/bin/echo\"; Arguments = \"no*match $NONE\"; StdOutput = \"out\";"));
        assertThat(ended.status()).as(ended.stderr()).isZero();
        assertThat(job.output("out")).isEqualTo("no*match\n");
    }

    @Test
    void scriptIsWellFormed() throws Exception {
        JobRequest request = shell(
                "a 'b' $C",
                "InputSandbox = { \"a'b\", \"c\" }; Environment = { \"A=')\", \"UID=1\" }; OutputSandbox = { \"x\", \"y*\" };"
                        + "OutputSandboxBaseDestURI = \"gsiftp://localhost\"; StdInput = \"${X}/a b\";");
        Path script = Files.writeString(directory.resolve("script"), JobWrapper.script(request, job.settings()));
        Process check = new ProcessBuilder("bash", "-n", script.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(check.getInputStream().readAllBytes()).asString().isEmpty();
        assertThat(check.waitFor()).isZero();
    }

    @Test
    void settingsWithoutAWayForEventsAreRefused() {
        WrapperSettings s = job.settings();
        WrapperSettings none = new WrapperSettings(
                s.id(),
                1,
                s.names(),
                s.ceId(),
                s.sandbox(),
                null,
                null,
                null,
                s.token(),
                null,
                null,
                null,
                s.patience(),
                TransferPrograms.NONE,
                MessageSettings.NONE,
                null);
        assertThatThrownBy(() -> JobWrapper.script(jdl("Executable = \"/bin/true\";"), none))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
