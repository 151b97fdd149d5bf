package org.gelato.ce.ws.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Holds one transfer to a least rate on average. The connection's own timeout starts anew with each byte, so without this
 * a client that sends one now and then would hold its place for ever. For one thread.
 */
public final class MinimumRate {
    private final Slowest slowest;
    private final LongSupplier nanos;
    private final long start;
    private long moved;

    /**
     * What is put up with.
     *
     * @param patience time before the rate counts
     * @param rate bytes in a second after that
     */
    public record Slowest(Duration patience, long rate) {
        /** A modem's; a slower client only holds a place. */
        public static final Slowest USUAL = new Slowest(Duration.ofMinutes(1), 4 << 10);
    }

    /** The client is too slow; what came before is kept. */
    public static final class TooSlow extends IOException {
        private static final long serialVersionUID = 1L;

        TooSlow(String words) {
            super(words);
        }
    }

    /** @param nanos a clock that never goes back, in nanoseconds */
    public MinimumRate(Slowest slowest, LongSupplier nanos) {
        this.slowest = slowest;
        this.nanos = nanos;
        this.start = nanos.getAsLong();
    }

    /** Counts bytes that were moved, or none. */
    void moved(long bytes) throws TooSlow {
        moved += Math.max(0, bytes);
        double late = (nanos.getAsLong() - start - slowest.patience().toNanos()) / 1e9;
        if (late > 0 && moved < late * slowest.rate()) {
            throw new TooSlow("at least " + slowest.rate() + " bytes per second are expected after the first "
                    + slowest.patience().toSeconds() + " s");
        }
    }

    /** The same bytes, as long as they come fast enough. */
    public InputStream of(InputStream in) {
        return new FilterInputStream(in) {
            @Override
            public int read() throws IOException {
                int b = super.read();
                moved(b < 0 ? 0 : 1);
                return b;
            }

            @Override
            public int read(byte[] to, int offset, int length) throws IOException {
                int n = super.read(to, offset, length);
                if (n >= 0) {
                    moved(n);
                }
                return n;
            }
        };
    }
}
