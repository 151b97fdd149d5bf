package org.gelato.ce.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.cli.terminal.CliException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The logs of batch systems as they are, and every kind of difference between two sides. */
class ReconciliationTest {
    private static final Instant END = Instant.parse("2026-03-31T12:00:00Z");
    private static final ZoneId ROME = ZoneId.of("Europe/Rome");

    private static UsedJob job(String id, Instant end, Double cpu, Double wall, Integer cores) {
        return new UsedJob(id, "cream_000000001", end.minusSeconds(100), end, cpu, wall, cores);
    }

    private static List<String> differences(List<UsedJob> ce, List<UsedJob> batch) {
        Reconciliation result =
                new Reconciliation(Duration.ofMinutes(1), 2, END.minusSeconds(3600), END.plusSeconds(3600));
        result.compare(ce, batch);
        return result.differences().stream().map(d -> d.id() + " " + d.what()).toList();
    }

    @Test
    void equalsDoNotDiffer() {
        assertThat(differences(
                        List.of(job("1", END, 10.0, 100.0, 1), job("2", END, null, null, null)),
                        List.of(job("1", END.plusSeconds(60), 12.0, 160.0, 1), job("2", END, 1.0, 50.0, null))))
                .isEmpty();
    }

    @Test
    void eachValueIsCompared() {
        assertThat(differences(
                        List.of(job("1", END, 10.0, 100.0, 1)), List.of(job("1", END.plusSeconds(61), 12.1, 161.0, 2))))
                .containsExactly("1 start", "1 end", "1 wall", "1 cpu", "1 cores");
        assertThat(differences(List.of(job("1", END, null, 1.0, null)), List.of(job("1", END, 3.0, 1.0, 1))))
                .as("what the CE does not know")
                .containsExactly("1 cpu", "1 cores");
    }

    @Test
    void jobsOfOneSideAreListedWithinTheInterval() {
        Instant outside = END.plusSeconds(3600);
        assertThat(differences(
                        List.of(job("1", END, 1.0, 1.0, 1), job("2", outside, 1.0, 1.0, 1)),
                        List.of(job("3", END, 1.0, 1.0, 1), job("4", outside, 1.0, 1.0, 1))))
                .containsExactly("3 ce", "1 batch");
        assertThat(differences(
                        List.of(job("2", outside, 1.0, 1.0, 1)), List.of(job("2", END.plusSeconds(3599), 1.0, 1.0, 1))))
                .as("at its edge")
                .isEmpty();
    }

    @Test
    void anIdGivenTwiceIsTwoJobs() {
        assertThat(differences(
                        List.of(job("1", END, 1.0, 1.0, 1), job("1", END.minus(Duration.ofDays(30)), 9.0, 9.0, 9)),
                        List.of(job("1", END, 1.0, 1.0, 1))))
                .isEmpty();
        assertThat(differences(
                        List.of(job("1", END.minus(Duration.ofDays(30)), 9.0, 9.0, 9)),
                        List.of(job("1", END, 1.0, 1.0, 1))))
                .containsExactly("1 ce");
    }

    /** HTCondor keeps ended jobs in its queue for a while, and one may be moved to the history between the two listings. */
    @Test
    void aJobInQueueAndHistoryCountsOnce() {
        UsedJob one = job("83.4#0123456789ab", END, 1.0, 1.0, 1);
        assertThat(differences(List.of(one), List.of(one, one))).isEmpty();
        assertThat(differences(List.of(), List.of(one, one))).containsExactly("83.4#0123456789ab ce");
    }

    private static List<UsedJob> read(String text, String format) throws IOException {
        List<UsedJob> jobs = new ArrayList<>();
        LogFormat.named(format).read(new BufferedReader(new StringReader(text)), ROME, jobs::add);
        return jobs;
    }

    @Test
    void readsHTCondor() throws IOException {
        String text =
                "id=83.4#0123456789ab name=cream_000000001 start=1774958300 end=1774958400 wall=100 cpu=90 cores=4\n"
                        // an attribute that is not defined makes the expression so
                        + "undefined\n"
                        + "id=5.0#x name=cream_000000002 start=1774958300 end=1774958400 wall=100 cpu=90 cores=4\n";
        assertThat(read(text, "condor"))
                .containsExactly(new UsedJob(
                        "83.4#0123456789ab",
                        "cream_000000001",
                        Instant.ofEpochSecond(1774958300),
                        Instant.ofEpochSecond(1774958400),
                        90.0,
                        100.0,
                        4));
    }

