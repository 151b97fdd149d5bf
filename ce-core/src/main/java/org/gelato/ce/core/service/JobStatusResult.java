package org.gelato.ce.core.service;

import org.gelato.ce.core.job.JobStatus;

/**
 * The result of JobStatus for one job: a status or a fault, never both.
 *
 * @param id local id; for a fault as the client named it; never null
 * @param status null with a fault
 * @param fault null with a status
 */
public record JobStatusResult(String id, JobStatus status, JobFault fault) {}
