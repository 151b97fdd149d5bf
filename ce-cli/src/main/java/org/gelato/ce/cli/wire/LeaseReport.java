package org.gelato.ce.cli.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/**
 * A lease as the CE reports it.
 *
 * @param end null when the CE does not report it
 */
public record LeaseReport(
        @JsonProperty("leaseId") String id,
        @JsonProperty("leaseTime") Instant end) {}