    @Test
    void readsTorque() throws IOException {
        String text = "03/31/2026 14:00:00;S;42.server;user=dteam001 jobname=cream_000000001 start=1774951100\n"
                + "03/31/2026 14:00:00;E;42.server;user=dteam001 group=dteam jobname=cream_000000001 queue=long"
                + " start=1774958300 end=1774958400 Exit_status=0 exec_host=wn1/0-3,5+wn2/0"
                + " resources_used.cput=00:01:30 resources_used.walltime=00:01:40\n"
                + "03/31/2026 14:00:00;E;43.server;jobname=STDIN start=1 end=2\n"
                + "broken\n"
                + "03/31/2026 14:00:00;E;44.server;jobname=cream_000000002 start=1774958300 end=1774958400"
                + " resources_used.cput=90 exec_host=wn1";
        assertThat(read(text, "torque"))
                .containsExactly(
                        new UsedJob(
                                "42.server",
                                "cream_000000001",
                                Instant.ofEpochSecond(1774958300),
                                Instant.ofEpochSecond(1774958400),
                                90.0,
                                100.0,
                                6),
                        new UsedJob(
                                "44.server",
                                "cream_000000002",
                                Instant.ofEpochSecond(1774958300),
                                Instant.ofEpochSecond(1774958400),
                                90.0,
                                null,
                                null));
    }

    @Test
    void readsSacctByItsHeader() throws IOException {
        String text = "JobID|State|JobName|Start|End|Elapsed|TotalCPU|NCPUS\n"
                + "4711|COMPLETED|cream_000000001|2026-03-31T13:58:20|2026-03-31T14:00:00|00:01:40|01:30.500|2\n"
                + "4711.batch|COMPLETED|cream_000000001|2026-03-31T13:58:20|2026-03-31T14:00:00|00:01:40|01:30.500|2\n"
                + "4712|CANCELLED by 0|cream_000000002|Unknown|2026-03-31T14:00:00|00:00:00|00:00:00|1\n"
                + "4713|COMPLETED|other|2026-03-31T13:58:20|2026-03-31T14:00:00|00:01:40|01:30.500|2\n"
                + "cut|off\n";
        assertThat(read(text, "sacct"))
                .containsExactly(new UsedJob("4711", "cream_000000001", END.minusSeconds(100), END, 90.5, 100.0, 2));
        assertThatThrownBy(() -> read("4711|x\n", "sacct"))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("--format=JobID,JobName,Start,End,Elapsed,TotalCPU,NCPUS");
    }

    @Test
    void readsJobcomp() throws IOException {
        String common =
                " UserId=dteam001(1001) GroupId=dteam(1001) Name=cream_000000001 JobState=COMPLETED Partition=long"
                        + " TimeLimit=60 StartTime=2026-03-31T13:58:20 EndTime=2026-03-31T14:00:00 NodeList=";
        String text = "JobId=4711" + common + "wn1 NodeCnt=1 ProcCnt=2 WorkDir=/\n" + "JobId=4712" + common
                + "(null) NodeCnt=0 ProcCnt=0 WorkDir=/\n";
        assertThat(read(text, "jobcomp"))
                .containsExactly(new UsedJob("4711", "cream_000000001", END.minusSeconds(100), END, null, 100.0, 2));
    }

    @ParameterizedTest
    @CsvSource({"1-02:03:04,93784", "02:03:04,7384", "03:04.25,184.25", "75,75", "00:00:00,0"})
    void readsTimes(String text, double seconds) {
        assertThat(LogFormat.time(text)).isEqualTo(seconds);
    }

    @ParameterizedTest
    @CsvSource({"UNLIMITED", "1:2:3:4", "-5", "''"})
    void whatIsNoTimeIsUnknown(String text) {
        assertThat(LogFormat.time(text)).isNull();
    }
}
