package org.gelato.ce.it.history;

import org.gelato.ce.core.job.JobState;

/**
 * An event as a client got it.
 *
 * @param job local id
 */
record SeenEvent(long id, String job, JobState state) {}
