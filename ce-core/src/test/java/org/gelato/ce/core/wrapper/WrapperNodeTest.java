package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that lack what a wrapper needs (docs/worker-nodes.md). */
class WrapperNodeTest {
    private static final String LACKS = "This node lacks what job wrappers need: ";

    /** What bash 4.2 of CentOS 7 does not have. */
    private static final List<Pattern> NEWER = Stream.of(
                    "EPOCHSECONDS|SRANDOM|BASH_ARGV0|BASH_COMPAT|PS0\\b",
                    "\\bwait +-[np]",
                    "\\b(local|declare|typeset) +-[a-zA-Z]*[nI]",
                    "\\blocal +-( |$)",
                    "\\b(mapfile|readarray) +-[a-z]*d",
                    "\\$\\{[^}]*@[QEPAaKkUuL]\\}",
                    "\\$\\{[ |]",
                    "-v +[A-Za-z_]+\\[",
                    "\\[-[0-9]+\\]",
                    "\\bshopt .*(inherit_errexit|localvar_|assoc_expand|patsub_|globskipdots|varredir_close)",
                    "\\bread +-[a-zA-Z]*E",
                    "\\btrap +-P")
            .map(Pattern::compile)
            .toList();

    @TempDir
    Path directory;

    private WrapperRun job;

    @BeforeEach
    void sandbox() throws IOException {
        job = new WrapperRun(directory);
    }

    /** A PATH with all programs of the system but these. */
    private void without(Set<String> names) throws IOException {
        Path bin = Files.createDirectory(directory.resolve("few"));
        try (Stream<Path> all = Files.list(Path.of("/usr/bin"))) {
            for (Path one : all.filter(one -> !names.contains(one.getFileName().toString()))
                    .toList()) {
                Files.createSymbolicLink(bin.resolve(one.getFileName()), one);
            }
        }
        job.environment.put("PATH", bin.toString());
    }

    private WrapperEvent failed(String name) throws IOException {
        Ended ended = job.run(shell("touch '" + directory + "/ran'", ""));
        assertThat(ended.status()).as(ended.stderr()).isEqualTo(1);
        assertThat(directory.resolve("ran")).doesNotExist();
        assertThat(job.sandbox.resolve("claim")).isDirectory();
        WrapperEvent end = WrapperRun.read(job.sandbox.resolve(name));
        assertThat(end.exitCode()).isNull();
        return end;
    }

    @ParameterizedTest
    @ValueSource(strings = {"timeout", "mktemp", "stat"})
    void aMissingProgramIsNamedAndNothingRuns(String name) throws IOException {
        without(Set.of(name));
        assertThat(failed("exit").reason()).isEqualTo(LACKS + name);
    }

    @Test
    void whatCannotBeRenamedTellsTheEndUnderItsFirstName() throws IOException {
        without(Set.of("mv", "timeout"));
        assertThat(failed(".exit").reason()).isEqualTo(LACKS + "mv, timeout");
    }

    @Test
    void aMissingSha256sumIsNamed() throws IOException {
        without(Set.of("sha256sum"));
        assertThat(failed("exit").reason()).isEqualTo("Cannot load the job wrapper: no sha256sum here");
    }

    /** Its programs are one file. */
    @Test
    void programsOfBusyboxAreNotTakenForCoreutils() throws IOException {
        without(Set.of("mv", "cat"));
        Path bin = directory.resolve("few");
        job.command(
                "box",
                "[ \"$1\" != --version ] || { echo BusyBox; exit 1; }; case $0 in */mv) exec /bin/mv \"$@\" ;; *) exec /bin/cat \"$@\" ;; esac");
        job.environment.put("PATH", bin.toString());
        Files.createSymbolicLink(bin.resolve("mv"), directory.resolve("bin/box"));
        Files.createSymbolicLink(bin.resolve("cat"), directory.resolve("bin/box"));
        assertThat(failed("exit").reason()).isEqualTo(LACKS + "GNU coreutils (" + bin + "/mv is something else)");
    }

    @Test
    void anOldBashIsNamed() throws IOException {
        job.replaced.put("BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 402", "1");
        assertThat(failed("exit").reason()).startsWith(LACKS + "bash 4.2 or newer (it has ");
    }

    @Test
    void anOldBashThatCannotLeaveARecordHasAStatus() throws IOException {
        job.whole = true;
        job.replaced.put("BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 402", "1");
        Ended ended = job.run(shell("touch '" + directory + "/ran'", ""));
        assertThat(ended.status()).isEqualTo(72);
        assertThat(WrapperStatus.words(72)).get().asString().contains("older than 4.2");
        assertThat(ended.stderr()).startsWith(LACKS + "bash 4.2 or newer");
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource
    void noPartHasWhatBash42DoesNotKnow(ScriptPart part) {
        List<String> found = new ArrayList<>();
        String before = "";
        for (String line : part.text().lines().toList()) {
            boolean guarded = before.contains("BASH_VERSINFO");
            if (NEWER.stream().anyMatch(word -> word.matcher(line).find())
                    || (line.contains("EPOCHREALTIME") && !guarded)) {
                found.add(line);
            }
            before = line;
        }
        assertThat(found).isEmpty();
    }
}
