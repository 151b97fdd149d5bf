package org.gelato.ce.cli.wire;

/**
 * A file a job left behind.
 *
 * @param name as the CE names it: not to be trusted as a path
 * @param size bytes
 */
public record OutputFile(String name, long size) {}
