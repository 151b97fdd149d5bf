package org.gelato.ce.core.authorization;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import java.util.function.Function;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The content of a small text file an administrator edits while the CE runs. {@link #current} never blocks; {@link
 * #refresh} checks the file and reads it again when it was changed. A file that can't be read, is no UTF-8 or does not
 * parse leaves the last valid content in force and is an ERROR in the log, once per change; so does a file that vanished,
 * as editors remove before they write. One that was never valid and is gone is absent as before.
 */
final class WatchedFile<T> {
    private static final Logger log = LoggerFactory.getLogger(WatchedFile.class);
    private static final int MAX_BYTES = 32 * 1024 * 1024;

    /** What distinguishes one version of a file from another. */
    private record Stamp(FileTime modified, long size, Object inode) {}

    private final Path file;
    private final Function<String, T> parser;
    private volatile T current;
    private volatile String broken;
    private boolean everValid;
    private Stamp seen;
    private String flaw;

    /**
     * @param file null for none
     * @param absent content while there has never been a file; null when the file must exist
     * @throws IllegalArgumentException when the file is there but unusable, or must be there and is not
     */
    WatchedFile(Path file, T absent, Function<String, T> parser) {
        this.file = file;
        this.parser = parser;
        this.current = absent;
        try {
            read();
        } catch (NoSuchFileException e) {
            if (absent == null) {
                throw new IllegalArgumentException(file + ": no such file", e);
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + reason(e), e);
        }
    }

    T current() {
        return current;
    }

    Path file() {
        return file;
    }

    /** What is wrong with the file; null when its present content is in force. */
    String broken() {
        return broken;
    }

    synchronized void refresh() {
        Stamp before = seen;
        try {
            read();
            broken = flaw;
        } catch (NoSuchFileException e) {
            if (everValid) {
                complain("the file is gone", false);
            } else {
                seen = null;
                broken = null;
            }
        } catch (IOException | RuntimeException e) {
            complain(reason(e), !Objects.equals(before, seen));
        }
    }

    private void complain(String failure, boolean changed) {
        if (changed || !failure.equals(broken)) {
            log.error("{}: {}; what was read last stays in force", file, failure);
            broken = failure;
        }
    }

    private void read() throws IOException {
        if (file == null) {
            return;
        }
        // Checked before reading: a change during the read shows at the next check.
        BasicFileAttributes a = Files.readAttributes(file, BasicFileAttributes.class);
        Stamp stamp = new Stamp(a.lastModifiedTime(), a.size(), a.fileKey());
        if (Objects.equals(stamp, seen)) {
            return;
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        if (bytes.length > MAX_BYTES) {
            throw new IOException("larger than " + MAX_BYTES + " bytes");
        }
        // Set before parsing: what does not parse now will not parse at the next check either.
        seen = stamp;
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            // editors put a byte order mark before the first line
            current = parser.apply(text.startsWith("\uFEFF") ? text.substring(1) : text);
            everValid = true;
            flaw = null;
        } catch (IOException | RuntimeException e) {
            flaw = reason(e);
            throw e;
        }
    }

    private static String reason(Exception e) {
        if (e instanceof CharacterCodingException) {
            return "not UTF-8";
        }
        return e instanceof AccessDeniedException ? "permission denied" : Messages.of(e);
    }
}
