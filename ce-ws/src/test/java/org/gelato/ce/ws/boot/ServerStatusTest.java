package org.gelato.ce.ws.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ServerStatusTest {
    private static final Instant NOW = Instant.parse("2026-03-14T03:07:20Z");

    private static List<String> text(String json) throws Exception {
        return ServerStatus.text(new ObjectMapper().readTree(json), NOW);
    }

    @Test
    void whenAllIsWellItIsTheFirstLine() throws Exception {
        assertThat(text("""
                                {"verdict": {"level": "note", "calm": "412 jobs run.", "problems": [{"level": "note",
                                 "title": "VO x is drained", "since": null, "text": "This ends it:", "commands": ["ce enable --vo x"],
                                 "said": null}]},
                                 "checks": [{"name": "helper", "ok": true, "degraded": false}],
                                 "now": {"jobs": {"RUNNING": 12, "REALLY-RUNNING": 400, "PENDING": 1, "IDLE": 2},
                                         "batch": {"name": "slurm"}, "oldest": null},
                                 "failuresOf": 0, "failures": [],
                                 "charts": [
                                  {"title": "Jobs by state", "unit": "states", "lines": {"running": ["jobs_running"]}},
                                  {"title": "Commands that wait", "unit": "count", "lines": {"control": ["none"], "purge": ["unknown"]}},
                                  {"title": "Jobs a minute", "unit": "minute", "lines": {"done": ["done"], "other": ["none"]}},
                                  {"title": "Time of requests", "unit": "latency", "lines": {"p50": ["p50"], "p95": ["p95"]}},
                                  {"title": "Memory", "unit": "bytes", "lines": {"JVM": ["jvm"], "all": ["jvm", "helper"]}}],
                                 "series": {"jobs_running": [412], "none": [7, 0], "unknown": [9, null, null, null], "done": [0.1, null],
                                  "p50": [0.00412345], "p95": [1, 12.5], "jvm": [510000000], "helper": [9000000]}}"""))
                .containsExactly(
                        "Everything works. 412 jobs run.",
                        "NOTE: VO x is drained",
                        "  This ends it:",
                        "    ce enable --vo x",
                        "running 412, waiting 1 here and 2 in slurm, held 0",
                        "failed in the last hour: 0",
                        "Jobs a minute: done 6",
                        "Time of requests: p50 0.00412 s, p95 12.5 s",
                        "Memory: JVM 486 MiB, all 495 MiB",
                        "checks: all 1 in order");
    }

    @Test
    void aProblemSaysSinceWhenWhomItHitsAndWhatToDo() throws Exception {
        assertThat(text("""
                                {"verdict": {"level": "error", "calm": "", "problems": [{"level": "error",
                                 "title": "Slurm does not respond", "since": "2026-03-14T03:04:00Z", "text": "Running jobs go on.",
                                 "commands": ["scontrol ping"], "said": "connect\\nfailure"}]},
                                 "checks": [{"name": "slurm", "ok": false, "degraded": false, "detail": "no response"},
                                            {"name": "tokens", "ok": true, "degraded": true, "detail": "old keys"}],
                                 "now": {"jobs": {"PENDING": 5, "RUNNING": 3},
                                         "batch": {"name": "slurm", "asOf": "2026-03-14T03:04:00Z"},
                                         "oldest": {"id": "CREAM000000001", "since": "2026-03-14T03:00:00Z"}},
                                 "failuresOf": 2, "failures": [{"reason": "No space left"}]}"""))
                .containsExactly(
                        "ERROR: Slurm does not respond",
                        "  Since 2026-03-14T03:04:00Z (3 minutes). Running jobs go on.",
                        "    scontrol ping",
                        "  In its words: connect; failure",
                        "waiting 5 here; as of the last successful poll at 2026-03-14T03:04:00Z (3 minutes):"
                                + " running 3, waiting 0 in slurm, held 0",
                        "failed in the last hour: 2, mostly: No space left",
                        "oldest waiting job: CREAM000000001, since 2026-03-14T03:00:00Z (7 minutes)",
                        "check slurm is not ok: no response",
                        "check tokens is degraded: old keys",
                        "checks: 2 of 2 not in order");
        assertThat(text("{\"now\": {\"jobs\": null}}")).contains("jobs: unknown, as the database does not respond");
    }

    @Test
    void numbersThatNoPollHasMadeSinceTheStartAreOfNoPoll() throws Exception {
        assertThat(text("""
                {"verdict": {"level": "ok", "calm": "", "problems": []}, "checks": [],
                                 "now": {"jobs": {"RUNNING": 3},
                                         "batch": {"name": "slurm", "asOf": null,
                                                   "notPolledSince": "2026-03-14T03:04:00Z"}}}"""))
                .contains("waiting 0 here; not polled since the start at 2026-03-14T03:04:00Z (3 minutes):"
                        + " running 3, waiting 0 in slurm, held 0");
    }

    @Test
    void aCeThatDoesNotRunIsSaidWithWhereToLook(@TempDir Path home) throws Exception {
        Path config = Files.writeString(home.resolve("gelato.conf"), "gelato { host = ce.example.org, port = 1 }");
        StringWriter err = new StringWriter();
        CommandLine commands = Main.commandLine().setErr(new PrintWriter(err, true));

        assertThat(commands.execute("status", "--config", config.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("systemctl status gelato-ce");
    }

    @Test
    void logsAreTheUnitsAndOfOneJobWhereItIsNamed() {
        assertThat(logs("--job", "https://ce.example.org:8443/CREAM000000042", "--since", "-2h"))
                .containsExactly(
                        "journalctl",
                        "--unit=gelato-ce",
                        "--no-pager",
                        "--output=cat",
                        "--quiet",
                        "--since=-2h",
                        "--grep=\\bCREAM000000042\\b");
        assertThat(logs()).endsWith("--lines=100");
        assertThat(logs("--follow")).endsWith("--lines=100", "--follow");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--job=42", "--job=CREAM1|.*", "--since=$(id)"})
    void whatIsNoJobOrTimeIsRefused(String argument) {
        StringWriter err = new StringWriter();
        assertThat(Main.commandLine().setErr(new PrintWriter(err, true)).execute("logs", argument))
                .isEqualTo(2);
        assertThat(err.toString()).contains(argument.substring(argument.indexOf('=') + 1));
    }

    private static List<String> logs(String... arguments) {
        CommandLine line = new CommandLine(new ServerLogs());
        line.parseArgs(arguments);
        return line.<ServerLogs>getCommand().command();
    }
}
