package org.gelato.ce.cli.admin;

import java.time.Instant;

/**
 * What one side knows of a job that ran.
 *
 * @param id in the batch system
 * @param name its name there, {@code cream_nnnnnnnnn}, or the CE's id of the job
 * @param start null where it is unknown
 * @param cpu seconds; null where they are unknown
 * @param wall seconds; null where they are unknown
 * @param cores null where they are unknown
 */
record UsedJob(String id, String name, Instant start, Instant end, Double cpu, Double wall, Integer cores) {}
