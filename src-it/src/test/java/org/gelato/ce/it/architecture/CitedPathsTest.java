package org.gelato.ce.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What comments and pages cite of the repository is there: paths below {@code docs} and the modules, pages, links, sections
 * of pages, decisions, tests. An ellipsis stands for any folders of the sources. What a build makes is not looked at.
 */
class CitedPathsTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final List<String> MODULES = names(ROOT).stream()
            .filter(name -> Files.exists(ROOT.resolve(name).resolve("pom.xml")))
            .toList();

    /** A path begins neither within a URL nor within a longer path or one made of variables. */
    private static final String BEGIN = "(?<![\\w/.:$@-])";

    private static final Pattern PATH =
            Pattern.compile(BEGIN + "((?:docs|" + String.join("|", MODULES) + ")/(?!target\\b)[\\w./-]*\\w)");
    private static final Pattern PAGE = Pattern.compile(BEGIN + "((?:[\\w.-]+/)*[\\w-][\\w.-]*\\.md)\\b");
    private static final Pattern SECTIONS = Pattern.compile(PAGE + " sections? (\\d+(?:(?:, | and | to )\\d+)*)");
    private static final Pattern HEADING = Pattern.compile(PAGE + ", ([A-Z][\\w-]+)(?=[);])");
    private static final Pattern LINE_BEGIN = Pattern.compile("\n[ \t]*(?:\\*|//|--|#)?[ \t]*");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\((?!\\w+:|#)([^)\\s#]+)[^)]*\\)");
    private static final Pattern DECISIONS = Pattern.compile("\\b[Dd]ecisions?[ /](\\d{4})(?: and (\\d{4}))?");

    /** As in "(0047)"; masks of files are octal numbers of the same form, in programs alone. */
    private static final Pattern BARE_DECISION = Pattern.compile("[(,] ?(00\\d{2})(?=[);,])");

    private static final Pattern TEST = Pattern.compile("`([A-Z][a-z]\\w*(?:Test|IT))\\b(?:#(\\w+))?");
    private static final Pattern MARKED = Pattern.compile(TEST.pattern() + "`(?: \\(((?:partly )?long)\\))?");
    private static final String LONG = "@Tag(\"long\")\n";
    private static final Pattern BY_NUMBER = Pattern.compile("docs/developer/decisions/\\d{4}");

    /** One of them is in whatever these patterns find; most sources have none. */
    private static final List<String> HINTS = Stream.concat(
                    Stream.of(".md", "docs/", "ecision"), MODULES.stream().map(module -> module + "/"))
            .toList();

    private static final List<Text> TEXTS = texts();

    /**
     * @param words the lines, joined without the marks that begin a line of a comment
     * @param plain the same without links, for a link's text is its own
     */
    private record Text(Path file, String words, String plain) {
        boolean isPage() {
            return isPage(file);
        }

        static boolean isPage(Path file) {
            return file.toString().endsWith(".md");
        }

        List<MatchResult> find(Pattern pattern) {
            return pattern.matcher(plain).results().toList();
        }

        /** Comments cite from the root, pages also from where they stand. */
        Path cited(String path) {
            Path beside = file.resolveSibling(path);
            return isPage() && Files.exists(beside) ? beside : ROOT.resolve(path);
        }

        @Override
        public String toString() {
            return ROOT.relativize(file).toString();
        }
    }

    private static List<String> names(Path directory) {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Text> texts() {
        List<Path> tops = new ArrayList<>(List.of(ROOT.resolve("docs"), ROOT.resolve(".ci"), ROOT.resolve("dev")));
        for (String name : names(ROOT)) {
            if (name.endsWith(".md") || name.equals("ce") || name.equals("pom.xml")) {
                tops.add(ROOT.resolve(name));
            }
        }
        for (String module : MODULES) {
            for (String name : names(ROOT.resolve(module))) {
                if (!name.equals("target") && !name.startsWith(".")) {
                    tops.add(ROOT.resolve(module).resolve(name));
                }
            }
        }
        return tops.stream()
                .filter(Files::exists)
                .flatMap(CitedPathsTest::files)
                .flatMap(CitedPathsTest::text)
                .toList();
    }

    private static Stream<Path> files(Path top) {
        try (Stream<Path> all = Files.walk(top)) {
            return all
                    .filter(Files::isRegularFile)
                    .filter(file -> !file.toString().matches(".*\\.(png|json)"))
                    // It makes pages of its own.
                    .filter(file -> !file.endsWith("HtmlManualTest.java"))
                    // To Flyway a migration whose comment was changed is another one.
                    .filter(file -> !file.getParent().endsWith("db/migration"))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Text> text(Path file) {
        try {
            String lines = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            if (HINTS.stream().noneMatch(lines::contains)) {
                return Stream.of();
            }
            String words = LINE_BEGIN.matcher(lines).replaceAll(" ");
            return Stream.of(new Text(
                    file, words, Text.isPage(file) ? LINK.matcher(words).replaceAll("") : words));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void pathsExist() {
        List<String> missing = new ArrayList<>();
        int cited = 0;
        for (Text text : TEXTS) {
            for (MatchResult found : text.find(PATH)) {
                String path = found.group(1);
                cited++;
                if (!exists(text, path.replaceFirst("\\.html$", ".md"))
                        && !BY_NUMBER.matcher(path).matches()) {
                    missing.add(text + ": " + path);
                }
            }
            for (MatchResult found : text.find(PAGE)) {
                String page = found.group(1);
                // A name alone is a page only in another page: a program may use it for something else.
                if (text.isPage() || page.contains("/")) {
                    cited++;
                    // A page of the CE's own cites the manual, which is made of the same pages.
                    if (!Files.exists(text.cited(page.replaceFirst("\\.html$", ".md")))) {
                        missing.add(text + ": " + page);
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(cited).isGreaterThan(300);
    }

    /** What follows an ellipsis is a folder, or a file whose ending may be left out. */
    private static boolean exists(Text text, String path) {
        int ellipsis = path.indexOf("/...");
        if (ellipsis < 0) {
            return Files.exists(text.cited(path));
        }
        String end = path.substring(ellipsis + "/...".length());
        try (Stream<Path> all =
                Files.walk(ROOT.resolve(path.substring(0, ellipsis)).resolve("src"))) {
            return all.map(Path::toString)
                    .anyMatch(file -> file.endsWith(end)
                            || file.replaceFirst("\\.\\w+$", "").endsWith(end));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void linksLeadSomewhere() {
        List<String> missing = new ArrayList<>();
        int links = 0;
        for (Text page : TEXTS.stream().filter(Text::isPage).toList()) {
            for (MatchResult link : LINK.matcher(page.words()).results().toList()) {
                links++;
                if (!Files.exists(page.file().resolveSibling(link.group(1)))) {
                    missing.add(page + ": " + link.group());
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(links).isGreaterThan(50);
    }

    @Test
    void sectionsExist() throws IOException {
        List<String> missing = new ArrayList<>();
        int cited = 0;
        for (Text text : TEXTS) {
            for (MatchResult found : text.find(SECTIONS)) {
                List<String> headings = headings(text.cited(found.group(1)));
                for (int section : numbers(found.group(2))) {
                    cited++;
                    if (headings.stream().noneMatch(heading -> heading.matches(section + "[. ].*"))) {
                        missing.add(text + ": " + found.group(1) + " section " + section);
                    }
                }
            }
            for (MatchResult found : text.find(HEADING)) {
                cited++;
                if (headings(text.cited(found.group(1))).stream()
                        .noneMatch(heading -> heading.startsWith(found.group(2)))) {
                    missing.add(text + ": " + found.group());
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(cited).isGreaterThan(100);
    }

    @Test
    void decisionsExist() {
        Set<String> decisions = new TreeSet<>();
        names(ROOT.resolve("docs/developer/decisions")).forEach(name -> decisions.add(name.substring(0, 4)));
        Set<String> missing = new TreeSet<>();
        int cited = 0;
        for (Text text : TEXTS) {
            for (MatchResult found : text.find(DECISIONS)) {
                for (int i = 1; i <= found.groupCount(); i++) {
                    String decision = found.group(i);
                    cited += decision == null ? 0 : 1;
                    if (decision != null && !decisions.contains(decision)) {
                        missing.add(text + ": decision " + decision);
                    }
                }
            }
            for (MatchResult found : text.isPage() ? text.find(BARE_DECISION) : List.<MatchResult>of()) {
                if (!decisions.contains(found.group(1))) {
                    missing.add(text + ": " + found.group(1));
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(cited).isGreaterThan(30);
    }

    /** A page that says which test holds a promise goes on saying so when the test is renamed. */
    @Test
    void testsExist() throws IOException {
        Map<String, String> tests = tests();
        Set<String> missing = new TreeSet<>();
        int cited = 0;
        for (Text text : TEXTS) {
            for (MatchResult found : text.isPage() ? text.find(TEST) : List.<MatchResult>of()) {
                cited++;
                String source = tests.get(found.group(1) + ".java");
                String method = found.group(2);
                if (source == null || (method != null && !source.contains(" " + method + "("))) {
                    missing.add(text + ": " + found.group().substring(1));
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(cited).isGreaterThan(60);
    }

    /** Who reads which test holds a promise is to see that it, or some of its methods, do not run each time. */
    @Test
    void longTestsAreMarked() throws IOException {
        Map<String, String> tests = tests();
        Map<String, Integer> marked = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        for (String page : List.of("SECURITY.md", "docs/developer/reliability.md", "docs/developer/tests.md")) {
            String text =
                    LINE_BEGIN.matcher(Files.readString(ROOT.resolve(page))).replaceAll(" ");
            for (MatchResult found : MARKED.matcher(text).results().toList()) {
                String mark = found.group(3) == null ? "" : found.group(3);
                String right = mark(tests.getOrDefault(found.group(1) + ".java", ""), found.group(2));
                marked.merge(mark, 1, Integer::sum);
                if (!mark.equals(right)) {
                    wrong.add(page + ": behind " + found.group() + " belongs "
                            + (right.isEmpty() ? "no mark" : "(" + right + ")"));
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(marked.get("long")).isGreaterThan(10);
        assertThat(marked.get("partly long")).isGreaterThan(10);
    }

    /** @param method null where the class is meant */
    private static String mark(String source, String method) {
        if (source.contains("\n" + LONG)) {
            return "long";
        }
        if (method == null) {
            return source.contains(LONG) ? "partly long" : "";
        }
        return source.matches("(?s).*" + Pattern.quote(LONG) + "\\s+void " + method + "\\(.*") ? "long" : "";
    }

    /** Sources of the tests by the names of their files. */
    private static Map<String, String> tests() throws IOException {
        Map<String, String> tests = new HashMap<>();
        for (String module : MODULES) {
            Path sources = ROOT.resolve(module).resolve("src/test/java");
            if (Files.exists(sources)) {
                for (Path file : files(sources).toList()) {
                    tests.merge(file.getFileName().toString(), Files.readString(file), String::concat);
                }
            }
        }
        return tests;
    }

    private static List<String> headings(Path page) throws IOException {
        if (!Files.exists(page)) {
            return List.of();
        }
        try (Stream<String> lines = Files.lines(page)) {
            return lines.filter(line -> line.startsWith("#"))
                    .map(line -> line.replaceFirst("^#+ *", ""))
                    .toList();
        }
    }

    /** As in "4", "3, 5 and 7", "4 to 6". */
    private static List<Integer> numbers(String cited) {
        List<Integer> numbers = new ArrayList<>();
        for (String part : cited.split(", | and ")) {
            String[] ends = part.split(" to ");
            IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
                    .forEach(numbers::add);
        }
        return numbers;
    }
}
