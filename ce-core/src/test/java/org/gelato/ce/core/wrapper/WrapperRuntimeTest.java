package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.RuntimeEnvironments;
import org.gelato.ce.description.xrsl.Xrsl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runtime environments: the site's text in the shell of the wrapper. */
class WrapperRuntimeTest {
    @TempDir
    Path directory;

    private WrapperRun job;

    @BeforeEach
    void sandbox() throws IOException {
        job = new WrapperRun(directory);
    }

    private static JobRequest job(Map<String, String> snippets, String more) throws DescriptionException {
        List<RuntimeEnvironments.Snippet> configured = snippets.entrySet().stream()
                .map(e -> new RuntimeEnvironments.Snippet(e.getKey(), e.getValue()))
                .toList();
        return new RuntimeEnvironments(() -> configured)
                .check(Xrsl.LANGUAGE.read(
                        "&(executable=/bin/sh)(stdout=out)(stderr=err)" + more, ReadingBudget.UNBOUNDED));
    }

    private WrapperEvent last() {
        return WrapperRun.read(job.sandbox.resolve("exit"));
    }

    @Test
    void setsUpTheJobInTheOrderOfTheDescription() throws Exception {
        Ended ended = job.run(job(
                Map.of(
                        "A",
                        "export SAID=\"$SAID[$#]\"; for o; do SAID=$SAID[$o]; done; PATH=$PATH:/of/a",
                        "B/C-1",
                        "SAID=\"$SAID(b $*)\"\n# no more"),
                "(runtimeenvironment=A \"it's $HOME *\" \"\")(runtimeenvironment=b/c-1)(runtimeenvironment=A)"
                        + "(arguments=-c \"echo $SAID $PATH\")(environment=(PATH \"/mine\"))"
                                .replace("$SAID $PATH", "\"\"$SAID\"\" $PATH")));
        assertThat(ended.stderr()).isEmpty();
        assertThat(ended.status()).isZero();
        assertThat(job.output("out")).matches("\\[2]\\[it's \\$HOME \\*]\\[]\\(b \\)\\[0] /.*/bin:/mine\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            return 3                   | failed with status 3
            false                      | failed with status 1
            exit 4                     | ended the job (exit 4)
            set -e; false; true        | ended the job (exit 1)
            if true; then              | failed with status
            : ${ABSENT:?not there}     | ended the job (exit
            __gelato_job=another       | failed with status 1
            x=$((1 / 0)); true         | failed with status 1
            """)
    void oneThatFailsIsTheReason(String text, String reason) throws Exception {
        Ended ended = job.run(job(
                Map.of("GOOD", "", "SITE/X", text, "NEVER", "echo > '" + directory.resolve("never") + "'"),
                "(runtimeenvironment=GOOD)(runtimeenvironment=SITE/X)(runtimeenvironment=NEVER)"
                        + "(arguments=-c \"echo ran\")"));
        assertThat(ended.status()).isEqualTo(1);
        assertThat(last().reason()).startsWith("Runtime environment SITE/X " + reason);
        assertThat(last().exitCode()).isNull();
        assertThat(job.sandbox.resolve("OSB")).doesNotExist();
        assertThat(directory.resolve("never")).doesNotExist();
    }

    @Test
    void cannotBendTheWrapper() throws Exception {
        Ended ended = job.run(job(
                Map.of(
                        "BAD",
                        "cd /; set -fuxC; IFS=x; umask 0; shopt -s nullglob nocasematch; trap 'exit 9' EXIT TERM;"
                                + " set a b; __gelato_i=77; true",
                        "NEXT",
                        "export NEXT=yes"),
                "(runtimeenvironment=BAD)(runtimeenvironment=NEXT)(arguments=-c \"umask; echo x > x.txt\")"
                        + "(outputfiles=(\"/\" \"\"))"));
        assertThat(ended.status()).as(ended.stderr()).isZero();
        assertThat(last().exitCode()).isZero();
        assertThat(job.output("out")).isEqualTo("0022\n");
        assertThat(job.output("x.txt")).isEqualTo("x\n");
    }

    @Test
    void seesNothingThatTheJobSays() throws Exception {
        job.run(job(
                Map.of("A", "export SEEN=\"${OF_JOB-nothing}\""),
                "(runtimeenvironment=A)(environment=(OF_JOB x)(BASH_ENV /none))(arguments=-c \"echo \"\"$SEEN\"\"\")"));
        assertThat(job.output("out")).isEqualTo("nothing\n");
    }

    @Test
    void jobsThatWantNoneCarryNone() throws Exception {
        assertThat(JobWrapper.script(job(Map.of("A", "x"), ""), job.settings())).doesNotContain("__gelato_runtime");
    }

    @Test
    void aJobWithAProxyIsToldNothing() throws Exception {
        job.proxy = Files.writeString(directory.resolve("p"), "no certificate");
        job.run(job(Map.of(), "(runtimeenvironment=ENV/PROXY)"));
        assertThat(job.output("err")).isEmpty();
        job.proxy = null;
    }
}
