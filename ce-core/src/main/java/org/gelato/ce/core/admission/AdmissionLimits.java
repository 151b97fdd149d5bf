package org.gelato.ce.core.admission;

/**
 * Limits above which no new jobs come in; -1 switches one off.
 *
 * @param activeJobs jobs started and not ended
 * @param dueCommands commands waiting in the queue
 * @param openDescriptors descriptors of this process
 * @param jobsPerCall descriptions in one JobRegister
 */
public record AdmissionLimits(long activeJobs, long dueCommands, long openDescriptors, int jobsPerCall) {}
