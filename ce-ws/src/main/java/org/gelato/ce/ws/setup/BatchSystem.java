package org.gelato.ce.ws.setup;

import java.nio.file.Path;
import java.util.List;

/**
 * A batch system that was found.
 *
 * @param kind as in {@code gelato.lrms.kind}
 * @param binDirectory of its commands; null for the built-in one
 * @param queues the default one first; empty when none could be read
 * @param completionLog Slurm's file of ended jobs; null where there is none
 * @param advice what should be set otherwise, a sentence each
 * @param problem why queues could not be read; null when they were
 */
record BatchSystem(
        String kind, Path binDirectory, List<String> queues, Path completionLog, List<String> advice, String problem) {}
