package org.gelato.ce.ws.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.service.JobInfo;
import org.gelato.ce.core.sweep.PurgePolicy;
import org.gelato.ce.description.Languages;
import org.gelato.ce.description.adl.Adl;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.description.xrsl.Xrsl;
import org.gelato.ce.json.JobDetail;
import org.junit.jupiter.api.Test;

class ActivityDocumentTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Caller ALICE = new Caller(
            new GridIdentity("CN=Alice,O=Test", List.of("/dteam"), "dteam", false, NOW.plusSeconds(3600), List.of()),
            "dteam001",
            false);

    private static final ActivityDocument DOCUMENT = new ActivityDocument(
            "ce.example.org",
            new Languages(List.of(Jdl.LANGUAGE, Adl.LANGUAGE, Xrsl.LANGUAGE)),
            PurgePolicy.parse("DONE-OK 2 days"));

    private static String document(Form form, JobState state, String description) {
        return document(form, "", List.of(new JobStatus(state, NOW, null, null, description)));
    }

    private static String document(Form form, String text, List<JobStatus> history) {
        return document(form, text, history, Map.of(JobDetail.QUEUE, "long"));
    }

    private static String document(Form form, String text, List<JobStatus> history, Map<JobDetail, String> details) {
        JobInfo job = new JobInfo(
                JobId.ofTag("cream_000000001").orElseThrow(),
                null,
                null,
                true,
                null,
                null,
                null,
                "dteam001",
                "/sandbox",
                text,
                "Normal",
                null,
                null,
                history,
                List.of(),
                details,
                NOW.plusSeconds(3600));
        StringBuilder out = new StringBuilder();
        form.write(DOCUMENT.of(job, ALICE, NOW), out);
        return out.toString();
    }

    @Test
    void aJobHasItsLabelsBesideItsRoutes() {
        String adl = "<ActivityDescription xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\"><ActivityIdentification>"
                + "<Annotation>mass=100</Annotation></ActivityIdentification><Application><Executable><Path>/bin/true</Path>"
                + "</Executable></Application></ActivityDescription>";
        String jdl =
                "[ Executable = \"/bin/true\"; QueueName = \"long\"; BatchSystem = \"slurm\"; Labels = {\"mass=100\"}; ]";
        for (String text : List.of(adl, jdl)) {
            assertThat(document(
                            Form.of("text/xml"),
                            text,
                            List.of(new JobStatus(JobState.IDLE, NOW, null, null, null)),
                            Map.of(JobDetail.ROUTES, "big")))
                    .as(text)
                    .containsSubsequence("<OtherInfo>big</OtherInfo>", "<OtherInfo>Label=mass=100</OtherInfo>");
        }
    }

    @Test
    void aJobThatWaitsSaysWhy() {
        assertThat(document(Form.of("text/xml"), JobState.IDLE, "slurm: Priority"))
                .contains("<State>arcrest:QUEUING</State>", "<OtherMessages>slurm: Priority</OtherMessages>");
        assertThat(document(Form.of("text/xml"), JobState.HELD, "slurm: <JobHeldAdmin>"))
                .contains("<State>arcrest:HELD</State>", "slurm: &lt;JobHeldAdmin");
        assertThat(document(Form.of("application/json"), JobState.IDLE, "slurm: Priority"))
                .contains("\"OtherMessages\":[\"slurm: Priority\"]");
        assertThat(document(Form.of("text/xml"), JobState.RUNNING, null)).doesNotContain("OtherMessages");
    }

    @Test
    void whatAJobUsedIsInTheUnitsOfGlue2() {
        Map<JobDetail, String> details = new EnumMap<>(Map.of(JobDetail.QUEUE, "long"));
        details.putAll(new Usage(Duration.ofMillis(61_500), Duration.ofMillis(70_200), 4, 123_456L, Usage.Source.BOTH)
                .details());
        List<JobStatus> done = List.of(new JobStatus(JobState.DONE_OK, NOW, "0", null, null));
        assertThat(document(Form.of("text/xml"), "", done, details))
                .containsSubsequence(
                        "<Queue>long</Queue>",
                        "<UsedTotalWallTime>281</UsedTotalWallTime>",
                        "<UsedTotalCPUTime>62</UsedTotalCPUTime>",
                        "<UsedMainMemory>120</UsedMainMemory>",
                        "<SubmissionTime>");
        details.remove(JobDetail.CORES);
        assertThat(document(Form.of("text/xml"), "", done, details)).contains("<UsedTotalWallTime>70<");
    }

    /** Clients that find a job again know no more of it. */
    @Test
    void aJobIsShownAsItsDescriptionAndItsDelegationHaveIt() {
        List<JobStatus> ended = List.of(
                new JobStatus(JobState.REGISTERED, NOW, null, null, "disk: accepted, but nothing follows from it"),
                new JobStatus(JobState.DONE_OK, NOW.plusSeconds(60), "0", null, null));
        assertThat(document(
                        Form.of("text/xml"),
                        "&(executable=/bin/a)(jobname=\"a & b\")(stdin=/etc/hosts)(stdout=d/o)(stderr=e)(count=4)(walltime=3600)"
                                + "(cputime=5400)(disk=1)",
                        ended))
                .contains(
                        "<Name>a &amp; b</Name>",
                        "<RequestedTotalWallTime>14400</RequestedTotalWallTime>",
                        "<RequestedTotalCPUTime>5400</RequestedTotalCPUTime>",
                        "<RequestedSlots>4</RequestedSlots>",
                        "<StdIn>/etc/hosts</StdIn>",
                        "<StdOut>d/o</StdOut>",
                        "<StdErr>e</StdErr>",
                        "<WorkingAreaEraseTime>2026-01-04T03:05:05Z</WorkingAreaEraseTime>",
                        "<ProxyExpirationTime>2026-01-02T04:04:05Z</ProxyExpirationTime>",
                        "<OtherMessages>disk: accepted, but nothing follows from it</OtherMessages>");
    }

    /** The job has ended well, and its owner looks for the file. */
    @Test
    void anOutputFileThatIsMissingIsNamed() {
        JobStatus done = new JobStatus(JobState.DONE_OK, NOW, "0", "Cannot read or missing file nothere", null);
        assertThat(document(Form.of("text/xml"), "", List.of(done)))
                .contains("<State>arcrest:FINISHED</State>", "<Error>Cannot read or missing file nothere</Error>")
                .doesNotContain("OtherMessages");
    }

    /** Clients print errors and messages one below the other. */
    @Test
    void eachTextIsThereOnce() {
        List<JobStatus> cancelled = List.of(
                new JobStatus(JobState.REGISTERED, NOW, null, null, "disk: nothing follows"),
                new JobStatus(JobState.CANCELLED, NOW, null, null, "by its owner"));
        assertThat(document(Form.of("text/xml"), "", cancelled))
                .containsOnlyOnce("by its owner")
                .contains("<Error>by its owner</Error>", "<OtherMessages>disk: nothing follows</OtherMessages>");
        List<JobStatus> waits = List.of(
                new JobStatus(JobState.REGISTERED, NOW, null, null, "disk: nothing follows"),
                new JobStatus(JobState.IDLE, NOW, null, null, "disk: nothing follows"));
        assertThat(document(Form.of("text/xml"), "", waits)).containsOnlyOnce("disk: nothing follows");
    }

    @Test
    void whatIsNotKnownOfAJobIsLeftOut() {
        List<JobStatus> failed = List.of(new JobStatus(JobState.DONE_FAILED, NOW, "1", null, null));
        assertThat(document(Form.of("text/xml"), "&(executable=/bin/a)", failed))
                .contains("<RequestedSlots>1</RequestedSlots>", "<StdIn>/dev/null</StdIn>")
                .doesNotContain("StdOut", "WorkingAreaEraseTime", "<Name>", "WallTime");
        assertThat(document(Form.of("text/xml"), "&(executable=/bin/a)" + " ".repeat(64 << 10), failed))
                .doesNotContain("RequestedSlots");
        assertThat(document(Form.of("text/xml"), "of a newer version", failed)).doesNotContain("RequestedSlots");
    }
}
