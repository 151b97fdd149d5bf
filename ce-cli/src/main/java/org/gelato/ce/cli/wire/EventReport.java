package org.gelato.ce.cli.wire;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * A job of the user entered a state.
 *
 * @param localId of the job
 * @param gridJobId null when absent
 * @param workerNode null when absent
 */
public record EventReport(
        @JsonProperty("eventId") long id,
        @JsonIgnore String localId,
        @JsonUnwrapped StatusReport status,
        String gridJobId,
        String workerNode) {}
