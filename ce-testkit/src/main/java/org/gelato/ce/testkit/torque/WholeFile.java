package org.gelato.ce.testkit.torque;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;

/** A small file that is replaced whole, as commands read it at any instant. */
record WholeFile(Path path) {
    void write(Collection<String> lines) {
        try {
            Path part = path.resolveSibling(path.getFileName() + ".part");
            Files.write(part, lines);
            Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rw-r--r--"));
            Files.move(part, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
