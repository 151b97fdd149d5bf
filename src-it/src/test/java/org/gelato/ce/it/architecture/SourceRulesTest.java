package org.gelato.ce.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the compiler does not see: sizes of files, and a purpose line for every package. */
class SourceRulesTest {
    /** A smaller limit makes classes that exist only to keep another short. */
    private static final int MAX_LINES = 600;

    /** What one reads through to know a package. */
    private static final int MAX_FILES = 30;

    /** How git marks the sides of a conflict. */
    private static final Pattern CONFLICT = Pattern.compile("(?m)^(?:(?:<{7}|>{7}|\\|{7}) .*|={7})\\r?$");

    private static final Pattern STATE_BY_NUMBER = Pattern.compile("\\bstate(?: \\+ 0)? (?:=|<|>|<>|IN) \\(?[0-9]");

    private static final Pattern SUREFIRE = Pattern.compile("(?s)<artifactId>maven-surefire-plugin<.*?</plugin>");
    private static final Pattern EXECUTION = Pattern.compile("(?s)<execution>\\s*(?:<!--.*?-->\\s*)?(<id>[^<]+</id>)");

    private static List<Path> sources(String endings) throws IOException {
        Path root = Path.of("").toAbsolutePath().getParent();
        try (Stream<Path> modules = Files.list(root)) {
            return modules.map(m -> m.resolve("src"))
                    .filter(Files::isDirectory)
                    .flatMap(SourceRulesTest::walk)
                    .filter(p -> p.getFileName().toString().matches(endings))
                    .toList();
        }
    }

    private static Stream<Path> walk(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.toList().stream();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void noFileHasASecondResponsibility() throws IOException {
        List<Path> sources = sources(".*\\.(java|c|h)");
        assertThat(sources).hasSizeGreaterThan(100);
        for (Path source : sources) {
            try (Stream<String> lines = Files.lines(source)) {
                assertThat(lines.count()).as("lines of %s", source).isLessThanOrEqualTo(MAX_LINES);
            }
        }
    }

    @Test
    void noPackageIsTooLargeToKnow() throws IOException {
        Map<Path, Long> packages =
                sources(".*\\.java").stream().collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
        assertThat(packages).hasSizeGreaterThan(20);
        packages.forEach((directory, files) ->
                assertThat(files).as("files in %s", directory).isLessThanOrEqualTo(MAX_FILES));
    }

    /** They would test what an earlier build left there. */
    @Test
    void packagesAreBuiltWithoutTests() throws IOException {
        Path root = Path.of("").toAbsolutePath().getParent();
        String all = Files.readString(root.resolve("pom.xml"));
        String packages = all.substring(all.indexOf("<id>deb</id>"));
        try (Stream<Path> modules = Files.list(root)) {
            for (Path pom :
                    modules.map(m -> m.resolve("pom.xml")).filter(Files::exists).toList()) {
                SUREFIRE.matcher(Files.readString(pom))
                        .results()
                        .flatMap(plugin -> EXECUTION.matcher(plugin.group()).results())
                        .forEach(execution -> assertThat(packages)
                                .as("the profile deb of pom.xml for %s", pom)
                                .contains("<execution>" + execution.group(1) + "<phase>none</phase></execution>"));
            }
        }
    }

    @Test
    void everyPackageStatesItsPurpose() throws IOException {
        List<Path> directories = sources(".*\\.java").stream()
                .filter(p -> p.toString().contains("/src/main/java/"))
                .map(Path::getParent)
                .distinct()
                .toList();
        assertThat(directories).hasSizeGreaterThan(20);
        for (Path directory : directories) {
            assertThat(directory.resolve("package-info.java")).content().startsWith("/**");
        }
    }

    /** Codes of states are those of JobState and CommandState alone; SQL has their names (StateSql). Leases lie below jobs. */
    @Test
    void noStatementOfTheCeSpellsAStateAsANumber() throws IOException {
        List<Path> sources = sources(".*\\.java").stream()
                .filter(p -> p.toString().contains("/ce-core/src/main/java/"))
                .filter(p -> !p.toString().endsWith("/lease/LeaseStore.java"))
                .toList();
        assertThat(sources).hasSizeGreaterThan(100);
        for (Path source : sources) {
            assertThat(Files.readString(source)).as("%s", source).doesNotContainPattern(STATE_BY_NUMBER);
        }
    }

    /** A reader who meets a name must not wonder which one it is. Programs are called alike. */
    @Test
    void noTwoClassesHaveTheSameName() throws IOException {
        Map<String, List<Path>> named = sources(".*\\.java").stream()
                .filter(p -> p.toString().contains("/src/main/java/"))
                .collect(Collectors.groupingBy(p -> p.getFileName().toString()));
        named.keySet().removeAll(List.of("package-info.java", "Main.java"));
        assertThat(named.values())
                .hasSizeGreaterThan(500)
                .allSatisfy(p -> assertThat(p).hasSize(1));
    }

    /** Also of pages and scripts, which no compiler reads. What a build makes is not looked at. */
    @Test
    void noFileHasMarksOfAConflict() throws IOException {
        List<Path> files = new ArrayList<>();
        Path root = Path.of("").toAbsolutePath().getParent();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return Set.of("target", ".git").contains(directory.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile()) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        assertThat(files).hasSizeGreaterThan(1000);
        for (Path file : files) {
            // Every byte is a character: some files are no text, or none of UTF-8.
            assertThat(CONFLICT.matcher(Files.readString(file, StandardCharsets.ISO_8859_1))
                            .results())
                    .as("marks of a merge in %s; settle the conflict and remove them", file)
                    .isEmpty();
        }
    }

    @Test
    void testsAreNamedInOneStyle() throws IOException {
        Pattern test = Pattern.compile("@(?:\\w*Test|Property|Example)\\b[^{;]*?\\bvoid (\\w+)\\(");
        for (Path source : sources(".*\\.java")) {
            assertThat(test.matcher(Files.readString(source)).results().map(found -> found.group(1)))
                    .as("tests of %s", source)
                    .allMatch(name -> name.matches("[a-z][a-zA-Z0-9]*"));
        }
    }
}
