package org.gelato.ce.cli.admin;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** The records of one file, in its order; one at a time is in memory. Not thread-safe. */
final class AuditLines implements AutoCloseable {
    /** Longer ones are none of ours. */
    static final int LONGEST = 64 * 1024;

    private static final int BUFFER = 64 * 1024;

    private final Path file;
    private final InputStream in;
    private long damaged;

    /** @throws IOException when the file cannot be read */
    AuditLines(Path file) throws IOException {
        this.file = file;
        InputStream raw = Files.newInputStream(file);
        try {
            in = new BufferedInputStream(
                    file.toString().endsWith(".gz") ? new GZIPInputStream(raw, BUFFER) : raw, BUFFER);
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    Path file() {
        return file;
    }

    /** Lines that were cut or are too long, so far. */
    long damaged() {
        return damaged;
    }

    /**
     * The next record, without the damaged lines before it; empty at the end.
     *
     * @throws IOException when the file cannot be read any further
     */
    Optional<AuditRecord> next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        boolean tooLong = false;
        while (true) {
            int c = in.read();
            if (c >= 0 && c != '\n') {
                if (line.size() < LONGEST) {
                    line.write(c);
                } else {
                    tooLong = true;
                }
                continue;
            }
            if (line.size() > 0) {
                Optional<AuditRecord> found =
                        tooLong ? Optional.empty() : AuditRecord.parse(line.toString(StandardCharsets.UTF_8));
                if (found.isPresent()) {
                    return found;
                }
                damaged++;
                line.reset();
                tooLong = false;
            }
            if (c < 0) {
                return Optional.empty();
            }
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
