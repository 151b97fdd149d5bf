package org.gelato.ce.core.service;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.gelato.ce.core.command.CommandKind;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.job.CommandState;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.lease.LeaseStore;
import org.jdbi.v3.core.Handle;

/**
 * The effect of JobSetLeaseId on locked jobs: the bond to the lease and the command's record. A lease the job's owner does
 * not have leaves the job as it was and a command in ERROR (docs/developer/protocol/cream2-wire.md section 7).
 */
final class JobLeases {
    private final LeaseStore leases = new LeaseStore();
    private final CommandStore commands;

    JobLeases(CommandStore commands) {
        this.commands = commands;
    }

    /**
     * Sets the lease of locked jobs.
     *
     * @param id the client's id of the lease; null for none
     */
    void set(Handle h, String id, List<JobRow> jobs, Instant now) {
        Set<Integer> owners = new TreeSet<>();
        jobs.forEach(job -> owners.add(job.registration().ownerId()));
        Map<Integer, Integer> byOwner = id == null ? Map.of() : leases.hold(h, owners, id, now);
        Map<Integer, List<Integer>> byLease = new TreeMap<>();
        List<Integer> detached = new ArrayList<>();
        List<CommandStore.NewCommand> records = new ArrayList<>();
        for (JobRow job : jobs) {
            Integer lease = byOwner.get(job.registration().ownerId());
            if (id != null && lease == null) {
                records.add(new CommandStore.NewCommand(
                        job.id(),
                        CommandKind.JOB_SET_LEASEID,
                        CommandState.ERROR,
                        null,
                        "lease id \"" + id + "\" not found!"));
                continue;
            }
            (id == null ? detached : byLease.computeIfAbsent(lease, x -> new ArrayList<>())).add(job.id());
            records.add(
                    new CommandStore.NewCommand(job.id(), CommandKind.JOB_SET_LEASEID, CommandState.SUCCESSFULL, null));
        }
        leases.link(h, null, detached);
        byLease.forEach((lease, ids) -> leases.link(h, lease, ids));
        commands.insert(h, records, Set.of(), now);
    }
}
