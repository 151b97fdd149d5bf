package org.gelato.ce.cli.wire;

import java.nio.file.Path;

/**
 * A file a job brings with it.
 *
 * @param name as the job will find it
 * @param path where it is on this machine
 */
public record InputFile(String name, Path path) {}
