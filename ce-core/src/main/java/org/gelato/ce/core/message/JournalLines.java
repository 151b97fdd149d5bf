package org.gelato.ce.core.message;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Lines of a job's journal: {@code MICROSECONDS LEVEL KEY TEXT}, where a text has {@code \\} for a backslash and {@code \n} for a line
 * feed. A job may write into its journal what it likes, and every line has a number: one that is not of this form is a message whose text is
 * the line. What is no UTF-8, and control characters but tab and line feed, are replaced, so that a text can be shown as it is.
 */
final class JournalLines {
    private static final Pattern TIME = Pattern.compile("[0-9]{1,18}");
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final String NO_KEY = "-";
    private static final int PARTS = 4;
    private static final char REPLACEMENT = '\uFFFD';
    /** The largest of a DATETIME. */
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private JournalLines() {}

    /**
     * Reads lines.
     *
     * @param from where the first begins
     * @param to behind the line feed of the last
     */
    static List<MessageBatch.Line> of(byte[] bytes, int from, int to) {
        List<MessageBatch.Line> lines = new ArrayList<>();
        int begin = from;
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\n') {
                lines.add(line(bytes, begin, i));
                begin = i + 1;
            }
        }
        return lines;
    }

    /** A line without its line feed. */
    static MessageBatch.Line line(byte[] bytes, int from, int to) {
        String line = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        String[] parts = line.split(" ", PARTS);
        if (parts.length == PARTS && parts[1].length() == 1) {
            Instant time = time(parts[0]);
            Optional<MessageLevel> level = MessageLevel.ofName(parts[1]);
            boolean keyed = !parts[2].equals(NO_KEY);
            if (time != null
                    && level.isPresent()
                    && (!keyed || KEY.matcher(parts[2]).matches())) {
                return new MessageBatch.Line(time, level.get(), keyed ? parts[2] : null, text(unescaped(parts[3])));
            }
        }
        return new MessageBatch.Line(null, MessageLevel.INFO, null, text(line));
    }

    /** Microseconds since 1970 as a time that the database can hold; null for another text. */
    static Instant time(String micros) {
        if (!TIME.matcher(micros).matches()) {
            return null;
        }
        long all = Long.parseLong(micros);
        Instant time = Instant.ofEpochSecond(all / 1_000_000, all % 1_000_000 * 1000);
        return time.isAfter(LATEST) ? LATEST : time;
    }

    private static String unescaped(String text) {
        if (text.indexOf('\\') < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            char next = c == '\\' && i + 1 < text.length() ? text.charAt(i + 1) : 0;
            if (next == 'n' || next == '\\') {
                plain.append(next == 'n' ? '\n' : next);
                i++;
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    /** A text as it is stored: harmless, and no longer than {@link MessageBatch#MAX_TEXT} bytes, whole characters only. */
    static byte[] text(String text) {
        StringBuilder harmless = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c) && c != '\t' && c != '\n') {
                if (harmless == null) {
                    harmless = new StringBuilder(text);
                }
                harmless.setCharAt(i, REPLACEMENT);
            }
        }
        String shown = harmless == null ? text : harmless.toString();
        byte[] bytes = shown.getBytes(StandardCharsets.UTF_8);
        return bytes.length <= MessageBatch.MAX_TEXT ? bytes : cut(shown);
    }

    private static byte[] cut(String text) {
        CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
        ByteBuffer room = ByteBuffer.allocate(MessageBatch.MAX_TEXT);
        CoderResult end = encoder.encode(CharBuffer.wrap(text), room, true);
        if (!end.isOverflow()) {
            throw new IllegalStateException("a text of more bytes than there is room for was written: " + end);
        }
        return Arrays.copyOf(room.array(), room.position());
    }
}
