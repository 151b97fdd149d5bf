package org.gelato.ce.lrms.torque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.lrms.torque.TorqueConfig.Dialect;
import org.gelato.ce.lrms.torque.TorqueConfig.GpuStyle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeDirectivesTest {
    private static TorqueConfig config(GpuStyle style) {
        return new TorqueConfig(
                Path.of("/usr/bin"), Dialect.TORQUE, null, null, 8, style, null, Duration.ofSeconds(60), true, null);
    }

    private static NodeRequest nodes(int cpus, Integer smp, Integer hosts, boolean whole, Integer gpus, String mode) {
        return new NodeRequest(cpus, smp, hosts, whole, gpus, mode, null, null, null);
    }

    @ParameterizedTest
    @CsvSource({
        "1,,,false,nodes=1",
        "5,,,false,nodes=5",
        "8,4,,false,nodes=2:ppn=4",
        "10,4,,false,nodes=2:ppn=4+1:ppn=2",
        "2,4,,false,nodes=1:ppn=2",
        "6,,3,false,nodes=3:ppn=2",
        "8,,3,false,nodes=1:ppn=2+2:ppn=3",
        "1,,3,false,nodes=3:ppn=1",
        "1,2,,true,nodes=1:ppn=8",
        "1,2,3,true,nodes=3:ppn=8",
        "1,,3,true,nodes=3:ppn=8",
        "9,,,true,nodes=2:ppn=8"
    })
    void isTheTable(int cpus, Integer smp, Integer hosts, boolean whole, String expected) {
        var options = NodeDirectives.of(nodes(cpus, smp, hosts, whole, null, null), config(GpuStyle.NODES));
        assertThat(options.get(0)).isEqualTo("-l " + expected);
        assertThat(options.subList(1, options.size()))
                .isEqualTo(whole ? java.util.List.of("-W x='NACCESSPOLICY:SINGLEJOB'") : java.util.List.of());
    }

    @Test
    void gpusInBothWays() {
        NodeRequest request = nodes(1, null, null, true, 2, "shared");
        assertThat(NodeDirectives.of(request, config(GpuStyle.NODES)))
                .containsExactly("-l nodes=1:ppn=8:gpus=2:shared", "-W x='NACCESSPOLICY:SINGLEJOB'");
        assertThat(NodeDirectives.of(request, config(GpuStyle.MAUI)))
                .containsExactly("-l nodes=1:ppn=8", "-W x='NACCESSPOLICY:SINGLEJOB;GRES:gpu@2'");
    }

    @Property
    void noModeEscapesItsOption(@ForAll String mode) {
        NodeRequest request = nodes(1, null, null, false, 1, mode);
        if (mode.matches("[A-Za-z][A-Za-z0-9_]{0,31}")) {
            assertThat(NodeDirectives.of(request, config(GpuStyle.NODES))).containsExactly("-l nodes=1:gpus=1:" + mode);
        } else {
            assertThatThrownBy(() -> NodeDirectives.of(request, config(GpuStyle.NODES)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("GPUMode");
        }
    }

    @Test
    void tasksAreRequestedOfSlurmsQsub() {
        assertThat(SlurmNodeOptions.resources(nodes(5, null, null, false, null, null), 8))
                .isEqualTo("mppwidth=5");
        assertThat(SlurmNodeOptions.resources(nodes(10, 4, null, false, 1, null), 8))
                .isEqualTo("nodes=3,mppwidth=10,mppnppn=4,naccelerators=1");
        assertThat(SlurmNodeOptions.resources(nodes(1, null, 2, true, null, null), 8))
                .isEqualTo("nodes=2:ppn=8");
    }
}
