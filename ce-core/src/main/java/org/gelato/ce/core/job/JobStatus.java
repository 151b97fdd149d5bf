package org.gelato.ce.core.job;

import java.time.Instant;

/**
 * One state a job was or is in.
 *
 * @param state never null
 * @param since when the state was entered; never null
 * @param exitCode text as on the wire: the number, {@code W} or {@code N/A}; null before the end
 * @param failureReason null when there is none
 * @param description null when there is none
 */
public record JobStatus(JobState state, Instant since, String exitCode, String failureReason, String description) {}
