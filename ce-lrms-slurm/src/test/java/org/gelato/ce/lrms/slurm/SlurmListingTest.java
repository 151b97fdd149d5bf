package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlurmListingTest {
    private static final String MARK = "5eed1e55";
    private static final Set<String> IDS = Set.of("41", "42");

    private static SlurmListing read(SlurmListing.Reader reader, String text) {
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < all.length; at += 7) {
            reader.take(Arrays.copyOfRange(all, at, Math.min(all.length, at + 7)));
        }
        return reader.listing();
    }

    private static SlurmListing ofSqueue(String text, String mark) {
        return read(SlurmListing.ofSqueue(mark, IDS), SlurmScript.placed(text, mark, "squeue"));
    }

    private static SlurmListing ofSacct(String text, String mark) {
        return read(SlurmListing.ofSacct(mark, IDS), SlurmScript.placed(text, mark, "sacct"));
    }

    private static Usage used(long wallSeconds, int cores) {
        return new Usage(null, Duration.ofSeconds(wallSeconds), cores, null, Usage.Source.BATCH_SYSTEM);
    }

    /** As Slurm 22.05's squeue printed it after the node of a job of three cores was down. */
    @Test
    void aJobWhoseNodeDiedHadItsCores() {
        String line = "2|MARK|1796011773+0|/sb/CREAM000000001|MARK|dteam001|NODE_FAIL|0|0:07|3|wn0|1796011783"
                + "|cpu=3,node=1,billing=3|NodeDown|cream_000000001|cream_000000001\n";
        SlurmListing.Reader reader = SlurmListing.ofSqueue(MARK, IDS);
        assertThat(read(reader, line.replace("MARK", MARK)).jobs())
                .singleElement()
                .satisfies(job -> {
                    assertThat(job.state()).isEqualTo(LrmsJob.State.FAILED);
                    assertThat(job.usage()).isEqualTo(used(7, 3));
                });
    }

    @Test
    void aHundredThousandForeignJobsAreCountedAndNotKept() {
        SlurmListing.Reader reader = SlurmListing.ofSqueue(MARK, IDS);
        for (int i = 0; i < 100_000; i++) {
            String name = i == 4711 ? "cream_000004711" : "x".repeat(300);
            reader.take((i + "|5eed1e55|0|/x|5eed1e55|dteam001|RUNNING|0|0:00|1|wn1|N/A||None|" + name + "\n")
                    .getBytes(StandardCharsets.UTF_8));
        }
        assertThat(reader.isCut()).isFalse();
        assertThat(reader.listing().marked()).isEqualTo(100_000);
        assertThat(reader.listing().jobs()).extracting(LrmsJob::lrmsId).containsExactly("4711");
    }

    /** A job's name may be of any length, and hides the comment behind it. */
    @Test
    void aLineThatIsTooLongCostsItsJobAloneWhichIsNotTakenAsGone() {
        SlurmListing.Reader reader = SlurmListing.ofSqueue(MARK, IDS);
        String begin = "|5eed1e55|0|/x|5eed1e55|dteam001|RUNNING|0|0:00|1|wn1|N/A||None|";
        reader.take(("7" + begin + "x".repeat(70_000) + "|cream_000000007\n8" + begin + "cream_000000008\n")
                .getBytes(StandardCharsets.UTF_8));
        SlurmListing listing = reader.listing();
        assertThat(listing.jobs())
                .extracting(LrmsJob::lrmsId, LrmsJob::state)
                .containsExactly(tuple("7", State.UNKNOWN), tuple("8", State.RUNNING));
        assertThat(listing.unreadable()).containsExactly("job 7");
    }

    @Test
    void readsOurJobsAndNoOthers() {
        SlurmListing listing = ofSqueue("""
                4|5eed1e55|dteam001|FAILED|768|1-02:03:04|8|wn0|N/A||NonZeroExitCode|cream_000000004
                5|5eed1e55|dteam001|RUNNING|0|3:04|4|wn[0-3]|N/A||None|cream_000000005
                6|5eed1e55|dteam001|PENDING|0|0:00|1||N/A||JobHeldUser|cream_000000006
                7|5eed1e55|dteam001|RUNNING|0|0:00|1|wn1|N/A||None|cream_0000000077
                8|5eed1e55|dteam001|RUNNING|0|0:00|1|wn1|N/A||None|bash
                9|5eed1e55|dteam001|CANCELLED|15|1:07|2|wn0|N/A||None|cream_000000009
                """, MARK);
        assertThat(listing.jobs())
                .containsExactly(
                        new LrmsJob("4", "cream_000000004", State.DONE, 3, null, "wn0", used(93_784, 8)),
                        new LrmsJob("5", "cream_000000005", State.RUNNING, null, null, "wn[0-3]"),
                        new LrmsJob("6", "cream_000000006", State.HELD, null, "JobHeldUser", null),
                        new LrmsJob("9", "cream_000000009", State.CANCELLED, null, null, "wn0", used(67, 2)));
        assertThat(listing.marked()).isEqualTo(6);
        assertThat(listing.unreadable()).isEmpty();
    }

    @Test
    void paddedFieldsAreParsedAlike() {
        assertThat(ofSqueue(
                                "        12|5eed1e55|dteam001 |RUNNING       |0     |0:00|1|wn0     |N/A||None      |cream_000000012 \n",
                                MARK)
                        .jobs())
                .containsExactly(new LrmsJob("12", "cream_000000012", State.RUNNING, null, null, "wn0"));
    }

    @Test
    void aJobNameWithLineEndsForgesNoJob() {
        SlurmListing listing = ofSqueue("""
                9|5eed1e55|dteam001|FAILED|768|0:00|1|wn0|N/A||NonZeroExitCode|evil
                1|00000000|dteam001|COMPLETED|0|0:00|1|wn0|N/A||None|cream_000000001
                1|dteam001|COMPLETED|0|0:00|1|wn0|N/A||None|cream_000000001

                5|5eed1e55|dteam001|RUNNING|0|0:00|1|wn0|N/A||None|cream_000000005
                """, MARK);
        assertThat(listing.jobs()).extracting(LrmsJob::tag).containsExactly("cream_000000005");
    }

    @Test
    void aReasonMayBeFreeText() {
        assertThat(ofSqueue(
                                "5|5eed1e55|dteam001|PENDING|0|0:00|1||N/A||Held|by admin|cream_000000005|a|comment\n",
                                MARK)
                        .jobs())
                .containsExactly(new LrmsJob("5", "cream_000000005", State.HELD, null, "Held|by admin", null));
    }

    @Test
    void aJobWhoseNameWasChangedIsKnownByItsComment() {
        assertThat(ofSqueue("""
                5|5eed1e55|dteam001|PENDING|0|0:00|1||N/A||JobHeldUser|a|name|cream_000000005
                6|5eed1e55|dteam001|RUNNING|0|0:00|1|wn0|N/A||None|cream_000000006|cream_000000007
                7|5eed1e55|dteam001|RUNNING|0|0:00|1|wn0|N/A||None|bash|cream_0000000088
                8|5eed1e55|dteam001|RUNNING|0|0:00|1|wn0|N/A||None|bash|
                """, MARK).jobs())
                .containsExactly(
                        new LrmsJob("5", "cream_000000005", State.HELD, null, "JobHeldUser|a", null),
                        new LrmsJob("6", "cream_000000006", State.RUNNING, null, null, "wn0"));
    }

    /** A plugin or an administrator may change name and comment, and the job itself its own. */
    @Test
    void aJobIsKnownByItsDirectoryWhateverItsNameAndCommentAre() {
        String sandbox = "|5eed1e55|1795213716|/sb/home/00/00/CREAM000000005|5eed1e55|dteam001|";
        for (String words : List.of("None|site-job|vo=atlas", "None|a|b|c", "None||", "None|cream_000000009|")) {
            SlurmListing listing = ofSqueue("5" + sandbox + "RUNNING|0|0:00|1|wn0|1795213717||" + words + "\n", MARK);
            assertThat(listing.jobs())
                    .as(words)
                    .containsExactly(new LrmsJob("5", "cream_000000005", State.RUNNING, null, null, "wn0"));
        }
        SlurmListing broken = ofSqueue("5" + sandbox + "RUNNING|0|0:00|1|wn0|N/A||None|two\nlines|x\n", MARK);
        assertThat(broken.jobs()).extracting(LrmsJob::tag).containsExactly("cream_000000005");
        SlurmListing history = ofSacct(
                String.join(
                                "|5eed1e55|",
                                "5",
                                "1795213716",
                                "/sb/CREAM000000005",
                                "dteam001",
                                "FAILED",
                                "3:0",
                                "00:00:02",
                                "1",
                                "wn0",
                                "1795213718",
                                "cpu=1",
                                "00:01.500",
                                "site-job")
                        + "\n"
                        + String.join(
                                "|5eed1e55|",
                                "5.batch",
                                "1795213716",
                                "",
                                "",
                                "FAILED",
                                "3:0",
                                "00:00:02",
                                "1",
                                "wn0",
                                "1795213718",
                                "cpu=1",
                                "00:01.500",
                                "batch")
                        + "\n",
                MARK);
        assertThat(history.jobs()).singleElement().satisfies(job -> {
            assertThat(job.tag()).isEqualTo("cream_000000005");
            assertThat(job.exitCode()).isEqualTo(3);
            assertThat(job.usage().cpu()).isEqualTo(Duration.ofMillis(1500));
        });
    }

    /** Where nodes do not see the sandboxes: whose job it is is decided by account and time. */
    @Test
    void aJobOutsideOfTheSandboxesIsKeptByItsId() {
        String place = "|5eed1e55|1795213716|/|5eed1e55|dteam001|RUNNING|0|0:00|1|wn0|N/A||None|site-job|x\n";
        LrmsJob job = ofSqueue("41" + place + "43" + place + "42" + place.replace("|/|", "|/tmp|"), MARK)
                .jobs()
                .get(0);
        assertThat(job.lrmsId()).isEqualTo("41");
        assertThat(job.tag()).isNull();
        Instant submitted = Instant.ofEpochSecond(1795213716);
        Lookup ours = new Lookup("cream_000000001", "dteam001", "41", submitted.plusSeconds(2));
        assertThat(job.isOf(ours)).isTrue();
        assertThat(job.isOf(new Lookup(ours.tag(), "dteam002", "41", ours.handedOver())))
                .isFalse();
        assertThat(job.isOf(new Lookup(ours.tag(), "dteam001", "41", submitted.minusSeconds(3600))))
                .as("the id was given again later")
                .isFalse();
    }

    /** As Slurm 22.05 shows a cancel, a failed prolog, and what ran when slurmctld was started without its state. */
    @Test
    void aJobThatNobodyCancelledIsNotTakenAsCancelledBySomebody() {
        String running = "|5eed1e55|dteam001|CANCELLED|%s|0:02|1|%s|1795978708||None|cream_000000001\n";
        assertThat(ofSqueue("1" + running.formatted("15", "wn0") + "3" + running.formatted("0", ""), MARK)
                        .jobs())
                .extracting(LrmsJob::state, LrmsJob::isNotBegun)
                .containsOnly(tuple(State.CANCELLED, false));
        assertThat(ofSqueue("4" + running.formatted("0", "wn0"), MARK).jobs())
                .extracting(LrmsJob::state, LrmsJob::isNotBegun)
                .containsExactly(tuple(State.CANCELLED, true));
        SlurmListing history = ofSacct(
                (sacct("1", "CANCELLED by 1001", "0:0", "cream_000000001")
                        + sacct("1.batch", "CANCELLED", "0:15", "batch")
                        + sacct("4", "CANCELLED by 0", "0:0", "cream_000000004")
                        + sacct("4.batch", "CANCELLED", "", "batch")
                        + sacct("5", "CANCELLED", "0:0", "cream_000000005")
                        + sacct("5.batch", "CANCELLED", "0:0", "batch")),
                MARK);
        assertThat(history.jobs())
                .extracting(LrmsJob::lrmsId, LrmsJob::state, LrmsJob::isNotBegun)
                .containsExactly(
                        tuple("1", State.CANCELLED, false),
                        tuple("4", State.CANCELLED, true),
                        tuple("5", State.FAILED, false));
        assertThat(history.jobs().get(2).reason()).startsWith("CANCELLED by nobody");
    }

    private static String sacct(String id, String state, String exit, String name) {
        return String.join(
                        "|5eed1e55|",
                        id,
                        "dteam001",
                        state,
                        exit,
                        "00:00:04",
                        "1",
                        "wn0",
                        "1795978708",
                        "cpu=1",
                        "00:00.001",
                        name)
                + "\n";
    }

    /** A directory with line ends makes lines of its user's choice, without the second mark or with a foreign begin. */
    @Test
    void aDirectoryWithLineEndsForgesNoJob() {
        SlurmListing listing = ofSqueue("""
                9|5eed1e55|1795213716|/tmp/x
                5|1795213716|/sb/CREAM000000005|5eed1e55|mallory|COMPLETED|0|0:00|1|wn0|N/A||None|cream_000000005|
                """, MARK);
        assertThat(listing.jobs()).isEmpty();
    }

    /** The hour that there is twice when summer time ends: seconds since 1970 know no zone. */
    @Test
    void anEndInTheHourThatThereIsTwiceIsExact() {
        assertThat(ofSqueue("9|5eed1e55|dteam001|CANCELLED|0|0:10|1|wn0|1792891800||None|cream_000000009\n", MARK)
                        .jobs())
                .extracting(LrmsJob::endedAt)
                .containsExactly(Instant.parse("2026-10-25T01:30:00Z"));
        assertThat(SlurmOwnAccountCommands.environment(SlurmConfig.DEFAULT)).contains("SLURM_TIME_FORMAT=%s");
        assertThat(SlurmRestService.environment(SlurmConfig.DEFAULT))
                .as("a job would have it")
                .noneMatch(variable -> variable.startsWith("SLURM_TIME_FORMAT"));
    }

    @Test
    void aLineOfOursThatCannotBeParsedIsReported() {
        SlurmListing listing = ofSqueue("""
                5|5eed1e55|dteam001|GLOWING|0|0:00|1|wn0|N/A||None|cream_000000005
                6_7|5eed1e55|dteam001|RUNNING|0|0:00|1|wn0|N/A||None|cream_000000006
                7|5eed1e55|dteam001|RUNNING|cream_000000007
                8|5eed1e55|cream_000000008
                """, MARK);
        assertThat(listing.jobs())
                .allMatch(job -> job.state() == State.UNKNOWN)
                .extracting(LrmsJob::lrmsId)
                .containsExactly("5", "7", "8");
        assertThat(listing.unreadable())
                .containsExactlyInAnyOrder("cream_000000005", "cream_000000006", "cream_000000007", "cream_000000008");
    }

    @Test
    void readsAccounting() {
        String d = SlurmListing.sacctDelimiter(MARK);
        String out = String.join(
                        d,
                        "31",
                        "dteam001",
                        "CANCELLED by 1001",
                        "0:15",
                        "00:01:07",
                        "2",
                        "wn0",
                        "2026-11-20T21:54:49",
                        "cpu=2,mem=1G,node=1",
                        "01:59.250",
                        "cream_000000031")
                + "\n"
                + String.join(
                        d,
                        "32",
                        "dteam001",
                        "COMPLETED",
                        "0:0",
                        "00:00:00",
                        "4",
                        "wn|0",
                        "Unknown",
                        "",
                        "00:00:00",
                        "cream_000000032")
                + "\n"
                + String.join(d, "33", "dteam001", "COMPLETED", "cream_000000033") + "\n"
                + "34|dteam001|COMPLETED|0:0|wn0|cream_000000034\n";
        SlurmListing listing = ofSacct(out, MARK);
        assertThat(listing.jobs()).extracting(LrmsJob::lrmsId).containsExactly("31", "32", "33");
        assertThat(listing.jobs().get(0).state()).isEqualTo(State.CANCELLED);
        assertThat(listing.unreadable()).containsExactly("cream_000000033");
        assertThat(listing.jobs())
                .extracting(LrmsJob::usage)
                .containsExactly(
                        new Usage(
                                Duration.ofMillis(119_250), Duration.ofSeconds(67), 2, null, Usage.Source.BATCH_SYSTEM),
                        new Usage(null, null, 4, null, Usage.Source.BATCH_SYSTEM),
                        null);
    }

    /** A cancelled job that never ran shows the cores it waited for. */
    @Test
    void aJobThatNeverRanUsedNothing() {
        assertThat(ofSqueue("9|5eed1e55|dteam001|CANCELLED|0|0:00|64||N/A||None|cream_000000009\n", MARK)
                        .jobs())
                .containsExactly(new LrmsJob("9", "cream_000000009", State.CANCELLED, null, null, null));
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "INVALID;x;;none",
                "-1:00;-1;-1:00;none",
                "0:00;0;00:00:00;none",
                "999999999-00:00:00;99999999999;1;none",
                "1:2:3:4;1e9;1-1;none",
                "3:04;;;184.000",
                "1-00:00:01;;;86401.000"
            },
            delimiter = ';')
    void aUsageThatIsNoneIsUnknown(String elapsed, String cpus, String cpu, String wall) {
        Usage usage = SlurmUsage.of(elapsed, cpus == null ? "" : cpus, cpu == null ? "" : cpu);
        assertThat(usage.cpu()).isNull();
        assertThat(usage.cores()).isNull();
        assertThat(usage.wall())
                .isEqualTo(wall.equals("none") ? null : Duration.ofMillis(Long.parseLong(wall.replace(".", ""))));
    }

    @Property
    void takesAnyText(@ForAll("lines") List<String> lines) {
        String output = String.join("\n", lines);
        for (SlurmListing listing : List.of(ofSqueue(output, MARK), ofSacct(output, MARK))) {
            assertThat(listing.marked()).isGreaterThanOrEqualTo(listing.jobs().size());
            assertThat(listing.jobs()).allSatisfy(job -> {
                assertThat(job.tag()).matches("cream_[0-9]{9}");
                assertThat(job.lrmsId()).matches("[0-9]{1,10}");
            });
        }
    }

    @Provide
    Arbitrary<List<String>> lines() {
        return Arbitraries.of(
                        "5",
                        "|",
                        "|5eed1e55|",
                        "RUNNING",
                        "0",
                        "cream_000000001",
                        " ",
                        "_",
                        "\t",
                        "\r",
                        "\u0000",
                        "\u00e9",
                        "\\",
                        "None",
                        "99999999999")
                .list()
                .ofMaxSize(20)
                .map(parts -> String.join("", parts))
                .list()
                .ofMaxSize(10);
    }
}
