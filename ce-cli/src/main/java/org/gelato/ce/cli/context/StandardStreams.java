package org.gelato.ce.cli.context;

import java.io.InputStream;
import java.io.PrintStream;
import org.gelato.ce.cli.terminal.GivenFile;

/**
 * What a command reads from and writes to.
 *
 * @param out results, nothing else
 * @param err messages and progress
 * @param input what {@code in} is
 * @param interactive whether {@code err} is a terminal that can show a progress line
 */
public record StandardStreams(
        PrintStream out, PrintStream err, InputStream in, GivenFile.Kind input, boolean interactive) {
    /** For a command inside another program, whose standard input is not the command's unless it asks for it. */
    public StandardStreams(PrintStream out, PrintStream err, InputStream in, boolean interactive) {
        this(out, err, in, GivenFile.Kind.OTHER, interactive);
    }
}
