package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Output that finds no room in the sandbox, or is not there. */
class WrapperLostOutputTest {
    private static final long ROOM = 1 << 20;

    @TempDir
    Path directory;

    private WrapperRun job;
    private Path kept;

    @BeforeEach
    void sandbox() throws IOException {
        job = new WrapperRun(directory);
        kept = Files.createDirectory(directory.resolve("kept here"));
        patience(Duration.ofDays(1), ROOM);
        job.command("sleep", "echo \"$1\" >> '" + directory + "/slept'; exec /bin/sleep 0.02");
    }

    private void patience(Duration ofTheCe, long room) {
        job.patience = new WrapperPatience(ofTheCe, Duration.ofHours(1), kept, room, Duration.ofMinutes(10));
    }

    /** Copies into the sandbox leave half a file, and fail so, as often as {@code times} says. */
    private void full(String words, int times) throws IOException {
        job.command("cp", """
                for last; do :; done
                if [[ $last == *CREAM000000042/* && $(cat '%s/failed' 2>/dev/null | wc -l) -lt %d ]]; then
                    echo x >> '%s/failed'
                    printf half > "$last"
                    printf "cp: error writing '%%s': %%s\\n" "$last" %s >&2
                    exit 1
                fi
                exec /bin/cp "$@"
                """.formatted(directory, times, directory, BashQuote.quote(words)));
    }

    private WrapperEvent end() {
        return WrapperRun.read(job.sandbox.resolve("exit"));
    }

