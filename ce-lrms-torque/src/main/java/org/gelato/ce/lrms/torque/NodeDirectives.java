package org.gelato.ce.lrms.torque;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.core.description.JobRequest.NodeRequest;
import org.gelato.ce.lrms.torque.TorqueConfig.GpuStyle;

/**
 * qsub's options for what a job requests of the nodes: the table of docs/developer/protocol/blah-protocol.md section 5. Differs from
 * it where that would request 0 nodes or cores (fewer CPUs than one node is to have). Names equal nodes once, and requests
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
        List<String> chunks = new ArrayList<>();
        int cpus = request.cpus();
        if (request.wholeNodes()) {
            int nodes = request.hosts() != null
                    ? request.hosts()
                    : request.smpGranularity() != null ? 1 : ceilDiv(cpus, hostCores);
            chunk(chunks, nodes, hostCores, devices);
        } else if (request.smpGranularity() != null) {
            int cores = Math.min(request.smpGranularity(), cpus);
            chunk(chunks, cpus / cores, cores, devices);
            chunk(chunks, cpus % cores == 0 ? 0 : 1, cpus % cores, devices);
        } else if (request.hosts() != null) {
            int hosts = request.hosts();
            int all = Math.max(cpus, hosts);
            chunk(chunks, hosts - all % hosts, all / hosts, devices);
            chunk(chunks, all % hosts, all / hosts + 1, devices);
        } else {
            chunks.add(cpus + devices);
        }
        return chunks;
    }

    private static void chunk(List<String> chunks, int nodes, int cores, String devices) {
        if (nodes > 0) {
            chunks.add(nodes + ":ppn=" + cores + devices);
        }
    }

    static int ceilDiv(int a, int b) {
        return (int) (((long) a + b - 1) / b);
    }
}
