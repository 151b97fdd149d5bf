package org.gelato.ce.lrms.torque;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.gelato.ce.core.lrms.SubmitAttributes;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.jdl.Jdl;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitResourcesTest {
    @ParameterizedTest
    @CsvSource({
        "#SBATCH --time=60, false",
        "#SBATCH --time 60, false",
        "#SBATCH -t 60, false",
        "#SBATCH -t60, false",
        "#SBATCH --requeue --time=60, false",
        "#PBS -l walltime=3600, false",
        "#SBATCH --time-min=10, true",
        "#SBATCH --requeue --time-min 10, true",
        "#SBATCH --comment=-t, true",
    })
    void theLimitHoldsUnlessTheSiteChoseIt(String directive, boolean holds) throws DescriptionException {
        JobRequest.Resources resources = Jdl.parse(
                        "Executable = \"/bin/true\"; BatchSystem = \"pbs\"; QueueName = \"q\";"
                                + " CERequirements = other.GlueCEPolicyMaxWallClockTime <= 60;")
                .resources();
        assertThat(resources.limits()).isEqualTo(new Limits(Duration.ofHours(1), null, null));
        SubmitAttributes attributes = new SubmitAttributes(List.of(directive), List.of());
        assertThat(LimitResources.of(resources, attributes, true).containsKey("walltime"))
                .isEqualTo(holds);
    }

    @ParameterizedTest
    @CsvSource({
        "#SBATCH --mem=2000, false",
        "#SBATCH --mem 2000, false",
        "#SBATCH --mem-per-cpu=2000, false",
        "#PBS -l pvmem=2gb, false",
        "#SBATCH --mem-bind=local, true",
        "#SBATCH --comment=--mem, true",
    })
    void theMemoryIsRequestedUnlessTheSiteChoseIt(String directive, boolean requested) throws DescriptionException {
        JobRequest.Resources resources = Jdl.parse(
                        "Executable = \"/bin/true\"; BatchSystem = \"pbs\"; QueueName = \"q\";"
                                + " CERequirements = other.GlueHostMainMemoryRAMSize >= 2000;")
                .resources();
        SubmitAttributes attributes = new SubmitAttributes(List.of(directive), List.of());
        assertThat(LimitResources.of(resources, attributes, true).containsKey("mem"))
                .isEqualTo(requested);
    }
}
