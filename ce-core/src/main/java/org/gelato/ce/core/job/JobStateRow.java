package org.gelato.ce.core.job;

/**
 * What states of jobs are answered from.
 *
 * @param id row number
 */
public record JobStateRow(int id, int ownerId, JobStatus status) {}
