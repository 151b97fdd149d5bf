package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a site may add to its worker nodes. */
class WrapperHookTest {
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
        job.environment.put("GLITE_LOCAL_CUSTOMIZATION_DIR", directory.toString());
    }

    private void hook(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }

    private WrapperEvent last() throws IOException {
        return WrapperRun.read(job.sandbox.resolve("exit"));
    }

    @Test
    void hooksRunInTheirPlaces() throws IOException {
        Path story = directory.resolve("story");
        hook("cp_1.sh", "echo 1 $# >> '" + story + "'; export SITE=set; declare -x DECLARED=too");
        hook("cp_2.sh", "echo 2 >> '" + story + "'");
        hook("cp_3.sh", "echo 3 $(ls '" + job.scratch + "') >> '" + story + "'");
        hook("lcg-jobwrapper-hook.sh", "echo vo >> '" + story + "'");
        job.vo = "vo.Example-1.org";
        job.environment.put("VO_VO_EXAMPLE_1_ORG_SW_DIR", directory.toString());
        Ended ended = job.run(shell("echo $SITE $DECLARED; echo job >> '" + story + "'", ""));
        assertThat(ended.stderr()).isEmpty();
        assertThat(ended.status()).isZero();
        assertThat(job.output("out")).isEqualTo("set too\n");
        assertThat(story).hasContent("1 0\nvo\njob\n2\n3\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cp_1.sh", "cp_2.sh"})
    void hookCannotBendTheWrapper(String name) throws IOException {
        hook(
                name,
                "cd /; set -efuxC; IFS=x; umask 0; shopt -s nullglob nocasematch; trap 'echo trapped' TERM RETURN DEBUG ERR;"
                        + " trap 'exit 9' EXIT; set a b; false_or() { return 1; }");
        Ended ended = job.run(shell(
                "echo 1 > x.txt; umask",
                "OutputSandbox = \"*.txt\"; OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(ended.status()).as(ended.stderr()).isZero();
        assertThat(last().exitCode()).isZero();
        assertThat(job.output("x.txt")).isEqualTo("1\n");
        assertThat(job.output("out")).isEqualTo("0022\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cp_1.sh", "lcg-jobwrapper-hook.sh"})
    void hookThatEndsTheShellIsAReason(String name) throws IOException {
        job.vo = "dteam";
        job.environment.put("VO_DTEAM_SW_DIR", directory.toString());
        hook(name, "exit 3");
        assertThat(job.run(shell("echo ran", "")).status()).isEqualTo(1);
        assertThat(last().reason()).isEqualTo("Hook " + directory + "/" + name + " ended the job (exit 3)");
        assertThat(last().exitCode()).isNull();
        assertThat(job.sandbox.resolve("OSB/out")).doesNotExist();
    }

    @Test
    void hookThatFailsUnderErrexitIsAReason() throws IOException {
        hook("cp_2.sh", "set -e; false; echo never");
        job.run(shell("echo ran", ""));
        assertThat(last().reason()).isEqualTo("Hook " + directory + "/cp_2.sh ended the job (exit 1)");
    }

    @Test
    void lastHookChangesNothing() throws IOException {
        hook("cp_3.sh", "exit 9");
        Ended ended = job.run(shell("exit 4", ""));
        assertThat(ended.status()).isZero();
        assertThat(last().exitCode()).isEqualTo(4);
        assertThat(job.spooled()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cp_1.sh", "cp_2.sh", "cp_3.sh"})
    void valuesOfTheJobAreReadOnly(String name) throws IOException {
        hook(name, "__gelato_token=mine; echo never > '" + directory + "/never'");
        Ended ended = job.run(shell("echo ran", ""));
        assertThat(ended.stderr()).contains("__gelato_token: readonly variable");
        assertThat(ended.status()).isZero();
        assertThat(last().token()).isEqualTo(WrapperRun.TOKEN);
        assertThat(job.output("out")).isEqualTo("ran\n");
        assertThat(directory.resolve("never")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cp_1.sh", "lcg-jobwrapper-hook.sh"})
    void hookThatExportsEverythingDoesNotGiveTheSecretToTheJob(String name) throws IOException {
        job.vo = "dteam";
        job.environment.put("VO_DTEAM_SW_DIR", directory.toString());
        hook(name, "set -a; SITE=set");
        Ended ended = job.run(shell("env", ""));
        assertThat(ended.status()).as(ended.stderr()).isZero();
        assertThat(job.output("out")).contains("SITE=set").doesNotContain("__gelato", WrapperRun.TOKEN);
    }

    @Test
    void relativeDirectoryHasNoHooks() throws IOException {
        job.environment.put("GLITE_LOCAL_CUSTOMIZATION_DIR", ".");
        Ended ended = job.run(shell("echo 'exit 3' > cp_2.sh", ""));
        assertThat(ended.status()).as(ended.stderr()).isZero();
        assertThat(last().exitCode()).isZero();
    }

    /** By root, or by the job with FUSE: rm would empty what is mounted. */
    @ParameterizedTest
    @CsvSource({"true, ''", "false, ''", "true, /", "false, /", "true, link", "false, link"})
    void whatIsMountedInTheWorkingDirectoryIsNotEmptied(boolean goes, String form) throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can mount");
        Path other = Files.createDirectory(directory.resolve("other place"));
        Path kept = Files.writeString(other.resolve("kept"), "x");
        job.environment.put(
                "TMPDIR",
                form.equals("link")
                        ? Files.createSymbolicLink(directory.resolve("link"), job.scratch)
                                .toString()
                        : job.scratch + form);
        job.leaves = !goes;
        if (!goes) {
            job.command("umount", "exit 1");
        }
        Ended ended = job.run(shell(
                "mkdir \"a b\"; mount --bind '" + other + "' \"a b\" || exit 9; ls \"a b\"; echo $PWD > '" + directory
                        + "/where'",
                ""));
        assumeTrue(last().exitCode() == 0, "this host lets nobody mount");
        assertThat(ended.status()).isZero();
        assertThat(job.output("out")).isEqualTo("kept\n");
        assertThat(kept).exists();
        Path mounted = Path.of(Files.readString(directory.resolve("where")).strip(), "a b");
        if (goes) {
            assertThat(job.scratch).isEmptyDirectory();
        } else {
            assertThat(ended.stderr()).contains("is left, as something is mounted there: " + mounted);
            assertThat(new ProcessBuilder("/bin/umount", mounted.toString())
                            .inheritIO()
                            .start()
                            .waitFor())
                    .isZero();
        }
    }
}
