package org.gelato.ce.core.job;

import java.nio.file.Path;

/**
 * Where a job's output files lie and as whom they can be read.
 *
 * @param account the local account that owns them
 * @param directory the job's OSB directory
 */
public record JobOutput(String account, Path directory) {}
