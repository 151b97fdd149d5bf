package org.gelato.ce.description.jdl;

import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;

/** What a description may request of the batch system. */
final class NodeRule {
    private NodeRule() {}

    static JobRequest.NodeRequest check(Attributes attributes) throws DescriptionException {
        Integer cpus = attributes.positive("CpuNumber");
        if (cpus == null) {
            cpus = attributes.positive("NodeNumber");
        }
        Integer granularity = attributes.positive("SMPGranularity");
        Integer hosts = attributes.positive("HostNumber");
        boolean wholeNodes = attributes.flag("WholeNodes");
        if (!wholeNodes && granularity != null && hosts != null) {
            throw new DescriptionException(
                    "WholeNodes",
                    "the SMPGranularity and HostNumber attributes cannot be specified together"
                            + " when WholeNodes=false");
        }
        return new JobRequest.NodeRequest(
                cpus == null ? 1 : cpus,
                granularity,
                hosts,
                wholeNodes,
                attributes.positive("GPUNumber"),
                attributes.string("GPUMode"),
                attributes.string("GPUModel"),
                attributes.positive("MICNumber"),
                attributes.expression("CERequirements"));
    }
}
