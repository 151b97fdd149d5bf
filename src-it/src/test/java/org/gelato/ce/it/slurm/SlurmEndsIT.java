package org.gelato.ce.it.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.CancelledJobs;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.testkit.slurm.SlurmTestSite;
import org.gelato.ce.testkit.slurm.SlurmTestSite.Memory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a real Slurm of four nodes does to jobs, and what their owner is shown, all at once. The tables of docs/admin/slurm-ends.md are its
 * report: a run finds the same but for numbers and the words of curl.
 */
@Tag("long")
class SlurmEndsIT {
    private static final Path PAGE = Path.of("..", "docs", "admin", "slurm-ends.md");
    private static final Path REPORTS = Path.of("target", "slurm-ends");
    private static final Set<String> ENDED = Set.of("DONE-OK", "DONE-FAILED", "CANCELLED", "ABORTED");
    private static final Pattern KEPT = Pattern.compile("kept on [^ |]+: (/[^ |]+)/o");
    /** Its words differ between its versions. */
    private static final Pattern CURL = Pattern.compile("(curl: \\([0-9]+\\) )[^,|]*");

    private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)?");

    /** Holds 768 MB of the 500 that it may have, until somebody ends it. */
    private static final String GREEDY =
            "python3 -c \\\"x=bytearray(range(256))*3000000; import time; time.sleep(60)\\\"";

    private SlurmControl slurm;
    private SiteCe ce;
    private SiteUser user;

    /** A job as Slurm knows it. */
    private record Batch(String id, String node) {}

    /**
     * A job and what happens to it.
     *
     * @param act once its payload runs
     * @param state what the CE must show in the end
     * @param words a pattern of what the CE must say of it
     */
    private record Row(String what, String queue, String jdl, Consumer<Batch> act, String state, String words) {
        Row(String what, String line, Consumer<Batch> act, String state, String words) {
            this(what, "long", SiteUser.shellJob(line), act, state, words);
        }

        Row(String what, String line, String state, String words) {
            this(what, line, batch -> {}, state, words);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatSlurmDoesToAJobIsWhatItsOwnerIsShown(Memory memory) throws IOException {
        try (SlurmControl site = SlurmControl.startFarm(memory);
                SiteCe server = new SiteCe(
                        "ends",
                        "slurm",
                        SlurmTestSite.ACCOUNT,
                        Map.of(
                                "gelato.lrms.slurm.conf",
                                site.conf().toString(),
                                "gelato.lrms.queues",
                                List.of("long", "short", "high", "low"),
                                "gelato.wrapper.transfer-patience",
                                "5 s"))) {
            slurm = site;
            ce = server.start();
            user = ce.user("Nora of ends");
            user.must("", "delegate", "ends");
            boolean all = memory == Memory.CGROUP;
            // These wait while the others end.
            List<Sight> before = all ? sights() : List.of();
            report(memory.name(), ends(all ? allRows() : memoryRows().toList()));
            if (all) {
                String found = seen(before);
                KEPT.matcher(found).results().forEach(kept -> SiteCe.remove(Path.of(kept.group(1))));
                report("before", found);
                slurm.site().command("scancel", "--user=" + SlurmTestSite.ACCOUNT);
            }
            Awaitility.await("Slurm has none of them in its queue")
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> slurm.site()
                            .command("squeue", "--noheader", "--format=%j")
                            .isBlank());
        }
    }

    /** The page must have the table that was found, but for numbers and the place of what is kept. */
    private static void report(String name, String table) throws IOException {
        Files.createDirectories(REPORTS);
        Files.writeString(REPORTS.resolve(name + ".md"), table);
        assertThat(withoutNumbers(Files.readString(PAGE))).contains(withoutNumbers(table));
    }

    /**
     * What a user sees of a job by a command.
     *
     * @param words a pattern of what must be shown sooner or later
     */
    private record Sight(String what, Supplier<String> shown, String words) {}

    /** Submits jobs of which there is something to see beside the end. */
    private List<Sight> sights() {
        slurm.hold("short");
        String waiting = submit(SiteUser.sleepJob(600), "short");
        String held = submit(SiteUser.sleepJob(600), "short");
        String running = submit(SiteUser.sleepJob(600), "long");
        String output = "[ Executable = \"/bin/true\"; StdOutput = \"o\"; OutputSandbox = {%s}; %s ]";
        String missing = submit(
                output.formatted("\"o\", \"nothere\"", "OutputSandboxBaseDestURI = \"gsiftp://localhost\";"), "long");
        String unsent =
                submit(output.formatted("\"o\"", "OutputSandboxDestURI = {\"https://localhost:1/x/result\"};"), "long");
        user.await(List.of(waiting, held), "IDLE");
        user.await(running, "REALLY-RUNNING");
        does("scontrol", "hold", "ID").accept(new Batch(shown(held, "%i"), ""));
        user.run("", "suspend", running);
        return List.of(
                new Sight("its partition is down", () -> seen(waiting), "IDLE; slurm: PartitionDown"),
                new Sight("an administrator holds it while it waits", () -> seen(held), "HELD; slurm: JobHeldAdmin"),
                new Sight(
                        "its user suspends it while it runs",
                        () -> seen(running) + "; JOB_SUSPEND " + lastCommand(running),
                        "REALLY-RUNNING; JOB_SUSPEND ERROR: .*lets nobody suspend running jobs"),
                new Sight(
                        "its user fetches its output while it runs",
                        () -> {
                            SiteUser.Outcome fetched = user.run("", "output", running);
                            return "exit code " + fetched.exit() + ": "
                                    + fetched.err().strip().replace(running, "the job");
                        },
                        "exit code 3: the job has not ended"),
                new Sight(
                        "an output file that it declares does not exist",
                        () -> seen(missing),
                        "DONE-OK; exit code 0; Cannot read or missing file nothere"),
                new Sight(
                        "the server of an output file is down",
                        () -> seen(unsent),
                        "DONE-FAILED; .*https://localhost:1/x/result"));
    }

    private String submit(String jdl, String queue) {
        return user.submit(jdl, "-D", "ends", "-r", ce.resource(queue));
    }

    private String seen(String id) {
        JsonNode info = user.info(id);
        String said = said(info);
        return info.path("status").asText() + (said.isEmpty() ? "" : "; " + said);
    }

    private String lastCommand(String id) {
        JsonNode commands = user.info(id).path("commands");
        JsonNode last = commands.path(commands.size() - 1);
        return last.path("status").asText() + ": " + last.path("failureReason").asText();
    }

    /** Waits for all that is to be seen, and returns the table of it. */
    private static String seen(List<Sight> sights) {
        StringBuilder table = new StringBuilder("| what happens to the job | what its owner is shown |\n|---|---|\n");
        for (Sight sight : sights) {
            String[] shown = {""};
            Awaitility.await(sight.what())
                    .atMost(Duration.ofMinutes(4))
                    .pollInterval(Duration.ofMillis(500))
                    .untilAsserted(() -> {
                        shown[0] = sight.shown().get();
                        assertThat(shown[0]).containsPattern(sight.words());
                    });
            table.append("| %s | %s |\n".formatted(sight.what(), shown[0].replace("|", "\\|")));
        }
        return table.toString();
    }

    private static Stream<Row> memoryRows() {
        return Stream.of(
                new Row(
                        "its program takes too much memory",
                        "exec " + GREEDY,
                        "DONE-FAILED",
                        "slurm says: out of memory"),
                new Row(
                        "a part of its program takes too much memory, and the rest goes on and ends with 0",
                        GREEDY + "; exit 0",
                        "DONE-FAILED",
                        "slurm says: out of memory"));
    }

    private List<Row> allRows() {
        Consumer<Batch> scancel = does("scancel", "ID");
        Consumer<Batch> rename = does("scontrol", "update", "JobId=ID", "JobName=renamed");
        String wide = "[ Executable = \"/bin/sleep\"; Arguments = \"%d\"; CpuNumber = 8; SMPGranularity = 8; ]";
        return Stream.concat(
                        memoryRows(),
                        Stream.of(
                                new Row("its program ends with 0", "exit 0", "DONE-OK", "exit code 0"),
                                new Row("its program ends with 3", "exit 3", "DONE-OK", "exit code 3"),
                                new Row(
                                        "an administrator cancels it",
                                        "exec sleep 600",
                                        scancel,
                                        "CANCELLED",
                                        "Cancelled by CE admin"),
                                new Row(
                                        "the same, and its program's child dies first",
                                        "sleep 600; exit 0",
                                        scancel,
                                        "CANCELLED",
                                        "Cancelled by CE admin"),
                                new Row(
                                        "an administrator changes its name, and half a minute later its program ends with 3",
                                        "sleep 30; exit 3",
                                        rename,
                                        "DONE-OK",
                                        "exit code 3"),
                                new Row(
                                        "an administrator changes its name, and cancels it",
                                        "exec sleep 600",
                                        rename.andThen(scancel),
                                        "CANCELLED",
                                        "Cancelled by CE admin"),
                                new Row(
                                        "its time is over",
                                        "exec sleep 600",
                                        does("scontrol", "update", "JobId=ID", "TimeLimit=1"),
                                        "DONE-FAILED",
                                        "slurm says: "),
                                new Row(
                                        "an administrator requeues it",
                                        "sleep 600 & wait",
                                        does("scontrol", "update", "JobId=ID", "Requeue=1")
                                                .andThen(does("scontrol", "requeue", "ID")),
                                        "DONE-FAILED",
                                        "slurm says: requeued"),
                                new Row(
                                        "its node goes down",
                                        "long",
                                        "[ Executable = \"/bin/sleep\"; Arguments = \"600\"; WholeNodes = true; ]",
                                        does("scontrol", "update", "NodeName=NODE", "State=DOWN", "Reason=test"),
                                        "DONE-FAILED",
                                        "slurm says: "),
                                new Row(
                                        "a job of a higher partition takes its node",
                                        "low",
                                        wide.formatted(600),
                                        batch ->
                                                user.submit(wide.formatted(1), "-D", "ends", "-r", ce.resource("high")),
                                        "DONE-FAILED",
                                        "slurm says: PREEMPTED")))
                .toList();
    }

    /** Runs the jobs, and returns the table of their ends. */
    private String ends(List<Row> rows) {
        Map<Row, String> ids = new LinkedHashMap<>();
        rows.forEach(row -> ids.put(row, submit(row.jdl(), row.queue())));
        Set<Row> acted = new HashSet<>();
        Map<Row, JsonNode> ends = new HashMap<>();
        Awaitility.await("every job has the end that Slurm gave it")
                .atMost(Duration.ofMinutes(6))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> {
                    Map<String, String> states = user.states(ids.values());
                    ids.forEach((row, id) -> {
                        if ("REALLY-RUNNING".equals(states.get(id)) && acted.add(row)) {
                            row.act().accept(batch(id));
                        }
                    });
                    assertThat(states.values()).allMatch(ENDED::contains);
                    ids.forEach((row, id) -> {
                        JsonNode info = user.info(id);
                        assertThat(info.path("status").asText())
                                .as("%s: %s", row.what(), info)
                                .isEqualTo(row.state());
                        assertThat(said(info)).as(row.what()).containsPattern(row.words());
                        ends.put(row, info);
                    });
                });
        StringBuilder table =
                new StringBuilder("| what happens to the job | Slurm | the CE | what it says |\n|---|---|---|---|\n");
        ids.forEach((row, id) -> table.append("| %s | %s | %s | %s |\n"
                .formatted(
                        row.what(),
                        slurmState(id),
                        ends.get(row).path("status").asText(),
                        said(ends.get(row)).replace("|", "\\|"))));
        return table.toString();
    }

    private Batch batch(String id) {
        String[] words = shown(id, "%i %N").split(" ", -1);
        return new Batch(words[0], words[1]);
    }

    private String slurmState(String id) {
        return shown(id, "%T");
    }

    /** By its comment, as its name may be changed. */
    private String shown(String id, String format) {
        String name = CancelledJobs.tags(List.of(id)).get(0);
        return slurm.site()
                .command("squeue", "--noheader", "--states=all", "--format=%k " + format)
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    private Consumer<Batch> does(String... command) {
        return batch -> slurm.site()
                .command(Stream.of(command)
                        .map(word -> word.replace("ID", batch.id()).replace("NODE", batch.node()))
                        .toArray(String[]::new));
    }

    /**
     * All that the CE says of a job's end. A signal reaches program and wrapper at once: whether the program's exit code by it was there
     * first is chance, and left out.
     */
    private static String said(JsonNode info) {
        List<String> words = new ArrayList<>();
        boolean terminated = info.path("failureReason").asText("").startsWith("Job has been terminated");
        if (!terminated && !info.path("exitCode").asText("").isEmpty()) {
            words.add("exit code " + info.path("exitCode").asText());
        }
        Stream.of("failureReason", "description")
                .map(field -> info.path(field).asText(""))
                .filter(text -> !text.isEmpty())
                .forEach(words::add);
        return String.join("; ", words);
    }

    private static String withoutNumbers(String text) {
        String common =
                CURL.matcher(KEPT.matcher(text).replaceAll("kept on a node")).replaceAll("$1");
        return NUMBER.matcher(common).replaceAll("N");
    }
}
