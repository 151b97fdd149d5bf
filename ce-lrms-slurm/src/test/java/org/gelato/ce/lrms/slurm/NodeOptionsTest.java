package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.gelato.ce.core.description.JobRequest;
import org.gelato.ce.core.description.JobRequest.NodeRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeOptionsTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "1,  -, -, false, --ntasks=1",
                "12, -, -, false, --ntasks=12",
                "8,  8, -, false, --nodes=1 --ntasks=8 --ntasks-per-node=8",
                "10, 4, -, false, --nodes=3 --ntasks=10 --ntasks-per-node=4",
                "2,  4, -, false, --nodes=1 --ntasks=2 --ntasks-per-node=2",
                "2147483647, 2147483646, -, false, --nodes=2 --ntasks=2147483647 --ntasks-per-node=2147483646",
                "10, -, 3, false, --nodes=3 --ntasks=10 --ntasks-per-node=4",
                "1,  -, 3, false, --nodes=3 --ntasks=3 --ntasks-per-node=1",
                "1,  -, -, true,  --exclusive --ntasks=1",
                "1,  4, -, true,  --exclusive --nodes=1 --mincpus=4",
                "1,  4, 2, true,  --exclusive --nodes=2 --mincpus=4",
                "8,  -, 2, true,  --exclusive --nodes=2 --ntasks=8",
            })
    void requestsTheSameSlotsAsTorque(int cpus, Integer granularity, Integer hosts, boolean whole, String options) {
        assertThat(NodeOptions.of(new NodeRequest(cpus, granularity, hosts, whole, null, null, null, null, null)))
                .containsExactly(options.split(" "));
    }

    @Test
    void requestsAcceleratorsAsGenericResources() {
        assertThat(NodeOptions.of(new NodeRequest(1, null, null, false, 2, "shared", null, null, null)))
                .containsExactly("--ntasks=1", "--gres=gpu:2");
        assertThat(NodeOptions.of(new NodeRequest(1, null, null, false, 2, null, "a100", 1, null)))
                .containsExactly("--ntasks=1", "--gres=gpu:a100:2,mic:1");
    }

    @Test
    void refusesAGpuModelThatWouldRequestSomethingElse() {
        NodeRequest odd = new NodeRequest(1, null, null, false, 1, null, "a:9,license", null, null);
        assertThatThrownBy(() -> NodeOptions.of(odd))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("GPUModel");
    }

    @Test
    void limitsAreRoundedUp() {
        assertThat(NodeOptions.limits(JobRequest.Limits.NONE)).isEmpty();
        assertThat(NodeOptions.limits(
                        new JobRequest.Limits(Duration.ofSeconds(61), Duration.ofHours(1), 2_000_000_001L)))
                .containsExactly("--time=2", "--mem-per-cpu=1908M");
    }
}
