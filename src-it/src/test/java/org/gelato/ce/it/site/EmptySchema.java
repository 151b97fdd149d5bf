package org.gelato.ce.it.site;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.embedded.EmbeddedMariaDb;

/**
 * The data of an embedded database server that has the schema and no rows. It is made once, for all processes of the tests and as long as the
 * jars are the same, and copied into the directories of new CEs: all migrations take as long as the rest of a first start.
 */
public final class EmptySchema {
    private static final Path KEPT =
            Path.of("target", "ce-database", SharedClasses.fingerprint()).toAbsolutePath();

    private EmptySchema() {}

    /**
     * Puts it into a directory of a server.
     *
     * @param directory of the server; is made, and has no data yet
     */
    public static void copyInto(Path directory) throws IOException {
        if (!Files.exists(KEPT)) {
            makeAlone();
        }
        Files.createDirectories(directory);
        copy(KEPT, directory.resolve("data"));
    }

    /** While one process of the tests makes it the others wait: all begin at the same time, and each would make its own. */
    private static synchronized void makeAlone() throws IOException {
        Files.createDirectories(KEPT.getParent());
        try (FileChannel lock = FileChannel.open(
                        KEPT.resolveSibling("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = lock.lock()) {
            assert held.isValid();
            make();
        }
    }

    private static void make() throws IOException {
        if (Files.exists(KEPT)) {
            return;
        }
        // The server's account must be able to pass through all directories above.
        Path base = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-empty-schema-");
        try {
            Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
            try (EmbeddedMariaDb server = EmbeddedMariaDb.start(new EmbeddedMariaDb.Settings(
                            base.resolve("database"),
                            SiteCe.cache(),
                            64L << 20,
                            4,
                            Duration.ofSeconds(10),
                            Duration.ofMinutes(2)));
                    Database database = new Database(server.config())) {
                database.migrate();
            }
            Path next = KEPT.resolveSibling(
                    KEPT.getFileName() + "." + ProcessHandle.current().pid());
            copy(base.resolve("database/data"), next);
            File made = next.toFile();
            if (!made.renameTo(KEPT.toFile())) {
                // Another process was first.
                SiteCe.remove(next);
            }
        } finally {
            SiteCe.remove(base);
        }
    }

    /** With owners and modes, for the server may run as another account. */
    private static void copy(Path from, Path to) throws IOException {
        try {
            int status = new ProcessBuilder("cp", "-a", "--sparse=always", from.toString(), to.toString())
                    .inheritIO()
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new IOException("cp of " + from + " to " + to + " ended with " + status);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
