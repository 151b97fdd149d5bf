package org.gelato.ce.core.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.accounting.AccountingSettings.Form;
import org.gelato.ce.core.accounting.AccountingSettings.Publishing;
import org.gelato.ce.core.accounting.AccountingSettings.Records;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.testkit.accounting.ApelReader;
import org.gelato.ce.testkit.accounting.BlahLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written is taken by a reader that rejects all that APEL rejects, whatever the job brings. */
class ApelMessagesTest {
    private static final Instant END = Instant.parse("2026-03-31T23:59:59.75Z");
    private static final String DN = "CN=Ada,DC=example,DC=org";

    static AccountingSettings settings(Form form, boolean withhold) {
        return new AccountingSettings(
                Publishing.SSM,
                Records.JOBS,
                form,
                "EXAMPLE-T2",
                "slurm.example.org",
                "ce.example.org:8443",
                "",
                withhold,
                new Benchmarks(List.of(
                        new Benchmarks.Value("long", Benchmarks.Kind.HEPSPEC, new BigDecimal("11.0"), null),
                        new Benchmarks.Value("long", Benchmarks.Kind.HEPSCORE23, new BigDecimal("12.5"), null),
                        new Benchmarks.Value(
                                "long",
                                Benchmarks.Kind.HEPSCORE23,
                                new BigDecimal("13.5"),
                                Instant.parse("2026-04-01T00:00:00Z")))),
                null,
                Duration.ofDays(1),
                1000,
                Path.of("unused"),
                Duration.ofDays(1),
                Duration.ofDays(400));
    }

    static UsageEntry used(int id, String subject, String fqan) {
        return new UsageEntry(
                id,
                new JobId(id),
                "slurm",
                "long",
                "" + (4700 + id),
                "dteam001",
                !subject.startsWith("https:"),
                subject,
                fqan,
                // by another clock than the end's
                END.minusSeconds(3700),
                END,
                new BigDecimal("187.400"),
                new BigDecimal("99.600"),
                2,
                2048L,
                "wn1",
                "DONE-OK",
                "0",
                false);
    }

    private static ApelReader.Message read(String text) {
        return ApelReader.read(text.getBytes(StandardCharsets.UTF_8), END.plusSeconds(3600));
    }

    private static ApelReader.Message job(Form form, UsageEntry entry) {
        return read(new ApelMessages(settings(form, false)).jobs(List.of(entry)));
    }

    @Test
    void aJobHasItsValues() {
        assertThat(job(Form.ONE_BENCHMARK, used(1, DN, "/dteam/ana/Role=production"))
                        .records()
                        .get(0))
                .containsOnly(
                        entry("Site", "EXAMPLE-T2"),
                        entry("SubmitHost", "ce.example.org:8443/cream-slurm-long"),
                        entry("MachineName", "slurm.example.org"),
                        entry("Queue", "long"),
                        entry("LocalJobId", "4701"),
                        entry("LocalUserId", "dteam001"),
                        entry("GlobalUserName", "/DC=org/DC=example/CN=Ada"),
                        entry("FQAN", "/dteam/ana/Role=production"),
                        entry("VO", "dteam"),
                        entry("VOGroup", "/dteam/ana"),
                        entry("VORole", "Role=production"),
                        entry("WallDuration", "100"),
                        entry("CpuDuration", "187"),
                        entry("Processors", "2"),
                        entry("NodeCount", "0"),
                        entry("StartTime", "" + END.minusSeconds(100).getEpochSecond()),
                        entry("EndTime", "" + END.getEpochSecond()),
                        entry("InfrastructureDescription", "GELATO-SLURM"),
                        entry("InfrastructureType", "grid"),
                        entry("MemoryReal", "2048"),
                        entry("ServiceLevelType", "HEPscore23"),
                        entry("ServiceLevel", "12.5"));
    }

    @Test
    void severalBenchmarksAreInOneLine() {
        assertThat(job(Form.SEVERAL_BENCHMARKS, used(1, DN, "/dteam")).records().get(0))
                .contains(entry("ServiceLevel", "{HEPscore23: 12.5, HEPSPEC: 11.0}"))
                .doesNotContainKey("ServiceLevelType");
    }

