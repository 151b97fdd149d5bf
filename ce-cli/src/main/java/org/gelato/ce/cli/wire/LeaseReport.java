package org.gelato.ce.cli.wire;

import java.time.Instant;

/**
 * A lease as the CE reports it.
 *
 * @param end null when the CE does not report it
 */
public record LeaseReport(String id, Instant end) {}
