package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;
import org.gelato.ce.core.wrapper.peer.Bash;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.ShellWords;

/** What is accepted means the same after it was taken apart and put together again as it meant to bash before. */
class ShellArgumentsTest {
    private static final Map<String, String> ENVIRONMENT = Map.of("X", "a  b *", "HOME", "/home/x", "LANG", "C");
    private static final String SHOW = "show() { for w; do printf '[%s]' \"$w\"; done; printf '\\0'; }\n";

    @Property(tries = 80)
    void meansWhatBashMakesOfIt(@ForAll("texts") List<String> texts) throws IOException {
        StringBuilder before = new StringBuilder(SHOW);
        StringBuilder after = new StringBuilder(SHOW);
        List<String> accepted = new ArrayList<>();
        for (String text : texts) {
            try {
                List<ShellWords.Word> words = ShellWords.parse("Arguments", text);
                if (words.stream().anyMatch(word -> splitOrNot(word) || leavesTheDirectory(word))) {
                    continue;
                }
                String rendered = ShellArguments.render(words);
                after.append("show").append(rendered).append('\n');
                before.append("show ").append(text).append('\n');
                accepted.add(text);
            } catch (DescriptionException e) {
                assertThat(e).hasMessageStartingWith("Arguments: ");
            }
        }
        Statistics.collect(accepted.size() > texts.size() / 4);
        Path directory = Files.createTempDirectory("words");
        for (String name : List.of("a", "ab", "b.txt", "[a]", "-", "a=b")) {
            Files.createFile(directory.resolve(name));
        }
        assertThat(Bash.split(Bash.run(after.toString(), directory, ENVIRONMENT)))
                .as("%s", accepted)
                .isEqualTo(Bash.split(Bash.run(before.toString(), directory, ENVIRONMENT)));
        Bash.remove(directory);
    }

    /** Bash does not split {@code $X} where a bare dollar follows, as in {@code $X$}, which is its own secret. */
    private static boolean splitOrNot(ShellWords.Word word) {
        return word.parts().contains(new ShellWords.Part.Literal("$"))
                && word.parts().stream()
                        .anyMatch(part -> part instanceof ShellWords.Part.Variable variable && !variable.quoted());
    }

    /** A pattern such as {@code /*} names files of the machine, which others make and remove meanwhile. */
    private static boolean leavesTheDirectory(ShellWords.Word word) {
        return word.parts().toString().contains("/")
                && word.parts().stream().anyMatch(ShellArgumentsTest::matchesFiles);
    }

    private static boolean matchesFiles(ShellWords.Part part) {
        return (part instanceof ShellWords.Part.Pattern pattern
                        && pattern.text().matches("(?s).*[*?\\[].*"))
                || (part instanceof ShellWords.Part.Variable variable && !variable.quoted());
    }

    @Example
    void onlyVariablesAndPatternsStayBare() throws DescriptionException {
        assertThat(ShellArguments.render(ShellWords.parse("Arguments", "a$X \"$X\" [a-z]*'*' \\$X é{")))
                .isEqualTo(" a${X} ''\"${X}\" [a-z]*'*' '$'X 'é''{'");
    }

    @Provide
    Arbitrary<List<String>> texts() {
        return Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(6, Arbitraries.of("a", "b", " ", "X", ".", "-", "/", "=", ":", ",")),
                        net.jqwik.api.Tuple.of(
                                4, Arbitraries.of("$X", "${X}", "\"$X\"", "$Y", "'a b'", "\"a b\"", "*", "?", "[a]")),
                        net.jqwik.api.Tuple.of(
                                2,
                                Arbitraries.of(
                                        "\\", "\\\n", "{", "}", "[", "]", "~", "#", "!", "^", "%", "@", "\t",
                                        "\u00e9")),
                        net.jqwik.api.Tuple.of(
                                1, Arbitraries.of("'", "\"", "$", "..", "\n", "`", ";", "(", "&", "{a,b}", "$(", "${")))
                .list()
                .ofMaxSize(9)
                .map(parts -> String.join("", parts))
                .list()
                .ofSize(40);
    }
}
