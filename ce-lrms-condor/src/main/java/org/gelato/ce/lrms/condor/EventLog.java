package org.gelato.ce.lrms.condor;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Arrays;
import java.util.Set;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.RepeatedFault;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTCondor's global event log (docs/developer/protocol/lrms.md): whether jobs of ours may have changed since the last look. States are not
 * taken from it: users write attributes, and an end stands there before the schedd shows it. So whatever is damaged, missing, new or
 * too much is news, and a listing shows the truth. Thread-safe; blocks for the reading.
 */
final class EventLog {
    private static final Logger log = LoggerFactory.getLogger(EventLog.class);
    /** Of other events the state stays. */
    private static final Set<Integer> CHANGES = Set.of(0, 1, 2, 4, 5, 7, 9, 10, 11, 12, 13, 22, 23, 24);
    /** Attributes of the job, after each event. */
    private static final int ATTRIBUTES = 28;

    private static final String NUMBER = "EventTypeNumber";
    /** By whose first bytes a file is known: time, id and sequence of the log, or its first event. */
    private static final int HEAD = 512;

    private static final int PIECE = 64 * 1024;

    private final Path path;
    private final long most;
    private final RepeatedFault fault;
    private final LogRecords records = new LogRecords(this::record);
    private byte[] head = {};
    private long position = -1;
    /** Whether events of this log come with attributes. */
    private boolean attributes;

    private boolean news;

    /** @param most bytes since the last look that are read; more are news */
    EventLog(Path path, long most, Clock clock) {
        this.path = path;
        this.most = most;
        this.fault = new RepeatedFault(log, clock, "HTCondor's event log " + path);
    }

    /** Whether a listing may show something new of our jobs; the first look says so, too. */
    synchronized boolean hasNews() {
        news = false;
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            byte[] begin = head(file);
            long size = file.size();
            boolean same = position >= 0
                    && size >= position
                    && begin.length >= head.length
                    && Arrays.equals(head, Arrays.copyOf(begin, head.length));
            head = begin;
            if (!same || size - position > most) {
                // rotated, truncated, or we were away too long; its end shows whether events come with attributes
                news = true;
                records.forget();
                position = Math.max(0, size - PIECE);
            }
            read(file, size);
            fault.over();
        } catch (IOException e) {
            fault.failed(Messages.of(e));
            position = -1;
            news = true;
        }
        return news;
    }

    private static byte[] head(FileChannel file) throws IOException {
        ByteBuffer begin = ByteBuffer.allocate(HEAD);
        while (begin.hasRemaining() && file.read(begin, begin.position()) > 0) {
            // until there is no more
        }
        return Arrays.copyOf(begin.array(), begin.position());
    }

    private void read(FileChannel file, long size) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(PIECE);
        while (position < size) {
            piece.clear().limit((int) Math.min(PIECE, size - position));
            int count = file.read(piece, position);
            if (count <= 0) {
                news = true;
                return;
            }
            position += count;
            if (!records.take(piece.array(), count)) {
                news = true;
            }
        }
    }

    private void record(JsonNode event) {
        int number = event.path(NUMBER).asInt(-1);
        if (number == ATTRIBUTES) {
            attributes = true;
            news |= event.has(SubmitDescription.TAG)
                    && CHANGES.contains(event.path("Trigger" + NUMBER).asInt(-1));
        } else {
            news |= !attributes && CHANGES.contains(number);
        }
    }
}
