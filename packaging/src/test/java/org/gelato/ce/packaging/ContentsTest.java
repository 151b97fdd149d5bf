package org.gelato.ce.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list of what is installed where. */
class ContentsTest {
    private static final Path ROOT = Path.of("..");

    @TempDir
    private Path sources;

    /** Of both formats; what both have is there twice. */
    private static List<Contents.Line> list() throws IOException {
        return Stream.concat(list("deb").stream(), list("rpm").stream()).toList();
    }

    private static List<Contents.Line> list(String format) throws IOException {
        return Contents.lines(Files.readAllLines(ROOT.resolve("packaging/contents.list")), format);
    }

    @Test
    void theListNamesExistingFiles() throws IOException {
        List<Contents.Line> lines = list();
        assertThat(lines).hasSizeGreaterThan(20);
        for (Contents.Line line : lines) {
            boolean built = line.source().contains("/target/");
            if (line.kind() == Contents.Kind.LINK) {
                continue;
            }
            if (built) {
                assertThat(ROOT.resolve(line.source().substring(0, line.source().indexOf('/')))
                                .resolve("pom.xml"))
                        .exists();
            } else {
                assertThat(Contents.sources(line, ROOT)).as(line.toString()).isNotEmpty();
            }
        }
    }

    private static void jar(Path file, String... names) throws IOException {
        Files.createDirectories(file.getParent());
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
            for (String name : names) {
                jar.putNextEntry(new ZipEntry(name));
            }
        }
    }

    @Test
    void theListOfTheClientsArchiveHasWhatWasRecordedAndAllThatIsOurs() throws IOException {
        jar(sources.resolve("ce-cli-1.2.3.jar"), "org/gelato/ce/cli/Main.class", "META-INF/x.class");
        jar(sources.resolve("lib/ce-description-1.2.3.jar"), "org/gelato/ce/fault/FaultCode.class", "words.txt");
        jar(sources.resolve("lib/picocli-4.jar"), "picocli/Rare.class");
        assertThat(Main.classes(sources))
                .contains("picocli/CommandLine")
                .endsWith("org/gelato/ce/cli/Main", "org/gelato/ce/fault/FaultCode")
                .doesNotContain("picocli/Rare");
    }

    @Test
    void everyFileForSitesIsListedAndEveryPackageHasItsControl() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("packaging/src/main/files"))) {
            assertThat(list())
                    .extracting(Contents.Line::source)
                    .containsAll(files.map(file -> "packaging/src/main/files/" + file.getFileName())
                            .toList());
        }
        for (Contents.Line line : list()) {
            assertThat(ROOT.resolve("packaging/src/main/deb/" + line.packageName() + "/control"))
                    .exists();
        }
    }

    /** dpkg asked about them at each upgrade after an init. */
    @Test
    void whatInitWritesIsNoConffile() throws IOException {
        assertThat(list("deb"))
                .filteredOn(line -> line.path().startsWith("/etc/gelato/")
                        || line.path().startsWith("/etc/default/")
                        || line.path().startsWith("/etc/sudoers.d/"))
                .hasSize(2)
                .allSatisfy(line -> {
                    assertThat(line.kind()).isEqualTo(Contents.Kind.SITE);
                    assertThat(list("deb"))
                            .as("the postinst copies it")
                            .anyMatch(copy -> copy.kind() == Contents.Kind.FILE
                                    && copy.source().equals(line.source())
                                    && copy.path().startsWith("/usr/share/gelato/site/"));
                });
    }

    @Test
    void aPathBelongsToTheFirstLine() throws IOException {
        Files.writeString(sources.resolve("a-1.jar"), "");
        Files.writeString(sources.resolve("b-1.jar"), "");
        assertThat(Contents.files(
                        Contents.lines(
                                List.of("one file 0644 root:root /lib/ a-*.jar", "two file 0644 root:root /lib/ *.jar"),
                                "deb"),
                        sources))
                .extracting(line -> line.packageName() + " " + line.path())
                .containsExactly("one /lib/a-1.jar", "two /lib/b-1.jar");
    }

    @Test
    void aLineMayBeForOneFormatAlone() {
        List<String> text = List.of(
                "one file 0644 root:root /both y",
                "one@deb file 0644 root:root /debian y",
                "one@rpm file 0644 root:root /el y");
        assertThat(Contents.lines(text, "deb"))
                .extracting(line -> line.packageName() + " " + line.path())
                .containsExactly("one /both", "one /debian");
        assertThat(Contents.lines(text, "rpm"))
                .extracting(line -> line.packageName() + " " + line.path())
                .containsExactly("one /both", "one /el");
    }

    /** The next version's packages held the jars of both. */
    @Test
    void aJarInTwoVersionsIsRefused() throws IOException {
        Files.writeString(sources.resolve("ours-1.2.jar"), "");
        Files.writeString(sources.resolve("ours-more-1.2.jar"), "");
        List<Contents.Line> lines = Contents.lines(List.of("one file 0644 root:root /lib/ *.jar"), "deb");
        assertThat(Contents.files(lines, sources)).hasSize(2);
        Files.writeString(sources.resolve("ours-1.10.jar"), "");
        assertThatThrownBy(() -> Contents.files(lines, sources))
                .hasMessageContainingAll("ours-1.2.jar", "ours-1.10.jar", "mvn clean");
    }

    @Test
    void whatIsMissingOrMalformedIsNamed() {
        List<Contents.Line> missing = Contents.lines(List.of("one file 0644 root:root /lib/ none-*.jar"), "deb");
        assertThatThrownBy(() -> Contents.files(missing, sources)).hasMessageContaining("none-*.jar");
        for (String bad : List.of(
                "one file 0644 root:root /lib/x",
                "one dir 0755 root:root /lib/x y",
                "one file 644 root:root /lib/x y",
                "one file 0644 root /lib/x y",
                "one file 0644 root:root lib/x y",
                "one file 0644 root:root /lib/../x y",
                "one@msi file 0644 root:root /lib/x y",
                "one link 0777 root:root /lib/x y")) {
            assertThatThrownBy(() -> Contents.lines(List.of(bad), "deb"))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(bad);
        }
    }
}
