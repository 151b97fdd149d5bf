package org.gelato.ce.lrms.torque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.lrms.ResourceContract;
import org.gelato.ce.core.lrms.SettingContract;
import org.gelato.ce.core.lrms.SiteScriptLines;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.description.JobRequest.Resources;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.json.RouteSettings;
import org.gelato.ce.lrms.torque.TorqueConfig.Dialect;
import org.gelato.ce.lrms.torque.TorqueConfig.GpuStyle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QsubOptionsTest {
    private static final TorqueConfig SLURM = config(Dialect.SLURM, GpuStyle.NODES);

    private static TorqueConfig config(GpuStyle style) {
        return config(Dialect.TORQUE, style);
    }

    private static TorqueConfig config(Dialect dialect, GpuStyle style) {
        return Records.with(TorqueConfig.DEFAULT, "dialect", dialect, "hostSmpSize", 8, "gpuStyle", style);
    }

    private static List<String> of(NodeRequest nodes, TorqueConfig config) {
        Resources resources = new Resources("pbs", "long", nodes);
        return QsubOptions.of(resources, RouteSettings.NONE, SiteScriptLines.NONE, config).entrySet().stream()
                .map(option -> option.getKey() + option.getValue())
                .toList();
    }

    @Test
    void whatIsRequestedReachesQsubOrIsWarnedOf() {
        for (TorqueConfig config : List.of(config(GpuStyle.NODES), config(GpuStyle.MAUI), SLURM)) {
            TorqueLrms lrms = new TorqueLrms(config, new ScriptedAccounts(call -> null), Runnable::run);
            ResourceContract.holds(lrms.supportedRequests(), job -> {
                Run run = SubmitFile.of(job, SiteScriptLines.NONE, config);
                return run.argv() + new String(run.files().get(0).content(), StandardCharsets.UTF_8);
            });
        }
    }

    @Test
    void whatARouteSetsReachesQsubOrIsRefusedWithTheConfiguration() {
        for (TorqueConfig config : List.of(config(GpuStyle.NODES), SLURM)) {
            SettingContract.holds(
                    new TorqueSite(config).renderers(),
                    job -> {
                        Run run = SubmitFile.of(job, SiteScriptLines.NONE, config);
                        return run.argv() + new String(run.files().get(0).content(), StandardCharsets.UTF_8);
                    },
                    Set.of());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "set.account,         atlas, -A atlas,       --account=atlas",
        "set.qos,             high,  -l qos=high,    --qos=high",
        "set.reservation,     mc,    -l advres=mc,   --reservation=mc",
        "set.constraint,      a&b,   ,               --constraint=a&b",
        "set.licenses,        m:1,   ,               --licenses=m:1",
        "set.nice,            100,   -p -100,        --nice=100",
        "set.nice,            10000, -p -1024,       --nice=10000",
        "set.attributes.arch, x86,   -l arch=x86,    ",
    })
    void aSettingOfARouteIsADirective(String key, String value, String torque, String slurm) {
        Object typed = key.equals("set.nice") ? (Object) Integer.valueOf(value) : value;
        Submission job = SettingContract.job(key, typed);
        if (torque != null) {
            assertThat(script(job, config(GpuStyle.NODES), SiteScriptLines.NONE))
                    .contains("#PBS " + torque);
        }
        if (slurm != null) {
            assertThat(script(job, SLURM, SiteScriptLines.NONE)).contains("#SBATCH " + slurm);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "set.account,     #PBS -A other,                 '-A ', --account=",
        "set.account,     #SBATCH --account=other,       '-A ', --account=",
        "set.qos,         #PBS -l qos=other,             -l qos=, --qos=",
        "set.reservation, #SBATCH --reservation other,   -l advres=, --reservation=",
    })
    void whatTheSitesScriptChoosesCountsMore(String key, String line, String torque, String slurm) {
        SiteScriptLines attributes = new SiteScriptLines(List.of(line), List.of());
        RouteSettings settings = SettingContract.job(key, "a").settings();
        Resources resources = new Resources("pbs", "long", nodes(1, null, null, false, null, null));
        assertThat(QsubOptions.of(resources, settings, attributes, config(GpuStyle.NODES)))
                .doesNotContainKey(torque);
        assertThat(QsubOptions.of(resources, settings, attributes, SLURM)).doesNotContainKey(slurm);
        assertThat(QsubOptions.of(resources, settings, SiteScriptLines.NONE, config(GpuStyle.NODES)))
                .containsKey(torque);
        assertThat(QsubOptions.of(resources, settings, SiteScriptLines.NONE, SLURM))
                .containsKey(slurm);
    }

    private static List<String> script(Submission job, TorqueConfig config, SiteScriptLines attributes) {
        Run run = SubmitFile.of(job, attributes, config);
        return new String(run.files().get(0).content(), StandardCharsets.UTF_8)
                .lines()
                .toList();
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
        var options = of(nodes(cpus, smp, hosts, whole, null, null), config(GpuStyle.NODES));
        assertThat(options.get(0)).isEqualTo("-l " + expected);
        assertThat(options.subList(1, options.size()))
                .isEqualTo(whole ? List.of("-W x='NACCESSPOLICY:SINGLEJOB'") : List.of());
    }

    @Test
    void gpusInBothWays() {
        NodeRequest request = nodes(1, null, null, true, 2, "shared");
        assertThat(of(request, config(GpuStyle.NODES)))
                .containsExactly("-l nodes=1:ppn=8:gpus=2:shared", "-W x='NACCESSPOLICY:SINGLEJOB'");
        assertThat(of(request, config(GpuStyle.MAUI)))
                .containsExactly("-l nodes=1:ppn=8", "-W x='NACCESSPOLICY:SINGLEJOB;GRES:gpu@2'");
    }

    @Property
    void noModeEscapesItsOption(@ForAll String mode) {
        NodeRequest request = nodes(1, null, null, false, 1, mode);
        if (mode.matches("[A-Za-z][A-Za-z0-9_]{0,31}")) {
            assertThat(of(request, config(GpuStyle.NODES))).containsExactly("-l nodes=1:gpus=1:" + mode);
        } else {
            assertThatThrownBy(() -> of(request, config(GpuStyle.NODES)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("GPUMode");
        }
    }

    @Test
    void tasksAreRequestedOfSlurmsQsub() {
        assertThat(of(nodes(5, null, null, false, null, null), SLURM)).containsExactly("-l mppwidth=5");
        assertThat(of(nodes(10, 4, null, false, 1, null), SLURM))
                .containsExactly("-l nodes=3", "-l mppwidth=10", "-l mppnppn=4", "-l naccelerators=1");
        assertThat(of(nodes(1, null, 2, true, null, null), SLURM))
                .containsExactly("-l nodes=2:ppn=8", "--exclusive", "--mem=0");
    }

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
        Resources resources = Jdl.parse("Executable = \"/bin/true\"; BatchSystem = \"pbs\"; QueueName = \"q\";"
                        + " CERequirements = other.GlueCEPolicyMaxWallClockTime <= 60;")
                .resources();
        assertThat(resources.limits()).isEqualTo(new Limits(Duration.ofHours(1), null, null));
        SiteScriptLines attributes = new SiteScriptLines(List.of(directive), List.of());
        assertThat(QsubOptions.of(resources, RouteSettings.NONE, attributes, SLURM)
                        .containsKey("-l walltime="))
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
        Resources resources = Jdl.parse("Executable = \"/bin/true\"; BatchSystem = \"pbs\"; QueueName = \"q\";"
                        + " CERequirements = other.GlueHostMainMemoryRAMSize >= 2000;")
                .resources();
        SiteScriptLines attributes = new SiteScriptLines(List.of(directive), List.of());
        assertThat(QsubOptions.of(resources, RouteSettings.NONE, attributes, SLURM)
                        .containsKey("-l mem="))
                .isEqualTo(requested);
    }
}
