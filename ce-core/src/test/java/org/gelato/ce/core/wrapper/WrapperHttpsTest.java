package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events by HTTPS, with a curl that writes down what it is told. */
class WrapperHttpsTest {
    @TempDir
    Path directory;

    private WrapperRun job;

    @BeforeEach
    void sandbox() throws IOException {
        job = new WrapperRun(directory);
        job.eventsUrl = "https://ce.example.org:8443/events";
        Files.createDirectories(directory.resolve("posts"));
        curl("exit 0");
    }

    /** @param known what it does when it is asked whether it has an option */
    private void curl(String known) throws IOException {
        job.command(
                "curl",
                "[ \"${!#}\" != --version ] || " + known + "\ncd '" + directory
                        + "/posts' && cat > \"$$.body\" && printf '%s\\n' \"$@\" > \"$$.args\"");
    }

    private List<Path> posts(String kind) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("posts"))) {
            return files.filter(file -> file.toString().endsWith(kind)).toList();
        }
    }

    @Test
    void onlyTheTwoThatMatterArePosted() throws IOException {
        Ended ended = job.run(shell("exit 5", ""));
        assertThat(ended.status()).isZero();
        List<WrapperEvent> events =
                posts(".body").stream().map(WrapperRun::read).toList();
        assertThat(events)
                .extracting(WrapperEvent::kind)
                .containsExactlyInAnyOrder(WrapperEvent.Kind.REALLY_RUNNING, WrapperEvent.Kind.DONE);
        assertThat(events).allSatisfy(event -> assertThat(event.token()).isEqualTo(WrapperRun.TOKEN));
        assertThat(events)
                .filteredOn(e -> e.exitCode() != null)
                .singleElement()
                .satisfies(event -> assertThat(event.exitCode()).isEqualTo(5));
        assertThat(job.events).doesNotExist();
    }

    @Test
    void tokenIsOnNoCommandLine() throws IOException {
        job.environment.put("X509_CERT_DIR", directory.toString());
        job.run(shell("exit 0", ""));
        assertThat(posts(".args"))
                .hasSize(2)
                .allSatisfy(file -> assertThat(Files.readAllLines(file))
                        .noneMatch(argument -> argument.contains("s3cr3t"))
                        .contains("--capath", directory.toString(), "--data-binary", "@-", job.eventsUrl)
                        .containsSequence("--max-time", "60", "--retry", "8", "--retry-connrefused"));
    }

    @Test
    void anOldCurlIsNotAskedForWhatItDoesNotHave() throws IOException {
        curl("exit 2");
        job.run(shell("exit 0", ""));
        assertThat(posts(".args"))
                .hasSize(2)
                .allSatisfy(file -> assertThat(Files.readAllLines(file)).doesNotContain("--retry-connrefused"));
    }

    @Test
    void authoritiesOfTheCeCountWhereTheNodeNamesNone() throws IOException {
        job.caDirectory = Files.createDirectories(directory.resolve("the ce's"));
        job.environment.put("X509_CERT_DIR", directory.resolve("absent").toString());
        job.run(shell("exit 0", ""));
        assertThat(posts(".args"))
                .hasSize(2)
                .allSatisfy(file ->
                        assertThat(Files.readAllLines(file)).containsSequence("--capath", job.caDirectory.toString()));
    }

    @Test
    void authoritiesOfTheNodeComeFirst() throws IOException {
        job.caDirectory = Files.createDirectories(directory.resolve("the ce's"));
        job.environment.put("X509_CERT_DIR", directory.toString());
        job.run(shell("exit 0", ""));
        assertThat(posts(".args"))
                .hasSize(2)
                .allSatisfy(file -> assertThat(Files.readAllLines(file))
                        .containsSequence("--capath", directory.toString())
                        .doesNotContain(job.caDirectory.toString()));
    }

    @Test
    void deafCeDoesNotLoseTheExitRecord() throws IOException {
        job.command("curl", "cat > /dev/null; exit 7");
        Ended ended = job.run(shell("exit 6", ""));
        assertThat(ended.status()).isZero();
        assertThat(WrapperRun.read(job.sandbox.resolve("exit")).exitCode()).isEqualTo(6);
    }
}
