package org.gelato.ce.core.admission;

/**
 * Limits beyond which no new jobs come in; -1 switches one off.
 *
 * @param host limits of the host
 * @param openDescriptors descriptors of this process
 * @param activeJobs jobs started and not ended
 * @param dueCommands commands waiting in the queue
 * @param jobsPerCall descriptions in one JobRegister
 */
public record AdmissionLimits(
        HostLimits host, long openDescriptors, long activeJobs, long dueCommands, int jobsPerCall) {
    /** No limit at all. */
    public static final AdmissionLimits NONE = new AdmissionLimits(HostLimits.NONE, -1, -1, -1, -1);
}
