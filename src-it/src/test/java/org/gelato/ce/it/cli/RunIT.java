package org.gelato.ce.it.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.SharedCe;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.site.SiteUser.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ce run} on a CE that runs: bytes, files, exit codes, and signals to the process. */
@ExtendWith(SharedCe.class)
class RunIT {
    private static SiteCe ce;

    @BeforeAll
    static void start(SiteCe shared) {
        ce = shared;
    }

    /** Nothing of a word is read by the CE, by its wrapper, or by a shell. */
    @ParameterizedTest
    @ValueSource(strings = {"cream2", "arcrest"})
    void everyByteOfTheWordsArrives(String protocol) {
        SiteUser wanda = ce.user("Wanda of words " + protocol);
        List<String> words = List.of(
                "",
                " ",
                "$HOME",
                "$(id)",
                "`id`",
                "a'b",
                "a''",
                "\\\"",
                "\\",
                "\"; Executable = \"/bin/false",
                "*",
                "~",
                "{a,b}",
                "#x",
                "é€",
                "two\nlines",
                "]",
                "//x",
                "-f",
                "'\\''");
        List<String> args = new ArrayList<>(List.of(
                "run",
                "--protocol",
                protocol,
                "--env",
                "QUOTED=a\"b]; $HOME '`id`'",
                "--",
                "/bin/sh",
                "-c",
                "printf '%s|' \"$QUOTED\" \"$@\"; echo careful >&2; exit 7",
                "sh"));
        args.addAll(words);
        Outcome outcome = wanda.run("", args.toArray(String[]::new));
        assertThat(outcome.exit()).as(outcome.err()).isEqualTo(7);
        assertThat(outcome.out()).isEqualTo("a\"b]; $HOME '`id`'|" + String.join("|", words) + "|");
        assertThat(outcome.err().lines())
                .contains("careful")
                .first()
                .asString()
                .startsWith("ce run: job https://localhost:");
        Outcome sorted = wanda.run("b\na\n", "run", "--protocol", protocol, "--", "sort");
        assertThat(sorted.exit()).as(sorted.err()).isZero();
        assertThat(sorted.out()).isEqualTo("a\nb\n");
        assertThat(sorted.err()).startsWith("ce run: standard input: 4 bytes\n");
    }

    @Test
    void filesGoAlongAndComeBackAndMuchOutputIsWhole() throws IOException {
        SiteUser fay = ce.user("Fay of files");
        Files.writeString(ce.base().resolve("seq.sh"), "#!/bin/sh\nseq 1 $1\ncat data.txt > result.txt\n");
        Files.writeString(ce.base().resolve("data.txt"), "42\n");
        Outcome outcome =
                fay.run("", "run", "--input", "data.txt", "--output", "result.txt", "--purge", "./seq.sh", "300000");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out().lines()).hasSize(300_000).endsWith("300000");
        assertThat(ce.base().resolve("result.txt")).hasContent("42\n");
        Awaitility.await()
                .untilAsserted(() -> assertThat(fay.must("", "list").out()).isEmpty());
    }

    @Test
    void aProgramThatIsNotThereHasTheCodeOfTheShell() {
        Outcome outcome = ce.user("Nora of nothing").run("", "run", "no-such-program");
        assertThat(outcome.exit()).as(outcome.err()).isEqualTo(127);
        assertThat(outcome.err()).contains("no-such-program");
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void aSignalToTheProcessCancelsTheJob(String signal) throws Exception {
        assumeFalse(
                signal.equals("INT") && isIgnored(2), "what runs the tests has SIGINT ignored, and so has the process");
        SiteUser sid = ce.user("Sid of signals " + signal);
        Path out = ce.base().resolve("out-" + signal);
        Path err = ce.base().resolve("err-" + signal);
        Process process = process(sid, out, err, "run", "sh", "-c", "echo up; sleep 600");
        try {
            Awaitility.await().untilAsserted(() -> assertThat(out).hasContent("up"));
            signal(process, signal);
            assertThat(process.waitFor()).isEqualTo(signal.equals("INT") ? 130 : 143);
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(err);
        assertThat(text).contains("ce run: cancelling https://", "ce run: CANCELLED");
        assertThat(sid.must("", "status", "--all").out()).contains(" CANCELLED ");
    }

    /** What a process ignores the processes ignore that it starts; a shell's do so with SIGINT behind an ampersand. */
    private static boolean isIgnored(int signal) throws IOException {
        String mask = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow()
                .substring("SigIgn:".length())
                .strip();
        return new BigInteger(mask, 16).testBit(signal - 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cream2", "arcrest"})
    void aJobIsFoundByItsNameAndLabels(String protocol) {
        SiteUser nell = ce.user("Nell of names " + protocol);
        String[] named = {"run", "--protocol", protocol, "--name", "fit \"7\"", "--label", "run=42", "true"};
        assertThat(nell.run("", named).exit()).isZero();
        assertThat(nell.run("", "run", "--protocol", protocol, "--label", "run=43", "true")
                        .exit())
                .isZero();
        assertThat(nell.must("", "list", "--protocol", protocol).out()).hasLineCount(2);
        String found = nell.must("", "list", "--protocol", protocol, "--name", "fit \"7\"", "--label", "run=42")
                .out();
        assertThat(found).hasLineCount(1);
        assertThat(nell.must("", "info", "--protocol", protocol, found.strip()).out())
                .containsPattern("Name +fit \"7\"\n");
        assertThat(nell.must("", "list", "--protocol", protocol, "--label", "run=44")
                        .out())
                .isEmpty();
        assertThat(ce.user("Ned of others")
                        .must("", "list", "--label", "run=42")
                        .out())
                .as("another's jobs")
                .isEmpty();
        nell.must("", "purge", "--all", "--protocol", protocol, "--label", "run=42");
        Awaitility.await()
                .untilAsserted(() -> assertThat(
                                nell.must("", "list", "--protocol", protocol).out())
                        .hasLineCount(1)
                        .doesNotContain(found));
        assertThat(nell.must("", "list", "--protocol", protocol, "--label", "run=42")
                        .out())
                .isEmpty();
    }

    private static Process process(SiteUser user, Path out, Path err, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "org.gelato.ce.cli.Main"));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(err.toFile())
                .redirectOutput(out.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .directory(ce.base().toFile());
        builder.environment().putAll(user.environment());
        builder.environment().put("XDG_CONFIG_HOME", ce.base().toString());
        return builder.start();
    }

    private static void signal(Process process, String signal) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .redirectErrorStream(true)
                .start();
        String text = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(kill.waitFor()).as(text).isZero();
    }
}