    /** As a file system over the network does it: what was written is gone when the file is closed, and nobody sees the error. */
    private static final String LOSES = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <unistd.h>
            static void lose(int fd) {
                char link[64], path[4096];
                snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
                ssize_t n = readlink(link, path, sizeof path - 1);
                path[n < 0 ? 0 : n] = 0;
                if ((strstr(path, "/.exit") || strstr(path, ".DONE")) && !access(getenv("FULL"), F_OK)) {
                    (void)!ftruncate(fd, 0);
                }
            }
            int dup2(int from, int to) {
                int (*real)(int, int) = dlsym(RTLD_NEXT, "dup2");
                lose(to);
                return real(from, to);
            }
            """;

    @Test
    void anEndThatIsLostWhenItsFileIsClosedIsWrittenAgain() throws Exception {
        Path source = Files.writeString(directory.resolve("loses.c"), LOSES);
        Path library = directory.resolve("loses.so");
        assertThat(new ProcessBuilder("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        Path full = Files.createFile(directory.resolve("full"));
        job.command(
                "sleep",
                "echo \"$1\" >> '" + directory + "/slept'; [ $(wc -l < '" + directory + "/slept') -lt 5 ] || rm -f '"
                        + full + "'; exec /bin/sleep 0.02");
        job.environment.put("LD_PRELOAD", library.toString());
        job.environment.put("FULL", full.toString());
        Ended ended = job.run(shell("exit 3", ""));
        assertThat(ended.status()).as(ended.stderr()).isZero();
        assertThat(Files.readAllLines(directory.resolve("slept"))).hasSizeGreaterThanOrEqualTo(5);
        assertThat(end().exitCode()).isEqualTo(3);
        assertThat(job.spooled().get(2)).isEqualTo(end());
    }

    @ParameterizedTest
    @ValueSource(strings = {"No space left on device", "Disk quota exceeded", "Stale file handle"})
    void outputThatFindsNoRoomIsTriedUntilThereIsSome(String words) throws IOException {
        full(words, 3);
        Ended ended = job.run(shell("echo made", ""));
        assertThat(ended.status()).as(ended.stderr()).isZero();
        assertThat(end().exitCode()).isZero();
        assertThat(end().reason()).isNull();
        assertThat(job.output("out")).isEqualTo("made\n");
        assertThat(WrapperRun.names(job.sandbox.resolve("OSB"))).containsExactlyInAnyOrder("out", "err");
        assertThat(WrapperRun.names(job.sandbox)).noneMatch(name -> name.startsWith(".output"));
        assertThat(Files.readAllLines(directory.resolve("slept"))).hasSizeGreaterThanOrEqualTo(2);
        assertThat(kept).isEmptyDirectory();
    }

    @Test
    void whatFindsNoRoomInTimeIsKeptOnTheNodeAndTheReasonNamesDiskAndPlace() throws IOException {
        patience(Duration.ofSeconds(1), ROOM);
        full("No space left on device", 100_000);
        Ended ended = job.run(shell(
                "echo made; mkdir d; echo 2 > d/r",
                "OutputSandbox = { \"out\", \"d/r\" }; OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(ended.status()).isEqualTo(1);
        assertThat(end().exitCode()).isNull();
        Path place = directory(kept);
        assertThat(place.getFileName().toString()).startsWith("CREAM000000042.kept.");
        assertThat(end().reason())
                .contains("Cannot upload out into " + job.sandbox + "/OSB/out: cp: ")
                .contains("No space left on device; it is kept on " + end().node() + ": " + place + "/out; ")
                .contains("Cannot upload d/r into ")
                .contains(place + "/r");
        assertThat(place.resolve("out")).hasContent("made\n");
        assertThat(place.resolve("r")).hasContent("2\n");
        assertThat(end().reason()).as("each once").containsOnlyOnce("/OSB/out");
        assertThat(job.sandbox.resolve("OSB")).isEmptyDirectory();
    }

    private static Path directory(Path parent) throws IOException {
        assertThat(WrapperRun.names(parent)).hasSize(1);
        return parent.resolve(WrapperRun.names(parent).get(0));
    }

    @Test
    void theNodeKeepsNoMoreThanTheSiteSays() throws IOException {
        patience(Duration.ofSeconds(1), 1000);
        full("No space left on device", 100_000);
        job.run(shell("printf %02000d 1", ""));
        assertThat(end().reason()).contains("/OSB/out: ").endsWith("No space left on device");
        assertThat(kept).isEmptyDirectory();
    }

    @Test
    void aSiteThatKeepsNothingHasTheReasonAlone() throws IOException {
        kept = null;
        patience(Duration.ofSeconds(1), ROOM);
        full("No space left on device", 100_000);
        job.run(shell("echo made", ""));
        assertThat(end().reason()).contains("/OSB/out: ").endsWith("No space left on device");
    }

    @Test
    void whatWasKeptForAWeekMakesRoomAndNothingElseIsTouched() throws IOException {
        patience(Duration.ofSeconds(1), ROOM);
        full("No space left on device", 100_000);
        Path old = aged("CREAM000000007.kept.abcdefghij", 8);
        Path young = aged("CREAM000000008.kept.abcdefghij", 5);
        Path others = aged("results", 80);
        Path working = aged("CREAM000000009.abcdefghij", 8);
        Files.write(working.resolve("job"), new byte[2 * (int) ROOM]);
        Files.setLastModifiedTime(working, FileTime.from(Instant.now().minus(Duration.ofDays(8))));
        job.run(shell("echo made", ""));
        assertThat(end().reason()).contains("it is kept on");
        assertThat(old).doesNotExist();
        assertThat(young.resolve("f")).exists();
        assertThat(others.resolve("f")).exists();
        assertThat(working.resolve("job")).as("a running job's").exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ln", "none"})
    void filesOfOneNameAreAllKept(String missing) throws IOException {
        job.command(missing, "exit 1");
        patience(Duration.ofSeconds(1), ROOM);
        full("No space left on device", 100_000);
        job.run(shell(
                "mkdir a b; echo 1 > a/r; echo 2 > b/r",
                "OutputSandbox = \"?/r\"; OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        Path place = directory(kept);
        assertThat(place.resolve("r")).hasContent("1\n");
        assertThat(place.resolve("r.2")).hasContent("2\n");
        assertThat(end().reason()).contains(place + "/r; Cannot upload b/r into ", place + "/r.2");
    }

    @Test
    void whatIsKeptIsCountedOnce() throws IOException {
        full("No space left on device", 100_000);
        job.command("du", "echo x >> '%1$s/counted'; echo '7 x'; echo 'a[$(touch %1$s/run)] x'".formatted(directory));
        patience(Duration.ofSeconds(1), 7 * 1024 + 1000);
        job.run(shell(
                "printf %0900d 1 > a; printf %0900d 2 > b; printf %090d 3 > c",
                "OutputSandbox = { \"a\", \"b\", \"c\" }; OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(WrapperRun.names(directory(kept))).contains("a", "c").doesNotContain("b");
        assertThat(Files.readAllLines(directory.resolve("counted"))).hasSize(1);
        assertThat(directory.resolve("run")).doesNotExist();
    }

    @Test
    void aSignalLeavesNoHalfOfAFileBehind() throws Exception {
        Path copying = directory.resolve("copying");
        job.command("ln", "exit 1");
        job.command("cp", """
                for last; do :; done
                if [[ $last == *CREAM000000042/* ]]; then
                    echo "cp: error writing '$last': Permission denied" >&2
                    exit 1
                fi
                [[ ! -e '%s' && $last == *kept* ]] || exec /bin/cp "$@"
                printf half > "$last"
                echo $$ > '%s.new'
                mv '%s.new' '%s'
                exec /bin/sleep 100
                """.formatted(copying, copying, copying, copying));
        WrapperRun.Running running = job.start(shell("echo made", ""));
        await("it copies").until(() -> Files.exists(copying));
        assertThat(new ProcessBuilder("kill", "-TERM", Long.toString(running.process.pid()))
                        .start()
                        .waitFor())
                .isZero();
        running.end();
        long copier = Long.parseLong(Files.readString(copying).strip());
        await("it ends").until(() -> ProcessHandle.of(copier).isEmpty());
        assertThat(WrapperRun.names(directory(kept))).containsExactly("err");
        assertThat(end().reason()).startsWith("Job has been terminated (got SIGTERM)");
    }

    /** Longer than a pipe. */
    @Test
    @Timeout(300)
    void aLongLineOfErrorsIsCut() throws IOException {
        patience(Duration.ofSeconds(1), ROOM);
        full("No space left on device" + "x".repeat(100_000), 100_000);
        job.run(shell("echo made", ""));
        assertThat(end().reason()).contains("No space left on devicexxx", "it is kept on");
    }

    private Path aged(String name, int days) throws IOException {
        Path made = Files.createDirectory(kept.resolve(name));
        Files.writeString(made.resolve("f"), "x");
        Files.setLastModifiedTime(made, FileTime.from(Instant.now().minus(Duration.ofDays(days))));
        return made;
    }

    @Test
    void aSignalEndsTheWaitForRoom() throws Exception {
        full("No space left on device", 100_000);
        WrapperRun.Running running = job.start(shell("echo made", ""));
        await("it waits").until(() -> Files.exists(directory.resolve("slept")));
        assertThat(new ProcessBuilder("kill", "-TERM", Long.toString(running.process.pid()))
                        .start()
                        .waitFor())
                .isZero();
        assertThat(running.end().status()).isEqualTo(1);
        assertThat(end().reason()).startsWith("Job has been terminated (got SIGTERM)");
        assertThat(end().warning()).isEqualTo("output is kept on " + end().node() + ": " + directory(kept));
        assertThat(directory(kept).resolve("out")).hasContent("made\n");
    }

    @Test
    void whatNoRoomWouldHelpIsTriedOnce() throws IOException {
        full("Permission denied", 100_000);
        job.run(shell("echo made", ""));
        assertThat(end().reason()).contains("Permission denied; it is kept on");
        assertThat(Files.readAllLines(directory.resolve("failed")))
                .as("out, err")
                .hasSize(2);
        assertThat(directory.resolve("slept")).doesNotExist();
    }

    @Test
    void aClaimWaitsForRoomToo() throws IOException {
        job.command("mkdir", """
                for last; do :; done
                if [[ $last == */claim && $(cat '%s/failed' 2>/dev/null | wc -l) -lt 2 ]]; then
                    echo x >> '%s/failed'
                    echo "mkdir: cannot create directory 'claim': No space left on device" >&2
                    exit 1
                fi
                exec /bin/mkdir "$@"
                """.formatted(directory, directory));
        assertThat(job.run(shell("echo made", "")).status()).isZero();
        assertThat(job.output("out")).isEqualTo("made\n");
    }

    @Test
    void outputThatIsNotThereIsNamedWithTheEnd() throws IOException {
        Ended ended = job.run(shell(
                "echo 1 > a",
                "OutputSandbox = { \"a\", \"nothere.root\", \"d/no such\", \"*.log\", \"out\" };"
                        + " OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(ended.status()).isZero();
        assertThat(end().exitCode()).isZero();
        assertThat(end().reason()).isNull();
        assertThat(end().warning()).isEqualTo("Cannot read or missing file nothere.root, d/no such, *.log");
        assertThat(job.spooled().get(2)).isEqualTo(end());
    }

    @Test
    void whatIsThereNeedsNoWarning() throws IOException {
        job.run(shell("echo 1 > a", "OutputSandbox = \"a\"; OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(end().warning()).isNull();
    }

    @Test
    void ofManyMissingFilesTheNumberIsTold() throws IOException {
        List<String> names =
                IntStream.range(0, 300).mapToObj(i -> "\"missing-" + i + "\"").toList();
        job.run(shell(
                ":",
                "OutputSandbox = { " + String.join(", ", names)
                        + " }; OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(end().warning())
                .hasSizeLessThan(500)
                .startsWith("Cannot read or missing file missing-0, missing-1, ")
                .matches(".* and 2[0-9]{2} more");
        assertThat(end().exitCode()).isZero();
    }
}
