package org.gelato.ce.core.admission;

import org.gelato.ce.core.base.Key;

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
        @Key(Key.BESIDE) HostLimits host,
        @Key(min = "-1", max = "1000000000") int openDescriptors,
        @Key(min = "-1", max = "1000000000") int activeJobs,

        @Key(value = "pending-commands", min = "-1", max = "1000000000")
        int dueCommands,

        int jobsPerCall) {
    /** No limit at all. */
    public static final AdmissionLimits NONE = new AdmissionLimits(HostLimits.NONE, -1, -1, -1, -1);

    /** The same for a host without a GridFTP server. */
    public AdmissionLimits withoutFtp() {
        HostLimits ofHost = new HostLimits(
                host.load1(),
                host.load5(),
                host.load15(),
                host.memory(),
                host.swap(),
                host.freeDescriptors(),
                host.disk(),
                -1);
        return new AdmissionLimits(ofHost, openDescriptors, activeJobs, dueCommands, jobsPerCall);
    }
}
