package org.gelato.ce.core.lrms;

import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.NodeRequest;

/**
 * The nodes and slots that a job requests: the table of docs/developer/protocol/blah-protocol.md section 5, before a batch system's
 * own names. Differs from it where that would request 0 nodes or cores (fewer CPUs than one node is to have). A Torque
 * {@code ppn} is a Slurm task, so that MPI starters see the same slots. Pure.
 *
 * @param wholeNodes whether the job has its nodes for itself
 * @param nodes how many; null for any number
 * @param tasks slots on all nodes; null for as many as whole nodes have
 * @param perNode slots on one node at the most; null for any number
 * @param nodeCpus CPUs that each node must have beyond those of its slots; null for any number
 */
public record Allocation(boolean wholeNodes, Integer nodes, Integer tasks, Integer perNode, Integer nodeCpus) {
    private static final long MIB = 1L << 20;

    public static Allocation of(JobRequest.Resources resources) {
        NodeRequest request = resources.nodes();
        Integer nodeCpus = resources.limits().nodeCpus();
        int cpus = request.cpus();
        Integer granularity = request.smpGranularity();
        Integer hosts = request.hosts();
        int least = nodeCpus == null ? 0 : nodeCpus;
        if (request.wholeNodes()) {
            int each = Math.max(granularity == null ? 0 : granularity, least);
            return new Allocation(
                    true,
                    granularity != null && hosts == null ? Integer.valueOf(1) : hosts,
                    granularity != null ? null : Integer.valueOf(hosts == null ? cpus : Math.max(cpus, hosts)),
                    null,
                    each > 0 ? each : null);
        }
        if (granularity != null) {
            int perNode = Math.min(granularity, cpus);
            return new Allocation(false, ceilDiv(cpus, perNode), cpus, perNode, least > perNode ? least : null);
        }
        Integer more = least > 1 ? least : null;
        if (hosts != null) {
            // Slurm refuses more nodes than tasks
            int tasks = Math.max(cpus, hosts);
            return new Allocation(false, hosts, tasks, ceilDiv(tasks, hosts), more);
        }
        return new Allocation(false, null, cpus, null, more);
    }

    /** How many nodes of so many cores; for whole nodes, where the batch system must be given their number. */
    public int nodesOf(int cores) {
        return nodes == null ? ceilDiv(tasks, cores) : nodes;
    }

    /** Memory in MiB, rounded up; null for null. */
    public static Long mebibytes(Long bytes) {
        return bytes == null ? null : Long.valueOf((bytes + MIB - 1) / MIB);
    }

    private static int ceilDiv(int a, int b) {
        return (int) (((long) a + b - 1) / b);
    }
}
