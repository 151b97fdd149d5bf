package org.gelato.ce.it.site;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.EmbeddedMariaDb;

/**
 * The data of an embedded database server that has the schema and no rows. It is made once, for all processes of the tests and as long as the
 * jars are the same, and copied into the directories of new CEs: all migrations take as long as the rest of a first start.
 */
final class EmptySchema {
    private static final Path KEPT =
            Path.of("target", "ce-database", SharedClasses.fingerprint()).toAbsolutePath();

    private EmptySchema() {}

    /**
     * Puts it into a directory of a server.
     *
     * @param directory of the server; is made, and has no data yet
     */
    static void copyInto(Path directory) throws IOException {
        make();
        Files.createDirectories(directory);
        copy(KEPT, directory.resolve("data"));
    }

    private static synchronized void make() throws IOException {
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
            Files.createDirectories(KEPT.getParent());
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
