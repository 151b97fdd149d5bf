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

/** What the server reports of something thrown is made by {@code Messages}: its own text has the name of a Java class. */
class PlainWordsTest {
    private static final String THROWN = "\\b(?:e|ex|t|why|failure|cause|thrown)";

    /** As a text, or behind one. */
    private static final Pattern NAMED =
            Pattern.compile(THROWN + "\\.toString\\(\\)|\" \\+ (?:e|thrown)(?= \\+|[;),])");

    private static final Pattern DEBUG = Pattern.compile("(?s)log\\.(?:debug|trace)\\(.*?\\);");

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
