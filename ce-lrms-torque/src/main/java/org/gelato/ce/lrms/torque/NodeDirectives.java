package org.gelato.ce.lrms.torque;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.option.Allocation;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.lrms.torque.TorqueConfig.GpuStyle;

/**
 * qsub's options for what a job requests of the nodes: the {@link Allocation} in Torque's terms. Names equal nodes once, and requests
 * the GPUs on every node of a job, not on the last one alone. Pure.
 */
final class NodeDirectives {
    private static final Pattern MODE = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,31}");

    private NodeDirectives() {}

    /** @throws IllegalArgumentException with a message for the user when Torque has no option for it */
    static List<String> of(NodeRequest request, TorqueConfig config) {
        boolean maui = config.gpuStyle() == GpuStyle.MAUI;
        String devices = devices(request, maui);
        List<String> options = new ArrayList<>();
        options.add("-l nodes=" + String.join("+", chunks(request, config.hostSmpSize(), devices)));
        List<String> extensions = new ArrayList<>();
        if (request.wholeNodes()) {
            extensions.add("NACCESSPOLICY:SINGLEJOB");
        }
        if (maui && request.gpus() != null) {
            extensions.add("GRES:gpu@" + request.gpus());
        }
        if (!extensions.isEmpty()) {
            options.add("-W x='" + String.join(";", extensions) + "'");
        }
        return options;
    }

    private static String devices(NodeRequest request, boolean maui) {
        StringBuilder devices = new StringBuilder();
        if (request.gpus() != null && !maui) {
            devices.append(":gpus=").append(request.gpus());
            if (request.gpuMode() != null) {
                if (!MODE.matcher(request.gpuMode()).matches()) {
                    throw new IllegalArgumentException(
                            "GPUMode: Torque accepts only modes of letters, digits and '_', such as exclusive_process");
                }
                devices.append(':').append(request.gpuMode());
            }
        }
        if (request.mics() != null) {
            devices.append(":mics=").append(request.mics());
        }
        return devices.toString();
    }

    private static List<String> chunks(NodeRequest request, int hostCores, String devices) {
        Allocation allocation = Allocation.of(request);
        List<String> chunks = new ArrayList<>();
        if (allocation.wholeNodes()) {
            chunk(chunks, allocation.nodesOf(hostCores), hostCores, devices);
        } else if (allocation.nodes() == null) {
            chunks.add(allocation.tasks() + devices);
        } else if (request.smpGranularity() != null) {
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
        return chunks;
    }

    private static void chunk(List<String> chunks, int nodes, int cores, String devices) {
        if (nodes > 0) {
            chunks.add(nodes + ":ppn=" + cores + devices);
        }
    }
}
