package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.core.wrapper.peer.FakeGrid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What may run around the payload: prologue, epilogue, token, perusal. */
class WrapperProgramsTest {
    @TempDir
    Path directory;

    private WrapperRun job;
    private FakeGrid grid;

    @BeforeEach
    void sandbox() throws IOException {
        job = new WrapperRun(directory);
        grid = new FakeGrid(job.root, job::command);
    }

    private WrapperEvent last() throws IOException {
        return WrapperRun.read(job.sandbox.resolve("exit"));
    }

    @Test
    void prologueAndEpilogueRunAroundThePayload() throws IOException {
        job.upload("pro log", "#!/bin/sh\necho \"pro $1 $V $UID\" | tee -a story; printf '%s' \"$2\" >> story");
        job.upload("epi", "#!/bin/sh\necho \"epi $*\" >> story");
        Ended ended = job.run(shell(
                "echo payload >> story",
                "InputSandbox = { \"pro log\", \"epi\" }; Environment = { \"V='v\", \"UID=u\" };"
                        + "Prologue = \"pro log\"; PrologueArguments = \"'a  b' $V*\";"
                        + "Epilogue = \"epi\"; EpilogueArguments = \"1 2\";"
                        + "OutputSandbox = \"story\"; OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(ended.stderr()).isEmpty();
        assertThat(job.output("story")).isEqualTo("pro a  b 'v u\n'v*payload\nepi 1 2\n");
        assertThat(ended.stdout()).startsWith("pro a  b 'v u\n");
    }

    @Test
    void failedPrologueIsTheEnd() throws IOException {
        job.run(shell("echo ran", "Prologue = \"/bin/sh\"; PrologueArguments = \"-c 'exit 7'\";"));
        assertThat(last().reason()).isEqualTo("Prologue failed with error 7");
        assertThat(last().exitCode()).isNull();
        assertThat(job.spooled()).hasSize(2);
        assertThat(job.sandbox.resolve("OSB/out")).doesNotExist();
    }

    @Test
    void missingPrologueIsTheEnd() throws IOException {
        job.run(shell("echo ran", "Prologue = \"nowhere\";"));
        assertThat(last().reason()).isEqualTo("Prologue failed with error 127");
    }

    @Test
    void failedEpilogueLosesNoOutput() throws IOException {
        job.run(shell("echo ran", "Epilogue = \"/bin/sh\"; EpilogueArguments = \"-c 'exit 8'\";"));
        assertThat(last().reason()).isEqualTo("Epilogue failed with error 8");
        assertThat(last().exitCode()).isNull();
        assertThat(job.output("out")).isEqualTo("ran\n");
    }

    @Test
    void tokenIsTaken() throws IOException {
        job.command("uberftp", "echo \"$*\" >> '" + directory + "/taken'");
        job.run(shell("echo ran", "ReallyRunningToken = \"gsiftp://h/token?DN=/CN=h\";"));
        assertThat(directory.resolve("taken")).hasContent("-rm gsiftp://h/token");
        assertThat(last().exitCode()).isZero();
    }

    @Test
    void jobWithoutItsTokenDoesNotRun() throws IOException {
        job.command("uberftp", "echo \"$*\" >> '" + directory + "/taken'; echo 550 not there >&2; exit 1");
        job.run(shell("echo ran", "ReallyRunningToken = \"gsiftp://h/token\";"));
        assertThat(Files.readAllLines(directory.resolve("taken"))).hasSize(3);
        assertThat(grid.slept()).containsExactly("60", "60");
        assertThat(last().reason()).isEqualTo("Cannot take token: 550 not there");
        assertThat(job.spooled())
                .extracting(WrapperEvent::kind)
                .containsExactly(WrapperEvent.Kind.RUNNING, WrapperEvent.Kind.DONE);
    }

    @Test
    void growingFilesAreSentPieceByPiece() throws IOException {
        grid.put("h/list", "log\nnot there\na b");
        job.run(shell(
                "wait_for() { for i in {1..500}; do compgen -G \"$1\" > /dev/null && break; /bin/sleep 0.02; done; };"
                        + " printf 12345 > log; printf x > \"a b\"; wait_for \"" + grid.path("h/seen") + "/log-*-0-5\";"
                        + " printf 678 >> log; wait_for \"" + grid.path("h/seen") + "/log-*-5-8\"; echo done",
                "PerusalFileEnable = true; PerusalTimeInterval = 33; PerusalFilesDestURI = \"gsiftp://h/seen?DN=/CN=h\";"
                        + "PerusalListFileURI = \"gsiftp://h/list\";"));
        assertThat(WrapperRun.names(grid.path("h/seen")))
                .filteredOn(name -> name.startsWith("log-"))
                .hasSize(2)
                .anyMatch(name -> name.matches("log-[0-9]{14}-0-5"))
                .anyMatch(name -> name.matches("log-[0-9]{14}-5-8"));
        assertThat(WrapperRun.names(grid.path("h/seen"))).anyMatch(name -> name.matches("a%20b-[0-9]{14}-0-1"));
        for (String name : WrapperRun.names(grid.path("h/seen"))) {
            if (name.endsWith("-5-8")) {
                assertThat(grid.get("h/seen/" + name)).isEqualTo("678");
            }
        }
        assertThat(grid.copies()).anyMatch(copy -> copy.startsWith("-ds /CN=h file:///"));
        assertThat(grid.slept()).containsOnly("33");
        assertThat(last().exitCode()).isZero();
    }
}
