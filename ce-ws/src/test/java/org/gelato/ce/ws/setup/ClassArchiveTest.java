package org.gelato.ce.ws.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How an archive of classes gets its place, with a stand-in for Java; ServerArchiveIT has the real one. */
class ClassArchiveTest {
    /**
     * Writes the list of classes in place of an archive, unless a class of the list has a line in the file "unfit"; accepts it as
     * the file "accepts" says.
     */
    private static final String JAVA = """
            #!/bin/sh
            home=$(dirname "$(dirname "$0")")
            for option; do
                case $option in
                    -XX:SharedClassListFile=*) list=${option#*=} ;;
                    -XX:SharedArchiveFile=*) archive=${option#*=} ;;
                    -Xshare:*) share=${option#*:} ;;
                esac
            done
            case $share in
                dump)
                    unfit=$(grep -s -x -F -m 1 -f "$home/unfit" "$list") && {
                        echo "[6.2s][error][cds] java.lang.IllegalAccessError: failed to access class a.b.Package from class"\
                            "$(echo "$unfit" | tr / .) (a.b.Package is in unnamed module)" >&2
                        exit 1
                    }
                    cp "$list" "$archive"
                    ;;
                on) [ -e "$home/accepts" ] || { echo "Unable to use shared archive." >&2; exit 1; } ;;
            esac
            """;

    @TempDir
    private Path directory;

    private Path java;
    private Path jar;
    private Path file;

    @BeforeEach
    void prepare() throws IOException {
        java = directory.resolve("java");
        Files.createDirectories(java.resolve("bin"));
        Files.createDirectories(java.resolve("lib"));
        Files.writeString(java.resolve("bin/java"), JAVA);
        Files.setPosixFilePermissions(java.resolve("bin/java"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(java.resolve("lib/classlist"), "java/lang/OfJava\n");
        Files.writeString(java.resolve("accepts"), "");
        jar = directory.resolve("ours.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            for (String name :
                    new String[] {"org/gelato/ce/Ours.class", "org/other/Theirs.class", "org/gelato/ce/x.txt"}) {
                entries.putNextEntry(new ZipEntry(name));
            }
        }
        file = directory.resolve("cache").resolve("archive.jsa");
    }

    private ClassArchive archive() {
        return new ClassArchive(file, java, jar.toString());
    }

    private Stream<String> beside() throws IOException {
        try (Stream<Path> all = Files.list(file.getParent())) {
            return all.map(p -> p.getFileName().toString()).toList().stream();
        }
    }

    @Test
    void holdsJavasOwnOursAndTheRecordedClasses() throws IOException {
        archive().make();
        assertThat(file)
                .content()
                .startsWith("java/lang/OfJava\norg/gelato/ce/Ours\n")
                .contains("\norg/apache/catalina/core/StandardContext\n")
                .doesNotContain("Theirs", "x.txt");
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("r--r--r--"));
        assertThat(beside()).containsExactlyInAnyOrder("archive.jsa", "archive.jsa.lock");
    }

    @Test
    void replacesTheOldOneAndWhatAKilledOneLeft() throws IOException {
        archive().make();
        Files.delete(file);
        Files.writeString(file, "old");
        Files.writeString(file.resolveSibling("archive.jsa.new"), "half");
        archive().make();
        assertThat(file).content().startsWith("java/lang/OfJava\n");
        assertThat(beside()).containsExactlyInAnyOrder("archive.jsa", "archive.jsa.lock");
    }

    @Test
    void whatJavaDoesNotAcceptGetsNoName() throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "old");
        Files.delete(java.resolve("accepts"));
        assertThatThrownBy(() -> archive().make())
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("Java makes no archive of classes: Unable to use shared archive.");
        assertThat(file).hasContent("old");
    }

    /** Java 21 ended without an archive for one class of canl, which does not fit the Bouncy Castle beside it. */
    @Test
    void aClassThatJavaCannotLinkIsLeftOutAndTheArchiveIsMade() throws IOException {
        Files.writeString(java.resolve("unfit"), "org/apache/catalina/core/StandardContext\norg/gelato/ce/Ours\n");
        archive().make();
        assertThat(file)
                .content()
                .startsWith("java/lang/OfJava\n")
                .contains("\norg/apache/catalina/core/StandardEngine\n")
                .doesNotContain("org/apache/catalina/core/StandardContext\n", "org/gelato/ce/Ours\n");
    }

    @Test
    void whereManyClassesCannotBeLinkedTheCostIsSaid() throws IOException {
        Files.writeString(java.resolve("lib/classlist"), "u/A\nu/B\nu/C\nu/D\nu/E\nu/F\nu/G\n");
        Files.copy(java.resolve("lib/classlist"), java.resolve("unfit"));
        assertThatThrownBy(() -> archive().make())
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("from class u.F")
                .hasMessageEndingWith(
                        "; the server starts without one as well, with some seconds of CPU more at each start");
        assertThat(file).doesNotExist();
    }

    @Test
    void aDirectoryThatOthersMayWriteToIsRefused() throws IOException {
        for (String mode : new String[] {"rwxrwxr-x", "rwxr-xrwx"}) {
            Files.createDirectories(file.getParent());
            Files.setPosixFilePermissions(file.getParent(), PosixFilePermissions.fromString(mode));
            assertThatThrownBy(() -> archive().make())
                    .as(mode)
                    .isInstanceOf(SetupException.class)
                    .hasMessageContainingAll(file.getParent().toString(), "chmod go-w");
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void oneProcessMakesItAtATime() throws IOException {
        Files.createDirectories(file.getParent());
        Path lock = file.resolveSibling("archive.jsa.lock");
        try (FileChannel held = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            held.lock();
            assertThatThrownBy(() -> archive().make())
                    .isInstanceOf(SetupException.class)
                    .hasMessage("another process makes " + file + ": wait until it has ended");
            assertThat(file).doesNotExist();
        }
        archive().make();
        assertThat(file).exists();
    }
}
