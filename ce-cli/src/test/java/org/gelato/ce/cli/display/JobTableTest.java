package org.gelato.ce.cli.display;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.json.JobDetail;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help;

/** The table as it stands on terminals of several widths, and where there is none. */
class JobTableTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final String REASON = "slurm: Resources, and this goes on for longer than most terminals are wide";

    private static String table(int width, Help.Ansi ansi) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        JobTable.print(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                Help.defaultColorScheme(ansi),
                List.of(
                        row("CREAM000000001", "IDLE", null, null, REASON, "a fit of many parameters"),
                        row("CREAM000000002", "DONE-FAILED", "3", "no\nroom @|red here|@", null, null)),
                NOON.plusSeconds(7200),
                width);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static JobTable.Row row(
            String id, String state, String exit, String failure, String description, String name) {
        StatusReport status = new StatusReport(state, NOON, exit, failure, description);
        return new JobTable.Row(
                new JobUrl(new Endpoint("ce.example.org", 8443), id),
                new JobReport(
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        List.of(status),
                        List.of(),
                        Map.of(JobDetail.QUEUE, "long"),
                        name,
                        List.of()));
    }

    @Test
    void everyTextIsWholeWhereThereIsNoTerminal() {
        assertThat(table(0, Help.Ansi.OFF)).isEqualTo("""
                        JOB                                         STATE        SINCE  AGE  QUEUE  NAME                      RESULT OR REASON TO WAIT
                        https://ce.example.org:8443/CREAM000000001  IDLE         2h     2h   long   a fit of many parameters  slurm: Resources, and this goes on for longer than most terminals are wide
                        https://ce.example.org:8443/CREAM000000002  DONE-FAILED  2h     2h   long   -                         exit 3, no room @|red here|@
                        """);
        assertThat(table(1000, Help.Ansi.OFF)).isEqualTo(table(0, Help.Ansi.OFF));
    }

    @Test
    void aTerminalGetsNoLineThatIsLonger() {
        assertThat(table(120, Help.Ansi.OFF)).isEqualTo("""
                        JOB                                         STATE        SINCE  AGE  QUEUE  NAME          RESULT OR REASON TO WAIT
                        https://ce.example.org:8443/CREAM000000001  IDLE         2h     2h   long   a fit of ma…  slurm: Resources, and this go…
                        https://ce.example.org:8443/CREAM000000002  DONE-FAILED  2h     2h   long   -             exit 3, no room @|red here|@
                        """);
        // Of ids the end counts.
        assertThat(table(80, Help.Ansi.OFF)).isEqualTo("""
                        JOB                         STATE        SINCE  AGE  QUEUE  NAME      RESULT OR…
                        …e.org:8443/CREAM000000001  IDLE         2h     2h   long   a fit o…  slurm: Re…
                        …e.org:8443/CREAM000000002  DONE-FAILED  2h     2h   long   -         exit 3, n…
                        """);
        for (int width = 70; width < 200; width++) {
            int most = width;
            assertThat(table(width, Help.Ansi.OFF).lines()).allMatch(line -> line.length() <= most);
        }
    }

    @Test
    void coloursHaveNoWidth() {
        String colored = table(100, Help.Ansi.ON);
        assertThat(colored).contains("\u001b[31mDONE-FAILED\u001b[39m\u001b[0m  2h");
        assertThat(colored.replaceAll("\u001b\\[[0-9;]*m", "")).isEqualTo(table(100, Help.Ansi.OFF));
    }
}
