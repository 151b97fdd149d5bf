package org.gelato.ce.lrms.condor;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.Allocation;
import org.gelato.ce.core.lrms.Renderers;
import org.gelato.ce.core.route.Setting;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.JobRequest.Resource;
import org.gelato.ce.description.JobRequest.Resources;
import org.gelato.ce.json.RouteSettings;

/** Lines of a submit description for what a job requests: the {@link Allocation} in HTCondor's terms. Pure. */
final class RequestLines {
    /** Subcode of a hold by which a job ends that used more CPU time than it requested. */
    static final int OVER_CPU_TIME = 4101;

    private static final Pattern MODEL = Pattern.compile("[A-Za-z0-9_. -]{1,64}");

    private static final String REQUIREMENTS = "requirements";
    private static final String PRIORITY = "priority";

    /** HTCondor has nothing for the others. */
    static final Renderers<String> RENDERERS = new Renderers<String>()
            .with("request_cpus", RequestLines::cpus, Resource.SLOTS)
            .with("request_memory", RequestLines::memory, Resource.MEMORY)
            .with("request_gpus", r -> r.nodes().gpus(), Resource.GPUS)
            .with("require_gpus", RequestLines::model, Resource.GPU_MODEL)
            // HTCondor has both as times of the job, which it holds or ends itself; CondorState takes that as its end
            .with("allowed_job_duration", r -> seconds(r.limits().wallTime()), Resource.WALL_TIME)
            .with("periodic_hold", r -> cpuTime(r, "(RemoteUserCpu + RemoteSysCpu) > ", ""), Resource.CPU_TIME)
            .with("periodic_hold_reason", r -> cpuTime(r, "\"CPU time limit of ", " s exceeded\""), Resource.CPU_TIME)
            .with("periodic_hold_subcode", r -> r.limits().cpuTime() == null ? null : OVER_CPU_TIME, Resource.CPU_TIME)
            .with(PRIORITY, RequestLines::priority, Resource.LOW_PRIORITY, Resource.HIGH_PRIORITY)
            .with(REQUIREMENTS, RequestLines::nodeCpus, Resource.NODE_CPUS)
            .with(Setting.ACCOUNTING_GROUP, "accounting_group")
            .with(Setting.LICENSES, "concurrency_limits")
            .with(
                    Setting.NICE,
                    (value, lines) ->
                            lines.merge(PRIORITY, -((Number) value).intValue(), (a, b) -> (Integer) a + (Integer) b))
            .with(
                    Setting.CONSTRAINT,
                    (value, lines) -> lines.merge(
                            REQUIREMENTS,
                            "(" + new SubmitLine(REQUIREMENTS, value.toString()).value() + ")",
                            (a, b) -> a + " && " + b))
            .with(Setting.ATTRIBUTES, RequestLines::attributes);

    /** Attributes, in lower case, that the CE's own lines make. */
    private static final Set<String> OF_THE_CE = Set.of(
            "allowedjobduration",
            "leavejobinqueue",
            "onexithold",
            "onexitremove",
            "periodichold",
            "periodicrelease",
            "periodicremove",
            "requestcpus",
            "requestgpus",
            "requestmemory",
            "requirements");

    private RequestLines() {}

    /** @throws IllegalArgumentException with a message for the user when HTCondor has no line for it */
    static List<SubmitLine> of(Resources resources, RouteSettings settings) {
        return RENDERERS.render(resources, settings, new LinkedHashMap<>()).entrySet().stream()
                .map(line -> new SubmitLine(line.getKey(), line.getValue().toString()))
                .toList();
    }

    private static void attributes(Object value, Map<String, Object> lines) {
        ((Map<?, ?>) value).forEach((name, of) -> {
            String plain = name.toString().toLowerCase(Locale.ROOT);
            if (plain.startsWith("gelato") || OF_THE_CE.contains(plain)) {
                throw new IllegalArgumentException(name + " would be an attribute of the CE's own");
            }
            SubmitLine line =
                    new SubmitLine("+" + name, of instanceof String text ? SubmitLine.quoted(text) : of.toString());
            lines.put(line.name(), line.value());
        });
    }

    private static Object cpus(Resources resources) {
        Allocation allocation = Allocation.of(resources);
        if (allocation.nodes() != null && allocation.nodes() > 1) {
            throw new IllegalArgumentException(
                    "the job requests " + allocation.nodes() + " nodes; HTCondor runs a job on one");
        }
        return allocation.wholeNodes() ? "TARGET.TotalSlotCpus" : allocation.tasks();
    }

    /** Of the whole job in MiB, rounded up, with the unit: sites may refuse requests without ({@code SUBMIT_REQUEST_MISSING_UNITS}). */
    private static Object memory(Resources resources) {
        Limits limits = resources.limits();
        if (resources.nodes().wholeNodes()) {
            return "TARGET.TotalSlotMemory";
        }
        Long slot = Allocation.mebibytes(limits.memory());
        Long job = limits.nodeMemory() != null || slot == null
                ? Allocation.mebibytes(limits.nodeMemory())
                : (Long)
                        Math.multiplyExact(slot, (long) Allocation.of(resources).tasks());
        return job == null ? null : job + "M";
    }

    private static String model(Resources resources) {
        String model = resources.nodes().gpuModel();
        if (resources.nodes().gpus() == null || model == null) {
            return null;
        }
        if (!MODEL.matcher(model).matches()) {
            throw new IllegalArgumentException(
                    "GPUModel: HTCondor accepts only models of letters, digits, blanks, '_', '.' and '-'");
        }
        return "DeviceName == " + SubmitLine.quoted(model);
    }

    private static String cpuTime(Resources resources, String before, String behind) {
        Duration time = resources.limits().cpuTime();
        return time == null ? null : before + seconds(time) + behind;
    }

    private static Long seconds(Duration time) {
        return time == null ? null : Long.valueOf(Math.max(1, time.toSeconds()));
    }

    private static Integer priority(Resources resources) {
        return resources.abovePriority() == 0 ? null : Integer.valueOf(resources.abovePriority());
    }

    private static String nodeCpus(Resources resources) {
        Integer least = Allocation.of(resources).nodeCpus();
        return least == null ? null : "(TARGET.TotalSlotCpus >= " + least + ")";
    }
}
