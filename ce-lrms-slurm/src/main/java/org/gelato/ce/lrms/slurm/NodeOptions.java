package org.gelato.ce.lrms.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.core.description.JobRequest.Limits;
import org.gelato.ce.core.description.JobRequest.NodeRequest;

/**
 * sbatch's options for what a job requests of the nodes: the table of docs/protocol/blah-protocol.md section 5 in Slurm's
 * terms. A Torque {@code ppn} is a Slurm task, so that MPI starters see the same slots. Pure.
 */
final class NodeOptions {
    private static final Pattern MODEL = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    private NodeOptions() {}

    /** @throws IllegalArgumentException with a message for the user when Slurm has no option for it */
    static List<String> of(NodeRequest request) {
        List<String> options = new ArrayList<>();
        if (request.wholeNodes()) {
            wholeNodes(request, options);
        } else {
            slots(request, options);
        }
        List<String> gres = new ArrayList<>();
        if (request.gpus() != null) {
            gres.add("gpu:" + (request.gpuModel() == null ? "" : model(request.gpuModel()) + ":") + request.gpus());
        }
        if (request.mics() != null) {
            gres.add("mic:" + request.mics());
        }
        if (!gres.isEmpty()) {
            options.add("--gres=" + String.join(",", gres));
        }
        return options;
    }

    /** Slurm counts time in minutes and memory in MiB; both are rounded up. It has no limit for CPU time. */
    static List<String> limits(Limits limits) {
        List<String> options = new ArrayList<>();
        if (limits.wallTime() != null) {
            options.add("--time=" + ceilDiv(limits.wallTime().toSeconds(), 60));
        }
        if (limits.memory() != null) {
            options.add("--mem-per-cpu=" + ceilDiv(limits.memory(), 1L << 20) + "M");
        }
        return options;
    }

    private static void wholeNodes(NodeRequest request, List<String> options) {
        options.add("--exclusive");
        if (request.smpGranularity() != null) {
            // whole nodes of at least so many CPUs
            options.add("--nodes=" + (request.hosts() == null ? 1 : request.hosts()));
            options.add("--mincpus=" + request.smpGranularity());
        } else if (request.hosts() != null) {
            options.add("--nodes=" + request.hosts());
            options.add("--ntasks=" + Math.max(request.cpus(), request.hosts()));
        } else {
            options.add("--ntasks=" + request.cpus());
        }
    }

    private static void slots(NodeRequest request, List<String> options) {
        int cpus = request.cpus();
        if (request.smpGranularity() != null) {
            int perNode = Math.min(request.smpGranularity(), cpus);
            options.add("--nodes=" + ceilDiv(cpus, perNode));
            options.add("--ntasks=" + cpus);
            options.add("--ntasks-per-node=" + perNode);
        } else if (request.hosts() != null) {
            // Slurm refuses more nodes than tasks
            int tasks = Math.max(cpus, request.hosts());
            options.add("--nodes=" + request.hosts());
            options.add("--ntasks=" + tasks);
            options.add("--ntasks-per-node=" + ceilDiv(tasks, request.hosts()));
        } else {
            options.add("--ntasks=" + cpus);
        }
    }

    private static long ceilDiv(long a, long b) {
        return (a + b - 1) / b;
    }

    private static String model(String model) {
        if (!MODEL.matcher(model).matches()) {
            throw new IllegalArgumentException(
                    "GPUModel: Slurm accepts only models of letters, digits, '_', '.' and '-'");
        }
        return model;
    }
}
