package org.gelato.ce.lrms.torque;

import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.lrms.option.Allocation;
import org.gelato.ce.core.lrms.option.JobPriority;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.NodeRequest;

/**
 * What a job requests of the nodes, for Slurm's qsub. It takes {@code nodes=N} for N hosts and adds up the {@code ppn} of
 * unequal nodes wrongly, so tasks are requested by its Cray options. What qsub has no option for is a directive for
 * sbatch, which reads the script too. Pure.
 */
final class SlurmNodeOptions {
    private SlurmNodeOptions() {}

    /** The resource list for {@code qsub -l}. */
    static String resources(NodeRequest request, int hostCores) {
        Allocation allocation = Allocation.of(request);
        List<String> items = allocation.wholeNodes()
                ? new ArrayList<>(List.of("nodes=" + allocation.nodesOf(hostCores) + ":ppn=" + hostCores))
                : allocation.options("nodes=", "mppwidth=", "mppnppn=");
        Allocation.add(items, "naccelerators=", request.gpus());
        return String.join(",", items);
    }

    /** The lines for sbatch at the head of the script. */
    static List<String> directives(JobRequest.Resources resources) {
        List<String> lines = new ArrayList<>();
        if (resources.nodes().wholeNodes()) {
            lines.addAll(List.of("#SBATCH --exclusive", "#SBATCH --mem=0"));
        }
        Allocation.add(lines, "#SBATCH --nice=", JobPriority.nice(resources));
        return lines;
    }
}
