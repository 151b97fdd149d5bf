package org.gelato.ce.cli.wire;

/**
 * A job of the user entered a state.
 *
 * @param localId of the job
 * @param gridJobId null when absent
 * @param workerNode null when absent
 */
public record EventReport(long id, String localId, StatusReport status, String gridJobId, String workerNode) {}
