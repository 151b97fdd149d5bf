package org.gelato.ce.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.gelato.ce.cli.Main;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.StandardStreams;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditCommandTest {
    @TempDir
    private Path directory;

    private String out;
    private String err;

    @BeforeEach
    void write() throws IOException {
        zip("audit.log-20260101.gz", line("2026-01-01T00:00:00.000001Z", "mapped", "\"dn\":\"CN=Ann,DC=org\""));
        file(
                "audit.log.1",
                line("2026-01-03T00:00:00.000000Z", "end", "\"job\":\"CREAM000000001\",\"batch-id\":\"4711.ce\""));
        file(
                "audit.log-20260102",
                line(
                                "2026-01-02T00:00:00.000000Z",
                                "register",
                                "\"dn\":\"CN=Bob Bee,DC=org\",\"job\":\"CREAM000000001\"")
                        + "{\"time\":\"2026-01-02T00:00:01.0000\n"
                        + "x".repeat(AuditLines.LONGEST + 5) + "\n"
                        + line("2026-01-02T00:00:02.000000Z", "start", "\"account\":\"grid001\""));
        file(
                "audit.log",
                line("2026-01-04T00:00:00.000000Z", "refused", "\"reason\":\"a \\u001b[2J\\\"b\\\"\"") + "{\"ti");
        file("audit.log.bak", line("2026-01-05T00:00:00.000000Z", "mapped", "\"dn\":\"x\""));
    }

    private void file(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }

    private void zip(String name, String text) throws IOException {
        try (OutputStream to = new GZIPOutputStream(Files.newOutputStream(directory.resolve(name)))) {
            to.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String line(String time, String event, String more) {
        return "{\"time\":\"" + time + "\",\"event\":\"" + event + "\"," + more + "}\n";
    }

    private int run(String... more) {
        ByteArrayOutputStream o = new ByteArrayOutputStream();
        ByteArrayOutputStream e = new ByteArrayOutputStream();
        List<String> args = new ArrayList<>(List.of("audit", "--file", "audit.log"));
        args.addAll(List.of(more));
        int exit = Main.run(
                new CliContext(
                        new StandardStreams(
                                new PrintStream(o, true, StandardCharsets.UTF_8),
                                new PrintStream(e, true, StandardCharsets.UTF_8),
                                InputStream.nullInputStream(),
                                false),
                        Map.of(),
                        directory,
                        Clock.systemUTC(),
                        time -> {},
                        (endpoint, options, context) -> {
                            throw new AssertionError("nothing is to be connected");
                        }),
                args.toArray(new String[0]));
        out = o.toString(StandardCharsets.UTF_8);
        err = e.toString(StandardCharsets.UTF_8);
        return exit;
    }

    private List<String> events() {
        return out.lines().map(l -> l.split(" ")[1]).toList();
    }

    @Test
    void allFilesAreReadInTheOrderOfTimeAndCutLinesAreCounted() {
        assertThat(run()).isZero();
        assertThat(events()).containsExactly("mapped", "register", "start", "end", "refused");
        assertThat(err).contains("3 lines were cut or damaged");
        assertThat(out).contains(" reason=\"a ?[2J\\\"b\\\"\"").doesNotContain("\u001b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--job;https://ce:8443/CREAM000000001;register,end",
                "--batch;4711;end",
                "--user;/DC=org/CN=bob bee;register",
                "--user;CN=Bob Bee,DC=org;register",
                "--user;ANN;mapped",
                "--account;grid001;start",
                "--event;start,refused;start,refused",
                "--from;2026-01-03;end,refused",
                "--to;2026-01-02 00:00:00;mapped,register"
            })
    void filtersChoose(String option, String value, String expected) {
        assertThat(run(option, value)).isZero();
        assertThat(String.join(",", events())).isEqualTo(expected);
    }

    @Test
    void jsonIsAnObjectALine() {
        assertThat(run("--json", "--event", "start")).isZero();
        assertThat(out.strip())
                .isEqualTo(line("2026-01-02T00:00:02.000000Z", "start", "\"account\":\"grid001\"")
                        .strip());
    }

    @Test
    void nothingFoundWrongUsageAndMissingFilesDiffer() throws IOException {
        assertThat(run("--account", "nobody")).isEqualTo(1);
        assertThat(err).contains("no line of ", "meets the criteria");
        assertThat(run("--job", "4711")).isEqualTo(2);
        assertThat(run("--from", "2026-01-03", "--to", "2026-01-02")).isEqualTo(2);
        assertThat(run("--file", "other.log")).isEqualTo(2);
        Files.write(directory.resolve("audit.log-20260103.gz"), new byte[] {0x1f, (byte) 0x8b, 8});
        assertThat(run("--event", "start")).isEqualTo(1);
        assertThat(events()).containsExactly("start");
        assertThat(err).contains("audit.log-20260103.gz");
    }

    @Test
    void aLogThatIsNotThereIsNamed() throws IOException {
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        assertThat(run()).isEqualTo(1);
        assertThat(err).contains("audit.log: no such file; name the CE's gelato.audit.file");
    }
}
