package org.gelato.ce.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordsTest {
    @Test
    void aFaultIsToldWithoutNamesOfClasses() {
        IOException cut = new IOException("the pipe is cut");
        assertThat(Words.of(cut)).isEqualTo("the pipe is cut");
        assertThat(Words.of(new CompletionException(cut))).isEqualTo("the pipe is cut");
        assertThat(Words.of(new UncheckedIOException(cut))).isEqualTo("the pipe is cut");
        assertThat(Words.of(new IllegalStateException("not published: " + cut, cut)))
                .isEqualTo("not published: the pipe is cut");
        assertThat(Words.of(new NoSuchFileException("/a/b"))).isEqualTo("/a/b does not exist");
        assertThat(Words.of(new AccessDeniedException("/a/b"))).isEqualTo("/a/b: permission denied");
        assertThat(Words.of(new UnknownHostException("ce.example.org")))
                .isEqualTo("there is no address of the host ce.example.org");
        assertThat(Words.of(new TimeoutException())).isEqualTo("no result in time");
        assertThat(Words.of(new StackOverflowError())).isEqualTo("an unexpected fault (StackOverflowError)");
    }

    @Test
    void whatACertificateSaysIsOneShortLineWithBothEnds() {
        assertThat(Words.ofCertificate("CN=Alice\r\nCN=Bob ")).isEqualTo("CN=Alice CN=Bob");
        assertThat(Words.ofCertificate("x".repeat(200))).isEqualTo("x".repeat(200));
        assertThat(Words.ofCertificate("CN=1," + "x".repeat(300_000) + ",CN=Alice"))
                .hasSize(200)
                .startsWith("CN=1,xx")
                .contains("x...x")
                .endsWith("xx,CN=Alice");
        assertThat(Words.ofCertificate(null)).isEqualTo("(none)");
    }

    /** As {@code scontrol ping} prints it. */
    @Test
    void aForeignTextIsOneLineWithoutItsFrame() {
        assertThat(Words.line("Slurmctld(primary) at vm is DOWN\n*****************************************\n"
                        + "** RESTORE SLURMCTLD DAEMON TO SERVICE **\n"
                        + "*****************************************\n"))
                .isEqualTo("Slurmctld(primary) at vm is DOWN; RESTORE SLURMCTLD DAEMON TO SERVICE");
        assertThat(Words.line("a\u001b[31mb\r\n\n  c\u2028d\t")).isEqualTo("a [31mb; c; d");
        assertThat(Words.line("x".repeat(1000))).hasSize(300);
        assertThat(Words.line("x\n".repeat(1000), 10)).hasSize(10);
        assertThat(Words.line(null)).isEmpty();
        assertThat(Words.line("--mem=5 is -1")).isEqualTo("--mem=5 is -1");
    }

    @Test
    void aDurationIsInUnitsThatPeopleCountIn() {
        assertThat(Words.span(Duration.ZERO)).isEqualTo("0 s");
        assertThat(Words.span(Duration.ofMillis(90_500))).isEqualTo("1 min 30 s 500 ms");
        assertThat(Words.span(Duration.ofHours(36))).isEqualTo("1 d 12 h");
    }

    /** It took minutes for a quarter of a megabyte, and what a job writes can be that. */
    @ParameterizedTest
    @ValueSource(strings = {" ", "=", "-", "* "})
    void aLongLineCostsNoMoreThanItsBeginning(String repeated) {
        assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> assertThat(Words.line("a" + repeated.repeat(262_144) + "b"))
                        .startsWith("a"));
    }
}
