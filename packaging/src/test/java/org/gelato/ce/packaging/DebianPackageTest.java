package org.gelato.ce.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DebianPackageTest {
    private static final Instant COMMIT = Instant.parse("2026-11-26T10:00:00Z");

    @TempDir
    private Path directory;

    private byte[] written(String name, Instant changed) throws IOException {
        Path control = Files.createDirectories(directory.resolve("control"));
        Files.writeString(
                control.resolve("control"),
                "Package: p\nVersion: [[version]]\nSection: net\nPriority: optional\nArchitecture: all\n"
                        + "Maintainer: Nobody <nobody@localhost>\nDescription: a package\n");
        Path file = Files.writeString(directory.resolve("text"), "text\n");
        for (Path each : List.of(file, control, control.resolve("control"))) {
            Files.setLastModifiedTime(each, FileTime.from(changed));
        }
        Path deb = directory.resolve(name);
        DebianPackage.write(
                control,
                Contents.files(
                        Contents.lines(
                                List.of(
                                        "p file 0644 root:root /usr/share/p/text text",
                                        "p config 0644 root:root /etc/p text",
                                        "p link - - /usr/bin/p ../share/p/text"),
                                "deb"),
                        directory),
                "1",
                COMMIT,
                deb);
        return Files.readAllBytes(deb);
    }

    @Test
    void theSameContentsGiveTheSameBytesWheneverTheFilesWereMade() throws IOException {
        assertThat(written("a.deb", Instant.parse("2001-01-01T00:00:00Z")))
                .isEqualTo(written("b.deb", Instant.parse("2026-01-01T00:00:00Z")));
    }
}
