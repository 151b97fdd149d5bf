package org.gelato.ce.cli.submission;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.StandardStreams;
import org.gelato.ce.cli.terminal.Signals;
import org.gelato.ce.cli.terminal.Signals.Signal;
import org.junit.jupiter.api.Test;

class SubmissionSignalsTest {
    private final List<Integer> left = new ArrayList<>();
    private Consumer<Signal> handler;

    private SubmissionSignals signals(boolean followed) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        Signals process = new Signals() {
            @Override
            public Handling handle(Consumer<Signal> receiver) {
                handler = receiver;
                return () -> handler = null;
            }

            @Override
            public void leave(int exitCode) {
                left.add(exitCode);
            }
        };
        return new SubmissionSignals(
                new CliContext(
                        new StandardStreams(nowhere, nowhere, InputStream.nullInputStream(), false),
                        Map.of(),
                        Path.of(""),
                        Clock.systemUTC(),
                        time -> {},
                        (endpoint, options, context) -> null,
                        process),
                "ce run",
                followed);
    }

    /** Of the moment between the start of a job and the first look at it. */
    @Test
    void whatComesBeforeAnybodyFollowsTheJobIsPassedOn() {
        try (SubmissionSignals signals = signals(true)) {
            signals.begin(() -> "");
            signals.end();
            handler.accept(Signal.TERM);
            assertThat(left).isEmpty();
            List<Signal> passed = new ArrayList<>();
            signals.handOver(passed::add);
            handler.accept(Signal.INT);
            assertThat(passed).containsExactly(Signal.TERM, Signal.INT);
        }
        assertThat(handler).isNull();
    }

    @Test
    void withoutASubmissionTheFirstSignalLeaves() {
        try (SubmissionSignals signals = signals(false)) {
            handler.accept(Signal.TERM);
            signals.begin(() -> "a job");
            signals.end();
            handler.accept(Signal.HUP);
        }
        assertThat(left).containsExactly(143, 129);
    }
}
