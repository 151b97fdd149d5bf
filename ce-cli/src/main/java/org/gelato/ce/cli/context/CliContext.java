package org.gelato.ce.cli.context;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.terminal.Signals;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.Endpoint;

/**
 * What a command may use of the world around it, so that tests can put their own in place.
 *
 * @param workingDirectory where relative file names start
 * @param pause waits between two polls of a job
 * @param connector opens the connection to a CE
 * @param signals what the user sends to the program
 */
public record CliContext(
        StandardStreams streams,
        Map<String, String> environment,
        Path workingDirectory,
        Clock clock,
        Pause pause,
        Connector connector,
        Signals signals) {

    /** For a command inside another program, whose signals are not the command's. */
    public CliContext(
            StandardStreams streams,
            Map<String, String> environment,
            Path workingDirectory,
            Clock clock,
            Pause pause,
            Connector connector) {
        this(streams, environment, workingDirectory, clock, pause, connector, Signals.NONE);
    }

    /** For results, nothing else. */
    public PrintStream out() {
        return streams.out();
    }

    /** For messages and progress. */
    public PrintStream err() {
        return streams.err();
    }

    /** Says something to people on a line of its own, which may take the place of one that lives. */
    public void say(String text) {
        err().println((interactive() ? "\r\u001b[K" : "") + "ce: " + Printable.line(text));
        err().flush();
    }

    /** What the user or a pipe gives. */
    public InputStream in() {
        return streams.in();
    }

    /** Whether {@link #err} is a terminal that can show a progress line. */
    public boolean interactive() {
        return streams.interactive();
    }

    /** How a command waits; tests pass the time themselves. */
    @FunctionalInterface
    public interface Pause {
        void sleep(Duration time) throws InterruptedException;
    }

    /** Makes a client of one CE; nothing is sent before its first call. */
    @FunctionalInterface
    public interface Connector {
        /** @throws CliException when the proxy or the trusted certificates can't be used */
        ComputingElement connect(Endpoint endpoint, CommonOptions options, CliContext context);
    }
}
