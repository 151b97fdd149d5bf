package org.gelato.ce.cli.context;

import java.io.InputStream;
import java.io.PrintStream;

/**
 * What a command reads from and writes to.
 *
 * @param out results, nothing else
 * @param err messages and progress
 * @param interactive whether {@code err} is a terminal that can show a progress line
 */
public record StandardStreams(PrintStream out, PrintStream err, InputStream in, boolean interactive) {}
