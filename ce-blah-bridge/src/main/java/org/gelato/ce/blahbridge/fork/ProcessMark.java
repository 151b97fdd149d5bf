package org.gelato.ce.blahbridge.fork;

/**
 * A process, distinguishable from a later one with the same id.
 *
 * @param startTicks field 22 of {@code /proc/<pid>/stat}: clock ticks between boot and start
 * @param boot the kernel's boot id
 */
record ProcessMark(long pid, long startTicks, String boot) {}
