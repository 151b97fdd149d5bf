package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageCommandTest {
    private static final String SUMS =
            "{\"sums\":[{\"month\":\"2026-03\",\"vo\":\"dteam\",\"jobs\":2,\"cpuSeconds\":1800.0,"
                    + "\"wallSeconds\":3600.5,\"coreSeconds\":7200,\"unmeasured\":1},{\"month\":\"2026-03\",\"vo\":\"\",\"jobs\":1,"
                    + "\"cpuSeconds\":0,\"wallSeconds\":0,\"coreSeconds\":0,\"unmeasured\":0}]}";

    private final FakeCe ce = new FakeCe();

    @TempDir
    private Path directory;

    @Test
    void littleUseIsNotShownAsNone() {
        ce.controlled = SUMS.replace("1800.0", "0.19").replace("3600.5", "400");
        assertThat(ce.run("usage", "-e", "ce")).isZero();
        assertThat(ce.out())
                .containsPattern(" 2 +0\\.000053 +0\\.11 +2\\.00 ")
                .containsPattern(" 1 +0\\.00 +0\\.00 +0\\.00 ");
    }

    @Test
    void sumsAreATableOrCsvOrJson() {
        ce.controlled = SUMS;
        assertThat(ce.run("usage", "-e", "ce", "--from", "2026-03", "--to", "2026-04-01"))
                .isZero();
        assertThat(ce.calls).contains("GET usage {from=2026-03-01T00:00:00Z, to=2026-04-01T00:00:00Z, by=month,vo}");
        assertThat(ce.out()).contains("2026-03  dteam", "0.50", "2.00", " 25 ", "(none)");
        FakeCe csv = new FakeCe();
        csv.controlled = SUMS.replace("dteam", "a,\\\"b");
        assertThat(csv.run("usage", "-e", "ce", "--by", "month,vo", "--format", "csv"))
                .isZero();
        assertThat(csv.out())
                .contains(
                        "month,vo,jobs,cpu_seconds,wall_seconds,core_seconds,unmeasured",
                        "2026-03,\"a,\"\"b\",2,1800.0,3600.5,7200,1",
                        "2026-03,,1,0,0,0,0");
        for (String value : List.of("=HYPERLINK(1)", "-2-3")) {
            FakeCe formula = new FakeCe();
            formula.controlled = SUMS.replace("dteam", value);
            assertThat(formula.run("usage", "-e", "ce", "--by", "month,vo", "--format", "csv"))
                    .isZero();
            assertThat(formula.out()).contains("2026-03,\"'" + value + "\",2");
        }
        FakeCe json = new FakeCe();
        json.controlled = SUMS;
        assertThat(json.run("usage", "-e", "ce", "--by", "user", "--json")).isZero();
        assertThat(json.out().strip()).isEqualTo(SUMS);
        assertThat(new FakeCe().run("usage", "-e", "ce", "--by", "vo,vo")).isEqualTo(2);
        assertThat(new FakeCe().run("usage", "-e", "ce", "--by", "owner")).isEqualTo(2);
        assertThat(new FakeCe().run("usage", "-e", "ce", "--from", "2026-13")).isEqualTo(2);
    }

    @Test
    void sumsAreOfANameAndALabelAndByThem() {
        ce.controlled =
                SUMS.replace("\"vo\":\"dteam\"", "\"label:run\":\"42\"").replace("\"vo\":\"\"", "\"label:run\":\"\"");
        assertThat(ce.run(
                        "usage",
                        "-e",
                        "ce",
                        "--from",
                        "2026-03",
                        "--by",
                        "label:run",
                        "--name",
                        "fit",
                        "--label",
                        "channel=ee"))
                .isZero();
        assertThat(ce.calls)
                .contains("GET usage {from=2026-03-01T00:00:00Z, by=label:run, name=fit, label=channel=ee}");
        assertThat(ce.out()).contains("LABEL:RUN", "42 ", "(none)");
        assertThat(new FakeCe().run("usage", "-e", "ce", "--label", "channel")).isEqualTo(2);
        assertThat(new FakeCe().run("usage", "-e", "ce", "--by", "label:")).isEqualTo(2);
    }

    @Test
    void sumsAreOfJobsThatEndedSo() {
        ce.controlled = SUMS;
        assertThat(ce.run("usage", "-e", "ce", "--from", "2026-03", "--failed", "--exit-code", "!=0"))
                .isZero();
        assertThat(ce.calls).contains("GET usage {from=2026-03-01T00:00:00Z, by=month,vo, failed=true, exitCode=!=0}");
        assertThat(new FakeCe().run("usage", "-e", "ce", "--exit-code", "x")).isEqualTo(2);
    }

    @Test
    void aDryRunShowsCountsAndTheFirstMessage() {
        ce.controlled =
                "{\"publish\":\"ssm\",\"standings\":[{\"month\":\"2026-03\",\"vo\":\"\",\"jobs\":5,\"unsent\":3}],"
                        + "\"preview\":{\"records\":3,\"message\":\"APEL-individual-job-message: v0.3\\nSite: X\"}}";
        assertThat(ce.run("usage", "publish", "--dry-run", "-e", "ce", "--from", "2026-03"))
                .isZero();
        assertThat(ce.calls).contains("GET accounting {from=2026-03-01T00:00:00Z, preview=true}");
        assertThat(ce.out()).contains("(unmapped)", "APEL-individual-job-message: v0.3\nSite: X");
    }

    @Test
    void publishAndRepublishChangeTheCe() {
        ce.controlled = "{\"elsewhere\":false,\"messages\":2,\"records\":7}";
        assertThat(ce.run("usage", "publish", "-e", "ce")).isZero();
        assertThat(ce.calls).contains("PUT accounting {}");
        assertThat(ce.err()).contains("7 records in 2 messages");
        assertThat(ce.run("usage", "republish", "-e", "ce", "--from", "2026-03"))
                .isEqualTo(2);
        assertThat(ce.run("usage", "republish", "-e", "ce", "--from", "2026-03", "--to", "2026-04"))
                .isZero();
        assertThat(ce.calls)
                .contains("PUT accounting {from=2026-03-01T00:00:00Z, to=2026-04-01T00:00:00Z, again=true}");
        FakeCe busy = new FakeCe();
        busy.controlled = "{\"elsewhere\":true}";
        assertThat(busy.run("usage", "publish", "-e", "ce")).isEqualTo(1);
    }

    @Test
    void reconcileListsWhatDiffers() throws IOException {
        Path log = directory.resolve("sacct");
        Files.writeString(
                log,
                "JobID|JobName|Start|End|Elapsed|TotalCPU|NCPUS\n"
                        + "1|cream_000000001|2026-03-31T11:58:20|2026-03-31T12:00:00|00:01:40|00:10|1\n"
                        + "2|cream_000000002|2026-03-31T11:58:20|2026-03-31T12:00:00|00:01:40|00:10|1\n");
        ce.controlled = "{\"jobs\":[{\"id\":\"CREAM000000001\",\"batchId\":\"1\",\"running\":\"2026-03-31T11:58:21Z\","
                + "\"ended\":\"2026-03-31T12:00:00Z\",\"cpuSeconds\":20,\"wallSeconds\":100,\"cores\":1}]}";
        String[] command = {
            "usage",
            "reconcile",
            "-e",
            "ce",
            "--sacct",
            log.toString(),
            "--zone",
            "UTC",
            "--from",
            "2026-03",
            "--to",
            "2026-04"
        };
        assertThat(ce.run(command)).isEqualTo(1);
        assertThat(ce.calls)
                .contains("GET usage {from=2026-02-28T00:00:00Z, to=2026-04-02T00:00:00Z, jobs=true, after=0}");
        assertThat(ce.out())
                .contains("1 CREAM000000001: cpu is 20.0 at the CE and 10.0", "2 cream_000000002: not at the CE");
        assertThat(ce.err()).contains("1 jobs compared, 2 differences");
        assertThat(ce.run("usage", "reconcile", "-e", "ce")).isEqualTo(2);
        assertThat(ce.run("usage", "reconcile", "-e", "ce", "--sacct", "/no/such/file"))
                .isEqualTo(1);
    }
}
