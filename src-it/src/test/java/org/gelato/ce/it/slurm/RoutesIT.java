package org.gelato.ce.it.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.route.RoutedJob;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.description.JobLabels;
import org.gelato.ce.lrms.slurm.SlurmConfig.Api;
import org.gelato.ce.testkit.slurm.SlurmTestSite;
import org.gelato.ce.ws.config.CeConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The policies of docs/admin/routes.md, as they stand there: what a real Slurm gives the jobs they match. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoutesIT {
    private static final Path PAGE =
            Path.of("..", "docs", "admin", "routes.md").toAbsolutePath().normalize();

    private SlurmFarm farm;

    @BeforeAll
    void startSite() throws IOException {
        farm = new SlurmFarm("gelato-routes");
    }

    @AfterAll
    void stopSite() throws IOException {
        if (farm != null) {
            farm.close();
        }
    }

    /** The lines below a heading of the page. */
    private static Routes policy(String heading, String kind) throws IOException {
        String below = Files.readString(PAGE).split(Pattern.quote("\n### " + heading + "\n"), 2)[1];
        return CeConfig.of(
                        PAGE,
                        "gelato.lrms { kind = " + kind + ", queues = [long, short] }\n" + below.split("```", 3)[1])
                .routes();
    }

    private Submission routed(Routes routes, String vo, String fqan, Map<String, String> labels, String attributes)
            throws Exception {
        Submission job = farm.submission(attributes, "true");
        GridIdentity user = new GridIdentity("CN=Alice,O=Test", List.of(fqan), vo, false, Instant.MAX, List.of());
        Routes.Resolved resolved = routes.resolve(new RoutedJob(
                user, SlurmTestSite.ACCOUNT, "long", job.request().resources(), new JobLabels(null, labels)));
        return Records.with(
                job,
                "settings",
                resolved.settings(),
                "request",
                job.request().with(Routes.withDefaults(job.request().resources(), resolved.settings())));
    }

    @ParameterizedTest
    @EnumSource(
            value = Api.class,
            names = {"COMMANDS", "REST"})
    void qosAndAccountByVo(Api api) throws Exception {
        Routes routes = policy("QOS and account by VO, on Slurm", "slurm");
        String production =
                farm.ended(farm.lrms(api, null), routed(routes, "atlas", "/atlas/Role=production", Map.of(), ""));
        assertThat(SlurmFarm.field(production, "Account")).isEqualTo("atlas");
        String other = farm.ended(farm.lrms(api, null), routed(routes, "dteam", "/dteam", Map.of(), ""));
        assertThat(SlurmFarm.field(other, "Account")).isEqualTo("grid");
        assertThat(SlurmFarm.field(other, "Nice")).isEqualTo("1000");
    }

    @ParameterizedTest
    @EnumSource(
            value = Api.class,
            names = {"COMMANDS", "REST"})
    void aReservationForAServiceChallenge(Api api) throws Exception {
        Routes routes = policy("A reservation for a service challenge", "slurm");
        farm.site()
                .command(
                        "scontrol",
                        "create",
                        "reservation",
                        "ReservationName=dc27",
                        "StartTime=now",
                        "Duration=60",
                        "Users=" + SlurmTestSite.ACCOUNT,
                        "PartitionName=long",
                        "NodeCnt=1");
        try {
            Submission challenge = routed(routes, "cms", "/cms", Map.of("campaign", "dc27"), "");
            assertThat(SlurmFarm.field(farm.ended(farm.lrms(api, null), challenge), "Reservation"))
                    .isEqualTo("dc27");
            Submission usual = routed(routes, "cms", "/cms", Map.of(), "");
            assertThat(farm.ended(farm.lrms(api, null), usual)).doesNotContain("Reservation=dc27");
        } finally {
            farm.site().command("scontrol", "delete", "ReservationName=dc27");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Api.class,
            names = {"COMMANDS", "REST"})
    void aPartitionOfGpusByRole(Api api) throws Exception {
        Routes routes = policy("A partition of GPUs by role", "slurm");
        String nodes = farm.site()
                .command("sinfo", "--noheader", "--partition=high", "--format=%N")
                .strip();
        farm.site().command("scontrol", "update", "NodeName=" + nodes, "AvailableFeatures=fermi");
        String shown = farm.ended(
                farm.lrms(api, null), routed(routes, "dteam", "/dteam/Role=gpu", Map.of(), "GPUNumber = 1;"));
        assertThat(SlurmFarm.field(shown, "Partition")).isEqualTo("high");
        assertThat(SlurmFarm.field(shown, "Features")).isEqualTo("fermi");
        String without = farm.ended(farm.lrms(api, null), routed(routes, "dteam", "/dteam/Role=gpu", Map.of(), ""));
        assertThat(SlurmFarm.field(without, "Partition")).isEqualTo("long");
    }

    @ParameterizedTest
    @EnumSource(
            value = Api.class,
            names = {"COMMANDS", "REST"})
    void defaultsCountWhereNothingIsRequested(Api api) throws Exception {
        Routes routes = policy("Defaults and limits", "slurm");
        String shown = farm.ended(farm.lrms(api, null), routed(routes, "dteam", "/dteam", Map.of(), ""));
        assertThat(SlurmFarm.field(shown, "TimeLimit")).isEqualTo("1-00:00:00");
        assertThat(SlurmFarm.field(shown, "MinMemoryCPU")).isEqualTo("2G");
        String asked = farm.ended(
                farm.lrms(api, null),
                routed(
                        routes,
                        "dteam",
                        "/dteam",
                        Map.of(),
                        "CERequirements = other.GlueCEPolicyMaxWallClockTime <= 60;"));
        assertThat(SlurmFarm.field(asked, "TimeLimit")).isEqualTo("01:00:00");
    }

    @Test
    void furtherOptionsAreSbatchs() throws Exception {
        Routes routes = CeConfig.of(
                        PAGE,
                        "gelato.lrms.kind = slurm\n"
                                + "gelato.routes = [{ name = r, set.attributes { deadline = \"now+2days\", spread-job = true } }]")
                .routes();
        assertThat(farm.ended(farm.lrms(Api.REST, null), routed(routes, "dteam", "/dteam", Map.of(), "")))
                .contains("Deadline=2");
    }

    @Test
    void thePoliciesOfHTCondorAreUnderstood() throws Exception {
        assertThat(policy("Accounting groups by VO, on HTCondor", "condor").routes())
                .hasSize(3);
        assertThat(policy("Whole nodes, on HTCondor", "condor").routes()).hasSize(1);
    }
}
