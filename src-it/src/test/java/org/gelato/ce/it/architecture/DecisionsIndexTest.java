package org.gelato.ce.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each decision is one short page with one line in {@code docs/developer/decisions/README.md}. */
class DecisionsIndexTest {
    private static final Path DECISIONS = Path.of("..", "docs", "developer", "decisions");
    private static final Pattern ROW = Pattern.compile("- \\[(?<title>[^\\]]+)\\]\\((?<page>[^)]+)\\)");
    private static final Pattern EARLIER = Pattern.compile("(\\d{4}) → (\\d{4})");

    private static final Path MIGRATIONS =
            Path.of("..", "db-migrations", "src", "main", "resources", "db", "migration");
    private static final Pattern CITED = Pattern.compile("\\b[Dd]ecisions?[ /](\\d{4})");

    /** What fits on a page; longer ones explain what other pages do. */
    private static final int MAX_WORDS = 250;

    /** A line of the index. */
    private record Row(String title, String page) {}

    private static List<String> pages() throws IOException {
        try (Stream<Path> files = Files.list(DECISIONS)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("README.md"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> numbers() throws IOException {
        return pages().stream().map(name -> name.substring(0, 4)).toList();
    }

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(DECISIONS.resolve("README.md"))) {
            if (line.startsWith("- [")) {
                Matcher row = ROW.matcher(line);
                assertThat(row.matches()).as("a link: %s", line).isTrue();
                rows.add(new Row(row.group("title"), row.group("page")));
            }
        }
        return rows;
    }

    @Test
    void everyDecisionHasOneLineInTheOrderOfItsNumber() throws IOException {
        List<String> pages = pages();
        assertThat(pages).hasSizeGreaterThan(20).allMatch(name -> name.matches("\\d{4}-[a-z0-9-]+\\.md"));
        assertThat(rows()).extracting(Row::page).containsExactlyElementsOf(pages);
    }

    @Test
    void noNumberIsUsedTwice() throws IOException {
        assertThat(numbers()).doesNotHaveDuplicates();
    }

    @Test
    void theTitleIsTheHeadingOfThePage() throws IOException {
        for (Row row : rows()) {
            String heading = Files.readAllLines(DECISIONS.resolve(row.page())).get(0);
            assertThat(heading).isEqualTo("# " + row.title());
            assertThat(row.title()).startsWith(row.page().substring(0, 4) + " ");
        }
    }

    @Test
    void everyDecisionFitsOnOnePageInThreeSections() throws IOException {
        for (String page : pages()) {
            String text = Files.readString(DECISIONS.resolve(page));
            assertThat(text.lines().filter(line -> line.startsWith("## ")))
                    .as("sections of %s", page)
                    .containsExactly("## Context", "## Decision", "## Consequence");
            assertThat(Arrays.stream(text.split("\\s+", -1)).filter(word -> word.matches(".*\\w.*")))
                    .as("words of %s", page)
                    .hasSizeLessThanOrEqualTo(MAX_WORDS);
        }
    }

    /** Migrations may not be changed, so they go on citing the numbers of their time. */
    @Test
    void numbersThatMigrationsCiteLeadToADecision() throws IOException {
        Map<String, String> earlier = EARLIER.matcher(Files.readString(DECISIONS.resolve("README.md")))
                .results()
                .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));
        assertThat(earlier.keySet()).doesNotContainAnyElementsOf(numbers());
        assertThat(numbers()).containsAll(earlier.values());
        Set<String> known = new TreeSet<>(numbers());
        known.addAll(earlier.keySet());
        assertThat(cited()).isNotEmpty().allMatch(known::contains);
    }

    private static Set<String> cited() throws IOException {
        Set<String> numbers = new TreeSet<>();
        try (Stream<Path> files = Files.list(MIGRATIONS)) {
            for (Path file : files.toList()) {
                CITED.matcher(Files.readString(file)).results().forEach(found -> numbers.add(found.group(1)));
            }
        }
        return numbers;
    }
}
