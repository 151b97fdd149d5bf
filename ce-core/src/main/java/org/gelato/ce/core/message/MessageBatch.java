package org.gelato.ce.core.message;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.gelato.ce.core.job.JobId;

/**
 * What a wrapper sends of its job at once: consecutive lines of the job's journal, or one piece of its output. On the wire (a spool file,
 * or the body of a POST) it is lines {@code name=value} (job, event MESSAGES or OUTPUT, first, token; of output stream and time in microseconds,
 * too), an empty line, and the content.
 *
 * @param token the job's secret
 * @param kind TEXT, STDOUT or STDERR
 * @param first number of the first line, from 1; of output the offset of its first byte, from 0
 * @param time of the piece of output by the worker node's clock, null where it says none; null of lines, which have their own
 * @param lines of the journal; empty of output
 * @param output the bytes; empty of lines
 */
public record MessageBatch(
        JobId job, String token, Message.Kind kind, long first, Instant time, List<Line> lines, byte[] output) {
    /** Larger ones are none. */
    public static final int MAX_BYTES = 8192;
    /** Bytes of the text of a message. */
    public static final int MAX_TEXT = 4000;

    private static final String MESSAGES = "MESSAGES";
    private static final String OUTPUT = "OUTPUT";
    private static final byte[] HEAD_END = {'\n', '\n'};
    /** Twice what a wrapper writes into it. */
    private static final int MAX_HEAD = 1024;

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");

    /**
     * A line of the journal.
     *
     * @param time null where the line has none
     * @param key null for none
     * @param text as it is stored
     */
    public record Line(Instant time, MessageLevel level, String key, byte[] text) {
        /** What it counts against the quotas, in bytes: its text and its key. */
        public int weight() {
            return text.length + (key == null ? 0 : key.length());
        }
    }

    /** Reads a batch; empty when it is none (cut, too long, without content, or written by somebody else). */
    public static Optional<MessageBatch> parse(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            return Optional.empty();
        }
        int content = content(bytes);
        Map<String, String> head = head(bytes);
        String first = head.getOrDefault("first", "");
        if (content < 0 || content == bytes.length || !NUMBER.matcher(first).matches()) {
            return Optional.empty();
        }
        String token = head.getOrDefault("token", "");
        return JobId.parse(head.get("job")).flatMap(job -> switch (head.getOrDefault("event", "")) {
            case MESSAGES -> messages(job, token, Long.parseLong(first), bytes, content);
            case OUTPUT ->
                output(job, token, Long.parseLong(first), head, Arrays.copyOfRange(bytes, content, bytes.length));
            default -> Optional.empty();
        });
    }

    private static Optional<MessageBatch> messages(JobId job, String token, long first, byte[] bytes, int content) {
        // A text without its last line feed was cut, and a message would keep the number of a part of it.
        if (first < 1 || bytes[bytes.length - 1] != '\n') {
            return Optional.empty();
        }
        return Optional.of(new MessageBatch(
                job,
                token,
                Message.Kind.TEXT,
                first,
                null,
                JournalLines.of(bytes, content, bytes.length),
                new byte[0]));
    }

    private static Optional<MessageBatch> output(
            JobId job, String token, long first, Map<String, String> head, byte[] output) {
        Message.Kind kind = switch (head.getOrDefault("stream", "")) {
            case "stdout" -> Message.Kind.STDOUT;
            case "stderr" -> Message.Kind.STDERR;
            default -> null;
        };
        return kind == null
                ? Optional.empty()
                : Optional.of(new MessageBatch(
                        job, token, kind, first, JournalLines.time(head.getOrDefault("time", "")), List.of(), output));
    }

    /** Where the content begins; -1 where no empty line ends the head. */
    private static int content(byte[] bytes) {
        int last = Math.min(bytes.length, MAX_HEAD) - HEAD_END.length;
        for (int i = 0; i <= last; i++) {
            if (bytes[i] == HEAD_END[0] && bytes[i + 1] == HEAD_END[1]) {
                return i + HEAD_END.length;
            }
        }
        return -1;
    }

    /** The first value of each name in the head. */
    private static Map<String, String> head(byte[] bytes) {
        Map<String, String> head = new HashMap<>();
        int end = Math.max(0, content(bytes));
        for (String line : new String(bytes, 0, end, StandardCharsets.UTF_8).split("\n")) {
            int eq = line.indexOf('=');
            if (eq > 0) {
                head.putIfAbsent(line.substring(0, eq), line.substring(eq + 1));
            }
        }
        return head;
    }

    /** Messages, or pieces of output, that it is made of. */
    public int size() {
        return kind == Message.Kind.TEXT ? lines.size() : 1;
    }
}
