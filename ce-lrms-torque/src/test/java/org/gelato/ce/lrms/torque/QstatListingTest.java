package org.gelato.ce.lrms.torque;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QstatListingTest {
    private static QstatListing read(ListingReader reader, String text) {
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < all.length; at += 7) {
            reader.take(Arrays.copyOfRange(all, at, Math.min(all.length, at + 7)));
        }
        return reader.end();
    }

    private static QstatListing ofXml(String text) {
        return read(ListingReader.of(true, false, job -> true), text);
    }

    private static QstatListing ofText(String text, boolean slurm) {
        return read(ListingReader.of(false, slurm, job -> true), text);
    }

    private static Map<String, LrmsJob> jobs(QstatListing listing) {
        assertThat(listing.damaged()).isEmpty();
        return listing.jobs().stream()
                .map(QstatListing.Listed::job)
                .collect(Collectors.toMap(job -> job.lrmsId().replaceFirst("\\..*", ""), job -> job));
    }

    private static LrmsJob job(int number, State state, Integer exit, String reason, String node) {
        return new LrmsJob(number + ".torque.example", String.format("cream_%09d", number), state, exit, reason, node);
    }

    private static Usage used(int wallSeconds, Long memoryKib) {
        return new Usage(null, Duration.ofSeconds(wallSeconds), 1, memoryKib, Usage.Source.BATCH_SYSTEM);
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
        jobs.replaceAll((id, job) -> job.endedAt(null));
        assertThat(jobs)
                .containsEntry("10", job(10, State.CANCELLED, null, "deleted before it ran", null))
                .containsEntry("13", job(13, State.DONE, 0, null, "wn1").using(used(1, 8096L)))
                .containsEntry("14", job(14, State.DONE, 3, null, "wn1").using(used(1, null)))
                .containsEntry(
                        "15",
                        job(15, State.DONE, 143, "ended by signal 15", "wn1").using(used(37, 7972L)))
                .containsEntry(
                        "16",
                        job(16, State.FAILED, null, "wall time limit exceeded (exit status -11)", "wn1")
                                .using(used(8, 7744L)))
                .containsKey("20");
        assertThat(jobs.get("19").state()).isEqualTo(State.DONE);
        assertThat(jobs.get("19").exitCode()).isZero();
        assertThat(jobs.get("19").reason()).startsWith("Unable to copy files back");
    }

    /** As Torque 6 shows a job after {@code qalter -N}, its long lines folded. */
    @Test
    void aJobWhoseNameWasChangedIsKnownByWhatQsubTook() {
        assertThat(jobs(ofText("""
                Job Id: 17.torque.example
                    Job_Name = renamed
                    Job_Owner = dteam001@ce.example.org
                    job_state = R
                    exec_host = wn1/0
                    submit_args = /var/lib/gelato/sandbox/dteam001/17/cream_0000000
                \t17
                    start_time = Fri Nov 20 22:28:36 2026

                """.replace("\\t", "\t"), false)))
                .containsEntry("17", job(17, State.RUNNING, null, null, "wn1"));
        assertThat(jobs(ofXml("<Data><Job><Job_Id>17.torque.example</Job_Id><Job_Name>cream_000000009</Job_Name>"
                        + "<Job_Owner>dteam001@ce</Job_Owner><job_state>R</job_state><exec_host>wn1/0</exec_host>"
                        + "<submit_args>/sandbox/cream_000000017</submit_args></Job></Data>")))
                .containsEntry("17", job(17, State.RUNNING, null, null, "wn1"));
        assertThat(jobs(ofXml("<Data><Job><Job_Id>18.torque.example</Job_Id><Job_Name>cream_000000018</Job_Name>"
                        + "<Job_Owner>dteam001@ce</Job_Owner><job_state>R</job_state><exec_host>wn1/0</exec_host>"
                        + "<submit_args>-N cream_000000017 run.sh</submit_args></Job></Data>")))
                .containsEntry("18", job(18, State.RUNNING, null, null, "wn1"));
    }

    @Test
    void readsEveryStateAsXmlAndAsText() {
        alive(jobs(ofXml(Samples.text("alive.xml"))));
        alive(jobs(ofText(Samples.text("alive.txt"), false)));
    }

    @Test
    void readsEveryFormOfJobEndAsXmlAndAsText() {
        ended(jobs(ofXml(Samples.text("ended.xml"))));
        ended(jobs(ofText(Samples.text("ended.txt"), false)));
    }

    @Test
    void whenTorqueEndedAJobIsReadAsXmlAndAsText() {
        assertThat(jobs(ofXml(Samples.text("ended.xml"))).get("16").endedAt())
                .isEqualTo(Instant.ofEpochSecond(1795213724));
        Map<String, LrmsJob> text = jobs(ofText(Samples.text("ended.txt"), false));
        assertThat(text.get("16").endedAt())
                .isEqualTo(LocalDateTime.of(2026, 11, 20, 22, 28, 44)
                        .atZone(ZoneId.systemDefault())
                        .toInstant());
        assertThat(text.get("13").endedAt()).as("by itself").isNull();
        String early = Samples.text("ended.txt").replace("Fri Nov 20 22:28:44", "Fri Nov  6 22:28:44");
        assertThat(jobs(ofText(early, false)).get("16").endedAt())
                .isEqualTo(LocalDateTime.of(2026, 11, 6, 22, 28, 44)
                        .atZone(ZoneId.systemDefault())
                        .toInstant());
        String forged = early.replace("comp_time = Fri", "comp_time = 99999999999999999999 Fri");
        assertThat(jobs(ofText(forged, false)).get("16").endedAt()).isNull();
    }

    @Test
    void whatAnEndedJobUsedIsReadWhereverItsNodesAre() {
        String xml = "<Data><Job><Job_Id>7.t</Job_Id><Job_Name>cream_000000007</Job_Name><resources_used>"
                + "<cput>30:02:03</cput><mem>1048576b</mem><walltime>00:01:00</walltime></resources_used>"
                + "<job_state>C</job_state><exec_host>wn1/0-3,7+wn2/0</exec_host><exit_status>0</exit_status>"
                + "<Variable_List>A=1<cput>1</cput></Variable_List></Job></Data>";
        assertThat(jobs(ofXml(xml)).get("7").usage())
                .isEqualTo(new Usage(
                        Duration.ofSeconds(108_123), Duration.ofMinutes(1), 6, 1024L, Usage.Source.BATCH_SYSTEM));
        assertThat(jobs(ofXml(xml.replace("<job_state>C", "<job_state>R")))
                        .get("7")
                        .usage())
                .as("of a job that runs")
                .isNull();
        String broken = xml.replace("</cput><mem>", "<mem>");
        assertThat(jobs(ofXml(broken)).get("7").usage().cpu()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "-1;-1;-1kb;wn1/x",
                "1:2;1:2:3:4;8pb;wn1",
                "1e9;x;kb;wn1/1-2-3",
                "99999999999999;00:00:00;0kb;wn1/5-2",
                "99999999:00:00;;999999999999999tb;wn1/",
                ";0;999999999999999999kb;+"
            },
            delimiter = ';')
    void aUsageThatIsNoneIsUnknown(String cpu, String wall, String memory, String hosts) {
        assertThat(TorqueUsage.of(cpu == null ? "" : cpu, wall == null ? "" : wall, memory, hosts)
                        .orNull())
                .isNull();
    }

    @Test
    void aSuspendedJobIsStillOnItsNode() {
        assertThat(jobs(ofText(Samples.text("alive.txt"), false)).get("20").state())
                .isEqualTo(State.RUNNING);
    }

    @Test
    void readsWhatSlurmShows() {
        Map<String, LrmsJob> jobs = jobs(ofText(Samples.text("slurm.txt"), true));
        assertThat(jobs.get("6001").state()).isEqualTo(State.QUEUED);
        assertThat(jobs.get("6004").state()).isEqualTo(State.HELD);
        assertThat(jobs.get("6009").state()).isEqualTo(State.RUNNING);
        assertThat(jobs.get("6010")).isEqualTo(new LrmsJob("6010", "cream_000006010", State.DONE, null, null, "wn0"));
    }

    @Test
    void aValueOfTheUsersHidesNoAttribute() {
        String forged = Samples.text("alive.txt")
                .replace("T=300,", "T=300,\n    job_state = C\n    exit_status = 0\n\tjob_state = C");
        assertThat(jobs(ofText(forged, false)).get("17").state()).isEqualTo(State.RUNNING);
    }

    @Test
    void aJobShownTwiceIsDamaged() {
        String forged = Samples.text("alive.txt")
                .replace(
                        "T=300,",
                        "T=300\nJob Id: 10.torque.example\n    Job_Name = cream_000000010\n    job_state = C\n");
        QstatListing listing = ofText(forged, false);
        assertThat(listing.damaged()).extracting(QstatListing.Damaged::id).containsOnly("10.torque.example");
        assertThat(listing.jobs()).noneMatch(job -> job.id().startsWith("10."));
    }

    @Test
    void aJobWithoutItsEndIsDamagedAndTheOthersAreRead() {
        QstatListing listing = ofXml(Samples.text("alive.xml").replaceFirst("</Job>", ""));
        assertThat(listing.damaged())
                .containsExactly(new QstatListing.Damaged("10.torque.example", "cream_000000010", "dteam001"));
        assertThat(listing.jobs()).hasSize(3);
    }

    @Test
    void aListingMayBeginWithAJob() {
        assertThat(ofXml("<Job></Job>").jobs()).isEmpty();
        assertThat(ofXml("<Job><Job>").jobs()).isEmpty();
    }

    @Test
    void aLineWithoutANameIsSkipped() {
        String nameless = Samples.text("alive.txt").replace("T=300,", "T=300,\n    = x\n     = y");
        assertThat(jobs(ofText(nameless, false)).get("17").state()).isEqualTo(State.RUNNING);
    }

    @Property
    void noDamageThrows(
            @ForAll @IntRange(max = 5000) int at,
            @ForAll @IntRange(max = 3000) int cut,
            @ForAll @StringLength(max = 40) String put) {
        for (String name : new String[] {"alive.xml", "alive.txt", "slurm.txt"}) {
            String text = Samples.text(name);
            int from = Math.min(at, text.length());
            String damaged = text.substring(0, from) + put + text.substring(Math.min(text.length(), from + cut));
            for (QstatListing listing : List.of(ofXml(damaged), ofText(damaged, false), ofText(damaged, true))) {
                assertThat(listing.jobs()).allMatch(job -> !job.id().isEmpty());
            }
        }
    }

    @Test
    void aHundredThousandJobsOfWhichOneIsWantedTakeTheMemoryOfOne() {
        AtomicInteger seen = new AtomicInteger();
        ListingReader reader = ListingReader.of(true, false, job -> {
            seen.incrementAndGet();
            return job.tag().equals("cream_000012345");
        });
        byte[] filler = "x".repeat(1500).getBytes(StandardCharsets.UTF_8);
        reader.take("<?xml version=\"1.0\"?>\n<Data>".getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < 100_000; i++) {
            reader.take(String.format(
                            "<Job><Job_Id>%d.s</Job_Id><Job_Name>cream_%09d</Job_Name><job_state>R</job_state><Variable_List>",
                            i, i)
                    .getBytes(StandardCharsets.UTF_8));
            reader.take(filler);
            reader.take("</Variable_List></Job>".getBytes(StandardCharsets.UTF_8));
        }
        reader.take("</Data>\n".getBytes(StandardCharsets.UTF_8));

        assertThat(reader.isWhole()).isTrue();
        assertThat(seen).hasValue(100_000);
        assertThat(reader.end().jobs())
                .singleElement()
                .satisfies(job -> assertThat(job.id()).isEqualTo("12345.s"));
    }

    @Test
    void aListingWithoutItsEndIsIncomplete() {
        for (String end : List.of("</Data>\n", "</Data>", "</Data> x", "<Job>", "")) {
            ListingReader reader = ListingReader.of(true, false, job -> true);
            reader.take(("<Data><Job></Job>" + end).getBytes(StandardCharsets.UTF_8));
            assertThat(reader.isWhole()).as(end).isEqualTo(end.strip().equals("</Data>"));
        }
        for (String end : List.of("\n", "")) {
            ListingReader reader = ListingReader.of(false, false, job -> true);
            reader.take(("Job Id: 1.s" + end).getBytes(StandardCharsets.UTF_8));
            assertThat(reader.isWhole()).as(end).isEqualTo(!end.isEmpty());
        }
    }
}
