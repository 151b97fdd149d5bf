package org.gelato.ce.lrms.torque;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.gelato.ce.core.lrms.LrmsJob;

/**
 * The jobs of one {@code qstat -f}, with or without {@code -x}. Of an attribute that is shown twice the first counts: those
 * a user can fill come after the server's own. A job shown twice counts as not readable, as one of the two is forged.
 *
 * @param jobs that were wanted and whose id and attributes could be read
 * @param damaged jobs that could not be read, whether they were wanted or not
 */
record QstatListing(Collection<Listed> jobs, int damaged) {
    /**
     * One job.
     *
     * @param owner account that submitted it; empty when it is not shown
     * @param state Torque's letter
     * @param job null when id or state cannot be parsed
     */
    record Listed(String id, String tag, String owner, String state, LrmsJob job) {}

    /** Takes jobs as they are read; keeps those that are wanted. */
    static final class Reading {
        private final Predicate<JobFields> wanted;
        private final boolean slurm;
        private final Map<String, Listed> jobs = new LinkedHashMap<>();
        private final Set<String> twice = new HashSet<>();
        private int damaged;
        private int shown;

        Reading(Predicate<JobFields> wanted, boolean slurm) {
            this.wanted = wanted;
            this.slurm = slurm;
        }

        /** @param fields of a job; without an id when they could not be read */
        void add(Map<String, String> fields) {
            JobFields job = new JobFields(fields);
            shown++;
            if (job.id().isEmpty() || job.state().isEmpty() || job.tag().isEmpty()) {
                damaged++;
            } else if (wanted.test(job)) {
                Listed listed = new Listed(job.id(), job.tag(), job.owner(), job.state(), job.job(slurm));
                if (jobs.put(job.id(), listed) != null) {
                    twice.add(job.id());
                }
            }
        }

        /** Whether any job was shown, in whatever way. */
        boolean isEmpty() {
            return shown == 0;
        }

        QstatListing listing() {
            jobs.keySet().removeAll(twice);
            return new QstatListing(List.copyOf(jobs.values()), damaged + twice.size());
        }
    }
}
