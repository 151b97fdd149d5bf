package org.gelato.ce.core.fault;

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

class MessagesTest {
    @Test
    void aFaultIsToldWithoutNamesOfClasses() {
        IOException cut = new IOException("the pipe is cut");
        assertThat(Messages.of(cut)).isEqualTo("the pipe is cut");
        assertThat(Messages.of(new CompletionException(cut))).isEqualTo("the pipe is cut");
        assertThat(Messages.of(new UncheckedIOException(cut))).isEqualTo("the pipe is cut");
        assertThat(Messages.of(new IllegalStateException("not published: " + cut, cut)))
                .isEqualTo("not published: the pipe is cut");
        assertThat(Messages.of(new NoSuchFileException("/a/b"))).isEqualTo("/a/b does not exist");
        assertThat(Messages.of(new AccessDeniedException("/a/b"))).isEqualTo("/a/b: permission denied");
        assertThat(Messages.of(new UnknownHostException("ce.example.org")))
                .isEqualTo("there is no address of the host ce.example.org");
        assertThat(Messages.of(new TimeoutException())).isEqualTo("no result in time");
        assertThat(Messages.of(new StackOverflowError())).isEqualTo("an unexpected fault (StackOverflowError)");
    }

    @Test
    void whatACertificateSaysIsOneShortLineWithBothEnds() {
        assertThat(Messages.ofCertificate("CN=Alice\r\nCN=Bob ")).isEqualTo("CN=Alice CN=Bob");
        assertThat(Messages.ofCertificate("x".repeat(200))).isEqualTo("x".repeat(200));
        assertThat(Messages.ofCertificate("CN=1," + "x".repeat(300_000) + ",CN=Alice"))
                .hasSize(200)
                .startsWith("CN=1,xx")
                .contains("x...x")
                .endsWith("xx,CN=Alice");
        assertThat(Messages.ofCertificate(null)).isEqualTo("(none)");
    }

    /** As {@code scontrol ping} prints it. */
    @Test
    void aForeignTextIsOneLineWithoutItsFrame() {
        assertThat(Messages.line("Slurmctld(primary) at vm is DOWN\n*****************************************\n"
                        + "** RESTORE SLURMCTLD DAEMON TO SERVICE **\n"
                        + "*****************************************\n"))
                .isEqualTo("Slurmctld(primary) at vm is DOWN; RESTORE SLURMCTLD DAEMON TO SERVICE");
        assertThat(Messages.line("a\u001b[31mb\r\n\n  c\u2028d\t")).isEqualTo("a [31mb; c; d");
        assertThat(Messages.line("x".repeat(1000))).hasSize(300);
        assertThat(Messages.line("x\n".repeat(1000), 10)).hasSize(10);
        assertThat(Messages.line(null)).isEmpty();
        assertThat(Messages.line("--mem=5 is -1")).isEqualTo("--mem=5 is -1");
    }

    @Test
    void aDurationIsInUnitsThatPeopleCountIn() {
        assertThat(Messages.span(Duration.ZERO)).isEqualTo("0 s");
        assertThat(Messages.span(Duration.ofMillis(90_500))).isEqualTo("1 min 30 s 500 ms");
        assertThat(Messages.span(Duration.ofHours(36))).isEqualTo("1 d 12 h");
    }

    /** It took minutes for a quarter of a megabyte, and what a job writes can be that. */
    @ParameterizedTest
    @ValueSource(strings = {" ", "=", "-", "* "})
    void aLongLineCostsNoMoreThanItsBeginning(String repeated) {
        assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> assertThat(Messages.line("a" + repeated.repeat(262_144) + "b"))
                        .startsWith("a"));
    }
}
