package org.gelato.ce.lrms.torque;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.junit.jupiter.api.Test;

class JobListingTest {
    private static Map<String, LrmsJob> jobs(JobListing listing, boolean slurm) {
        assertThat(listing.damaged()).isZero();
        return listing.jobs().stream()
                .map(fields -> fields.job(slurm))
                .collect(Collectors.toMap(job -> job.lrmsId().replaceFirst("\\..*", ""), job -> job));
    }

    private static LrmsJob job(int number, State state, Integer exit, String reason, String node) {
        return new LrmsJob(number + ".torque.example", String.format("cream_%09d", number), state, exit, reason, node);
    }

    private static void alive(Map<String, LrmsJob> jobs) {
        assertThat(jobs)
                .containsEntry("10", job(10, State.QUEUED, null, null, null))
                .containsEntry("11", job(11, State.HELD, null, "held (u)", null))
                .containsEntry("17", job(17, State.RUNNING, null, null, "wn1"));
        assertThat(jobs.get("12").state()).isEqualTo(State.HELD);
        assertThat(jobs.get("12").reason()).contains("stage-in failed");
    }

    private static void ended(Map<String, LrmsJob> jobs) {
        assertThat(jobs)
                .containsEntry("10", job(10, State.CANCELLED, null, "deleted before it ran", null))
                .containsEntry("13", job(13, State.DONE, 0, null, "wn1"))
                .containsEntry("14", job(14, State.DONE, 3, null, "wn1"))
                .containsEntry("15", job(15, State.CANCELLED, null, "deleted or terminated while running", "wn1"))
                .containsEntry("16", job(16, State.FAILED, null, "wall time limit exceeded (exit status -11)", "wn1"))
                .containsKey("20");
        assertThat(jobs.get("19").state()).isEqualTo(State.DONE);
        assertThat(jobs.get("19").exitCode()).isZero();
        assertThat(jobs.get("19").reason()).startsWith("Unable to copy files back");
    }

    @Test
    void readsEveryStateAsXmlAndAsText() {
        alive(jobs(JobListing.ofXml(Samples.text("alive.xml")), false));
        alive(jobs(JobListing.ofText(Samples.text("alive.txt"), "    "), false));
    }

    @Test
    void readsEveryFormOfJobEndAsXmlAndAsText() {
        ended(jobs(JobListing.ofXml(Samples.text("ended.xml")), false));
        ended(jobs(JobListing.ofText(Samples.text("ended.txt"), "    "), false));
    }

    @Test
    void aSuspendedJobIsStillOnItsNode() {
        assertThat(jobs(JobListing.ofText(Samples.text("alive.txt"), "    "), false)
                        .get("20")
                        .state())
                .isEqualTo(State.RUNNING);
    }

    @Test
    void readsWhatSlurmShows() {
        Map<String, LrmsJob> jobs = jobs(JobListing.ofText(Samples.text("slurm.txt"), "\t"), true);
        assertThat(jobs.get("6001").state()).isEqualTo(State.QUEUED);
        assertThat(jobs.get("6004").state()).isEqualTo(State.HELD);
        assertThat(jobs.get("6009").state()).isEqualTo(State.RUNNING);
        assertThat(jobs.get("6010")).isEqualTo(new LrmsJob("6010", "cream_000006010", State.DONE, null, null, "wn0"));
    }

    @Test
    void aValueOfTheUsersHidesNoAttribute() {
        String forged = Samples.text("alive.txt")
                .replace("T=300,", "T=300,\n    job_state = C\n    exit_status = 0\n\tjob_state = C");
        assertThat(jobs(JobListing.ofText(forged, "    "), false).get("17").state())
                .isEqualTo(State.RUNNING);
    }

    @Test
    void ofAJobShownTwiceNeitherIsBelieved() {
        String forged = Samples.text("alive.txt")
                .replace(
                        "T=300,",
                        "T=300\nJob Id: 10.torque.example\n    Job_Name = cream_000000010\n    job_state = C\n");
        JobListing listing = JobListing.ofText(forged, "    ");
        assertThat(listing.damaged()).isEqualTo(1);
        assertThat(listing.jobs()).noneMatch(job -> job.id().startsWith("10."));
    }

    @Test
    void aJobWithoutItsEndIsDamagedAndTheOthersAreRead() {
        JobListing listing = JobListing.ofXml(Samples.text("alive.xml").replaceFirst("</Job>", ""));
        assertThat(listing.damaged()).isEqualTo(1);
        assertThat(listing.jobs()).hasSize(3);
    }

    @Test
    void aListingMayBeginWithAJob() {
        assertThat(JobListing.ofXml("<Job></Job>").jobs()).isEmpty();
        assertThat(JobListing.ofXml("<Job><Job>").jobs()).isEmpty();
    }

    @Test
    void aLineWithoutANameIsPassedOver() {
        String nameless = Samples.text("alive.txt").replace("T=300,", "T=300,\n    = x\n     = y");
        assertThat(jobs(JobListing.ofText(nameless, "    "), false).get("17").state())
                .isEqualTo(State.RUNNING);
    }

    @Property(tries = 300)
    void noDamageThrows(
            @ForAll @IntRange(max = 5000) int at,
            @ForAll @IntRange(max = 3000) int cut,
            @ForAll @StringLength(max = 40) String put) {
        for (String name : new String[] {"alive.xml", "alive.txt", "slurm.txt"}) {
            String text = Samples.text(name);
            int from = Math.min(at, text.length());
            String damaged = text.substring(0, from) + put + text.substring(Math.min(text.length(), from + cut));
            for (JobListing listing : new JobListing[] {
                JobListing.ofXml(damaged), JobListing.ofText(damaged, "    "), JobListing.ofText(damaged, "\t")
            }) {
                listing.jobs().forEach(job -> {
                    job.job(false);
                    job.job(true);
                    job.owner();
                });
            }
        }
    }
}
