package org.gelato.ce.core.accounting;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The log of jobs that APEL's parser reads (docs/developer/protocol/accounting.md section 3): a file a day, appended to under a lock of the file.
 * Lines that are there already are not written again, so that what a crash interrupted can be repeated.
 */
final class BlahLog {
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("uuuuMMdd", Locale.ROOT);
    private static final int FILE_MODE = 0660;

    private final Path directory;

    BlahLog(Path directory) {
        this.directory = directory;
    }

    /** The file of a day, by UTC. */
    static String name(Instant now) {
        return "blahp.log-" + DAY.format(now.atZone(ZoneOffset.UTC));
    }

    /**
     * Appends lines.
     *
     * @param lines each with its end
     * @param repeated whether some of them may be there already
     */
    void append(String name, Collection<String> lines, boolean repeated) throws IOException {
        Path file = directory.resolve(name);
        boolean fresh = Files.notExists(file);
        try (FileChannel log = FileChannel.open(
                        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileLock lock = log.lock()) {
            if (fresh) {
                Files.setAttribute(file, "unix:mode", FILE_MODE);
            }
            Set<String> wanted = new LinkedHashSet<>(lines);
            if (repeated) {
                wanted.removeAll(present(log, wanted));
            }
            StringBuilder text = new StringBuilder(endsInALine(log) ? "" : "\n");
            wanted.forEach(text::append);
            ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII));
            log.position(lock.channel().size());
            while (bytes.hasRemaining()) {
                log.write(bytes);
            }
            log.force(true);
        }
    }

    private static Set<String> present(FileChannel log, Set<String> wanted) throws IOException {
        Set<String> present = new HashSet<>();
        log.position(0);
        // Not closed, since that would close the channel.
        BufferedReader in =
                new BufferedReader(new InputStreamReader(Channels.newInputStream(log), StandardCharsets.ISO_8859_1));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (wanted.contains(line + "\n")) {
                present.add(line + "\n");
            }
        }
        return present;
    }

    /** Whether the last line is whole: one that a crash cut must not spoil the next. */
    private static boolean endsInALine(FileChannel log) throws IOException {
        long size = log.size();
        if (size == 0) {
            return true;
        }
        ByteBuffer last = ByteBuffer.allocate(1);
        return log.read(last, size - 1) == 1 && last.get(0) == '\n';
    }
}
