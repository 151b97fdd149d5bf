package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.cli.wire.WireFault;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands print as JSON, beside what the page of users says of it: neither has a member that the other lacks. */
class JsonPageTest {
    private static final Path PAGE = Path.of("..", "docs/user/json.md");
    private static final Pattern FIELD = Pattern.compile("(?m)^- ((?:`[^`]+`(?:, )?)+):");
    private static final String JOB = "https://ce:9443/CREAM000000001";
    private static final String QUEUE = "ce:9443/cream-fork-demo";

    private static final Map<String, List<String>> COMMANDS = Map.of(
            "status", List.of("status", JOB),
            "info", List.of("info", JOB),
            "history", List.of("history", JOB),
            "wait", List.of("wait", JOB),
            "list", List.of("list", "-e", "ce:9443"),
            "submit", List.of("submit", "-r", QUEUE, "--wait", "a.jdl", "bad.jdl"),
            "cancel", List.of("cancel", JOB),
            "output", List.of("output", JOB),
            "service-info", List.of("service-info", "-e", "ce:9443"),
            "Errors", List.of("submit", "a.jdl"));

    @TempDir
    Path temp;

    private final FakeCe ce = new FakeCe();

    @BeforeEach
    void job() throws IOException {
        Files.writeString(temp.resolve("a.jdl"), "[Executable = \"/bin/true\";]");
        Files.writeString(temp.resolve("bad.jdl"), "[Executable = \"refuse\";]");
        ce.workingDirectory = temp;
        ce.run("submit", "-r", QUEUE, "a.jdl");
        ce.out.reset();
        ce.description = "[ QueueName = \"demo\"; Labels = {\"run=42\"}; ]";
        ce.names.put("CREAM000000001", "fit-7");
        ce.files.put("result", "42");
        ce.history = List.of(
                FakeCe.state("REGISTERED"), new StatusReport("DONE-FAILED", FakeCe.NOON, "3", "killed", "a word"));
        ce.properties.putAll(Map.of(
                "USAGE_CPU_SECONDS",
                "1",
                "USAGE_WALL_SECONDS",
                "2",
                "USAGE_CORES",
                "1",
                "USAGE_PEAK_MEMORY_KIB",
                "7",
                "USAGE_SOURCE",
                "x",
                "ROUTES",
                "r",
                "Queue",
                "demo"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status",
                "info",
                "history",
                "wait",
                "list",
                "submit",
                "cancel",
                "output",
                "service-info",
                "Errors"
            })
    void thePageHasWhatIsPrinted(String section) throws IOException {
        if (section.equals("cancel")) {
            ce.refusalOfAll = "CREAM000000001";
            ce.refusal = new WireFault("GenericFault", "1", "no", "because");
        }
        List<String> words = new ArrayList<>(COMMANDS.get(section));
        words.add(1, "--json");
        ce.run(words.toArray(new String[0]));
        Set<String> printed = new TreeSet<>();
        members("", new ObjectMapper().readTree(ce.out()), printed);
        assertThat(page(section)).as(ce.out() + ce.err()).isEqualTo(printed);
    }

    private static Set<String> page(String section) throws IOException {
        String text = Files.readString(PAGE)
                .split("(?m)^## (`ce " + section + "`|" + section + ")", -1)[1]
                .split("(?m)^## ")[0];
        Set<String> fields = new TreeSet<>();
        Matcher field = FIELD.matcher(text);
        while (field.find()) {
            for (String name : field.group(1).split(", ")) {
                fields.add(name.replace("`", ""));
            }
        }
        return fields;
    }

    private static void members(String path, JsonNode node, Set<String> into) {
        if (node.isObject() && !path.equals("properties")) {
            node.properties()
                    .forEach(member -> members(
                            path.isEmpty() ? member.getKey() : path + "." + member.getKey(), member.getValue(), into));
        } else if (node.isArray() && !node.isEmpty()) {
            node.forEach(item -> members(path + "[]", item, into));
        } else {
            into.add(node.isArray() ? path + "[]" : path);
        }
    }
}
