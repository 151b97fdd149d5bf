package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import org.gelato.ce.core.wrapper.peer.Bash;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.jdl.Jdl;

/**
 * Any text as executable, environment value, file name or quoted argument goes from the description through wrapper and
 * bash to the job byte for byte, or a rule of the description refuses it by name. Each try is one job with many texts.
 */
class ByteForByteTest {
    private static final String TARGET = "BatchSystem = \"slurm\"; QueueName = \"q\";";
    private static final String OUT = "what the job saw";

    /** Writes down its arguments, the files it finds, and its environment. */
    private static final String PROGRAM = """
            #!/bin/bash
            printf '%s\\0' "$#" "${0##*/}" "$@"
            /usr/bin/find . -maxdepth 1 -type f -printf '%f\\0'
            printf '\\0'
            cat /proc/$$/environ
            """;

    /** How a user may quote an argument; each takes any text. */
    enum Quotes {
        SINGLE {
            @Override
            String quote(String text) {
                return "'" + text.replace("'", "'\\''") + "'";
            }
        },
        DOUBLE {
            @Override
            String quote(String text) {
                return "\"" + text.replaceAll("[\\\\\"$`]", "\\\\$0") + "\"";
            }
        },
        BACKSLASH {
            @Override
            String quote(String text) {
                return "''"
                        + text.codePoints()
                                .mapToObj(c -> c == '\n' ? "'\n'" : "\\" + Character.toString(c))
                                .collect(Collectors.joining());
            }
        };

        abstract String quote(String text);
    }

    record Argument(String text, Quotes quotes) {}

    record Texts(String executable, Set<String> files, List<String> values, List<Argument> arguments) {}

    private static String string(String text) {
        return "\"" + text.replace("\"", "\\\"") + "\"";
    }

    /** Whether a rule of {@code attribute} lets it pass; if not, it must have a reason to refuse. */
    private static boolean passes(String attribute, String value, String more, String text) {
        try {
            Jdl.parse(TARGET + more + attribute + " = " + string(value) + ";");
            return true;
        } catch (DescriptionException e) {
            // A backslash before the closing quote opens the string into the lines after it: the refusal is about what
            // stands there.
            if (!text.endsWith("\\")) {
                assertThat(e.getMessage())
                        .matches("(?s)(" + attribute + ": |mandatory attribute \"" + attribute
                                + "\"|InputSandbox: |Unable to parse).*");
            }
            assertThat(refusable(attribute, text))
                    .as("%s refused: %s", attribute, e.getMessage())
                    .isTrue();
            return false;
        }
    }

    private static boolean refusable(String attribute, String text) {
        boolean never = text.codePoints().anyMatch(c -> Character.isISOControl(c) && c != '\t' && c != '\n')
                || !StandardCharsets.UTF_8.newEncoder().canEncode(text)
                || text.endsWith("\\");
        return switch (attribute) {
            case "Environment", "Arguments" -> never;
            case "InputSandbox" ->
                never || text.isBlank() || text.contains("/") || text.equals(".") || text.equals("..");
            default -> never || text.isBlank() || text.matches("(?s)\\$.*|.*[*?\\[\\]/].*|\\.\\.?");
        };
    }

    @Property(tries = 25, shrinking = ShrinkingMode.OFF)
    void everyTextReachesTheJobOrIsRefusedByName(@ForAll("texts") Texts texts) throws IOException {
        List<String> files = texts.files().stream()
                .filter(file -> !file.isEmpty() && passes("InputSandbox", file, "Executable = \"/bin/true\";", file))
                .toList();
        List<String> values = texts.values().stream()
                .filter(value -> passes("Environment", "V=" + value, "Executable = \"/bin/true\";", value))
                .toList();
        List<Argument> arguments = texts.arguments().stream()
                .filter(a -> passes("Arguments", a.quotes().quote(a.text()), "Executable = \"/bin/true\";", a.text()))
                .toList();
        String executable = "the program";
        // An absolute path is a program of the node, and so is one from a variable on; neither is an uploaded one.
        if (!texts.executable().startsWith("/")
                && passes(
                        "Executable",
                        texts.executable(),
                        "InputSandbox = " + string(texts.executable()) + ";",
                        texts.executable())
                && !texts.executable().startsWith("$")) {
            executable = texts.executable();
        }
        Set<String> input = new LinkedHashSet<>(files);
        input.add(executable);
        reach(executable, List.copyOf(input), values, arguments);
    }

