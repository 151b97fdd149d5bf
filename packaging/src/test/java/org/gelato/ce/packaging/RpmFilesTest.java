package org.gelato.ce.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the RPMs hold, and their spec. */
class RpmFilesTest {
    private static final Path SPEC = Path.of("src/main/rpm/gelato.spec");

    @TempDir
    private Path directory;

    private List<String> installed(String... lines) throws IOException {
        Files.writeString(directory.resolve("text"), "text\n");
        RpmFiles.install(
                Contents.files(Contents.lines(List.of(lines), "rpm"), directory),
                directory.resolve("root"),
                directory.resolve("lists"));
        return Files.readAllLines(directory.resolve("lists/gelato-ce.files"));
    }

    @Test
    void filesAreInstalledAndListedWithWhatAnUpgradeKeeps() throws IOException {
        assertThat(installed(
                        "gelato-ce file 0755 root:root /usr/libexec/tool text",
                        "gelato-ce site 0640 root:gelato /etc/sysconfig/gelato-ce text",
                        "gelato-ce link - - /usr/bin/tool ../libexec/tool"))
                .containsExactly(
                        "%attr(0755, root, root) /usr/libexec/tool",
                        "%attr(0640, root, gelato) %config(noreplace) /etc/sysconfig/gelato-ce", "/usr/bin/tool");
        Path root = directory.resolve("root");
        assertThat(root.resolve("usr/bin/tool")).hasContent("text");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(root.resolve("etc/sysconfig/gelato-ce"))))
                .isEqualTo("rw-r-----");
    }

    /** rpm leaves a directory that no package has. */
    @Test
    void directoriesThatAreOursAreListedAndNoOthers() throws IOException {
        assertThat(installed(
                        "gelato-ce file 0644 root:root /usr/share/gelato/lib/a/one text",
                        "gelato-ce file 0644 root:root /usr/share/gelato/lib/a/two text"))
                .containsExactly(
                        "%dir %attr(0755, root, root) /usr/share/gelato",
                        "%dir %attr(0755, root, root) /usr/share/gelato/lib",
                        "%dir %attr(0755, root, root) /usr/share/gelato/lib/a",
                        "%attr(0644, root, root) /usr/share/gelato/lib/a/one",
                        "%attr(0644, root, root) /usr/share/gelato/lib/a/two");
    }

    @Test
    void theSpecHasTheVersionThatIsReleasedNextAndListsEveryPackage() throws IOException {
        String spec = Files.readString(SPEC);
        String pom = Files.readString(Path.of("../pom.xml"));
        assertThat(spec)
                .containsPattern("(?m)^Version: *"
                        + pom.replaceFirst("(?s).*?\n  <version>(.*?)</version>.*", "$1")
                                .replace('-', '~') + "$");
        assertThat(Contents.lines(Files.readAllLines(Path.of("contents.list")), "rpm"))
                .allSatisfy(line -> assertThat(spec)
                        .contains("%files -n " + line.packageName() + " -f packaging/target/rpm/" + line.packageName()
                                + ".files\n"));
    }
}
