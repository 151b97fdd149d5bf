package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.lrms.Renderers;
import org.gelato.ce.core.lrms.ResourceContract;
import org.gelato.ce.core.lrms.SettingContract;
import org.gelato.ce.core.lrms.SiteScriptLines;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.core.lrms.SupportedRequests;
import org.gelato.ce.core.route.Setting;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.description.xrsl.Xrsl;
import org.gelato.ce.json.RouteSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlurmOptionTest {
    private static final NodeRequest ONE = new NodeRequest(1, null, null, false);

    private static List<String> of(NodeRequest nodes) {
        return of(nodes, Limits.NONE);
    }

    private static List<String> of(NodeRequest nodes, Limits limits) {
        return of(new JobRequest.Resources("slurm", "long", nodes, limits));
    }

    private static List<String> of(JobRequest.Resources resources) {
        Map<SlurmOption, Object> options = new EnumMap<>(SlurmOption.class);
        return SlurmOption.RENDERERS.render(resources, options).entrySet().stream()
                .flatMap(option -> option.getKey().options(option.getValue()))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "(count=2)              | --ntasks=2           | \"tasks\":2",
                "(count=4)(countPerNode=2) | --ntasks-per-node=2 | \"tasks_per_node\":2",
                "(cpuTime=\"30 minutes\")| --time=30            | \"time_limit\":30",
                "(exclusiveExecution=yes) | --exclusive        | \"exclusive\":\"exclusive\"",
                "(memory=2000)          | --mem-per-cpu=2000M  | \"memory_per_cpu\":2000",
                "(priority=40)          | --nice=1000          | \"nice\":1000",
                "(wallTime=3600)        | --time=60            | \"time_limit\":60",
            })
    void anAttributeOfXrslIsAnOptionOfSbatchAndAFieldOfSlurmrestd(String attribute, String option, String field)
            throws DescriptionException {
        JobRequest.Resources resources = Xrsl.LANGUAGE
                .read("&(executable=/bin/true)" + attribute, ReadingBudget.UNBOUNDED)
                .resources();
        assertThat(of(resources)).contains(option);
        Submission job = Submissions.of("long", Path.of("/sandboxes/CREAM000000042"), resources);
        assertThat(new String(RestJob.of(job, SlurmConfig.DEFAULT, 38), StandardCharsets.UTF_8))
                .contains(field);
    }

    @Test
    void whatIsRequestedReachesSbatchAndSlurmrestdOrIsWarnedOf() {
        SlurmConfig config = SlurmConfig.DEFAULT;
        SupportedRequests options =
                new SlurmLrms(config, new ScriptedAccounts(call -> null), Runnable::run).supportedRequests();
        ResourceContract.holds(
                options,
                job -> SbatchCommand.of(job, SiteScriptLines.NONE, config).argv());
        for (int version = SlurmRest.OLDEST; version <= SlurmRest.NEWEST; version++) {
            int number = version;
            ResourceContract.holds(options, job -> new String(RestJob.of(job, config, number), StandardCharsets.UTF_8));
        }
    }

    @Test
    void whatARouteSetsReachesSbatchAndSlurmrestdOrIsRefusedWithTheConfiguration() {
        SlurmConfig config = SlurmConfig.DEFAULT;
        Renderers<?> renderers = new SlurmSite(config).renderers();
        SettingContract.holds(
                renderers,
                job -> SbatchCommand.of(job, SiteScriptLines.NONE, config).argv(),
                Set.of());
        for (int version = SlurmRest.OLDEST; version <= SlurmRest.NEWEST; version++) {
            int number = version;
            SettingContract.holds(
                    renderers,
                    job -> new String(RestJob.of(job, config, number), StandardCharsets.UTF_8),
                    Set.of(Setting.ATTRIBUTES));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "set.account     | atlas   | --account=atlas   | \"account\":\"atlas\"",
                "set.qos         | high    | --qos=high        | \"qos\":\"high\"",
                "set.partition   | gpu,x   | --partition=gpu,x | \"partition\":\"gpu,x\"",
                "set.reservation | mc      | --reservation=mc  | \"reservation\":\"mc\"",
                "set.constraint  | a&[b]*2 | --constraint=a&[b]*2 | \"constraints\":\"a&[b]*2\"",
                "set.licenses    | m:1     | --licenses=m:1    | \"licenses\":\"m:1\"",
                "set.attributes.mail-type | END  | --mail-type=END | -",
                "set.attributes.spread-job | true | --spread-job   | -",
            })
    void aSettingOfARouteIsAnOptionOfSbatchAndAFieldOfSlurmrestd(
            String key, String value, String option, String field) {
        Submission job = SettingContract.job(key, value.equals("true") ? (Object) true : value);
        SlurmConfig config = SlurmConfig.DEFAULT;
        assertThat(SbatchCommand.of(job, SiteScriptLines.NONE, config).argv())
                .contains(option)
                .filteredOn(argument -> argument.startsWith("--partition="))
                .hasSize(1);
        SiteScriptLines script = new SiteScriptLines(List.of("#SBATCH --comment=site"), List.of());
        assertThat(new String(
                        SbatchCommand.of(job, script, config).files().get(0).content(), StandardCharsets.UTF_8))
                .containsSubsequence("#SBATCH " + option + "\n", "#SBATCH --comment=site\n");
        if (field != null) {
            assertThat(new String(RestJob.of(job, config, 38), StandardCharsets.UTF_8))
                    .contains(field);
        }
    }

    @Test
    void niceOfARouteAddsToTheJobsOwn() {
        Submission job = Records.with(
                Submissions.of(
                        "long",
                        Path.of("/sandboxes/CREAM000000042"),
                        new JobRequest.Resources(
                                "slurm", "long", ONE, Limits.NONE, JobRequest.FurtherRequirements.NONE, 40)),
                "settings",
                new RouteSettings(List.of("r"), Map.of("set.nice", 100)));
        assertThat(SbatchCommand.options(job, null)).containsEntry(SlurmOption.NICE, 1100);
    }

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
                "1,  -, -, true,  --exclusive --ntasks=1 --mem=0",
                "1,  4, -, true,  --exclusive --nodes=1 --mincpus=4 --mem=0",
                "1,  4, 2, true,  --exclusive --nodes=2 --mincpus=4 --mem=0",
                "8,  -, 2, true,  --exclusive --nodes=2 --ntasks=8 --mem=0",
            })
    void requestsTheSameSlotsAsTorque(int cpus, Integer granularity, Integer hosts, boolean whole, String options) {
        assertThat(of(new NodeRequest(cpus, granularity, hosts, whole))).containsExactly(options.split(" "));
    }

    @Test
    void requestsAcceleratorsAsGenericResources() {
        assertThat(of(new NodeRequest(1, null, null, false, 2, "shared", null, null, null)))
                .containsExactly("--ntasks=1", "--gres=gpu:2");
        assertThat(of(new NodeRequest(1, null, null, false, 2, null, "a100", 1, null)))
                .containsExactly("--ntasks=1", "--gres=gpu:a100:2,mic:1");
    }

    @Test
    void refusesAGpuModelThatWouldRequestSomethingElse() {
        NodeRequest odd = new NodeRequest(1, null, null, false, 1, null, "a:9,license", null, null);
        assertThatThrownBy(() -> of(odd))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("GPUModel");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"-, -", "50, -", "60, -", "100, -", "49, --nice=100", "0, --nice=5000"})
    void onlyALowerPriorityIsRequested(Integer priority, String option) {
        List<String> options = of(new JobRequest.Resources(
                "slurm", "long", Submissions.ONE_CPU, Limits.NONE, JobRequest.FurtherRequirements.NONE, priority));
        assertThat(options)
                .containsExactlyElementsOf(option == null ? List.of("--ntasks=1") : List.of("--ntasks=1", option));
    }

    @Test
    void limitsAreRoundedUp() {
        assertThat(of(ONE)).containsExactly("--ntasks=1");
        assertThat(of(ONE, new Limits(Duration.ofSeconds(61), Duration.ofHours(1), 2_000_000_001L)))
                .containsExactly("--ntasks=1", "--time=2", "--mem-per-cpu=1908M");
        assertThat(of(ONE, new Limits(null, null, null, 2_000_000_001L, null)))
                .containsExactly("--ntasks=1", "--mem=1908M");
    }

    @Test
    void cpuTimeBoundsAJobThatNamesNoOtherTime() {
        assertThat(of(ONE, new Limits(null, Duration.ofMinutes(90), null))).containsExactly("--ntasks=1", "--time=90");
    }

    @Test
    void aWholeNodeIsAllItsMemoryWhateverElseIsRequested() {
        NodeRequest whole = new NodeRequest(1, null, null, true);
        assertThat(of(whole, new Limits(null, null, 1L << 30, 1L << 30, 8)))
                .containsExactly("--exclusive", "--ntasks=1", "--mincpus=8", "--mem=0");
        NodeRequest sized = new NodeRequest(1, 16, null, true);
        assertThat(of(sized, new Limits(null, null, null, null, 8)))
                .containsExactly("--exclusive", "--nodes=1", "--mincpus=16", "--mem=0");
    }

    @Test
    void processorsOfANodeAreRequestedWhereTheJobHasNotSoManyAnyway() {
        Limits eight = new Limits(null, null, null, null, 8);
        assertThat(of(ONE, eight)).containsExactly("--ntasks=1", "--mincpus=8");
        assertThat(of(new NodeRequest(16, 8, null, false), eight)).doesNotContain("--mincpus=8");
        assertThat(of(new NodeRequest(4, 8, null, false), eight)).contains("--mincpus=8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "other.GlueHostMainMemoryRAMSize >= \"1 --uid=0\"",
                "other.GlueHostMainMemoryRAMSize >= 9223372036854775807",
                "other.GlueCEPolicyMaxWallClockTime == \"60 --wrap=id\" && other.GlueHostArchitectureSMPSize > -8",
                "other.GlueCEPolicyMaxWallClockTime <= 0 && other.GlueHostArchitectureSMPSize == 4294967297",
                "\"60\\\" --mem=1 \\\"\"",
            })
    void noRequirementIsAnotherOption(String requirements) throws DescriptionException {
        JobRequest job = Jdl.parse("Executable = \"/bin/true\"; BatchSystem = \"slurm\"; QueueName = \"long\";"
                + " CERequirements = " + requirements);
        assertThat(of(job.resources())).containsExactly("--ntasks=1");
    }
}
