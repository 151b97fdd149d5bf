package org.gelato.ce.core.lrms.option;

import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.Limits;
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
        return of(resources.nodes(), resources.limits());
    }

    /** For a batch system whose nodes are not chosen by their CPUs. */
    public static Allocation of(NodeRequest request) {
        return of(request, Limits.NONE);
    }

    private static Allocation of(NodeRequest request, Limits limits) {
        int cpus = request.cpus();
        Integer granularity = request.smpGranularity();
        Integer hosts = request.hosts();
        int least = limits.nodeCpus() == null ? 0 : limits.nodeCpus();
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

    /**
     * Options for what is requested of nodes and slots.
     *
     * @param nodesName the name of the option for the number of nodes, with what separates it from its value; the others likewise
     * @return a new list; without those that may have any value
     */
    public List<String> options(String nodesName, String tasksName, String perNodeName) {
        List<String> options = new ArrayList<>();
        add(options, nodesName, nodes);
        add(options, tasksName, tasks);
        add(options, perNodeName, perNode);
        return options;
    }

    /** Adds an option where its value is not null. */
    public static void add(List<String> options, String name, Object value) {
        if (value != null) {
            options.add(name + value);
        }
    }

    /** Memory in MiB, rounded up. */
    public static long mebibytes(long bytes) {
        return (bytes + MIB - 1) / MIB;
    }

    private static int ceilDiv(int a, int b) {
        return (int) (((long) a + b - 1) / b);
    }
}
