package org.gelato.ce.cli.wire;

import java.time.Instant;
import java.util.List;

/** The user's leases on one CE: jobs that refer to a lease end when it does. Fails as {@link ComputingElement} does. */
public interface LeaseCalls {
    /** Makes a lease, or moves its end. @return what the CE grants, which may end sooner */
    LeaseReport set(String id, Instant end);

    LeaseReport get(String id);

    List<LeaseReport> list();

    /** Removes a lease; its jobs go on without. */
    void delete(String id);

    /**
     * Makes jobs refer to another lease.
     *
     * @param id null for none
     * @return the refusals only
     */
    List<Response<Void>> attach(String id, JobSelector jobs);
}
