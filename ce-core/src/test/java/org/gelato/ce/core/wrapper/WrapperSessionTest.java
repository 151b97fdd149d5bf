package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.core.wrapper.peer.FakeGrid;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.TransferPrograms;
import org.gelato.ce.description.adl.Adl;
import org.gelato.ce.description.xrsl.Xrsl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs whose description has a session directory in mind. */
class WrapperSessionTest {
    @TempDir
    Path directory;

    @Test
    void runsWithItsInputsAndKeepsItsOutputs() throws Exception {
        WrapperRun run = new WrapperRun(directory);
        run.upload("run.sh", "#!/bin/bash\n./tool \"$@\"; echo kept > res\n");
        run.upload("tool", "#!/bin/bash\nprintf '[%s]' \"$A\" \"$@\"\n");
        JobRequest job = Xrsl.LANGUAGE.read(
                "&(executable=run.sh)(arguments=\"a b\" \"it's $HOME *\")(inputfiles=(run.sh \"\")(tool \"\"))(executables=tool)"
                        + "(stdout=out)(join=yes)(outputfiles=(\"/\" \"\"))(environment=(A \" x $y \"))"
                        + "(runtimeenvironment=ENV/PROXY)",
                ReadingBudget.UNBOUNDED);
        Ended ended = run.run(job);
        assertThat(run.output("out"))
                .isEqualTo("ENV/PROXY: the job has no proxy, X509_USER_PROXY is not set\n[ x $y ][a b][it's $HOME *]");
        assertThat(run.output("res")).isEqualTo("kept\n");
        assertThat(ended.stderr()).isEqualTo("ENV/PROXY: the job has no proxy, X509_USER_PROXY is not set\n");
        assertThat(ended.status()).isZero();
    }

    @Test
    void filesInFoldersAreWhereTheDescriptionHasThem() throws Exception {
        WrapperRun run = new WrapperRun(directory);
        run.upload(
                "bin/it's run",
                "#!/bin/bash\ncat; cat 'data/b c/in'; mkdir -p r/s; echo kept > 'r/s/res ult'; echo 2 > res\n");
        run.upload("data/in", "1 ");
        run.upload("data/b c/in", "2");
        Ended ended = run.run(folders());
        assertThat(ended.stderr()).isEmpty();
        assertThat(run.output("log/out")).isEqualTo("1 2");
        assertThat(run.output("r/s/res ult")).isEqualTo("kept\n");
        assertThat(run.output("res")).isEqualTo("2\n");
        assertThat(WrapperRun.names(run.sandbox.resolve("OSB"))).containsExactlyInAnyOrder("log", "r", "res");
        assertThat(ended.status()).isZero();
    }

    @Test
    void whatIsNotKeptOfADirectoryIsSaid() throws Exception {
        WrapperRun run = new WrapperRun(directory);
        run.upload(
                "run",
                "#!/bin/bash\nmkdir -p a/b/out real sub; mkdir -p out/$(printf 'd/%.0s' {1..20}); echo 1 > out/1\n"
                        + "echo 2 > out/$(printf 'd/%.0s' {1..20})2; ln -s real link; echo 3 > real/3; echo 4 > a/b/out/4\n");
        run.run(Xrsl.LANGUAGE.read(
                "&(executable=run)(inputfiles=(run \"\"))(outputfiles=(\"out/\" \"\")(\"link/\" \"\")(\"a/b/out/\" \"\")(\"*\" \"\"))",
                ReadingBudget.UNBOUNDED));
        assertThat(run.output("out/1")).isEqualTo("1\n");
        assertThat(run.output("a/b/out/4")).isEqualTo("4\n");
        assertThat(WrapperRun.read(run.sandbox.resolve("exit")).warning())
                .contains("Files in out/ that cannot be read or are too deep are not kept", "link/")
                .doesNotContain("real", "sub", "./out");
    }

