package org.gelato.ce.lrms.torque;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.Allocation;
import org.gelato.ce.core.lrms.JobPriority;
import org.gelato.ce.core.lrms.Renderers;
import org.gelato.ce.core.lrms.SiteScriptLines;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.description.JobRequest.Resource;
import org.gelato.ce.description.JobRequest.Resources;
import org.gelato.ce.lrms.torque.TorqueConfig.GpuStyle;

/**
 * qsub's options for what a job requests, as {@code -l mem=} with its value; times are seconds, memory is MiB, rounded up. What Slurm's qsub
 * has no option for is one of sbatch's, which reads the script too. Pure.
 */
final class QsubOptions {
    /** The beginning of options that are resources. */
    static final String RESOURCE = "-l ";

    private static final Pattern MODE = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,31}");
    /** By which a site's script has chosen an option itself. */
    private static final Map<String, Pattern> CHOSEN = Map.of(
            "-p ", Pattern.compile("#PBS\\s(.*\\s)?-p\\s*-?[0-9].*"),
            "-l walltime=", SiteScriptLines.choice("walltime=", "-t|--time[=\\s]"),
            "-l cput=", SiteScriptLines.choice("cput=", "-t|--time[=\\s]"),
            "-l mem=", SiteScriptLines.choice("(p|v|pv)?mem=", "--mem(-per-[cg]pu)?[=\\s]"));
    /** Steps of Torque's range from -1024 to 1023. */
    private static final int PRIORITY_STEP = 20;

    private QsubOptions() {}

    /**
     * What a job requests and the site's script has not chosen.
     *
     * @throws IllegalArgumentException with a message for the user when the batch system has no option for it
     */
    static Map<String, Object> of(Resources resources, SiteScriptLines attributes, TorqueConfig config) {
        Map<String, Object> options = renderers(config).render(resources, new LinkedHashMap<>());
        options.keySet().removeIf(name -> CHOSEN.containsKey(name) && attributes.hasDirective(CHOSEN.get(name)));
        return options;
    }

    /** Torque, and Slurm behind its qsub, have nothing for the others. */
    static Renderers<String> renderers(TorqueConfig config) {
        int cores = config.hostSmpSize();
        Renderers<String> renderers = new Renderers<>();
        if (config.slurm()) {
            // it takes nodes=N for N hosts and adds up the ppn of unequal nodes wrongly: tasks are requested by its
            // Cray options
            renderers
                    .with("-l nodes=", r -> hosts(Allocation.of(r), cores), Resource.SLOTS)
                    .with(
                            "-l mppwidth=",
                            r -> r.nodes().wholeNodes()
                                    ? null
                                    : Allocation.of(r).tasks(),
                            Resource.SLOTS)
                    .with("-l mppnppn=", r -> Allocation.of(r).perNode(), Resource.SLOTS)
                    .with("-l naccelerators=", r -> r.nodes().gpus(), Resource.GPUS)
                    .with("--exclusive", r -> r.nodes().wholeNodes() ? "" : null, Resource.SLOTS)
                    .with("--mem=", r -> r.nodes().wholeNodes() ? 0 : null, Resource.SLOTS)
                    .with("--nice=", JobPriority::nice, Resource.LOW_PRIORITY);
        } else {
            renderers.with("-p ", QsubOptions::priority, Resource.LOW_PRIORITY, Resource.HIGH_PRIORITY);
            if (config.gpuStyle() == GpuStyle.MAUI) {
                renderers
                        .with("-l nodes=", r -> chunks(r, cores, mics(r)), Resource.SLOTS, Resource.MICS)
                        .with("-W x=", r -> extensions(r, r.nodes().gpus()), Resource.SLOTS, Resource.GPUS);
            } else {
                renderers
                        .with(
                                "-l nodes=",
                                r -> chunks(r, cores, gpus(r) + mics(r)),
                                Resource.SLOTS,
                                Resource.MICS,
                                Resource.GPUS,
                                Resource.GPU_MODE)
                        .with("-W x=", r -> extensions(r, null), Resource.SLOTS);
            }
        }
        return renderers
                .with("-l walltime=", r -> seconds(r.limits().wallTime()), Resource.WALL_TIME)
                .with("-l cput=", r -> seconds(r.limits().cpuTime()), Resource.CPU_TIME)
                .with("-l mem=", r -> memory(r, config.slurm()), Resource.MEMORY);
    }

    private static Object hosts(Allocation allocation, int cores) {
        return allocation.wholeNodes() ? allocation.nodesOf(cores) + ":ppn=" + cores : allocation.nodes();
    }

    private static Integer priority(Resources resources) {
        int above = resources.abovePriority();
        return above == 0 ? null : Integer.valueOf(above * PRIORITY_STEP);
    }

    private static Long seconds(Duration time) {
        return time == null ? null : Long.valueOf(time.toSeconds());
    }

    /** Torque counts the memory of a job on all its nodes, Slurm's qsub that on one. */
    private static String memory(Resources resources, boolean slurm) {
        NodeRequest nodes = resources.nodes();
        Limits limits = resources.limits();
        if (slurm && nodes.wholeNodes()) {
            return null;
        }
        int times;
        if (limits.nodeMemory() != null) {
            times = slurm || nodes.hosts() == null ? 1 : nodes.hosts();
        } else {
            times = slurm ? slotsOfNode(Allocation.of(resources)) : nodes.cpus();
        }
        Long each = Allocation.mebibytes(limits.nodeMemory() == null ? limits.memory() : limits.nodeMemory());
        return each == null ? null : each * times + "mb";
    }

    private static int slotsOfNode(Allocation allocation) {
        return allocation.perNode() == null ? allocation.tasks() : allocation.perNode();
    }

    private static String extensions(Resources resources, Integer gpus) {
        List<String> extensions = new ArrayList<>();
        if (resources.nodes().wholeNodes()) {
            extensions.add("NACCESSPOLICY:SINGLEJOB");
        }
        if (gpus != null) {
            extensions.add("GRES:gpu@" + gpus);
        }
        return extensions.isEmpty() ? null : "'" + String.join(";", extensions) + "'";
    }

    private static String gpus(Resources resources) {
        NodeRequest request = resources.nodes();
        if (request.gpus() == null || request.gpuMode() == null) {
            return request.gpus() == null ? "" : ":gpus=" + request.gpus();
        }
        if (!MODE.matcher(request.gpuMode()).matches()) {
            throw new IllegalArgumentException(
                    "GPUMode: Torque accepts only modes of letters, digits and '_', such as exclusive_process");
        }
        return ":gpus=" + request.gpus() + ":" + request.gpuMode();
    }

    private static String mics(Resources resources) {
        return resources.nodes().mics() == null
                ? ""
                : ":mics=" + resources.nodes().mics();
    }

    /** Names equal nodes once, and requests the devices on every node of a job, not on the last one alone. */
    private static String chunks(Resources resources, int hostCores, String devices) {
        Allocation allocation = Allocation.of(resources);
        List<String> chunks = new ArrayList<>();
        if (allocation.wholeNodes()) {
            chunk(chunks, allocation.nodesOf(hostCores), hostCores, devices);
        } else if (allocation.nodes() == null) {
            chunks.add(allocation.tasks() + devices);
        } else if (resources.nodes().smpGranularity() != null) {
            // full nodes, and one with what is left
            int full = allocation.tasks() / allocation.perNode();
            int left = allocation.tasks() % allocation.perNode();
            chunk(chunks, full, allocation.perNode(), devices);
            chunk(chunks, left == 0 ? 0 : 1, left, devices);
        } else {
            int least = allocation.tasks() / allocation.nodes();
            int larger = allocation.tasks() % allocation.nodes();
            chunk(chunks, allocation.nodes() - larger, least, devices);
            chunk(chunks, larger, least + 1, devices);
        }
        return String.join("+", chunks);
    }

    private static void chunk(List<String> chunks, int nodes, int cores, String devices) {
        if (nodes > 0) {
            chunks.add(nodes + ":ppn=" + cores + devices);
        }
    }
}