    @Test
    void theBenchmarkIsThatOfTheEnd() {
        Benchmarks benchmarks = settings(Form.ONE_BENCHMARK, false).benchmarks();
        assertThat(benchmarks.at("long", END)).containsEntry(Benchmarks.Kind.HEPSCORE23, new BigDecimal("12.5"));
        assertThat(benchmarks.at("long", END.plusSeconds(1)))
                .containsEntry(Benchmarks.Kind.HEPSCORE23, new BigDecimal("13.5"))
                .containsEntry(Benchmarks.Kind.HEPSPEC, new BigDecimal("11.0"));
        assertThat(benchmarks.at("short", END)).isEmpty();
        Benchmarks late = new Benchmarks(
                List.of(new Benchmarks.Value("q", Benchmarks.Kind.SI2K, BigDecimal.TEN, END.plusSeconds(9))));
        assertThat(late.at("q", END)).containsEntry(Benchmarks.Kind.SI2K, BigDecimal.TEN);
    }

    /** Each of these would lose the whole message, or a thousand jobs. */
    @ParameterizedTest
    @EnumSource(Form.class)
    void whateverAJobBringsTheMessageIsTaken(Form form) {
        List<UsageEntry> hostile = new ArrayList<>();
        String longName = "CN=" + "x".repeat(400) + ",DC=org";
        for (String subject : List.of(
                "CN=Ren\u00e9 \u4e2d\\, \\\"Q\\\",DC=org",
                "CN=100%% sure\\0Afaked: yes,DC=org",
                longName,
                longName + "g",
                "https://iam.example.org/,a b:c%%d",
                "https://iam.example.org,None")) {
            for (String fqan : List.of("", "/dteam", "/dteam/Role=a%%b", "/" + "v".repeat(254))) {
                hostile.add(used(hostile.size(), subject, fqan));
            }
        }
        UsageEntry e = used(90, DN, "/dteam");
        hostile.add(new UsageEntry(
                91,
                new JobId(91),
                "lsf",
                "other",
                "lsf/20260331/17",
                "a",
                true,
                DN,
                "",
                null,
                END,
                null,
                null,
                null,
                null,
                null,
                "CANCELLED",
                null,
                false));
        hostile.add(new UsageEntry(
                92,
                new JobId(92),
                "slurm",
                "long",
                "92",
                "a",
                true,
                DN,
                "",
                END.plusSeconds(5),
                END,
                null,
                null,
                1,
                null,
                null,
                "DONE-OK",
                null,
                false));
        String text = new ApelMessages(settings(form, false)).jobs(hostile);
        assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSize(text.length());
        List<Map<String, String>> records = read(text).records();
        assertThat(records).hasSameSizeAs(hostile);
        assertThat(records.get(0)).containsEntry("GlobalUserName", "/DC=org/CN=Ren\\xC3\\xA9 \\xE4\\xB8\\xAD, \"Q\"");
        assertThat(records.get(8).get("GlobalUserName"))
                .hasSize(255)
                .isNotEqualTo(records.get(12).get("GlobalUserName"));
        assertThat(records.get(16)).containsEntry("GlobalUserName", "https://iam.example.org/a b:c%\\x25d");
        assertThat(records.get(24))
                .containsEntry("LocalJobId", "17")
                .containsEntry("CpuDuration", "0")
                .containsEntry("WallDuration", "0")
                .doesNotContainKey("VO")
                .doesNotContainKey("ServiceLevel");
        assertThat(records.get(25))
                .containsEntry("StartTime", "" + END.getEpochSecond())
                .containsEntry("NodeCount", "1");
        assertThat(e.published()).isFalse();
    }

