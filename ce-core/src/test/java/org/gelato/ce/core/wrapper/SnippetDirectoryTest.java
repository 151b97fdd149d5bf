package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.description.RuntimeEnvironments.Snippet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnippetDirectoryTest {
    @TempDir
    Path directory;

    private Path file(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static void mode(Path file, String mode) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private List<String> flaws() {
        return SnippetDirectory.read(directory).flaws().stream()
                .map(flaw -> directory.relativize(flaw.file()) + ": " + flaw.reason())
                .toList();
    }

    private List<String> names() {
        return SnippetDirectory.read(directory).snippets().stream()
                .map(Snippet::name)
                .toList();
    }

    @Test
    void pathsAreNames() throws IOException {
        file("APPS/HEP/ATLAS-SITE", "export A=é\n");
        file("X-1.2", "");
        file(".hidden", "x");
        Files.createSymbolicLink(directory.resolve("LINKED"), directory.resolve("X-1.2"));
        assertThat(SnippetDirectory.read(directory))
                .isEqualTo(new SnippetDirectory.Contents(
                        List.of(
                                new Snippet("APPS/HEP/ATLAS-SITE", "export A=é\n"),
                                new Snippet("LINKED", ""),
                                new Snippet("X-1.2", "")),
                        List.of()));
    }

    @Test
    void whatIsNotFitIsLeftOutWithItsReason() throws IOException {
        file("GOOD", "x");
        file("good", "x");
        file("ENV/proxy", "x");
        file("a b", "x");
        file("e", "a\0b");
        file("f", "x".repeat(SnippetDirectory.MAX_BYTES + 1));
        file("g", "x".repeat(SnippetDirectory.MAX_BYTES));
        Files.write(directory.resolve("h"), "é".getBytes(StandardCharsets.ISO_8859_1));
        file("i/j/k/l/m", "x");
        mode(file("n", "x"), "rw-r--rw-");
        mode(file("o/p", "x").getParent(), "rwxr-xrwx");
        Files.createSymbolicLink(directory.resolve("q"), directory.resolve("nowhere"));
        Files.createSymbolicLink(directory.resolve("r"), directory);
        assertThat(names()).containsExactly("GOOD", "g");
        List<String> flaws = flaws();
        assertThat(flaws)
                .contains(
                        "good: another one has this name; capital letters do not count",
                        "ENV/proxy: this environment is always there and does nothing",
                        "e: it holds a NUL",
                        "f: it is larger than 32768 bytes",
                        "h: it is not UTF-8",
                        "i/j/k/l: it is deeper than 4 directories",
                        "n: it is writable by others",
                        "o: it is writable by others",
                        "q: it is not a file",
                        "r: it is not a file")
                .anyMatch(flaw -> flaw.startsWith("a b: its name is not made of"));
    }

    @Test
    void aDirectoryThatIsOthersOrMissingHasNone() throws IOException {
        file("GOOD", "x");
        mode(directory, "rwxrwxrwx");
        assertThat(names()).isEmpty();
        assertThat(flaws()).containsExactly(": it is writable by others");
        mode(directory, "rwx------");
        assertThat(names()).containsExactly("GOOD");
        assertThat(SnippetDirectory.read(directory.resolve("none")).flaws())
                .singleElement()
                .satisfies(flaw -> assertThat(flaw.reason()).endsWith("none does not exist)"));
    }

    @Test
    void theirNumberIsBounded() throws IOException {
        for (int i = 0; i <= SnippetDirectory.MAX_SNIPPETS; i++) {
            file(String.format("N%03d", i), "");
        }
        assertThat(names()).hasSize(SnippetDirectory.MAX_SNIPPETS);
        assertThat(flaws()).containsExactly("N200: there are more than 200");
    }

    @Test
    void aChangeIsSeenTenSecondsLater() throws IOException {
        AtomicLong now = new AtomicLong(-5);
        SnippetDirectory snippets = new SnippetDirectory(directory, now::get);
        assertThat(snippets.get()).isEmpty();
        file("A", "1");
        now.addAndGet(TimeUnit.SECONDS.toNanos(10) - 1);
        assertThat(snippets.get()).isEmpty();
        now.incrementAndGet();
        assertThat(snippets.get()).containsExactly(new Snippet("A", "1"));
    }
}
