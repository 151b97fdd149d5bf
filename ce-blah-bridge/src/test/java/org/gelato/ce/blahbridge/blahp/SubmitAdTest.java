package org.gelato.ce.blahbridge.blahp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.ResourceContract;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.jdl.Jdl;
import org.junit.jupiter.api.Test;

/** The submit ad, attribute by attribute (docs/developer/protocol/jdl.md section 4). */
class SubmitAdTest {
    static final Submission.Origin ALICE = new Submission.Origin(
            new Owner("CN=Alice One,O=Test,C=IT", "/dteam/Role=pilot", "dteam"),
            Path.of("/sandbox/proxies/7.pem"),
            "ce.example:8443/cream-lsf-long",
            false);

    static Submission job(String jdl, Submission.Origin origin) {
        try {
            return new Submission(
                    new JobId(42),
                    1,
                    "dteam001",
                    "long",
                    Path.of("/sandbox/dteam/h/00/00/CREAM000000042"),
                    "#!/bin/bash\n",
                    Jdl.parse("[Executable=\"/bin/true\"; BatchSystem=\"lsf\"; QueueName=\"long\"; " + jdl + "]"),
                    origin);
        } catch (DescriptionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aPlainJobsAdHasWhatTheContractLists() {
        assertThat(SubmitAd.of(job("", ALICE), "lsf", 8, "long"))
                .isEqualTo(
                        "[Cmd=\"/sandbox/dteam/h/00/00/CREAM000000042/CREAM000000042_jobWrapper.sh\";gridType=\"lsf\";"
                                + "uniquejobid=\"CREAM000000042\";Out=\"/sandbox/dteam/h/00/00/CREAM000000042/StandardOutput\";"
                                + "Err=\"/sandbox/dteam/h/00/00/CREAM000000042/StandardError\";"
                                + "x509userproxy=\"/sandbox/proxies/7.pem\";VirtualOrganisation=\"dteam\";"
                                + "x509UserProxySubject=\"/C=IT/O=Test/CN=Alice One\";"
                                + "x509UserProxyFQAN=\"\\\"userFQAN=/dteam/Role=pilot\\\"\";"
                                + "ceid=\"ce.example:8443/cream-lsf-long\";ClientJobId=\"cream_000000042\";NodeNumber=1;"
                                + "queue=\"long\"]");
    }

    @Test
    void wholeNodesLoseTheirNumberOfCpus() {
        String ad = SubmitAd.of(
                job("WholeNodes=true; CpuNumber=4; HostNumber=2; SMPGranularity=2;", null), "lsf", 8, "long");
        assertThat(ad).contains("WholeNodes=true;HostSMPSize=8;SMPGranularity=2;HostNumber=2;");
        assertThat(ad).doesNotContain("NodeNumber");
    }

    @Test
    void acceleratorsAndRequirementsAreHandedOn() {
        String ad = SubmitAd.of(
                job(
                        "GPUNumber=2; GPUModel=\"teslaK80\"; MICNumber=1; MwVersion=\"1.2\";"
                                + " CERequirements=\"other.GlueHostMainMemoryRAMSize >= 2048 && other.x == \\\"a b\\\"\";",
                        null),
                "lsf",
                1,
                "long");
        assertThat(ad).contains("MICNumber=1;GPUNumber=2;GPUModel=\"teslaK80\"", "Env=\"EDG_MW_VERSION=1.2\"");
        assertThat(ad).contains("CERequirements=\"other.GlueHostMainMemoryRAMSize >= 2048");
    }

    @Test
    void whatIsRequestedReachesBlahpdOrIsWarnedOf() {
        ResourceContract.holds(SubmitAd.renderers(8).options(true), job -> SubmitAd.of(job, "lsf", 8, "long"));
    }

    @Test
    void theGridJobIdIsForJobsOfTheWmsOnly() {
        String jdl = "edg_jobid=\"https://lb.example:9000/abc\";";
        Submission.Origin ice = new Submission.Origin(new Owner("CN=a", "", null), null, "ce:1/cream-lsf-long", true);
        assertThat(SubmitAd.of(job(jdl, ALICE), "lsf", 1, "long")).doesNotContain("edg_jobid");
        assertThat(SubmitAd.of(job(jdl, ice), "lsf", 1, "long")).contains("edg_jobid=\"https://lb.example:9000/abc\"");
    }

    @Test
    void whatAShellCouldTakeForMoreThanTextIsRefusedByName() {
        assertThatThrownBy(() -> SubmitAd.of(job("GPUModel=\"$(touch /x)\";", null), "lsf", 1, "long"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("GPUModel");
    }

    @Test
    void aSubjectThatAShellCouldMisreadIsLeftOutBecauseItIsOnlyNoted() {
        Submission.Origin odd =
                new Submission.Origin(new Owner("CN=`id`", "/v\"o", "v o"), null, "ce:1/cream-lsf-long", false);
        assertThat(SubmitAd.of(job("", odd), "lsf", 1, "long"))
                // without them a submission is not logged
                .contains("x509UserProxySubject=\"\";", "x509UserProxyFQAN=\"\\\"userFQAN=\\\"\";")
                .doesNotContain("VirtualOrganisation");
    }

    @Test
    void hTCondorGetsNoProxy() {
        assertThat(SubmitAd.of(job("", ALICE), "condor", 1, ""))
                .doesNotContain("x509userproxy=", "queue=")
                .contains("userFQAN=/dteam/Role=pilot");
    }

    @Test
    void theSubjectOfATokenIsNoDnAndLeftOut() {
        Submission.Origin token = new Submission.Origin(
                new Owner("https://iam.example.org/,5f0c", "", "cms"), null, "ce:1/cream-lsf-long", false);
        assertThat(SubmitAd.of(job("", token), "lsf", 1, "long"))
                .contains("VirtualOrganisation=\"cms\"", "x509UserProxySubject=\"\";", "userFQAN=\\\"\"");
    }

    @Property
    void noTextLeavesItsAttribute(@ForAll String model) {
        String ad;
        try {
            ad = SubmitAd.of(
                    new Submission(
                            new JobId(42),
                            1,
                            "dteam001",
                            model,
                            Path.of("/s"),
                            "",
                            null,
                            new Submission.Origin(
                                    new Owner("CN=" + model.replace(",", ""), model, model), null, model, true)),
                    "lsf",
                    1,
                    model);
        } catch (IllegalArgumentException refused) {
            return;
        }
        String withoutTexts = ad.replaceAll("\"(?:[^\"\\\\]|\\\\.)*\"", "T");
        assertThat(withoutTexts).matches("\\[([A-Za-z0-9]+=(T|[0-9]+);?)+\\]");
        assertThat(ad).doesNotContain("$", "`", "\n", "\r");
    }
}
