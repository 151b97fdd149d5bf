package org.gelato.ce.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.SharedCe;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.site.Skipped;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The examples of docs/user/jdl.md, scans.md and python.md, as they stand there: submitted, run, and compared with what they show. */
@ExtendWith(SharedCe.class)
class JdlExamplesIT {
    /** One example shows what becomes of an exit code. */
    private static final String ENDED = "ce submit: 10 jobs ended: 9 DONE-OK, 1 DONE-OK with exit 3";

    private static final Path PAGE = Path.of("..", "docs", "user", "jdl.md");
    private static final Path SCANS = Path.of("..", "docs", "user", "scans.md");
    private static final Path PYTHON = Path.of("..", "docs", "user", "python.md");
    private static final Pattern CODE = Pattern.compile("(?ms)^```python\n(.*?)^```$");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(walk|file \\S+)\n(.*?)^```$");
    private static final String FENCE = "```";

    /** One example of the page. */
    private static final class Example {
        private final Map<String, String> files = new LinkedHashMap<>();
        private final Map<String, String> output = new LinkedHashMap<>();
        private String jdl;
    }

    private static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        String block = null;
        StringBuilder text = new StringBuilder();
        for (String line : Files.readAllLines(PAGE)) {
            if (block == null && line.startsWith("### ")) {
                examples.add(new Example());
            } else if (block == null && line.startsWith(FENCE)) {
                block = line.substring(FENCE.length());
                text.setLength(0);
            } else if (block != null && line.equals(FENCE)) {
                keep(examples.get(examples.size() - 1), block.split(" "), text.toString());
                block = null;
            } else if (block != null) {
                text.append(line).append('\n');
            }
        }
        return examples;
    }

    private static void keep(Example example, String[] block, String text) {
        switch (block[0]) {
            case "jdl" -> example.jdl = text;
            case "file" -> example.files.put(block[1], text);
            case "output" -> example.output.put(block[1], text);
            default -> throw new IllegalStateException("what is a block of " + block[0] + "?");
        }
    }

    @Test
    void everyExampleOfThePageRunsAndLeavesTheFilesItShows(SiteCe ce) throws IOException {
        List<Example> examples = examples();
        assertThat(examples).hasSize(10);
        SiteUser user = ce.user("Reader of examples");
        List<String> names = new ArrayList<>();
        for (Example example : examples) {
            String directory = "example" + names.size();
            Path place = Files.createDirectory(ce.base().resolve(directory));
            for (Map.Entry<String, String> file : example.files.entrySet()) {
                Files.writeString(place.resolve(file.getKey()), file.getValue());
            }
            Files.writeString(place.resolve("job.jdl"), example.jdl);
            names.add(directory + "/job.jdl");
        }
        List<String> submit = new ArrayList<>(List.of("submit", "--wait"));
        submit.addAll(names);
        SiteUser.Outcome outcome = user.must("", submit.toArray(String[]::new));
        assertThat(outcome.err().lines())
                .as("states, and no warning")
                .allMatch(line -> line.matches("ce submit: ([0-9]+ [A-Z-]+(, )?)+") || line.equals(ENDED))
                .endsWith(ENDED);
        List<String> ids = outcome.out().lines().toList();
        for (int i = 0; i < examples.size(); i++) {
            String id = ids.get(i);
            user.must("", "output", "-d", "fetched" + i, id);
            for (Map.Entry<String, String> file : examples.get(i).output.entrySet()) {
                assertThat(found(ce.base().resolve("fetched" + i), file.getKey()))
                        .as("%s of example %s", file.getKey(), i + 1)
                        .content()
                        .isEqualTo(file.getValue());
            }
        }
        assertThat(user.info(ids.get(6)).path("history").toString()).contains("\"exitCode\":3");
    }

    /** Thirteen jobs for two hundred; the program is mended where the page says so. */
    @Test
    void theScanOfThePageRunsFromItsFirstJobToItsSum(SiteCe ce) throws IOException {
        SiteUser user = ce.user("Reader of scans");
        Map<String, String> blocks = new LinkedHashMap<>();
        BLOCK.matcher(Files.readString(SCANS))
                .results()
                .forEach(block -> blocks.put(block.group(1).replace("file ", ""), block.group(2)));
        for (String name : List.of("scan.jdl", "fit.sh")) {
            Files.writeString(ce.base().resolve(name), blocks.get(name));
        }
        List<String> lines =
                blocks.get("walk").replace("1..200", "1..13").lines().toList();
        assertThat(lines).hasSize(8);

        List<SiteUser.Outcome> outcomes = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith("ce resubmit")) {
                Files.writeString(
                        ce.base().resolve("fit.sh"), blocks.get("fit.sh").replace("-gt 11", "-gt 0"));
            }
            SiteUser.Outcome last = null;
            for (String command : line.split(" \\| ")) {
                String input = last == null ? "" : last.out();
                last = user.run(input, command.replaceFirst("^ce ", "").split(" "));
            }
            outcomes.add(last);
        }
        assertThat(outcomes).extracting(SiteUser.Outcome::exit).containsExactly(0, 1, 0, 0, 0, 0, 1, 0);
        assertThat(outcomes.get(0).out()).hasLineCount(13);
        assertThat(outcomes.get(1).err()).endsWith("13 jobs ended: 2 DONE-OK, 11 DONE-OK with exit 3\n");
        assertThat(outcomes.get(2).err()).endsWith("11 jobs ended: 11 DONE-OK\n");
        for (int mass = 1; mass <= 13; mass++) {
            assertThat(ce.base().resolve("results/mass=" + mass + "/fit.txt")).hasContent("limit at " + mass);
        }
        assertThat(outcomes.get(4).out()).containsPattern("(?m)^higgs +24 ");
        Awaitility.await("the CE has purged all")
                .until(() ->
                        user.must("", "list", "--label", "scan=higgs").out().isEmpty());
    }

    /** Its blocks are one program, by a Python without packages. */
    @Test
    void thePythonOfThePageRuns(SiteCe ce) throws Exception {
        Path python = Path.of("/usr/bin/python3");
        if (!Files.isExecutable(python)) {
            Skipped.because("the page of Python", python + " is not there");
        }
        SiteUser user = ce.user("Reader of Python");
        Path directory = Files.createDirectory(ce.base().resolve("python-page"));
        String program = CODE.matcher(Files.readString(PYTHON))
                .results()
                .map(block -> block.group(1))
                .collect(Collectors.joining());
        Path script = Files.writeString(directory.resolve("page.py"), program);
        Path command = SiteUser.install(directory.resolve("installed"));
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(python.toString(), script.toString())
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(user.environment());
        builder.environment().put("HOME", directory.toString());
        builder.environment().merge("PATH", command.getParent() + ":", (path, own) -> own + path);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(4, TimeUnit.MINUTES)).as("it ends").isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        JsonNode printed = new ObjectMapper().readTree(out.toFile());
        assertThat(printed.path("ends"))
                .hasSize(8)
                .allMatch(end -> end.toString().equals("[\"DONE-OK\",0]"));
        assertThat(printed.path("files")).extracting(JsonNode::toString).contains("[\"8\\n\"]");
        assertThat(directory.resolve("toys/seed=8/toys.txt")).hasContent("8");
        assertThat(printed.path("cpuSeconds").isNumber()).isTrue();
    }

    private static Path found(Path directory, String name) throws IOException {
        try (var files = Files.walk(directory)) {
            return files.filter(file -> file.getFileName().toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(name + " is not among the output"));
        }
    }
}
