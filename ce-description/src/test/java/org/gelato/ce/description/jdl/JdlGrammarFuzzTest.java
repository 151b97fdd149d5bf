package org.gelato.ce.description.jdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import org.gelato.ce.description.DescriptionException;

/**
 * Descriptions made by the grammar, whole and damaged, and the shapes that a parser pays for: a request or a
 * {@link DescriptionException} comes out, and soon. {@code -Djqwik.tries.default=N} makes it longer (docs/developer/fuzzing.md).
 */
class JdlGrammarFuzzTest {
    /** Far above what any description takes; only a parser that hangs takes longer. */
    private static final Duration HANGS = Duration.ofMinutes(3);

    private static final List<String> ATTRIBUTES = List.of(
            "Executable",
            "Arguments",
            "StdOutput",
            "Environment",
            "InputSandbox",
            "OutputSandbox",
            "OutputSandboxBaseDestURI",
            "OutputData",
            "CpuNumber",
            "Requirements",
            "BatchSystem",
            "QueueName",
            "JobType",
            "PerusalFileEnable",
            "Whatever");

    private static int understood;

    @Property
    void whatTheGrammarMakes(@ForAll("descriptions") String text) {
        survives(text);
    }

    @Property
    void whatTheGrammarMakesWithDamage(@ForAll("descriptions") String text, @ForAll("damages") List<Damage> damages) {
        String damaged = text;
        for (Damage damage : damages) {
            damaged = damage.done(damaged);
        }
        survives(damaged);
    }

    // Each of them is long: a hundred cost as much as thousands of the others.
    @Property(tries = 100)
    void shapesThatCost(
            @ForAll("shapes") List<String> shape,
            @ForAll @IntRange(min = 1, max = 400_000) int times,
            @ForAll boolean closed) {
        int fitting = Math.min(times, 1_200_000 / shape.get(0).length());
        survives("Executable = \"/x\"; BatchSystem = \"b\"; QueueName = \"q\"; Rank = "
                + shape.get(0).repeat(fitting)
                + (closed ? shape.get(1) + shape.get(2).repeat(fitting) : ""));
    }

    @AfterContainer
    static void someWereUnderstood() {
        assertThat(understood).as("descriptions that were no mistake").isPositive();
    }

    private static void survives(String text) {
        assertTimeoutPreemptively(HANGS, () -> {
            try {
                assertThat(Jdl.parse(text)).isNotNull();
                understood++;
            } catch (DescriptionException e) {
                assertThat(e.getMessage()).isNotBlank().hasSizeLessThan(1200);
            }
        });
    }

    /** A change of a text: a piece taken out, doubled, moved to the front, or replaced by a word. */
    record Damage(int kind, int at, int length, String word) {
        String done(String text) {
            int start = text.isEmpty() ? 0 : at % text.length();
            int end = Math.min(text.length(), start + length);
            String piece = text.substring(start, end);
            return switch (kind) {
                case 0 -> text.substring(0, start) + text.substring(end);
                case 1 -> text.substring(0, end) + piece + text.substring(end);
                case 2 -> piece + text.substring(0, start) + text.substring(end);
                default -> text.substring(0, start) + word + text.substring(end);
            };
        }
    }

    @Provide
    Arbitrary<List<Damage>> damages() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.integers().between(0, 100_000),
                        Arbitraries.integers().between(0, 60),
                        Arbitraries.of(
                                "[", "]", "{", "(", ")", ";", "=", "\"", "\\", "/*", "#", "\n", "\0", "\ud800", "9e9",
                                " "))
                .as(Damage::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(6);
    }

    /** What opens, what stands inside, what closes. */
    @Provide
    Arbitrary<List<String>> shapes() {
        return Arbitraries.of(List.of(
                List.of("(", "1", ")"),
                List.of("{", "1", "}"),
                List.of("[ a = ", "1", " ]"),
                List.of("!", "1", ""),
                List.of("- ", "1", ""),
                List.of("1 + ", "1", ""),
                List.of("a ? ", "1", " : 2"),
                List.of("a ? 1 : ", "2", ""),
                List.of("f(", "1", ")"),
                List.of("a.", "b", ""),
                List.of("a && b || ", "c", ""),
                List.of("\\", "\"", ""),
                List.of("\"\\\\", "\"", ""),
                List.of("/*", "*/", ""),
                List.of("/* * ", "*/", ""),
                List.of("#", "\n", ""),
                List.of("1", "", ""),
                List.of("1.", "1", ""),
                List.of("a:", "= 1", ""),
                List.of("{1,", "1", "}"),
                List.of("1; a = ", "1", ""),
                List.of("\n", "1", "\n"),
                List.of("\u00e9", "", "")));
    }

    @Provide
    Arbitrary<String> descriptions() {
        Arbitrary<String> attribute = Combinators.combine(
                        Arbitraries.of(ATTRIBUTES),
                        expressions(4),
                        Arbitraries.of("", " ", "\n", " /* c */ ", " // c\n"))
                .as((name, value, blank) -> name + blank + "= " + value + blank);
        Arbitrary<String> good = Arbitraries.just("Executable = \"/x\"; BatchSystem = \"b\"; QueueName = \"q\"");
        return Combinators.combine(good, attribute.list().ofMaxSize(6), Arbitraries.of(true, false))
                .as((first, rest, bracket) -> {
                    String body = String.join(";\n", rest) + (rest.isEmpty() ? "" : ";\n") + first + ";";
                    return bracket ? "[ " + body + " ]" : body;
                });
    }

    private static Arbitrary<String> expressions(int depth) {
        Arbitrary<String> plain = Arbitraries.oneOf(
                Arbitraries.strings()
                        .withChars("abAZ01 '$\\{}*?/.:=,-\u00e9")
                        .ofMaxLength(20)
                        .map(text -> "\"" + text.replace("\"", "\\\"") + "\""),
                Arbitraries.integers().between(-5, 70_000).map(String::valueOf),
                Arbitraries.of(
                        "true",
                        "undefined",
                        "error",
                        "other.GlueCEStateStatus",
                        "1.5e3",
                        "gsiftp",
                        "\"gsiftp://h/d\""));
        if (depth == 0) {
            return plain;
        }
        Arbitrary<String> inner = expressions(depth - 1);
        return Arbitraries.oneOf(
                plain,
                inner.list().ofMinSize(1).ofMaxSize(4).map(all -> "{ " + String.join(", ", all) + " }"),
                Combinators.combine(inner, Arbitraries.of("+", "*", "==", "=?=", "&&", "||", ">="), inner)
                        .as((left, operator, right) -> "(" + left + " " + operator + " " + right + ")"),
                inner.map(one -> "[ OutputFile = " + one + "; ]"),
                inner.map(one -> "Member(" + one + ", other.X)"));
    }
}
