package org.gelato.ce.lrms.torque;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.SubmitAttributes;
import org.gelato.ce.core.lrms.option.Allocation;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.JobRequest.NodeRequest;

/**
 * qsub's resources for the limits of a job, but for those that the site's script has chosen itself. Times are seconds, memory is
 * MiB, rounded up. Torque counts the memory of a job on all its nodes, Slurm's qsub that on one. Pure.
 */
final class LimitResources {
    private static final Map<String, Pattern> CHOSEN = Map.of(
            "walltime", SubmitAttributes.choice("walltime=", "-t|--time[=\\s]"),
            "cput", SubmitAttributes.choice("cput=", "-t|--time[=\\s]"),
            "mem", SubmitAttributes.choice("(p|v|pv)?mem=", "--mem(-per-[cg]pu)?[=\\s]"));

    private LimitResources() {}

    /** Values by resource; empty when the job requests none. */
    static Map<String, String> of(JobRequest.Resources resources, SubmitAttributes attributes, boolean slurm) {
        Limits limits = resources.limits();
        Map<String, String> values = new LinkedHashMap<>();
        if (limits.wallTime() != null) {
            values.put("walltime", Long.toString(limits.wallTime().toSeconds()));
        }
        if (limits.cpuTime() != null) {
            values.put("cput", Long.toString(limits.cpuTime().toSeconds()));
        }
        NodeRequest nodes = resources.nodes();
        if (slurm && nodes.wholeNodes()) {
            // all of it, by a directive
        } else if (limits.nodeMemory() != null) {
            values.put("mem", mib(limits.nodeMemory(), slurm || nodes.hosts() == null ? 1 : nodes.hosts()));
        } else if (limits.memory() != null) {
            values.put("mem", mib(limits.memory(), slurm ? slotsOfNode(nodes) : nodes.cpus()));
        }
        values.keySet().removeIf(name -> attributes.hasDirective(CHOSEN.get(name)));
        return values;
    }

    private static int slotsOfNode(NodeRequest request) {
        Allocation allocation = Allocation.of(request);
        return allocation.perNode() == null ? allocation.tasks() : allocation.perNode();
    }

    private static String mib(long bytes, int times) {
        return Allocation.mebibytes(bytes) * times + "mb";
    }
}
