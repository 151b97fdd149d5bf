package org.gelato.ce.cli.submission;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.FileTrouble;
import org.gelato.ce.cli.terminal.GivenFile;

/**
 * Copies of input that can be read once, for uploads that measure it and may have to repeat it. They are this user's alone, and are removed
 * with the closing, or at the end of the program whatever signal ends it.
 */
public final class Copies implements AutoCloseable {
    /** Of one copy: what a temporary directory can be expected to take. A file that is one has no such bound. */
    static final long MAX_BYTES = 100 << 20;

    private final Path directory;
    private final Map<Path, Path> pipes = new HashMap<>();
    private final long max;
    private final List<Path> files = new ArrayList<>();

    /** @param environment of which {@code TMPDIR} names the directory */
    public Copies(Map<String, String> environment) {
        this(environment, MAX_BYTES);
    }

    Copies(Map<String, String> environment, long max) {
        directory = Path.of(CommonOptions.setting(environment, "TMPDIR").orElse("/tmp"));
        this.max = max;
    }

    /**
     * Copies a stream to its end.
     *
     * @param what it is, for messages
     * @throws CliException for one that is too large, or can't be read or kept
     */
    Path of(String what, InputStream in) {
        try {
            // The library makes it for its owner alone.
            Path file = Files.createTempFile(directory, "ce-input-", "");
            file.toFile().deleteOnExit();
            files.add(file);
            try (OutputStream out = Files.newOutputStream(file)) {
                if (GivenFile.transfer(in, max, out::write) > max) {
                    throw new CliException(what + " is larger than " + size(max)
                            + ", the most that is read from a pipe: write it into a file, and bring that (--input FILE,"
                            + " or InputSandbox)");
                }
            }
            return file;
        } catch (IOException e) {
            throw new CliException(
                    what + " can't be copied to " + directory + ": " + FileTrouble.reason(e)
                            + "; TMPDIR names another directory",
                    e);
        }
    }

    /** The same of a file; of all jobs that name it once. */
    Path of(String what, Path pipe) {
        Path known = pipes.get(pipe);
        if (known == null) {
            known = copy(what, pipe);
            pipes.put(pipe, known);
        }
        return known;
    }

    private Path copy(String what, Path pipe) {
        try (InputStream in = Files.newInputStream(pipe)) {
            return of(what, in);
        } catch (IOException e) {
            throw new CliException(what + " can't be read: " + FileTrouble.reason(e), e);
        }
    }

    /** The number of bytes of a copy. */
    static long size(Path copy) {
        try {
            return Files.size(copy);
        } catch (IOException e) {
            throw new CliException(copy + " can't be read: " + FileTrouble.reason(e), e);
        }
    }

    /** A number of bytes for people. */
    static String size(long bytes) {
        if (bytes < 1 << 10) {
            return bytes + (bytes == 1 ? " byte" : " bytes");
        }
        boolean large = bytes >= 1 << 20;
        String number = String.format(Locale.ROOT, "%.1f", bytes / (large ? 1048576.0 : 1024.0));
        return number.replace(".0", "") + (large ? " MiB" : " KiB");
    }

    @Override
    public void close() {
        for (Path file : files) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                // The end of the program tries again.
            }
        }
    }
}
