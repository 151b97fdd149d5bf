package org.gelato.ce.it.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.it.site.RoutePolicies;
import org.gelato.ce.lrms.slurm.SlurmConfig.Api;
import org.gelato.ce.testkit.slurm.SlurmTestSite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The policies of docs/admin/routes.md, as they stand there: what a real Slurm gives the jobs they match. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoutesIT {
    private SlurmFarm farm;

    @BeforeAll
    void startSite() throws IOException {
        farm = new SlurmFarm("gelato-routes", SlurmTestSite::farmWithAccounts);
        accounts("add", "qos", "production,usual,opportunistic");
        accounts("add", "account", "atlas,grid");
        accounts("add", "user", SlurmTestSite.ACCOUNT, "account=grid", "qos=normal,opportunistic");
        accounts("add", "user", SlurmTestSite.ACCOUNT, "account=atlas", "qos=usual,production");
    }

    private void accounts(String... arguments) {
        farm.site()
                .command(Stream.concat(Stream.of("sacctmgr", "-i"), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    @AfterAll
    void stopSite() throws IOException {
        if (farm != null) {
            farm.close();
        }
    }

    private Submission routed(Routes routes, String vo, String fqan, Map<String, String> labels, String attributes)
            throws Exception {
        return RoutePolicies.routed(routes, farm.submission(attributes, "true"), vo, fqan, labels);
    }

    @ParameterizedTest
    @EnumSource(
            value = Api.class,
            names = {"COMMANDS", "REST"})
    void qosAndAccountByVo(Api api) throws Exception {
        Routes routes = RoutePolicies.ofPage("QOS and account by VO, on Slurm", "slurm");
        String production =
                farm.ended(farm.lrms(api, null), routed(routes, "atlas", "/atlas/Role=production", Map.of(), ""));
        assertThat(SlurmFarm.field(production, "Account")).isEqualTo("atlas");
        assertThat(SlurmFarm.field(production, "QOS")).isEqualTo("production");
        assertThat(SlurmFarm.field(production, "Nice")).isEqualTo("1");
        String other = farm.ended(farm.lrms(api, null), routed(routes, "dteam", "/dteam", Map.of(), ""));
        assertThat(SlurmFarm.field(other, "Account")).isEqualTo("grid");
        assertThat(SlurmFarm.field(other, "QOS")).isEqualTo("opportunistic");
        assertThat(SlurmFarm.field(other, "Nice")).isEqualTo("1000");
    }

    @ParameterizedTest
    @EnumSource(
            value = Api.class,
            names = {"COMMANDS", "REST"})
    void aQosThatTheAccountMayNotUseIsRefusedInSlurmsWords(Api api) throws Exception {
        Routes routes =
                RoutePolicies.of("slurm", "gelato.routes = [{ name = r, set { account = grid, qos = production } }]");
        assertThat(farm.lrms(api, null)
                        .submit(List.of(routed(routes, "dteam", "/dteam", Map.of(), "")))
                        .get(0)
                        .join())
                .isInstanceOfSatisfying(
                        SubmitResult.Refused.class,
                        refused -> assertThat(refused.reason()).contains("Invalid qos specification"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Api.class,
            names = {"COMMANDS", "REST"})
    void aReservationForAServiceChallenge(Api api) throws Exception {
        Routes routes = RoutePolicies.ofPage("A reservation for a service challenge", "slurm");
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
        Routes routes = RoutePolicies.ofPage("A partition of GPUs by role", "slurm");
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
        Routes routes = RoutePolicies.ofPage("Defaults and limits", "slurm");
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
        Routes routes = RoutePolicies.of(
                "slurm",
                "gelato.routes = [{ name = r, set.attributes { deadline = \"now+2days\", spread-job = true } }]");
        assertThat(farm.ended(farm.lrms(Api.REST, null), routed(routes, "dteam", "/dteam", Map.of(), "")))
                .contains("Deadline=2");
    }

    @Test
    void thePoliciesOfHTCondorAreUnderstood() throws Exception {
        assertThat(RoutePolicies.ofPage("Accounting groups by VO, on HTCondor", "condor")
                        .routes())
                .hasSize(3);
        assertThat(RoutePolicies.ofPage("Whole nodes, on HTCondor", "condor").routes())
                .hasSize(1);
    }
}
