package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.wrapper.peer.FakeGrid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long a job holds its slot for servers that take or give nothing. */
class WrapperTransferPatienceTest {
    @TempDir
    Path directory;

    private WrapperRun job;
    private FakeGrid grid;
    private Path kept;

    @BeforeEach
    void sandbox() throws IOException {
        job = new WrapperRun(directory);
        grid = new FakeGrid(job.root, job::command);
        kept = Files.createDirectory(directory.resolve("kept"));
        job.patience = new WrapperPatience(
                Duration.ofMinutes(1), Duration.ofSeconds(1000), kept, 1 << 20, Duration.ofMinutes(10));
    }

    private WrapperEvent end() {
        return WrapperRun.read(job.sandbox.resolve("exit"));
    }

    @Test
    void aDeadServerIsGivenUpInTheSitesTimeAndItsFileIsKept() throws IOException {
        job.run(shell(
                "echo precious > r",
                "OutputSandbox = { \"out\", \"r\" }; OutputSandboxDestURI ="
                        + " { \"gsiftp://localhost\", \"https://localhost:1/x/result.dat\" };"));
        assertThat(grid.slept()).containsExactly("300", "600");
        assertThat(end().exitCode()).isNull();
        Path place = kept.resolve(WrapperRun.names(kept).get(0));
        assertThat(end().reason())
                .startsWith("Cannot upload r into https://localhost:1/x/result.dat: curl: (7) ")
                .endsWith(", and no other try before 1000 s of failures; it is kept on " + end().node() + ": " + place
                        + "/r");
        assertThat(place.resolve("r")).hasContent("precious\n");
        assertThat(job.output("out")).isEmpty();
    }

    @Test
    void allFilesOfTheOutputHaveOneTimeTogetherAndEachATry() throws IOException {
        job.command("timeout", "printf '%s\\n' \"$2\" >> '" + directory + "/limits'; exec /usr/bin/timeout \"$@\"");
        grid.fail(6);
        job.run(shell(
                "for i in a b c d; do echo $i > $i; done",
                "OutputSandbox = { \"a\", \"b\", \"c\", \"d\" }; OutputSandboxBaseDestURI = \"gsiftp://h\";"));
        assertThat(grid.slept()).containsExactly("300", "600");
        assertThat(grid.copies()).hasSize(6);
        assertThat(Files.readAllLines(directory.resolve("limits")))
                .startsWith("3600")
                .satisfies(limits -> {
                    assertThat(Integer.parseInt(limits.get(1))).isBetween(600, 700);
                    assertThat(limits.subList(3, 6))
                            .allMatch(limit -> Integer.parseInt(limit) <= 100, "what is left, or a minute");
                });
        assertThat(end().reason()).contains("Cannot upload a into", "Cannot upload d into");
    }

    @Test
    void eachServerHasItsMinuteOnceWhenTheTimeIsOver() throws IOException {
        job.environment.put("GLITE_LOCAL_COPY_RETRY_FIRST_WAIT_OSB", "950");
        grid.fail(100);
        job.run(shell(
                "for i in a b c d e; do echo $i > $i; done",
                "OutputSandbox = { \"a\", \"b\", \"c\", \"d\", \"e\" }; OutputSandboxDestURI = { \"gsiftp://h/a\","
                        + " \"gsiftp://h/b\", \"gsiftp://i/c\", \"gsiftp://h/d\", \"gsiftp://i/e\" };"));
        assertThat(grid.slept()).containsExactly("950");
        assertThat(grid.copies()).hasSize(3).last().asString().endsWith("gsiftp://i/c");
        assertThat(end().reason())
                .contains("Cannot upload b into gsiftp://h/b: not tried, for its server failed when 1000 s of failures")
                .contains("Cannot upload c into gsiftp://i/c: error: end of file")
                .contains("Cannot upload e into gsiftp://i/e: not tried");
        assertThat(WrapperRun.names(kept.resolve(WrapperRun.names(kept).get(0))))
                .containsExactlyInAnyOrder("a", "b", "c", "d", "e");
    }

    @Test
    void inputHasATimeOfItsOwn() throws IOException {
        job.environment.put("GLITE_LOCAL_COPY_RETRY_FIRST_WAIT_ISB", "900");
        grid.put("h/in", "x");
        grid.fail(1);
        job.run(
                shell(
                        "cat in > r; echo x > '" + directory + "/failures'",
                        "InputSandbox = \"gsiftp://h/in\"; OutputSandbox = \"r\"; OutputSandboxBaseDestURI = \"gsiftp://h/o\";"));
        assertThat(grid.slept()).containsExactly("900", "300");
        assertThat(end().exitCode()).isZero();
        assertThat(grid.get("h/o/r")).isEqualTo("x");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            22 | The requested URL returned error: 403 Forbidden                | 0
            22 | The requested URL returned error: 404                          | 0
            60 | SSL certificate problem: unable to get local issuer certificate | 0
            35 | OpenSSL SSL_connect: Connection reset by peer                  | 2
            22 | The requested URL returned error: 401                          | 2
            22 | The requested URL returned error: 429                          | 2
            22 | The requested URL returned error: 503 Service Unavailable      | 2
            28 | Connection timed out                                           | 2
            """)
    void whatAServerRefusesIsNotTriedAgain(int status, String words, int waits) throws IOException {
        job.command("curl", "printf 'curl: (%d) %s\\n' >&2; exit %d".formatted(status, words, status));
        job.run(shell("cat in", "InputSandbox = \"https://h/in\";"));
        assertThat(grid.slept()).hasSize(waits);
        assertThat(end().reason())
                .isEqualTo("Cannot move ISB (retry_copy https://h/in): curl: (" + status + ") " + words);
    }

    /** A link to one file must not be sent for another. */
    @Test
    void aFileThatCannotBeLinkedToIsNotSentAsAnother() throws IOException {
        job.command("ln", """
                for last; do :; done
                if [[ $last == */transfer && -e $last ]]; then
                    echo "ln: failed to create symbolic link: No space left on device" >&2
                    exit 1
                fi
                exec /bin/ln "$@"
                """);
        job.run(shell(
                "echo 1 > a; echo 2 > b",
                "OutputSandbox = { \"a\", \"b\" }; OutputSandboxBaseDestURI = \"gsiftp://h\";"));
        assertThat(grid.get("h/a")).isEqualTo("1\n");
        assertThat(grid.path("h/b")).doesNotExist();
        assertThat(end().reason()).startsWith("Cannot upload b into gsiftp://h/b: ln: ");
    }
}
