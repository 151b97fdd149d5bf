package org.gelato.ce.lrms.slurm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.option.Allocation;
import org.gelato.ce.core.lrms.option.JobPriority;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.JobRequest.NodeRequest;

/**
 * sbatch's options for what a job requests: the {@link Allocation} in Slurm's terms. Pure.
 */
final class NodeOptions {
    private static final Pattern MODEL = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    private NodeOptions() {}

    /** @throws IllegalArgumentException with a message for the user when Slurm has no option for it */
    static List<String> of(JobRequest.Resources resources) {
        NodeRequest request = resources.nodes();
        Limits limits = resources.limits();
        Allocation allocation = Allocation.of(resources);
        List<String> options = new ArrayList<>();
        if (allocation.wholeNodes()) {
            options.add("--exclusive");
        }
        options.addAll(allocation.options("--nodes=", "--ntasks=", "--ntasks-per-node="));
        Allocation.add(options, "--mincpus=", allocation.nodeCpus());
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
        Allocation.add(options, "--nice=", JobPriority.nice(resources));
        return options;
    }

    /**
     * In minutes, rounded up. Slurm has no limit for CPU time: a job that names no other gets as much wall clock time as CPU time
     * of all its slots.
     */
    private static void time(Limits limits, List<String> options) {
        Duration time = limits.wallTime() == null ? limits.cpuTime() : limits.wallTime();
        if (time != null) {
            options.add("--time=" + (time.toSeconds() + 59) / 60);
        }
    }

    /** In MiB, rounded up. Of a whole node the job has all, which Slurm takes 0 for. */
    private static void memory(NodeRequest request, Limits limits, List<String> options) {
        if (request.wholeNodes()) {
            options.add("--mem=0");
        } else if (limits.nodeMemory() != null) {
            options.add("--mem=" + Allocation.mebibytes(limits.nodeMemory()) + "M");
        } else if (limits.memory() != null) {
            options.add("--mem-per-cpu=" + Allocation.mebibytes(limits.memory()) + "M");
        }
    }

    private static String model(String model) {
        if (!MODEL.matcher(model).matches()) {
            throw new IllegalArgumentException(
                    "GPUModel: Slurm accepts only models of letters, digits, '_', '.' and '-'");
        }
        return model;
    }
}
