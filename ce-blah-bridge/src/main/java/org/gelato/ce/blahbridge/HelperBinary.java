package org.gelato.ce.blahbridge;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;

/**
 * The helper's program, carried in the jar. Called once at start by the starter of the channel; a crash leaves the former
 * program or the new one, never half of one.
 */
public final class HelperBinary {
    private static final String RESOURCE = "/native/linux-x86_64/gelato-helper";

    private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rwxr-xr-x");
    private static final int MAX_WORDS = 1000;

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
        try (InputStream in = HelperBinary.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new FileNotFoundException("this jar was built without " + RESOURCE);
            }
            byte[] content = in.readAllBytes();
            if (!isThere(program, content)) {
                write(program, content);
            }
        } catch (FileSystemException | FileNotFoundException e) {
            throw e;
        } catch (IOException e) {
            // Of a full disk the system names no file.
            throw new IOException(program + " cannot be written: " + e.getMessage(), e);
        }
        return program;
    }

    private static boolean isThere(Path program, byte[] content) throws IOException {
        return Files.isRegularFile(program)
                && Files.getPosixFilePermissions(program).equals(MODE)
                && Files.size(program) == content.length
                && Arrays.equals(Files.readAllBytes(program), content);
    }

    /**
     * Renamed into place: a helper that still runs keeps its own file. Copied by a process of its own: what another thread of
     * this one starts meanwhile holds the files that are open here for a moment, and a program that is open for writing
     * cannot be run ("Text file busy").
     */
    private static void write(Path program, byte[] content) throws IOException {
        Path written = Files.createTempFile(program.getParent(), "gelato-helper", ".new");
        Path copy = written.resolveSibling(written.getFileName() + ".copy");
        try {
            Files.write(written, content);
            Files.setPosixFilePermissions(written, MODE);
            copy(written, copy);
            Files.move(copy, program, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(copy);
            Files.deleteIfExists(written);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Process cp = new ProcessBuilder("cp", "-p", "--", from.toString(), to.toString())
                .redirectErrorStream(true)
                .start();
        cp.getOutputStream().close();
        try (InputStream words = cp.getInputStream()) {
            String reported = new String(words.readNBytes(MAX_WORDS), StandardCharsets.UTF_8).strip();
            int status = cp.waitFor();
            if (status != 0) {
                throw new IOException("cp ended with status " + status + ": " + reported);
            }
        } catch (InterruptedException e) {
            cp.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the helper's program was copied", e);
        }
    }
}
