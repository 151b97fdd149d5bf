package org.gelato.ce.lrms.condor;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Lines of {@code -af:Vt} that come in pieces (see {@link AdFields}). Of a value that is longer than any of use only the beginning is kept, as users
 * write values of any length: so it costs neither the other values of its job nor other jobs. Used by one thread at a time.
 */
final class AdLines {
    /** Bytes of a value that are kept. */
    static final int LONGEST_VALUE = 4096;

    private final int longest;
    private final Consumer<String> lines;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private int value;
    private boolean inString;
    private boolean escaped;
    private boolean kept;
    private boolean open;

    /**
     * @param values of a line; one with more of them is cut, and then has another number of them than it should have
     * @param lines gets each line without its end
     */
    AdLines(int values, Consumer<String> lines) {
        this.longest = (values + 1) * (LONGEST_VALUE + 2);
        this.lines = lines;
    }

    void take(byte[] piece) {
        for (byte b : piece) {
            if (b == '\n') { // within a string it is escaped
                lines.accept(line.toString(StandardCharsets.UTF_8));
                line.reset();
                value = 0;
                inString = false;
                escaped = false;
            } else {
                next(b);
            }
        }
        open = piece.length == 0 ? open : piece[piece.length - 1] != '\n';
    }

    private void next(byte b) {
        if (escaped) {
            escaped = false; // with its backslash or not at all
            keep(b, kept);
        } else if (inString && b == '\\') {
            escaped = true;
            kept = value + 2 <= LONGEST_VALUE;
            keep(b, kept);
        } else if (b == '"') {
            inString = !inString;
            keep(b, true);
        } else if (b == '\t' && !inString) {
            keep(b, true);
            value = 0;
        } else {
            keep(b, value < LONGEST_VALUE);
        }
    }

    private void keep(byte b, boolean isKept) {
        if (isKept && line.size() < longest) {
            line.write(b);
            value++;
        }
    }

    /** Whether the last line has no end. */
    boolean isOpen() {
        return open;
    }
}
