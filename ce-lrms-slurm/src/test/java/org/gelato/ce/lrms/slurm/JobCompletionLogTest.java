package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.lrms.LocalTimes;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobCompletionLogTest {
    private static final Usage FIVE_SECONDS =
            new Usage(null, Duration.ofSeconds(5), 1, null, Usage.Source.BATCH_SYSTEM);

    @TempDir
    Path dir;

    @Test
    void findsEndedJobsByTheirName() throws IOException {
        Path log = Files.writeString(
                dir.resolve("jobcomp.log"),
                line(11, "cream_000000001", "COMPLETED", "0:0")
                        + line(12, "sleep.sh", "COMPLETED", "0:0")
                        + line(13, "cream_000000003", "FAILED", "3:0")
                        + line(14, "cream_000000004", "CANCELLED", "0:15"));
        assertThat(new JobCompletionLog(log)
                        .find(sought("cream_000000003", "cream_000000004", "cream_000000009"))
                        .jobs())
                .containsExactly(
                        new LrmsJob("13", "cream_000000003", State.DONE, 3, null, "wn0", FIVE_SECONDS),
                        new LrmsJob("14", "cream_000000004", State.CANCELLED, null, null, "wn0", FIVE_SECONDS)
                                .endedAt(LocalDateTime.parse("2026-11-20T21:54:54")
                                        .atZone(ZoneId.systemDefault())
                                        .toInstant()));
    }

    /** Whether it began, only its wrapper can say: the log has the same of one whose prolog failed and of one that ran. */
    @Test
    void aJobThatWasCancelledOnItsNodeMayNotHaveBegun() throws IOException {
        Path log = Files.writeString(
                dir.resolve("jobcomp.log"),
                line(11, "cream_000000001", "CANCELLED", "0:0")
                        + line(12, "cream_000000002", "CANCELLED", "0:15")
                        + line(13, "cream_000000003", "CANCELLED", "0:0").replace("NodeList=wn0", "NodeList=(null)"));
        assertThat(new JobCompletionLog(log)
                        .find(sought("cream_000000001", "cream_000000002", "cream_000000003"))
                        .jobs())
                .extracting(LrmsJob::lrmsId, LrmsJob::isNotBegun)
                .containsExactly(tuple("11", true), tuple("12", false), tuple("13", false));
    }

    @Test
    void recordsOfAJobThatDifferSayOnlyThatItEnded() throws IOException {
        Path log = Files.writeString(
                dir.resolve("jobcomp.log"),
                line(11, "cream_000000001", "NODE_FAIL", "0:0")
                        + line(11, "cream_000000001", "COMPLETED", "0:0")
                        + line(12, "cream_000000002", "FAILED", "3:0")
                        + line(12, "cream_000000002", "FAILED", "3:0"));
        assertThat(new JobCompletionLog(log)
                        .find(sought("cream_000000001", "cream_000000002"))
                        .jobs())
                .extracting(LrmsJob::state, LrmsJob::exitCode)
                .containsExactly(tuple(State.DONE, null), tuple(State.DONE, 3));
    }

    /** Slurm writes names as they are: a line end in one makes a line of its user's choice. */
    @Test
    void aForgedRecordEndsNoJobInTheForgersWay() throws IOException {
        String ours = line(11, "cream_000000001", "COMPLETED", "0:0");
        for (String forged : List.of(
                line(11, "cream_000000001", "CANCELLED", "0:0"), line(99, "cream_000000001", "CANCELLED", "0:0"))) {
            String mallorys = line(77, "x\n" + forged + "y", "COMPLETED", "0:0");
            for (String text : List.of(ours + mallorys, mallorys + ours)) {
                Path log = Files.writeString(dir.resolve("jobcomp.log"), text);
                assertThat(new JobCompletionLog(log)
                                .find(List.of(new Lookup("cream_000000001", "dteam001", "11")))
                                .jobs())
                        .extracting(LrmsJob::lrmsId, LrmsJob::state)
                        .containsExactly(tuple("11", State.DONE));
            }
        }
    }

    @Test
    void anUnknownNameOfAnEndIsNoAbsence() throws IOException {
        Path log = Files.writeString(dir.resolve("jobcomp.log"), line(11, "cream_000000001", "EVAPORATED", "0:0"));
        assertThat(new JobCompletionLog(log).find(sought("cream_000000001")).jobs())
                .singleElement()
                .satisfies(job -> assertThat(job.state()).isEqualTo(State.DONE))
                .satisfies(job -> assertThat(job.exitCode()).isNull())
                .satisfies(job -> assertThat(job.reason()).contains("EVAPORATED"));
    }

    @Test
    void readsTheFileItWasRotatedTo() throws IOException {
        Path log = Files.writeString(dir.resolve("jobcomp.log"), line(11, "cream_000000001", "COMPLETED", "0:0"));
        Files.writeString(
                dir.resolve("jobcomp.log.1"),
                line(11, "cream_000000001", "COMPLETED", "0:0") + line(12, "cream_000000002", "TIMEOUT", "0:0"));
        assertThat(new JobCompletionLog(log)
                        .find(sought("cream_000000001", "cream_000000002"))
                        .jobs())
                .extracting(LrmsJob::state)
                .containsExactly(State.DONE, State.FAILED);
    }

    @Test
    void anEndlessLineIsSkipped() throws IOException {
        Path log = Files.writeString(
                dir.resolve("jobcomp.log"),
                "JobId=1 Name=" + "x".repeat(600_000) + "\n" + line(2, "cream_000000002", "COMPLETED", "0:0"));
        assertThat(new JobCompletionLog(log).find(sought("cream_000000002")).jobs())
                .hasSize(1);
    }

    @Test
    void aFileThatCannotBeReadIsNoAbsence() {
        JobCompletionLog log = new JobCompletionLog(dir.resolve("absent"));
        assertThatThrownBy(() -> log.find(sought("cream_000000001"))).isInstanceOf(LrmsException.class);
    }

    @Test
    void theNightInWhichClocksAreChangedIsNoHourLonger() {
        JobCompletionLog log = new JobCompletionLog(
                dir, new LocalTimes(ZoneId.of("Europe/Paris"), DateTimeFormatter.ISO_LOCAL_DATE_TIME));
        assertThat(read(log, "2026-03-29T01:59:00", "2026-03-29T03:01:00")
                        .usage()
                        .wall())
                .isEqualTo(Duration.ofMinutes(2));
        assertThat(read(log, "2026-10-25T01:59:00", "2026-10-25T02:30:00")
                        .usage()
                        .wall())
                .as("it may be either of two hours")
                .isNull();
        assertThat(read(log, "2026-10-25T01:59:00", "2026-10-25T02:30:00").endedAt())
                .isNull();
        assertThat(read(log, "Unknown", "2026-03-29T03:01:00").usage().wall()).isNull();
        assertThat(read(log, "2026-11-20T21:54:54", "2026-11-20T21:54:49")
                        .usage()
                        .wall())
                .isNull();
    }

    private static LrmsJob read(JobCompletionLog log, String start, String end) {
        String line = line(11, "cream_000000001", "CANCELLED", "0:0")
                .replace("2026-11-20T21:54:49", start)
                .replace("2026-11-20T21:54:54", end)
                .strip();
        return log.parse(
                        line,
                        Map.of("cream_000000001", sought("cream_000000001").get(0)))
                .orElseThrow()
                .job();
    }

    /** A plugin, an administrator or the job itself may have changed the name. */
    @Test
    void aRecordIsKnownByItsDirectoryOrByIdAccountAndTime() throws IOException {
        String renamed = line(11, "site-job", "FAILED", "3:0");
        Lookup ours = new Lookup("cream_000000001", "dteam001", "11", Instant.parse("2026-11-20T23:00:00Z"));
        for (String there : List.of("/sb/CREAM000000001", "/")) {
            Path log = Files.writeString(
                    dir.resolve("jobcomp.log"),
                    renamed.replace("/tmp", there).replace(" Derived", " SubmitTime=2026-11-20T21:54:38 Derived"));
            assertThat(new JobCompletionLog(log).find(List.of(ours)).jobs())
                    .extracting(LrmsJob::tag, LrmsJob::exitCode)
                    .containsExactly(tuple("cream_000000001", 3));
            assertThat(new JobCompletionLog(log)
                            .find(List.of(new Lookup(ours.tag(), "dteam002", "11", ours.handedOver())))
                            .jobs())
                    .isEmpty();
        }
        Path log = Files.writeString(dir.resolve("jobcomp.log"), renamed);
        assertThat(new JobCompletionLog(log).find(List.of(ours)).jobs())
                .as("another's job that got the id")
                .isEmpty();
    }

    @Property
    void takesAnyLine(@ForAll String text) {
        JobCompletionLog log = new JobCompletionLog(Path.of("any"));
        Map<String, Lookup> wanted =
                Map.of("cream_000000001", sought("cream_000000001").get(0));
        assertThatCode(() -> {
                    log.parse(text, wanted);
                    log.parse("JobId=1 Name=cream_000000001 JobState=" + text, wanted);
                })
                .doesNotThrowAnyException();
    }

    private static List<Lookup> sought(String... tags) {
        return Stream.of(tags).map(tag -> new Lookup(tag, "dteam001", null)).toList();
    }

    private static String line(int id, String name, String state, String exit) {
        return "JobId=" + id + " UserId=dteam001(1001) GroupId=dteam001(1001) Name=" + name + " JobState=" + state
                + " Partition=long TimeLimit=1440 StartTime=2026-11-20T21:54:49 EndTime=2026-11-20T21:54:54 NodeList=wn0"
                + " NodeCnt=1 ProcCnt=1 WorkDir=/tmp ReservationName= Tres=cpu=1,node=1 Account= QOS= WcKey="
                + " Cluster=unknown DerivedExitCode=0:0 ExitCode=" + exit + " \n";
    }
}
