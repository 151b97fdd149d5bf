package org.gelato.ce.core.service;

/**
 * The result of JobInfo for one job: its record or a fault, never both.
 *
 * @param id local id; for a fault as the client named it; never null
 * @param info null with a fault
 * @param fault null with a record
 */
public record JobInfoResult(String id, JobInfo info, JobFault fault) {}
