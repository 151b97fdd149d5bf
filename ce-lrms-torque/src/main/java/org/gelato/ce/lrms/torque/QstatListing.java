package org.gelato.ce.lrms.torque;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsJob;

/**
 * The jobs of one {@code qstat -f}, with or without {@code -x}. Of an attribute that is shown twice the first counts: those
 * a user can fill come after the server's own. A job shown twice counts as not readable, as one of the two is forged.
 *
 * @param jobs that were wanted and whose id and attributes could be read
 * @param damaged jobs that could not be read, whether they were wanted or not
 */
record QstatListing(Collection<Listed> jobs, List<Damaged> damaged) {
    /** More than these are taken as one that may be any job. */
    private static final int MAX_DAMAGED = 1000;

    private static final Damaged ANY = new Damaged("", "", "");

    /**
     * One job.
     *
     * @param owner account that submitted it; empty when it is not shown
     * @param state Torque's letter
     * @param job null when its id cannot be parsed; of an unknown state {@link LrmsJob.State#UNKNOWN}
     */
    record Listed(String id, String tag, String owner, String state, LrmsJob job) {}

    /**
     * What could be read of a job that could not be read as a whole. It costs those jobs a look-up that it may be, and no others.
     *
     * @param id empty when it could not be read
     * @param tag empty when the name could not be read or is none of ours, which damage may have made of one
     * @param owner empty when it could not be read
     */
    record Damaged(String id, String tag, String owner) {
        private static Damaged of(JobFields job) {
            return new Damaged(job.hasId() ? job.id() : "", job.ours() ? job.tag() : "", job.owner());
        }

        boolean mayBe(Lookup lookups) {
            return (tag.isEmpty() || lookups.tag() == null || tag.equals(lookups.tag()))
                    && (owner.isEmpty() || lookups.account() == null || owner.equals(lookups.account()))
                    && (id.isEmpty() || lookups.lrmsId() == null || id.equals(lookups.lrmsId()));
        }

        /** The job's name, for the log. */
        String named() {
            return id.isEmpty() ? "one without an id" : id;
        }
    }

    boolean mayShow(Lookup lookups) {
        return damaged.stream().anyMatch(job -> job.mayBe(lookups));
    }

    /** Takes jobs as they are read; keeps those that are wanted. */
    static final class Reading {
        private final Predicate<JobFields> wanted;
        private final boolean slurm;
        private final Map<String, Listed> jobs = new LinkedHashMap<>();
        private final Set<String> twice = new HashSet<>();
        private final List<Damaged> damaged = new ArrayList<>();
        private int shown;

        Reading(Predicate<JobFields> wanted, boolean slurm) {
            this.wanted = wanted;
            this.slurm = slurm;
        }

        /**
         * @param fields of a job
         * @param whole whether nothing of it is missing or broken
         */
        void add(Map<String, String> fields, boolean whole) {
            JobFields job = new JobFields(fields);
            shown++;
            if (!whole
                    || job.id().isEmpty()
                    || job.state().isEmpty()
                    || job.tag().isEmpty()) {
                damaged(Damaged.of(job));
            } else if (wanted.test(job)) {
                Listed listed = new Listed(job.id(), job.tag(), job.owner(), job.state(), job.job(slurm));
                Listed other = jobs.put(job.id(), listed);
                if (other != null) {
                    twice.add(job.id());
                    damaged(Damaged.of(job));
                    damaged(new Damaged(other.job() == null ? "" : other.id(), other.tag(), other.owner()));
                }
            }
        }

        private void damaged(Damaged job) {
            if (damaged.size() < MAX_DAMAGED) {
                damaged.add(job);
            } else if (damaged.size() == MAX_DAMAGED) {
                damaged.add(ANY);
            }
        }

        /** Whether any job was shown, in whatever way. */
        boolean isEmpty() {
            return shown == 0;
        }

        QstatListing listing() {
            jobs.keySet().removeAll(twice);
            return new QstatListing(List.copyOf(jobs.values()), List.copyOf(damaged));
        }
    }
}
