package org.gelato.ce.core.message;

import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.sandbox.SandboxStore;

/**
 * The reading of one job's journal, piece by piece, from a message on. Memory holds a piece, and of a line that is longer than any that a
 * wrapper writes its beginning. For one thread.
 */
final class JournalReading {
    /** Lines of a batch. */
    private static final int LINES = 500;
    /** Bytes of a line that are looked at; more than fit into a message. */
    private static final int LINE = MessageBatch.MAX_BYTES;

    private static final byte[] NO_OUTPUT = {};

    private final MessageRecord record;
    private final SandboxStore.Place place;
    private final String token;
    private final ByteArrayOutputStream rest = new ByteArrayOutputStream();
    private long offset;
    private long line;
    private boolean ended;
    private boolean failed;

    JournalReading(MessageRecord record, SandboxStore.Place place, String token) {
        this.record = record;
        this.place = place;
        this.token = token;
    }

    MessageRecord record() {
        return record;
    }

    SandboxStore.Place place() {
        return place;
    }

    /** Where the next piece begins. */
    long offset() {
        return offset;
    }

    /** Whether nothing more is to be read. */
    boolean isEnded() {
        return ended;
    }

    /** There is nothing, or nothing more, to be read. */
    void end() {
        ended = true;
    }

    /** Whether the job has sent more than was found, as its wrapper said. */
    boolean isShort() {
        return !record.isComplete(line);
    }

    /** It cannot be read now. */
    void fail() {
        ended = true;
        failed = true;
    }

    /** Whether it is to be read again later. */
    boolean hasFailed() {
        return failed;
    }

    /** A batch was not stored. */
    void stop(MessageIntake.Result why) {
        if (why == MessageIntake.Result.GAP) {
            fail();
        } else if (why != MessageIntake.Result.STORED) {
            // What follows is over the quota too.
            end();
        }
    }

    /**
     * Takes the next piece.
     *
     * @param size of the file
     * @return what the CE lacks of it; a last line without its line feed was cut and is none
     */
    List<MessageBatch> take(byte[] piece, long size) {
        List<MessageBatch> batches = new ArrayList<>();
        List<MessageBatch.Line> lines = new ArrayList<>();
        int begin = 0;
        for (int i = 0; i < piece.length; i++) {
            if (piece[i] == '\n') {
                keep(piece, begin, i);
                begin = i + 1;
                line++;
                if (line > record.lastNumber()) {
                    byte[] whole = rest.toByteArray();
                    lines.add(JournalLines.line(whole, 0, whole.length));
                }
                rest.reset();
                if (lines.size() == LINES) {
                    batches.add(batch(lines));
                    lines = new ArrayList<>();
                }
            }
        }
        if (!lines.isEmpty()) {
            batches.add(batch(lines));
        }
        keep(piece, begin, piece.length);
        offset += piece.length;
        ended = piece.length == 0 || offset >= size || record.isLast(line);
        return batches;
    }

    private void keep(byte[] piece, int from, int to) {
        rest.write(piece, from, Math.min(to - from, LINE - rest.size()));
    }

    private MessageBatch batch(List<MessageBatch.Line> lines) {
        Instant none = null;
        return new MessageBatch(
                place.id(), token, Message.Kind.TEXT, line - lines.size() + 1, none, List.copyOf(lines), NO_OUTPUT);
    }
}
