package org.gelato.ce.lrms.slurm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.core.description.JobRequest;
import org.gelato.ce.core.description.JobRequest.Limits;
import org.gelato.ce.core.description.JobRequest.NodeRequest;

/**
 * sbatch's options for what a job requests: the table of docs/developer/protocol/blah-protocol.md section 5 in Slurm's
 * terms. A Torque {@code ppn} is a Slurm task, so that MPI starters see the same slots. Pure.
 */
final class NodeOptions {
    private static final Pattern MODEL = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    private NodeOptions() {}

    /** @throws IllegalArgumentException with a message for the user when Slurm has no option for it */
    static List<String> of(JobRequest.Resources resources) {
        NodeRequest request = resources.nodes();
        Limits limits = resources.limits();
        List<String> options = new ArrayList<>();
        if (request.wholeNodes()) {
            wholeNodes(request, limits, options);
        } else {
            slots(request, options);
            if (limits.nodeCpus() != null && limits.nodeCpus() > sureCpus(request)) {
                options.add("--mincpus=" + limits.nodeCpus());
            }
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
        time(limits, options);
        memory(request, limits, options);
        return options;
    }

    /**
     * In minutes, rounded up. Slurm has no limit for CPU time: a job that names no other gets as much wall clock time as CPU time
     * of all its slots.
     */
    private static void time(Limits limits, List<String> options) {
        Duration time = limits.wallTime() == null ? limits.cpuTime() : limits.wallTime();
        if (time != null) {
            options.add("--time=" + ceilDiv(time.toSeconds(), 60));
        }
    }

    /** In MiB, rounded up. Of a whole node the job has all, which Slurm takes 0 for. */
    private static void memory(NodeRequest request, Limits limits, List<String> options) {
        if (request.wholeNodes()) {
            options.add("--mem=0");
        } else if (limits.nodeMemory() != null) {
            options.add("--mem=" + ceilDiv(limits.nodeMemory(), 1L << 20) + "M");
        } else if (limits.memory() != null) {
            options.add("--mem-per-cpu=" + ceilDiv(limits.memory(), 1L << 20) + "M");
        }
    }

    private static void wholeNodes(NodeRequest request, Limits limits, List<String> options) {
        options.add("--exclusive");
        if (request.smpGranularity() != null) {
            options.add("--nodes=" + (request.hosts() == null ? 1 : request.hosts()));
        } else if (request.hosts() != null) {
            options.add("--nodes=" + request.hosts());
            options.add("--ntasks=" + Math.max(request.cpus(), request.hosts()));
        } else {
            options.add("--ntasks=" + request.cpus());
        }
        // whole nodes of at least so many CPUs
        int cpus = Math.max(
                request.smpGranularity() == null ? 0 : request.smpGranularity(),
                limits.nodeCpus() == null ? 0 : limits.nodeCpus());
        if (cpus > 0) {
            options.add("--mincpus=" + cpus);
        }
    }

    /** CPUs that the job has on each of its nodes anyway. */
    private static int sureCpus(NodeRequest request) {
        return request.smpGranularity() == null ? 1 : Math.min(request.smpGranularity(), request.cpus());
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
