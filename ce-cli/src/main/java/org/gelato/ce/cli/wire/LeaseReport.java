package org.gelato.ce.cli.wire;

import java.time.Instant;

/**
 * A lease as the CE tells it.
 *
 * @param end null when the CE does not say
 */
public record LeaseReport(String id, Instant end) {}