    @Test
    void theSitesProgramsTransferWhatTheWrapperDoesNot() throws Exception {
        WrapperRun run = new WrapperRun(directory);
        Path program = Files.writeString(
                directory.resolve("copier"),
                "#!/bin/bash\necho \"$*\" >> " + directory.resolve("calls")
                        + "\n[[ $2 == srm:* ]] && echo fetched > \"$3\" || cp \"$2\" " + directory.resolve("sent")
                        + "\n");
        program.toFile().setExecutable(true);
        run.programs = TransferPrograms.of(List.of("srm=" + program + " --force", "root=" + program + " -f"));
        run.upload("run", "#!/bin/bash\ncat in > out\n");
        Ended ended = run.run(Xrsl.LANGUAGE.read(
                "&(executable=run)(inputfiles=(run \"\")(in srm://se.example.org:8446/dpm/x))"
                        + "(outputfiles=(out root://se.example.org:1094//y))",
                ReadingBudget.UNBOUNDED));
        assertThat(ended.stderr()).isEmpty();
        assertThat(ended.status()).isZero();
        assertThat(directory.resolve("sent")).hasContent("fetched");
        assertThat(Files.readAllLines(directory.resolve("calls")))
                .satisfiesExactly(
                        in -> assertThat(in).startsWith("--force srm://se.example.org:8446/dpm/x /"),
                        out -> assertThat(out).startsWith("-f /").endsWith(" root://se.example.org:1094//y"));
    }

    private static JobRequest listing(WrapperRun run, String script) throws Exception {
        run.upload("run", "#!/bin/bash\n" + script);
        return Xrsl.LANGUAGE.read(
                "&(executable=run)(inputfiles=(run \"\"))(outputfiles=(\"heartbeat.json\" \"\")(\"@output.list\" \"\"))",
                ReadingBudget.UNBOUNDED);
    }

