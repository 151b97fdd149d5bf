package org.gelato.ce.cli.wire;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a CE reports about itself.
 *
 * @param description null when absent
 * @param startedAt null when absent
 * @param status null when absent
 */
public record ServiceReport(
        String interfaceVersion,
        String serviceVersion,
        String description,
        Instant startedAt,
        boolean acceptsJobs,
        String status,
        Map<String, String> properties,
        List<String> messages) {}