    @Test
    void usersCanBeWithheld() {
        String text = new ApelMessages(settings(Form.ONE_BENCHMARK, true)).jobs(List.of(used(1, DN, "/dteam")));
        assertThat(read(text).records().get(0)).containsEntry("GlobalUserName", "withheld");
        assertThat(text).doesNotContain("Ada");
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void summariesAddUpByMonthAndGroup(Form form) {
        ApelMessages.Summaries sums = new ApelMessages(settings(form, false)).new Summaries();
        sums.add(used(1, DN, "/dteam"));
        sums.add(used(2, DN, "/dteam"));
        sums.add(used(3, DN, "/dteam/Role=production"));
        sums.add(used(4, "https://iam.example.org/,ada", ""));
        List<Map<String, String>> records = new ArrayList<>();
        sums.messages((text, count) -> {
            ApelReader.Message message = read(text);
            assertThat(message.kind()).isEqualTo(ApelReader.Kind.SUMMARIES);
            assertThat(message.records()).hasSize(count);
            records.addAll(message.records());
        });
        assertThat(records)
                .hasSize(3)
                .allSatisfy(r -> assertThat(r)
                        .containsEntry("Month", "3")
                        .containsEntry("Year", "2026")
                        .containsEntry("LatestEndTime", "" + END.getEpochSecond()));
        assertThat(records)
                .anySatisfy(r -> assertThat(r)
                        .containsEntry("NumberOfJobs", "2")
                        .as("twice 99.6 and 187.4")
                        .containsEntry("WallDuration", "199")
                        .containsEntry("CpuDuration", "375")
                        .containsEntry("VOGroup", "/dteam")
                        .doesNotContainKey("VORole"));
        assertThat(records).anySatisfy(r -> assertThat(r).containsEntry("VORole", "Role=production"));
        assertThat(records)
                .anySatisfy(r -> assertThat(r)
                        .containsEntry("GlobalUserName", "https://iam.example.org/ada")
                        .doesNotContainKey("VO"));
    }

    /** 119 jobs used 10.27 seconds of CPU together, and were published with 0: each was rounded before the sum. */
    @ParameterizedTest
    @EnumSource(Form.class)
    void manyShortJobsAddUpBeforeTheyAreRounded(Form form) {
        ApelMessages.Summaries sums = new ApelMessages(settings(form, false)).new Summaries();
        for (int i = 1; i <= 119; i++) {
            sums.add(shortJob(i, i <= 35 ? "0.087" : "0.086", i % 2 == 0 ? new BigDecimal("0.450") : null));
        }
        List<Map<String, String>> records = new ArrayList<>();
        sums.messages((text, count) -> records.addAll(read(text).records()));
        assertThat(records)
                .singleElement()
                .satisfies(r -> assertThat(r)
                        .containsEntry("NumberOfJobs", "119")
                        .containsEntry("CpuDuration", "10")
                        .as("59 times 0.45 measured, 60 times 0.75 between begin and end")
                        .containsEntry("WallDuration", "72")
                        .containsEntry("Processors", "1")
                        .containsEntry("NodeCount", "1"));
    }

    @Test
    void aJobsTimesAreRoundedToTheNearestSecondAndItHasAProcessor() {
        Map<String, String> job =
                job(Form.ONE_BENCHMARK, shortJob(1, "0.500", null)).records().get(0);
        assertThat(job)
                .containsEntry("CpuDuration", "1")
                .containsEntry("WallDuration", "1")
                .containsEntry("Processors", "1");
        assertThat(job(Form.ONE_BENCHMARK, shortJob(2, "0.499", new BigDecimal("2.500")))
                        .records()
                        .get(0))
                .containsEntry("CpuDuration", "0")
                .containsEntry("WallDuration", "3");
    }

    /** A job of the built-in batch system, which says nothing of cores. */
    private static UsageEntry shortJob(int id, String cpu, BigDecimal wall) {
        return new UsageEntry(
                id,
                new JobId(id),
                "fork",
                "long",
                "" + id,
                "dteam001",
                true,
                DN,
                "/dteam",
                END.minusMillis(750),
                END,
                new BigDecimal(cpu),
                wall,
                null,
                null,
                "wn1",
                "DONE-OK",
                "0",
                false);
    }

    @Test
    void countsAreOfEachMonthAndQueue() {
        List<ApelMessages.Count> counts =
                Collections.nCopies(1001, new ApelMessages.Count(YearMonth.of(2026, 3), "slurm", "long", 7));
        List<Integer> sizes = new ArrayList<>();
        new ApelMessages(settings(Form.ONE_BENCHMARK, false)).counts(counts, (text, count) -> {
            assertThat(read(text).records())
                    .hasSize(count)
                    .allSatisfy(r -> assertThat(r)
                            .containsEntry("SubmitHost", "ce.example.org:8443/cream-slurm-long")
                            .containsEntry("NumberOfJobs", "7"));
            sizes.add(count);
        });
        assertThat(sizes).containsExactly(1000, 1);
    }

    @Test
    void linesOfTheBlahLogAreTaken() {
        ApelMessages messages = new ApelMessages(settings(Form.ONE_BENCHMARK, false));
        String line = messages.blahLine(used(1, "CN=\\\"Q\\\" \u00e9\\0A,DC=org", "/dteam/Role=production"));
        assertThat(line).endsWith("\"\n").matches("\\p{ASCII}+");
        assertThat(BlahLogReader.read(line.strip()))
                .hasValueSatisfying(fields -> assertThat(fields)
                        .containsEntry("timestamp", "2026-03-31 23:59:59")
                        .containsEntry("userFQAN", "/dteam/Role=production")
                        .containsEntry("ceID", "ce.example.org:8443/cream-slurm-long")
                        .containsEntry("lrmsID", "4701")
                        .containsEntry("clientID", "cream_000000001"));
        assertThat(BlahLogReader.read(messages.blahLine(used(2, DN, "")).strip()))
                .hasValueSatisfying(fields -> assertThat(fields).containsEntry("userFQAN", ""));
    }

    /** The reader rejects what APEL rejects, or the tests here would say nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Site: X|Site: ",
                "Site: X|Site: None",
                "Site: X|Site: X\nGlobalJobId: 1",
                "Site: X|Site: X\nno colon",
                "Site: X|site: X",
                "Site: X|Site: \u00e9",
                "WallDuration: 5|WallDuration: 5.0",
                "EndTime: 20|EndTime: 9",
                "EndTime: 20|EndTime: 99999999999",
                "ServiceLevel: 12.5|",
                "ServiceLevelType: HEPscore23|",
                "ServiceLevelType: HEPscore23|ServiceLevelType: Apples",
                "ServiceLevel: 12.5|ServiceLevel: {HEPSPEC: 12.5}",
                "LocalJobId: 1|LocalJobId: 1%%2",
                "v0.3|v0.5"
            })
    void theReaderIsStrict(String change) {
        String whole = "APEL-individual-job-message: v0.3\nSite: X\nLocalJobId: 1\nWallDuration: 5\nCpuDuration: 5\n"
                + "StartTime: 10\nEndTime: 20\nServiceLevelType: HEPscore23\nServiceLevel: 12.5\n%%\n";
        assertThat(read(whole).records()).hasSize(1);
        assertThat(read(whole.replace("\n", "\r\n")).records()).hasSize(1);
        int bar = change.indexOf('|');
        String broken = whole.replaceFirst(change.substring(0, bar), change.substring(bar + 1));
        assertThat(broken).isNotEqualTo(whole);
        assertThatThrownBy(() -> read(broken)).isInstanceOf(ApelReader.RejectedException.class);
        assertThatThrownBy(() -> read(whole.replace("v0.3", "v0.4"))).isInstanceOf(ApelReader.RejectedException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"timestamp=2026-01-02 03:04:05\" \"userDN=/CN=a \"b\"\" \"userFQAN=/d\" \"ceID=c\" \"lrmsID=1\"",
                "\"timestamp=2026-01-02 03:04:05\" \"userDN=/CN=a\" \"ceID=c\" \"lrmsID=1\"",
                "\"timestamp=2026-01-02T03:04:05Z\" \"userDN=/CN=a\" \"userFQAN=/d\" \"ceID=c\" \"lrmsID=1\""
            })
    void theReaderOfTheBlahLogIsStrict(String line) {
        assertThat(BlahLogReader.read(line)).isEmpty();
    }
}
