package org.gelato.ce.lrms.torque;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.Allocation;
import org.gelato.ce.core.lrms.JobPriority;
import org.gelato.ce.core.lrms.Renderers;
import org.gelato.ce.core.lrms.SiteScriptLines;
import org.gelato.ce.core.route.Setting;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.description.JobRequest.Resource;
import org.gelato.ce.description.JobRequest.Resources;
import org.gelato.ce.json.RouteSettings;
import org.gelato.ce.lrms.torque.TorqueConfig.GpuStyle;

/**
 * qsub's options for what a job requests, as {@code -l mem=} with its value; times are seconds, memory is MiB, rounded up. What Slurm's qsub
 * has no option for is one of sbatch's, which reads the script too. Pure.
 */
final class QsubOptions {
    /** The beginning of options that are resources. */
    static final String RESOURCE = "-l ";

    private static final String PRIORITY = "-p ";
    private static final String NICE = "--nice=";
    private static final String CONSTRAINT = "--constraint=";
    private static final String LICENSES = "--licenses=";

    private static final Pattern MODE = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,31}");
    private static final String ACCOUNT = "-A ";
    private static final String SLURM_ACCOUNT = "--account=";
    private static final Pattern ACCOUNT_CHOSEN =
            Pattern.compile("#(PBS|SBATCH)\\s(.*\\s)?(-A\\s*\\S|--account[=\\s]).*");
    private static final String QOS = "-l qos=";
    private static final String SLURM_QOS = "--qos=";
    private static final Pattern QOS_CHOSEN = SiteScriptLines.choice("qos=", "-q|--qos[=\\s]");
    private static final String RESERVATION = "-l advres=";
    private static final String SLURM_RESERVATION = "--reservation=";
    private static final Pattern RESERVATION_CHOSEN = SiteScriptLines.choice("advres=", "--reservation[=\\s]");
    /** By which a site's script has chosen an option itself. */
    private static final Map<String, Pattern> CHOSEN = Map.ofEntries(
            Map.entry(PRIORITY, Pattern.compile("#PBS\\s(.*\\s)?-p\\s*-?[0-9].*")),
            Map.entry(ACCOUNT, ACCOUNT_CHOSEN),
            Map.entry(SLURM_ACCOUNT, ACCOUNT_CHOSEN),
            Map.entry(QOS, QOS_CHOSEN),
            Map.entry(SLURM_QOS, QOS_CHOSEN),
            Map.entry(RESERVATION, RESERVATION_CHOSEN),
            Map.entry(SLURM_RESERVATION, RESERVATION_CHOSEN),
            Map.entry(CONSTRAINT, ofSlurm("-C|--constraint")),
            Map.entry(LICENSES, ofSlurm("-L|--licenses")),
            Map.entry(NICE, ofSlurm("--nice")),
            Map.entry("-l walltime=", SiteScriptLines.choice("walltime=", "-t|--time[=\\s]")),
            Map.entry("-l cput=", SiteScriptLines.choice("cput=", "-t|--time[=\\s]")),
            Map.entry("-l mem=", SiteScriptLines.choice("(p|v|pv)?mem=", "--mem(-per-[cg]pu)?[=\\s]")));

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.:@+/-]+");
    /** As a directive of Slurm takes it. */
    private static final Pattern PLAIN = Pattern.compile("[!-~&&[^\"'\\\\#]]+");
    /** What the CE requests itself. */
    private static final Set<String> OWN = Set.of("nodes", "walltime", "cput", "mem");
    /** Steps of Torque's range from -1024 to 1023. */
    private static final int PRIORITY_STEP = 20;

    private static final int LOWEST = -1024;

    private QsubOptions() {}

    private static Pattern ofSlurm(String options) {
        return Pattern.compile("#SBATCH\\s(.*\\s)?(" + options + ")([=\\s].*)?");
    }

    /**
     * What a job requests and the site's script has not chosen.
     *
     * @throws IllegalArgumentException with a message for the user when the batch system has no option for it
     */
    static Map<String, Object> of(
            Resources resources, RouteSettings settings, SiteScriptLines attributes, TorqueConfig config) {
        Map<String, Object> options = renderers(config).render(resources, settings, new LinkedHashMap<>());
        options.keySet().removeIf(name -> {
            Pattern chosen = CHOSEN.containsKey(name) || !name.startsWith(RESOURCE)
                    ? CHOSEN.get(name)
                    : SiteScriptLines.choice(Pattern.quote(name.substring(RESOURCE.length())), "(?!)");
            return chosen != null && attributes.hasDirective(chosen);
        });
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
                    .with(NICE, JobPriority::nice, Resource.LOW_PRIORITY);
            settingsOfSlurm(renderers);
        } else {
            renderers.with(PRIORITY, QsubOptions::priority, Resource.LOW_PRIORITY, Resource.HIGH_PRIORITY);
            settings(renderers);
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

    /** The scheduler reads qos, advres and further resources. */
    private static void settings(Renderers<String> renderers) {
        renderers
                .with(Setting.ACCOUNT, (value, options) -> options.put(ACCOUNT, checked(WORD, value)))
                .with(Setting.QOS, (value, options) -> options.put(QOS, checked(WORD, value)))
                .with(Setting.RESERVATION, (value, options) -> options.put(RESERVATION, checked(WORD, value)))
                .with(
                        Setting.NICE,
                        (value, options) -> options.merge(
                                PRIORITY,
                                Math.max(LOWEST, -((Number) value).intValue()),
                                (a, b) -> Math.max(LOWEST, (Integer) a + (Integer) b)))
                .with(
                        Setting.ATTRIBUTES,
                        (value, options) -> ((Map<?, ?>) value).forEach((name, of) -> {
                            if (OWN.contains(name)) {
                                throw new IllegalArgumentException(name + " is what the job requests");
                            }
                            options.put(RESOURCE + name + "=", checked(WORD, of));
                        }));
    }

    /** Its qsub has the queue as an option, which counts more than a partition of the script; so has it none of sbatch's others. */
    private static void settingsOfSlurm(Renderers<String> renderers) {
        renderers
                .with(Setting.ACCOUNT, SLURM_ACCOUNT)
                .with(Setting.QOS, SLURM_QOS)
                .with(Setting.RESERVATION, SLURM_RESERVATION)
                .with(Setting.CONSTRAINT, (value, options) -> options.put(CONSTRAINT, checked(PLAIN, value)))
                .with(Setting.LICENSES, LICENSES)
                .with(
                        Setting.NICE,
                        (value, options) ->
                                options.merge(NICE, ((Number) value).intValue(), (a, b) -> (Integer) a + (Integer) b));
    }

    private static String checked(Pattern allowed, Object value) {
        if (!allowed.matcher(value.toString()).matches()) {
            throw new IllegalArgumentException("'" + value + "' has characters that a directive cannot have");
        }
        return value.toString();
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
