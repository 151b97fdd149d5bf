package org.gelato.ce.core.account;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Lines of an output that comes in pieces, in the memory of the longest line it keeps. UTF-8; a line ends at an LF. Used by
 * one thread at a time.
 */
public final class OutputLines {
    private static final int FIRST = 4096;

    private final int longest;
    private final Consumer<String> lines;
    private byte[] line = new byte[FIRST];
    private int length;
    private boolean cut;
    private boolean open;

    /**
     * @param longest bytes of a line; what is beyond them is left out
     * @param lines gets each line without its end
     */
    public OutputLines(int longest, Consumer<String> lines) {
        this.longest = longest;
        this.lines = lines;
    }

    /** The next bytes of the output. */
    public void take(byte[] piece) {
        int begin = 0;
        for (int at = 0; at < piece.length; at++) {
            if (piece[at] == '\n') {
                keep(piece, begin, at);
                lines.accept(new String(line, 0, length, StandardCharsets.UTF_8));
                length = 0;
                cut = false;
                begin = at + 1;
            }
        }
        keep(piece, begin, piece.length);
        open = piece.length == 0 ? open : piece[piece.length - 1] != '\n';
    }

    private void keep(byte[] piece, int from, int to) {
        int more = Math.min(to - from, longest - length);
        if (length + more > line.length) {
            line = Arrays.copyOf(line, Math.min(longest, Math.max(length + more, 2 * line.length)));
        }
        System.arraycopy(piece, from, line, length, more);
        length += more;
        cut |= more < to - from;
    }

    /** Whether the line that is given out was longer than what is kept; for its consumer. */
    public boolean isCut() {
        return cut;
    }

    /** Whether the last line has no end: then the output was cut, or its writer is not done. */
    public boolean isOpen() {
        return open;
    }

    /** Gives the last line out where it has no end. */
    public void end() {
        if (open) {
            lines.accept(new String(line, 0, length, StandardCharsets.UTF_8));
            length = 0;
        }
    }
}
