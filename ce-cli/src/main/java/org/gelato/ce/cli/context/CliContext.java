package org.gelato.ce.cli.context;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.Endpoint;

/**
 * What a command may use of the world around it, so that tests can put their own in place.
 *
 * @param out results, nothing else
 * @param err messages and progress
 * @param workingDirectory where relative file names start
 * @param interactive whether {@code err} is a terminal that can show a progress line
 * @param pause waits between two polls of a job
 * @param connector opens the connection to a CE
 */
public record CliContext(
        PrintStream out,
        PrintStream err,
        InputStream in,
        Map<String, String> environment,
        Path workingDirectory,
        Clock clock,
        boolean interactive,
        Pause pause,
        Connector connector) {

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
