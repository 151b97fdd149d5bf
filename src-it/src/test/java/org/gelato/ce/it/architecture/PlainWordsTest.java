package org.gelato.ce.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What the server reports of something thrown is made by {@code Messages}: its own text has the name of a Java class. And names in
 * the code are terms that a reader knows from outside (CONTRIBUTING.md, Words).
 */
class PlainWordsTest {
    private static final String THROWN = "\\b(?:e|ex|t|why|failure|cause|thrown)";

    /** As a text, or behind one. */
    private static final Pattern NAMED =
            Pattern.compile(THROWN + "\\.toString\\(\\)|\" \\+ (?:e|thrown)(?= \\+|[;),])");

    private static final Pattern DEBUG = Pattern.compile("(?s)log\\.(?:debug|trace)\\(.*?\\);");

    /** What is no code: texts, characters and comments. */
    private static final Pattern NO_CODE = Pattern.compile(
            "(?s)\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\\n])++'" + "|//[^\\n]*+|/\\*.*?\\*/");

    /** A bound is MAX_ of something; what a word of speech calls a thing, its reader has to guess. */
    private static final Pattern PRIVATE_NAME =
            Pattern.compile("\\b(?:MOST(?![A-Z])\\w*|goOn|letGo|ownWords|stillTheirs"
                    + "|(?:aside|bare|said|\\w*(?:Aside|Bare|Said))(?![a-z])\\w*)\\b");

    /** Words of which no name of a type is made; shell words are POSIX's. */
    private static final Pattern PRIVATE_TYPE = Pattern.compile("\\b(?:class|enum|interface|record) (?!ShellWords\\b)"
            + "((?:[A-Z]\\w*)?(?:Aside|Bare|Excerpt|Kept|Look|Room|Said|Way|Words)(?![a-z])\\w*)");

    @Test
    void namesAreTermsOfTheField() throws IOException {
        List<String> found = new ArrayList<>();
        int read = 0;
        for (Path file : CitedKeysTest.sources()) {
            read++;
            String code = NO_CODE.matcher(Files.readString(file, StandardCharsets.UTF_8))
                    .replaceAll("");
            for (Pattern name : List.of(PRIVATE_NAME, PRIVATE_TYPE)) {
                name.matcher(code).results().forEach(match -> found.add(file.getFileName() + ": " + match.group()));
            }
        }
        assertThat(found).isEmpty();
        assertThat(read).isGreaterThan(500);
    }

    @Test
    void noTextOfTheServerHasTheNameOfAClassOfWhatWasThrown() throws IOException {
        List<String> found = new ArrayList<>();
        int read = 0;
        for (Path file : CitedKeysTest.sources()) {
            if (file.toString().contains("/ce-cli/") || file.endsWith("Messages.java")) {
                continue;
            }
            read++;
            String code = Files.readString(file, StandardCharsets.UTF_8);
            for (MatchResult match :
                    NAMED.matcher(DEBUG.matcher(code).replaceAll("")).results().toList()) {
                found.add(file.getFileName() + ": " + match.group());
            }
        }
        assertThat(found).isEmpty();
        assertThat(read).isGreaterThan(500);
    }
}
