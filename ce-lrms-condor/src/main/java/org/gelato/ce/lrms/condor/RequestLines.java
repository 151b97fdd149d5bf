package org.gelato.ce.lrms.condor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.option.Allocation;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.JobRequest.NodeRequest;

/** Lines of a submit description for what a job requests: the {@link Allocation} in HTCondor's terms. Pure. */
final class RequestLines {
    /** Subcode of a hold by which a job ends that used more CPU time than it requested. */
    static final int OVER_CPU_TIME = 4101;

    private static final Pattern MODEL = Pattern.compile("[A-Za-z0-9_. -]{1,64}");

    private RequestLines() {}

    /** @throws IllegalArgumentException with a message for the user when HTCondor has no line for it */
    static List<SubmitLine> of(JobRequest.Resources resources) {
        NodeRequest request = resources.nodes();
        Limits limits = resources.limits();
        Allocation allocation = Allocation.of(resources);
        List<SubmitLine> lines = new ArrayList<>();
        List<String> conditions = new ArrayList<>();
        if (nodes(allocation) > 1) {
            throw new IllegalArgumentException(
                    "the job requests " + nodes(allocation) + " nodes; HTCondor runs a job on one");
        }
        if (allocation.wholeNodes()) {
            add(lines, "request_cpus", "TARGET.TotalSlotCpus");
            add(lines, "request_memory", "TARGET.TotalSlotMemory");
        } else {
            add(lines, "request_cpus", allocation.tasks());
            memory(limits, allocation.tasks(), lines);
        }
        if (allocation.nodeCpus() != null) {
            conditions.add("(TARGET.TotalSlotCpus >= " + allocation.nodeCpus() + ")");
        }
        if (request.gpus() != null) {
            add(lines, "request_gpus", request.gpus());
            if (request.gpuModel() != null) {
                add(lines, "require_gpus", "DeviceName == " + SubmitLine.quoted(model(request.gpuModel())));
            }
        }
        time(limits, lines);
        if (resources.priority() != null && resources.priority() != JobRequest.Resources.USUAL_PRIORITY) {
            add(lines, "priority", resources.priority() - JobRequest.Resources.USUAL_PRIORITY);
        }
        if (!conditions.isEmpty()) {
            add(lines, "requirements", String.join(" && ", conditions));
        }
        return lines;
    }

    private static int nodes(Allocation allocation) {
        return allocation.nodes() == null ? 1 : allocation.nodes();
    }

    /** HTCondor has both as times of the job, which it holds or ends itself; {@link CondorState} takes that as its end. */
    private static void time(Limits limits, List<SubmitLine> lines) {
        if (limits.wallTime() != null) {
            add(lines, "allowed_job_duration", seconds(limits.wallTime()));
        }
        if (limits.cpuTime() != null) {
            add(lines, "periodic_hold", "(RemoteUserCpu + RemoteSysCpu) > " + seconds(limits.cpuTime()));
            add(lines, "periodic_hold_reason", "\"CPU time limit of " + seconds(limits.cpuTime()) + " s exceeded\"");
            add(lines, "periodic_hold_subcode", OVER_CPU_TIME);
        }
    }

    private static long seconds(Duration time) {
        return Math.max(1, time.toSeconds());
    }

    /** In MiB, rounded up; of the whole job. */
    private static void memory(Limits limits, int slots, List<SubmitLine> lines) {
        if (limits.nodeMemory() != null) {
            add(lines, "request_memory", Allocation.mebibytes(limits.nodeMemory()));
        } else if (limits.memory() != null) {
            add(lines, "request_memory", Math.multiplyExact(Allocation.mebibytes(limits.memory()), (long) slots));
        }
    }

    private static String model(String model) {
        if (!MODEL.matcher(model).matches()) {
            throw new IllegalArgumentException(
                    "GPUModel: HTCondor accepts only models of letters, digits, blanks, '_', '.' and '-'");
        }
        return model;
    }

    private static void add(List<SubmitLine> lines, String name, Object value) {
        lines.add(new SubmitLine(name, value.toString()));
    }
}
