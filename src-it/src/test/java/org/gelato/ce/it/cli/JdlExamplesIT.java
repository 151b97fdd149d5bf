package org.gelato.ce.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.it.site.SharedCe;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The examples of docs/user/jdl.md, as they stand there: submitted, run, and compared with the files they show. */
@ExtendWith(SharedCe.class)
class JdlExamplesIT {
    /** One example shows what becomes of an exit code. */
    private static final String ENDED = "ce submit: 10 jobs ended: 9 DONE-OK, 1 DONE-OK with exit 3";

    private static final Path PAGE = Path.of("..", "docs", "user", "jdl.md");
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
        assertThat(user.info(ids.get(6)).path("history").toString()).contains("\"exitCode\":\"3\"");
    }

    private static Path found(Path directory, String name) throws IOException {
        try (var files = Files.walk(directory)) {
            return files.filter(file -> file.getFileName().toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(name + " is not among the output"));
        }
    }
}
