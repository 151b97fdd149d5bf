package org.gelato.ce.core.lease;

import java.time.Instant;

/**
 * A lease as its owner sees it.
 *
 * @param id the id the client gave it
 * @param until when it runs out unless renewed
 */
public record Lease(String id, Instant until) {}
