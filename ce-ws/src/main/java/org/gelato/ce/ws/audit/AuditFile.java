package org.gelato.ce.ws.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The files of the audit log, or of another log of lines. The file is opened for each write, so that others may move it away at any time. A line that
 * a kill or a full disk cut is ended before the next one. Not thread-safe.
 */
public final class AuditFile {
    private static final Set<StandardOpenOption> APPEND =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"));

    private final AuditSettings settings;
    private boolean cut = true;

    /** Makes a file of the log, which the first line opens. */
    public AuditFile(AuditSettings settings) {
        this.settings = settings;
    }

    /**
     * Adds lines at the end, after a new file was begun when the present one is full.
     *
     * @param lines whole lines, each with its end
     * @throws IOException when they are not written, or not wholly
     */
    public void append(byte[] lines) throws IOException {
        try (FileChannel channel = open()) {
            if (channel.size() < settings.maxFile()) {
                add(channel, lines);
                return;
            }
        }
        rotate();
        try (FileChannel channel = open()) {
            add(channel, lines);
        }
    }

    private FileChannel open() throws IOException {
        return FileChannel.open(settings.file(), APPEND, PRIVATE);
    }

    private void add(FileChannel channel, byte[] lines) throws IOException {
        if (cut && !endsALine()) {
            write(channel, new byte[] {'\n'});
        }
        cut = true;
        write(channel, lines);
        cut = false;
    }

    private static void write(FileChannel channel, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    private boolean endsALine() throws IOException {
        try (FileChannel channel = FileChannel.open(settings.file(), StandardOpenOption.READ)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            return channel.size() == 0 || (channel.read(last, channel.size() - 1) == 1 && last.get(0) == '\n');
        }
    }

    private void rotate() throws IOException {
        for (int n = settings.files() - 1; n > 0; n--) {
            if (Files.exists(numbered(n - 1))) {
                Files.move(numbered(n - 1), numbered(n), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        if (settings.files() == 1) {
            Files.deleteIfExists(settings.file());
        }
    }

    private Path numbered(int n) {
        return n == 0
                ? settings.file()
                : settings.file().resolveSibling(settings.file().getFileName() + "." + n);
    }
}
