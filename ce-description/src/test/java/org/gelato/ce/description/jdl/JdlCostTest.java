package org.gelato.ce.description.jdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.ShellWords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A megabyte of description costs what a megabyte may cost, whatever stands in it. */
class JdlCostTest {
    private static final String GOOD =
            "Executable = \"/bin/x\"; BatchSystem = \"slurm\"; QueueName = \"short\"; OutputSandboxBaseDestURI = \"gsiftp://localhost\"; ";
    private static final String LONG = "x".repeat(300_000);

    private static String many(String item, int times) {
        return "{ " + (item + ", ").repeat(times) + " }";
    }

    @ParameterizedTest
    @ValueSource(strings = {"A = { %s }", "%s", "[ %s ]"})
    void wordsAreCountedBeforeTheyAreParsed(String form) {
        String words = form.startsWith("A") ? "1,".repeat(49_000) + "1" : "A = 1;".repeat(24_500);
        assertThatThrownBy(() -> Jdl.parse(String.format(form, words)))
                .hasMessage("Unable to parse: the job description has more than 20000 words");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n#", "//\n", "/**/"})
    void commentsAreWords(String comment) throws Exception {
        assertThat(Jdl.parse(GOOD + comment.repeat(1000) + "\n CpuNumber = 2")
                        .resources()
                        .nodes()
                        .cpus())
                .isEqualTo(2);
        assertThatThrownBy(() -> Jdl.parse(GOOD + comment.repeat(30_000)))
                .hasMessage("Unable to parse: the job description has more than 20000 words");
    }

    @Test
    void aThousandFilesAndVariablesFit() throws Exception {
        StringBuilder jdl = new StringBuilder(GOOD).append("InputSandbox = { ");
        for (int i = 0; i < 1000; i++) {
            jdl.append("\"https://host.example.org/some/where/file").append(i).append("\", ");
        }
        jdl.append("}; Environment = { ");
        for (int i = 0; i < 1000; i++) {
            jdl.append("\"NAME").append(i).append("=value\", ");
        }
        assertThat(Jdl.parse(jdl + "}").environment()).hasSize(1000);
    }

    /** For each equality sign the word so far was matched anew: minutes. */
    @Test
    void aWordOfEqualitySignsIsReadOnce() throws Exception {
        String argument = LONG + "=".repeat(300_000);
        assertThat(ShellWords.parse("Arguments", argument)).hasSize(1);
        assertThatThrownBy(() -> ShellWords.parse("Arguments", "a=~")).hasMessageContaining("tilde");
        assertThatThrownBy(() -> ShellWords.parse("Arguments", "a==b:~")).hasMessageContaining("tilde");
        assertThatCode(() -> ShellWords.parse("Arguments", "-a=b=~")).doesNotThrowAnyException();
    }

    @Test
    void argumentsHaveABoundOfTheirOwn() throws Exception {
        assertThat(ShellWords.parse("Arguments", "a ".repeat(20_000))).hasSize(20_000);
        for (String words : new String[] {"a ", "$a", "'a'"}) {
            assertThatThrownBy(() -> ShellWords.parse("Arguments", words.repeat(300_000)))
                    .as(words)
                    .hasMessage("Arguments: more than 20000 words and pieces of words");
        }
    }

    /** Ten thousand warnings with the name of 300 kB in each were 3 GB. */
    @Test
    void aLongTextThatManyItemsNameIsRefused() {
        String variable = GOOD + "A = \"" + LONG + "=$\"; Environment = ";
        assertThatThrownBy(() -> Jdl.parse(variable + many("A", 9_000)))
                .hasMessageContaining("Environment: the items of all lists have more than");
        String uri = GOOD + "A = \"gsiftp://h/" + LONG + "\"; OutputSandboxDestURI = ";
        assertThatThrownBy(() -> Jdl.parse(uri.replace("OutputSandboxBaseDestURI", "Other") + many("A", 9_000)))
                .hasMessageContaining("OutputSandboxDestURI: the items of all lists have more than");
    }

    @Test
    void aWarningShowsTheBeginningOfALongName() throws Exception {
        assertThat(Jdl.parse(GOOD + "Environment = { \"" + LONG + "=$\" }").warnings())
                .singleElement()
                .asString()
                .hasSizeLessThan(400);
    }

    @Test
    void longTextsAreNotComparedOverAndOver() throws Exception {
        String texts = GOOD + "A = \"" + LONG + "\"; B = \"" + LONG + "\"; ";
        assertThat(Jdl.parse(texts + "CpuNumber = A == B ? 2 : 1")
                        .resources()
                        .nodes()
                        .cpus())
                .isEqualTo(2);
        for (String comparison : new String[] {"A == B", "A =?= B", "A <= B"}) {
            assertThatThrownBy(() ->
                            Jdl.parse(texts + "CpuNumber = " + (comparison + " && ").repeat(3000) + "true ? 2 : 1"))
                    .as(comparison)
                    .hasMessage("CpuNumber: compares more than 1048576 characters");
        }
    }

    /** A thousand items would hold a megabyte of every job in hand. */
    @Test
    void aBaseIsHeldOnceForAllItems() throws Exception {
        long[] taken = new long[2];
        withBase("https://h/", characters -> taken[0] += characters);
        String base = "https://h/" + "x".repeat(1000);
        List<JobRequest.InputFile> files = withBase(base, characters -> taken[1] += characters);
        assertThat(taken[1] - taken[0]).isLessThan(10_000);
        assertThat(files).extracting(file -> file.item().length()).allMatch(length -> length < 5);
        assertThat(files.get(999).base()).isSameAs(files.get(0).base());
        assertThat(files.get(999).source().url()).isEqualTo(base + "/f999");
    }

    private static List<JobRequest.InputFile> withBase(String base, ReadingBudget budget) throws Exception {
        String items = IntStream.range(0, 1000).mapToObj(i -> "\"f" + i + "\"").collect(Collectors.joining(", "));
        return Jdl.parse(GOOD + "InputSandboxBaseURI = \"" + base + "\"; InputSandbox = { " + items + " }", budget)
                .files()
                .input();
    }

    /** Each item was to get the base in front: in the wrapper, and for the question who uploads it. */
    @Test
    void aLongBaseOfManyFilesIsRefused() {
        StringBuilder files = new StringBuilder("{ ");
        for (int i = 0; i < 5000; i++) {
            files.append("\"f").append(i).append("\", ");
        }
        String items = files.append("}").toString();
        assertThatThrownBy(() ->
                        Jdl.parse(GOOD + "InputSandboxBaseURI = \"https://h/" + LONG + "\"; InputSandbox = " + items))
                .hasMessage("InputSandbox: 5000 items with a InputSandboxBaseURI of 300010 characters,"
                        + " at most 1048576 characters together");
        assertThatThrownBy(() -> Jdl.parse(GOOD.replace("localhost", "h/" + LONG) + "OutputSandbox = " + items))
                .hasMessage("OutputSandbox: 5000 items with a OutputSandboxBaseDestURI of 300011 characters,"
                        + " at most 1048576 characters together");
    }

    @Test
    void charactersBeyondAsciiAreReadInStringsAlone() throws Exception {
        assertThat(Jdl.parse(GOOD + "Environment = \"A=\u20ac\ud83d\ude00\"").environment())
                .containsEntry("A", "\u20ac\ud83d\ude00");
        assertThatThrownBy(() -> Jdl.parse(GOOD + "A = \ud83d\ude00")).hasMessageContaining("\ud83d\ude00");
    }
}