    private static void reach(String executable, List<String> files, List<String> values, List<Argument> arguments)
            throws IOException {
        WrapperRun job = new WrapperRun(Files.createTempDirectory("bytes"));
        Path uploads = Files.createDirectories(job.sandbox.resolve("ISB"));
        // By bash, for a JVM may not be able to write every name.
        String names = files.stream().map(BashQuote::quote).collect(Collectors.joining(" "));
        Bash.run(
                "for f in " + names + "; do printf %s " + BashQuote.quote(PROGRAM) + " > \"./$f\"; done",
                uploads,
                Map.of());
        List<String> kept = files.stream()
                .filter(file -> !file.matches("(?s).*[*?\\[\\]].*"))
                .toList();
        Ended ended = new Ended(job, request(executable, files, kept, values, arguments));
        List<String> seen = ended.seen;
        int count = Integer.parseInt(seen.get(0));
        assertThat(seen.get(1)).isEqualTo(executable);
        assertThat(seen.subList(2, 2 + count))
                .isEqualTo(arguments.stream().map(Argument::text).toList());
        int end = seen.subList(2 + count, seen.size()).indexOf("") + 2 + count;
        assertThat(seen.subList(2 + count, end)).contains(OUT).containsAll(files);
        Map<String, String> environment = new HashMap<>();
        for (String variable : seen.subList(end + 1, seen.size())) {
            environment.put(
                    variable.substring(0, variable.indexOf('=')), variable.substring(variable.indexOf('=') + 1));
        }
        for (int i = 0; i < values.size(); i++) {
            assertThat(environment).containsEntry("V" + i, values.get(i).trim());
        }
        assertThat(Bash.split(Bash.run("find . -type f -printf '%f\\0'", job.sandbox.resolve("OSB"), Map.of())))
                .containsAll(kept);
        Bash.run("rm -rf -- " + BashQuote.quote(job.root.toString()), Path.of("/"), Map.of());
    }

    private static JobRequest request(
            String executable, List<String> files, List<String> kept, List<String> values, List<Argument> arguments) {
        List<String> environment = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            environment.add(string("V" + i + "=" + values.get(i)));
        }
        return WrapperRun.jdl("Executable = " + string(executable) + "; StdOutput = \"" + OUT + "\"; InputSandbox = { "
                + files.stream().map(ByteForByteTest::string).collect(Collectors.joining(", "))
                + " }; OutputSandbox = { "
                + kept.stream().map(ByteForByteTest::string).collect(Collectors.joining(", "))
                + " }; OutputSandboxBaseDestURI = \"gsiftp://localhost\"; Environment = { "
                + String.join(", ", environment) + " }; Arguments = "
                + string(arguments.stream().map(a -> a.quotes().quote(a.text())).collect(Collectors.joining(" ")))
                + ";");
    }

    /** What a job wrote down. */
    private static final class Ended {
        final List<String> seen;

        Ended(WrapperRun job, JobRequest request) throws IOException {
            WrapperRun.Ended ended = job.run(request);
            assertThat(ended.stderr()).isEmpty();
            assertThat(ended.status()).isZero();
            seen = Bash.split(Files.readAllBytes(job.sandbox.resolve("OSB").resolve(OUT)));
        }
    }

    @Provide
    Arbitrary<Texts> texts() {
        Arbitrary<String> any = Arbitraries.strings().ofMaxLength(30);
        Arbitrary<String> shell = Arbitraries.of(
                        "'",
                        "\"",
                        "\\",
                        "$",
                        "`",
                        "$(exit 9)",
                        "${HOME}",
                        "\n",
                        "\t",
                        "!",
                        "*",
                        "?",
                        "[a]",
                        "~",
                        " ",
                        "a",
                        ";",
                        "=",
                        "-",
                        "--",
                        "&",
                        "|",
                        ">",
                        "<",
                        "(",
                        ")",
                        "{a,b}",
                        "#",
                        "%",
                        "%s",
                        "://",
                        "/",
                        ".",
                        "\0",
                        "\r",
                        "\u00e9",
                        "\u2028",
                        "\ud83d\ude00",
                        "\ud800",
                        "\udc00")
                .list()
                .ofMaxSize(10)
                .map(parts -> String.join("", parts));
        Arbitrary<String> text = Arbitraries.frequencyOf(Tuple.of(1, any), Tuple.of(3, shell));
        // Items of lists are trimmed, of a path the last component counts; a name that says ?DN= means the part before
        // it.
        Arbitrary<String> name = text.map(String::trim).filter(n -> !n.contains("?DN="));
        Arbitrary<Argument> argument =
                Combinators.combine(text, Arbitraries.of(Quotes.class)).as(Argument::new);
        return Combinators.combine(
                        name,
                        name.map(n -> n.replace("/", "").trim()).set().ofMaxSize(10),
                        text.list().ofMaxSize(10),
                        argument.list().ofMaxSize(10))
                .as(Texts::new);
    }
}
