package org.gelato.ce.core.lrms;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest.Resource;
import org.gelato.ce.description.jdl.Jdl;
import org.junit.jupiter.api.Test;

class SupportedRequestsTest {
    private static final SupportedRequests ALL_BUT_MODE =
            new SupportedRequests(EnumSet.complementOf(EnumSet.of(Resource.GPU_MODE)), false);

    private static String warning(SupportedRequests options, String attributes) throws DescriptionException {
        return options.warning(Jdl.parse(
                        "Executable = \"/bin/true\"; BatchSystem = \"slurm\"; QueueName = \"long\"; " + attributes))
                .map(text -> text.replace("requested, but not passed to the batch system here: ", ""))
                .orElse(null);
    }

    @Test
    void whatNobodyMapsIsNamed() throws DescriptionException {
        String cereq = "CERequirements = \"other.GlueHostMainMemoryRAMSize >= 3000"
                + " && other.GlueCEPolicyMaxWallClockTime <= 60 && other.Site == \\\"x\\\" && other.Old != 1\";";
        assertThat(warning(ALL_BUT_MODE, cereq)).isEqualTo("Site, Old");
        assertThat(warning(new SupportedRequests(Set.of(), true), cereq)).isEqualTo("Old");
        assertThat(warning(SupportedRequests.NONE, cereq)).isEqualTo("wall clock time, memory, Site, Old");
    }

    @Test
    void whatIsMappedAndWhatIsNotRequestedIsNot() throws DescriptionException {
        assertThat(warning(SupportedRequests.NONE, "CpuNumber = 1;")).isNull();
        assertThat(warning(SupportedRequests.NONE, "CpuNumber = 4;")).isEqualTo("processors");
        assertThat(
                        warning(
                                ALL_BUT_MODE,
                                "GPUNumber = 1; GPUModel = \"a100\"; MICNumber = 2;"
                                        + " CERequirements = other.GlueCEPolicyMaxCPUTime > 5 && other.GlueHostArchitectureSMPSize > 2;"))
                .isNull();
    }

    @Test
    void acceleratorsAreNoRequirementsOfAScript() throws DescriptionException {
        String gpus = "GPUNumber = 1; GPUModel = \"a100\"; GPUMode = \"shared\"; MICNumber = 1;";
        assertThat(warning(new SupportedRequests(Set.of(), true), gpus)).isEqualTo("GPUs, GPUModel, GPUMode, MICs");
        assertThat(warning(ALL_BUT_MODE, gpus)).isEqualTo("GPUMode");
        assertThat(warning(ALL_BUT_MODE, "GPUModel = \"a100\";")).isEqualTo("GPUModel");
    }

    @Test
    void ofManyNamesTheFirstAreShown() throws DescriptionException {
        StringBuilder many = new StringBuilder("CERequirements = a0 == 1");
        for (int i = 1; i < 2000; i++) {
            many.append(" && a").append(i).append(" == 1");
        }
        assertThat(warning(ALL_BUT_MODE, many + ";")).endsWith("a8, a9 and 1990 more");
    }
}
