package org.gelato.ce.lrms.condor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.ResourceContract;
import org.gelato.ce.core.lrms.SettingContract;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.Submissions;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.description.JobRequest.Resources;
import org.gelato.ce.json.RouteSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubmitDescriptionTest {
    private static final Path SANDBOX = Path.of("/sandboxes/vo/ab/00/00/CREAM000000042");

    private static SubmitDescription of(Submission job, SubmitLine... site) {
        return SubmitDescription.of(job, List.of(site), CondorConfig.DEFAULT);
    }

    private static List<String> lines(NodeRequest nodes, Limits limits) {
        return RequestLines.of(new Resources("condor", "long", nodes, limits), RouteSettings.NONE).stream()
                .map(SubmitLine::toString)
                .toList();
    }

    private static NodeRequest nodes(int cpus, Integer perNode, Integer hosts, boolean whole, Integer gpus) {
        return new NodeRequest(cpus, perNode, hosts, whole, gpus, null, null, null, null);
    }

    @Test
    void jobsThatDifferInNothingButWhoTheyAreAreRowsOfOneText() {
        Submission first = Submissions.plain();
        Submission second = new Submission(
                new JobId(43), 1, "dteam001", "long", Path.of("/sandboxes/a b$(x)"), first.wrapper(), first.request());
        assertThat(of(first)).isEqualTo(of(second));
        assertThat(of(first).text("0123456789ab", List.of(first, second))).isEqualTo("""
                universe = vanilla
                request_cpus = 1
                requirements = ((MY.NumJobStarts ?: 0) == 0)
                periodic_remove = ((((JobStatus == 1 || JobStatus == 5) && (MY.NumJobStarts ?: 0) > 0) || (JobStatus == 5 \
                && member(HoldReasonCode, {6, 7, 8, 12, 13, 14, 34, 46, 47}))) && (time() - EnteredCurrentStatus) > 60)
                should_transfer_files = no
                transfer_executable = false
                output = $(GelatoDir)/StandardOutput
                error = $(GelatoDir)/StandardError
                notification = never
                on_exit_remove = true
                leave_in_queue = (JobStatus == 4 || JobStatus == 3) && (time() - EnteredCurrentStatus) < 864000
                executable = $(GelatoDir)/$(GelatoFile)
                initialdir = $(GelatoDir)
                environment = "PATH='/usr/local/bin:/usr/bin:/bin' LANG='C' USER='dteam001' LOGNAME='dteam001' \
                GELATO_LRMS_ID='$(ClusterId).$(ProcId)#0123456789ab'"
                +GelatoTag = "$(GelatoName)"
                +GelatoRound = "0123456789ab"
                queue GelatoName,GelatoFile,GelatoDir from (
                cream_000000042 CREAM000000042_jobWrapper.sh /sandboxes/vo/ab/00/00/CREAM000000042
                cream_000000043 CREAM000000043_jobWrapper.sh /sandboxes/a b$(DOLLAR)(x)
                )
                """);
    }

    @Test
    void theSitesLinesCountMoreThanRequestsAndLessThanWhatKeepsAJobOurs() {
        List<String> lines = List.of(of(
                        Submissions.with(Submissions.ONE_CPU, new Limits(null, null, null, null, 8)),
                        new SubmitLine("request_cpus", "2"),
                        new SubmitLine("Requirements", "HasCvmfs"),
                        new SubmitLine("leave_in_queue", "false"),
                        new SubmitLine("+GelatoTag", "\"x\""))
                .text("0123456789ab", List.of(Submissions.plain()))
                .split("\n"));
        assertThat(lines.indexOf("request_cpus = 2")).isGreaterThan(lines.indexOf("request_cpus = 1"));
        assertThat(lines)
                .contains("requirements = ((MY.NumJobStarts ?: 0) == 0) && ((TARGET.TotalSlotCpus >= 8)) && (HasCvmfs)")
                .noneMatch(line -> line.startsWith("Requirements"));
        assertThat(lines.lastIndexOf("leave_in_queue = false")).isLessThan(lines.indexOf("notification = never"));
        assertThat(lines.indexOf("+GelatoTag = \"x\"")).isLessThan(lines.indexOf("+GelatoTag = \"$(GelatoName)\""));
    }

    @Test
    void whereNodesSeeNoSandboxesTheWrapperIsBroughtAndNothingComesBack() {
        String text = SubmitDescription.of(
                        Submissions.plain(), List.of(), Records.with(CondorConfig.DEFAULT, "nodesSeeSandboxes", false))
                .text("0123456789ab", List.of(Submissions.plain()));
        assertThat(text)
                .contains("should_transfer_files = yes\n", "transfer_output_files = \"\"\n")
                .doesNotContain("StandardOutput");
    }

    @Test
    void theHomeIsSetWhereNoStarterReplacesIt() {
        Submission job = Submissions.plain();
        assertThat(SubmitDescription.script(job, true))
                .isEqualTo("#!/bin/bash -l\n:\nexport HOME='" + job.sandbox() + "'\n/bin/sleep 3\n");
        assertThat(SubmitDescription.script(job, false)).contains("\nexport HOME='/nonexistent'\n");
        assertThat(of(job).text("0123456789ab", List.of(job))).doesNotContain("HOME");
    }

    @Test
    void requestsBecomeLines() {
        assertThat(lines(
                        nodes(4, null, null, false, 2),
                        new Limits(Duration.ofHours(1), Duration.ofMinutes(2), 1L << 30)))
                .containsExactly(
                        "request_cpus = 4",
                        "request_memory = 4096M",
                        "request_gpus = 2",
                        "allowed_job_duration = 3600",
                        "periodic_hold = (RemoteUserCpu + RemoteSysCpu) > 120",
                        "periodic_hold_reason = \"CPU time limit of 120 s exceeded\"",
                        "periodic_hold_subcode = 4101");
        assertThat(lines(nodes(1, null, 1, true, null), new Limits(null, null, null, 5L << 30, null)))
                .containsExactly("request_cpus = TARGET.TotalSlotCpus", "request_memory = TARGET.TotalSlotMemory");
        assertThat(lines(Submissions.ONE_CPU, new Limits(null, null, null, (5L << 20) + 1, null)))
                .contains("request_memory = 6M");
        assertThat(RequestLines.of(
                        new Resources("condor", "long", Submissions.ONE_CPU, Limits.NONE, null, 60),
                        RouteSettings.NONE))
                .contains(new SubmitLine("priority", "10"));
        NodeRequest model = new NodeRequest(1, null, null, false, 1, null, "Tesla V100", null, null);
        assertThat(lines(model, Limits.NONE)).contains("require_gpus = DeviceName == \"Tesla V100\"");
    }

    @Test
    void whatIsRequestedReachesHTCondorOrIsWarnedOf() {
        CondorLrms lrms = new CondorLrms(
                CondorConfig.DEFAULT, new ScriptedAccounts(call -> null), Runnable::run, Clock.systemUTC());
        ResourceContract.holds(lrms.supportedRequests(), SubmitDescriptionTest::of);
    }

    @Test
    void whatARouteSetsReachesHTCondorOrIsRefusedWithTheConfiguration() {
        SettingContract.holds(new CondorSite(CondorConfig.DEFAULT).renderers(), SubmitDescriptionTest::of, Set.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "set.accounting-group   | group_cms.prod   | accounting_group = group_cms.prod",
                "set.licenses           | matlab:2         | concurrency_limits = matlab:2",
                "set.nice               | 100              | priority = -100",
                "set.constraint         | HasGpu =?= true  | requirements = ((MY.NumJobStarts ?: 0) == 0) && ((HasGpu =?= true))",
                "set.attributes.Project | a \"b\" $(c)   | +Project = \"a \\\"b\\\" $(DOLLAR)(c)\"",
                "set.attributes.Share   | 12               | +Share = 12",
                "set.attributes.Late    | true             | +Late = true",
            })
    void aSettingOfARouteIsALine(String key, String value, String line) {
        Object typed = value.matches("[0-9]+") ? Integer.valueOf(value) : value.equals("true") ? (Object) true : value;
        assertThat(of(SettingContract.job(key, typed)).lines())
                .extracting(SubmitLine::toString)
                .contains(line);
    }

    @Test
    void aRouteAddsToWhatTheJobRequests() {
        Resources resources = new Resources(
                "condor",
                "long",
                Submissions.ONE_CPU,
                new Limits(null, null, null, null, 4),
                JobRequest.FurtherRequirements.NONE,
                60);
        RouteSettings settings = new RouteSettings(List.of("r"), Map.of("set.nice", 100, "set.constraint", "x || y"));
        assertThat(RequestLines.of(resources, settings))
                .contains(
                        new SubmitLine("priority", "-90"),
                        new SubmitLine("requirements", "(TARGET.TotalSlotCpus >= 4) && (x || y)"));
    }

    @Test
    void whatHTCondorHasNotIsRefused() {
        assertThatThrownBy(() -> lines(nodes(4, 2, null, false, null), Limits.NONE))
                .hasMessageContaining("2 nodes");
        assertThatThrownBy(() -> lines(nodes(4, null, 2, false, null), Limits.NONE))
                .hasMessageContaining("2 nodes");
        assertThatThrownBy(() ->
                        lines(new NodeRequest(1, null, null, false, 1, null, "x\" || true", null, null), Limits.NONE))
                .hasMessageContaining("GPUModel");
    }

    @Test
    void aLineOfASiteIsOneOrNone() {
        assertThat(SubmitLine.of(" +Queue= \"long\" ")).hasValue(new SubmitLine("+Queue", "\"long\""));
        assertThat(SubmitLine.of("accounting_group = $(x)")).isPresent();
        for (String bad : List.of(
                "queue",
                "queue 5",
                "queue in (a)",
                "include : /etc/passwd",
                "if true",
                "x == 3",
                "a = b\\",
                "a = b\\  ",
                "a = b\nqueue",
                "a = b\rqueue",
                "a @=end",
                "= x",
                "a b = c",
                "# x = y",
                "")) {
            assertThat(SubmitLine.of(bad)).as(bad).isEqualTo(Optional.empty());
        }
    }

    @Property
    void nothingGetsOutOfAValue(@ForAll String text) {
        String line;
        try {
            line = SubmitLine.attribute("Any", text).toString();
        } catch (IllegalArgumentException e) {
            return;
        }
        assertThat(line.lines()).hasSize(1);
        assertThat(line.replace("$(DOLLAR)", "")).doesNotContain("$");
        assertThat(AdFields.of(
                        line.substring("+Any = ".length())
                                .replace("$(DOLLAR)", "$")
                                .replace("\t", "\\t"),
                        1))
                .containsExactly(text);
    }

    @Property
    void nothingGetsOutOfAPath(@ForAll String name) {
        if (name.indexOf('\0') >= 0 || !name.equals(Path.of(name).toString())) {
            return;
        }
        Submission plain = Submissions.plain();
        Submission job = new Submission(
                plain.id(), 1, "dteam001", "long", SANDBOX.resolve(name), plain.wrapper(), plain.request());
        try {
            SubmitDescription.check(job);
        } catch (IllegalArgumentException e) {
            return;
        }
        String text = of(job).text("0123456789ab", List.of(job));
        List<String> lines = text.lines().toList();
        assertThat(lines).hasSize(19);
        assertThat(lines.stream()
                        .filter(line -> Pattern.compile("(?i)^\\s*queue\\b")
                                .matcher(line)
                                .find()))
                .hasSize(1);
        assertThat(lines.get(17).replace("$(DOLLAR)", "$"))
                .isEqualTo("cream_000000042 " + job.wrapperFile().getFileName() + " " + job.sandbox());
        assertThat(lines.get(17).replace("$(DOLLAR)", "")).doesNotContain("$");
    }

    @Property
    void aSitesLineStaysOneLine(@ForAll String text) {
        SubmitLine.of(text).ifPresent(line -> {
            assertThat(line.toString().lines()).hasSize(1);
            assertThat(line.toString().stripTrailing()).doesNotEndWith("\\");
            assertThat(line.toString()).matches("\\+?[A-Za-z_][A-Za-z0-9_.]* = .*");
        });
    }
}
