package org.gelato.ce.lrms.torque;

import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.description.JobRequest.NodeRequest;

/**
 * What a job requests of the nodes, for Slurm's qsub. It takes {@code nodes=N} for N hosts and adds up the {@code ppn} of
 * unequal nodes wrongly, so tasks are requested by its Cray options. What qsub has no option for is a directive for
 * sbatch, which reads the script too. Pure.
 */
final class SlurmNodeOptions {
    private SlurmNodeOptions() {}

    /** qsub's resource list. */
    static String resources(NodeRequest request, int hostCores) {
        List<String> items = new ArrayList<>();
        int cpus = request.cpus();
        if (request.wholeNodes()) {
            int nodes = request.hosts() != null
                    ? request.hosts()
                    : request.smpGranularity() != null ? 1 : NodeDirectives.ceilDiv(cpus, hostCores);
            items.add("nodes=" + nodes + ":ppn=" + hostCores);
        } else if (request.smpGranularity() != null) {
            int perNode = Math.min(request.smpGranularity(), cpus);
            items.add("nodes=" + NodeDirectives.ceilDiv(cpus, perNode));
            items.add("mppwidth=" + cpus);
            items.add("mppnppn=" + perNode);
        } else if (request.hosts() != null) {
            int tasks = Math.max(cpus, request.hosts());
            items.add("nodes=" + request.hosts());
            items.add("mppwidth=" + tasks);
            items.add("mppnppn=" + NodeDirectives.ceilDiv(tasks, request.hosts()));
        } else {
            items.add("mppwidth=" + cpus);
        }
        if (request.gpus() != null) {
            items.add("naccelerators=" + request.gpus());
        }
        return String.join(",", items);
    }

    /** Directives for sbatch. */
    static List<String> directives(NodeRequest request) {
        return request.wholeNodes() ? List.of("#SBATCH --exclusive", "#SBATCH --mem=0") : List.of();
    }
}
