package org.gelato.ce.core.lease;

import java.util.List;
import java.util.Map;
import org.gelato.ce.core.sweep.LeaseSweepStore;

/** The hot statements of leases with values put in, and the indexes each may read by. */
public final class HotLeaseStatements {
    private static final String NOW = "UTC_TIMESTAMP(6)";

    private HotLeaseStatements() {}

    public static Map<String, List<String>> all() {
        return Map.of(
                "leases that ran out",
                List.of(
                        LeaseSweepStore.RUN_OUT.replace(":now", "'2020-01-01'").replace(":limit", "100"),
                        "lease_expiry"),
                "jobs of leases that ran out",
                List.of(
                        LeaseSweepStore.LEAVE
                                .replace(":now", NOW)
                                .replace("<ids>", "1, 2")
                                .replace(":limit", "1000"),
                        "job_of_lease"),
                "jobs to cancel for their lease",
                List.of(LeaseSweepStore.DUE.replace(":now", NOW).replace(":limit", "1000"), "job_lease_cancel"),
                "jobs of a lease set anew",
                List.of(LeaseStore.LEFT.replace(":owner", "3").replace(":id", "'L1'"), "job_owner"),
                "jobs that get their lease back",
                List.of(
                        LeaseStore.REVIVE
                                .replace(":owner", "3")
                                .replace(":id", "'L1'")
                                .replace("<ids>", "1, 2"),
                        "PRIMARY"),
                "a lease",
                List.of(LeaseStore.LOCK.replace(":owner", "3").replace(":id", "'L1'"), "lease_key"));
    }
}
