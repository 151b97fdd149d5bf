package org.gelato.ce.cli.display;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.LongConsumer;
import org.gelato.ce.cli.context.AgeText;
import org.gelato.ce.cli.context.CliContext;

/**
 * How far something is whose size is known: a bar, with rate and time left for files, on a terminal only. Called by one thread at a time,
 * which need not be the command's.
 */
public final class ProgressBar {
    /** Smaller files are there before a bar could be read. */
    static final long LEAST = 1 << 20;

    private static final int CELLS = 20;
    private static final int NAME = 28;
    private static final Duration STEP = Duration.ofSeconds(1);

    private final CliContext context;
    private final ProgressLine line;

    /** @param line where the bar is shown */
    public ProgressBar(CliContext context, ProgressLine line) {
        this.context = context;
        this.line = line;
    }

    /**
     * Begins a file.
     *
     * @return receives how many bytes are there
     */
    public LongConsumer file(String name, long size) {
        if (!line.lives() || size < LEAST) {
            return bytes -> {};
        }
        return new Transfer(name, size);
    }

    /** Shows how many of some things are done. */
    public void count(long done, long all, String things) {
        line.show(bar(done, all) + " " + done + " of " + all + " " + things, null);
    }

    /** Takes the bar away. */
    public void clear() {
        line.clear();
    }

    private static String bar(long done, long all) {
        int full = (int) (CELLS * Math.min(done, all) / Math.max(1, all));
        return "[" + "#".repeat(full) + ".".repeat(CELLS - full) + "]";
    }

    /** One file under way; a connection that is replaced begins again where it stopped. */
    private final class Transfer implements LongConsumer {
        private final String name;
        private final long size;
        private Instant begin;
        private long first;
        private Instant drawn = Instant.MIN;
        private long percent = -1;

        Transfer(String name, long size) {
            this.name = name.length() <= NAME ? name : "..." + name.substring(name.length() - NAME + 3);
            this.size = size;
        }

        @Override
        public synchronized void accept(long bytes) {
            Instant now = context.clock().instant();
            if (begin == null || bytes < first) {
                begin = now;
                first = bytes;
            }
            long at = 100 * Math.min(bytes, size) / size;
            if (at == percent && now.isBefore(drawn.plus(STEP))) {
                return;
            }
            percent = at;
            drawn = now;
            line.show(String.format(Locale.ROOT, "%s %s %d%%%s", name, bar(bytes, size), at, rate(bytes, now)), null);
        }

        private String rate(long bytes, Instant now) {
            long millis = Duration.between(begin, now).toMillis();
            long moved = bytes - first;
            if (millis <= 0 || moved <= 0) {
                return "";
            }
            Duration left = Duration.ofMillis((long) ((double) Math.max(0, size - bytes) * millis / moved));
            return String.format(
                    Locale.ROOT, ", %.1f MiB/s, %s left", moved * 1000.0 / millis / LEAST, AgeText.of(left));
        }
    }
}
