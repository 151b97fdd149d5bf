package org.gelato.ce.blahbridge;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The helper's program, carried in the jar. Called once at start by the starter of the channel; a crash leaves the former
 * program or the new one, never half of one.
 */
public final class HelperBinary {
    private static final String RESOURCE = "/native/linux-x86_64/gelato-helper";

    private HelperBinary() {}

    /**
     * Writes the program into a directory, made when absent, with mode 0755.
     *
     * @param directory writable by the caller alone: who can write here chooses what runs
     * @return the program's path
     * @throws IOException also when this jar has no program for this machine
     */
    public static Path extract(Path directory) throws IOException {
        String machine = System.getProperty("os.name") + "-" + System.getProperty("os.arch");
        if (!machine.equals("Linux-amd64")) {
            throw new IOException("there is no helper for " + machine + ", only for Linux-amd64");
        }
        Files.createDirectories(directory);
        Path program = directory.toAbsolutePath().resolve("gelato-helper");
        // Renamed into place: a helper that still runs keeps its own file.
        Path temporary = Files.createTempFile(directory.toAbsolutePath(), "gelato-helper", ".new");
        try (InputStream in = HelperBinary.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new FileNotFoundException("this jar was built without " + RESOURCE);
            }
            Files.copy(in, temporary, StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.move(temporary, program, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (FileSystemException | FileNotFoundException e) {
            throw e;
        } catch (IOException e) {
            // Of a full disk the system names no file.
            throw new IOException(program + " cannot be written: " + e.getMessage(), e);
        } finally {
            Files.deleteIfExists(temporary);
        }
        return program;
    }
}