    /** As pilots of ATLAS have it, by aCT. */
    @Test
    void aListOfOutputNamesFilesAndWhereTheyGo() throws Exception {
        WrapperRun run = new WrapperRun(directory);
        Path program = Files.writeString(
                directory.resolve("copier"),
                "#!/bin/bash\necho \"$2\" >> " + directory.resolve("calls") + "\ncp \"$1\" " + directory.resolve("sent")
                        + "\n");
        program.toFile().setExecutable(true);
        run.programs = TransferPrograms.of(List.of("root=" + program));
        Ended ended = run.run(listing(run, """
                mkdir -p sub/d; echo one > EVNT.1.root; echo two > sub/d/log.tgz; echo three > 'a b'; echo 4 > sent; echo {} > heartbeat.json
                printf 'EVNT.1.root \\n\\n./sub/d/log.tgz\\r\\na\\\\ b\\n' > output.list
                printf 'sent ROOT://se.example.org;threads=4:1094//x/log:checksumtype=adler32:checksumvalue=ab more' >> output.list
                """));
        assertThat(ended.stderr()).isEmpty();
        assertThat(ended.status()).isZero();
        assertThat(run.output("EVNT.1.root")).isEqualTo("one\n");
        assertThat(run.output("sub/d/log.tgz")).isEqualTo("two\n");
        assertThat(run.output("a b")).isEqualTo("three\n");
        assertThat(WrapperRun.names(run.sandbox.resolve("OSB")))
                .containsExactlyInAnyOrder("EVNT.1.root", "sub", "a b", "heartbeat.json");
        assertThat(directory.resolve("sent")).hasContent("4");
        assertThat(directory.resolve("calls")).hasContent("root://se.example.org:1094//x/log");
        assertThat(WrapperRun.read(run.sandbox.resolve("exit")).warning()).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            true                                           | Cannot read the list of output output.list
            mkdir output.list                              | Cannot read the list of output output.list
            echo ../x > output.list                        | The list of output output.list names no file of the job: ../x
            echo a/../../x > output.list                   | The list of output output.list names no file of the job: a/../../x
            echo x http://h/x > output.list                | The list of output output.list sends x where this CE cannot: http://h/x
            echo 'x https://u:p@h/x?k=s#f' > output.list   | The list of output output.list sends x where this CE cannot: https://h/x
            echo x root://h/x > output.list                | The list of output output.list sends x where this CE cannot: root://h/x
            echo x -K/etc/passwd > output.list             | The list of output output.list sends x where this CE cannot: -K/etc/passwd
            echo 'a\\\\b' > output.list                    | The list of output output.list names no file of the job: a\\b
            printf 'a\\001b' > output.list                 | The list of output output.list names no file of the job: a b
            printf ':%.0s' {1..5000} > output.list         | The list of output output.list has a line of more than 4096 characters
            truncate -s 8000001 output.list                | The list of output output.list has more than 8 MB
            for i in {0..1000}; do echo x; done > output.list | The list of output output.list has more than 1000 files, the others are lost
            """)
    void aListThatIsWrongFailsTheJobWithThatReason(String script, String reason) throws Exception {
        WrapperRun run = new WrapperRun(directory);
        run.run(listing(run, "echo {} > heartbeat.json; echo 1 > x\n" + script + "\n"));
        assertThat(WrapperRun.read(run.sandbox.resolve("exit")).reason()).isEqualTo(reason);
        assertThat(run.output("heartbeat.json")).as("the rest is brought").isEqualTo("{}\n");
    }

    @Test
    void aJobThatFailsHasItsExitCodeThoughItsListIsMissing() throws Exception {
        WrapperRun run = new WrapperRun(directory);
        run.run(listing(run, "echo {} > heartbeat.json; exit 3\n"));
        assertThat(WrapperRun.read(run.sandbox.resolve("exit")).exitCode()).isEqualTo(3);
        assertThat(WrapperRun.read(run.sandbox.resolve("exit")).reason()).isNull();
        assertThat(WrapperRun.read(run.sandbox.resolve("exit")).warning())
                .contains("Cannot read the list of output output.list");
    }

    /** The CE takes no end that is longer than 8 KiB. */
    @Test
    void aJobThatFailsHasItsExitCodeWhateverItsListHas() throws Exception {
        WrapperRun run = new WrapperRun(directory);
        run.run(listing(run, "for i in {1..1000}; do echo \"../$i\"; done > output.list; exit 3\n"));
        assertThat(WrapperRun.read(run.sandbox.resolve("exit")).exitCode()).isEqualTo(3);
    }

    @Test
    void aQueryStaysWithAnOutputsUrl() throws Exception {
        WrapperRun run = new WrapperRun(directory);
        Path program = Files.writeString(
                directory.resolve("copier"), "#!/bin/bash\necho \"$2\" >> " + directory.resolve("calls") + "\n");
        program.toFile().setExecutable(true);
        run.programs = TransferPrograms.of(List.of("root=" + program));
        run.run(listing(run, """
                echo 1 > x; echo {} > heartbeat.json
                printf 'x root://h/x?a:b=c\nx root://h;threads=2/x?u=h/y:d=e\n' > output.list
                """));
        assertThat(directory.resolve("calls")).hasContent("root://h/x?a:b=c\nroot://h/x?u=h/y:d=e\n");
    }

    @Test
    void directoriesAreKeptWholeAndPatternsKeepTheirPaths() throws Exception {
        WrapperRun run = new WrapperRun(directory);
        run.upload(
                "run",
                "#!/bin/bash\nmkdir -p 'out/a b/c' d/e; echo 1 > out/1; echo 2 > 'out/a b/c/2'; ln -s /etc/passwd out/link\n"
                        + "echo 3 > d/3.root; echo 4 > d/4.txt; echo 5 > .5; echo 6 > $'out/6\\n7'\n");
        JobRequest job = Xrsl.LANGUAGE.read(
                "&(executable=run)(inputfiles=(run \"\"))(outputfiles=(\"out/\" \"\")(\"d/*.root\" \"\")(\".*\" \"\")(none/ \"\"))",
                ReadingBudget.UNBOUNDED);
        Ended ended = run.run(job);
        assertThat(WrapperRun.read(run.sandbox.resolve("exit")).warning())
                .isEqualTo("Cannot read or missing file none/");
        assertThat(run.output("out/1")).isEqualTo("1\n");
        assertThat(run.output("out/a b/c/2")).isEqualTo("2\n");
        assertThat(run.output("d/3.root")).isEqualTo("3\n");
        assertThat(run.output(".5")).isEqualTo("5\n");
        assertThat(WrapperRun.names(run.sandbox.resolve("OSB"))).containsExactlyInAnyOrder("out", "d", ".5");
        assertThat(WrapperRun.names(run.sandbox.resolve("OSB/d"))).containsExactly("3.root");
        assertThat(WrapperRun.names(run.sandbox.resolve("OSB/out"))).containsExactlyInAnyOrder("1", "a b", "6\n7");
        assertThat(ended.status()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "true,                                            true,  false, false, true",
        "exit 3,                                          true,  false, false, false",
        "exit 3,                                          false, true,  false, true",
        "true,                                            false, true,  true,  false",
        "kill -TERM ${GELATO_PAYLOAD%%.*}; sleep 600,     true,  true,  false, false",
        "kill -TERM ${GELATO_PAYLOAD%%.*}; sleep 600,     false, false, true,  true",
    })
    void outputIsSentAfterTheEndsThatItsDescriptionNamesAndElseKept(
            String command, boolean success, boolean failure, boolean cancel, boolean sent) throws Exception {
        WrapperRun run = new WrapperRun(directory);
        FakeGrid grid = new FakeGrid(run.root, run::command);
        run.run(Adl.LANGUAGE.read(
                "<ActivityDescription><Application><Executable><Path>/bin/sh</Path><Argument>-c</Argument><Argument>echo x > d; "
                        + command
                        + "</Argument></Executable></Application><DataStaging><OutputFile><Name>d</Name><Target>"
                        + "<URI>gsiftp://h/there</URI><UseIfSuccess>" + success + "</UseIfSuccess><UseIfFailure>"
                        + failure
                        + "</UseIfFailure><UseIfCancel>" + cancel + "</UseIfCancel></Target></OutputFile></DataStaging>"
                        + "</ActivityDescription>",
                ReadingBudget.UNBOUNDED));
        assertThat(grid.copies()).hasSize(sent ? 1 : 0);
        assertThat(Files.exists(run.sandbox.resolve("OSB/d"))).isEqualTo(!sent);
    }

    @Test
    void anInputWhoseFolderIsAFileFailsWithItsName() throws Exception {
        WrapperRun run = new WrapperRun(directory);
        run.environment.put("GLITE_LOCAL_CUSTOMIZATION_DIR", directory.toString());
        run.upload("data/in", "");
        // The job's home is its working directory where the node has none, and programs write there.
        run.command("mkdir", "[[ $* != *./data* ]] || exec /bin/mkdir -- /proc/none; exec /bin/mkdir \"$@\"");
        Ended ended = run.run(
                Xrsl.LANGUAGE.read("&(executable=/bin/true)(inputfiles=(data/in \"\"))", ReadingBudget.UNBOUNDED));
        assertThat(WrapperRun.read(run.sandbox.resolve("exit")).reason())
                .isEqualTo("Cannot move ISB (its folder cannot be made): data/in");
        assertThat(ended.status()).isEqualTo(1);
    }

    static JobRequest folders() throws Exception {
        return Xrsl.LANGUAGE.read(
                "&(executable=\"bin/it's run\")(stdin=data/in)(inputfiles=(\"bin/it's run\" \"\")(data/in \"\")(\"data/b c/in\" \"\"))"
                        + "(stdout=log/out)(join=yes)(outputfiles=(\"r/s/res ult\" \"\")(res \"\"))",
                ReadingBudget.UNBOUNDED);
    }
}
