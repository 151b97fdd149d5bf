package org.gelato.ce.cli.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/** Counts how far a stream has been read. */
public final class CountedInput extends FilterInputStream {
    private final LongConsumer progress;
    private long at;

    /**
     * @param from how much was there before
     * @param progress receives how much is there
     */
    public CountedInput(InputStream in, long from, LongConsumer progress) {
        super(in);
        this.progress = progress;
        this.at = from;
    }

    @Override
    public int read() throws IOException {
        int b = super.read();
        count(b < 0 ? 0 : 1);
        return b;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int n = super.read(buffer, offset, length);
        count(Math.max(0, n));
        return n;
    }

    private void count(int n) {
        at += n;
        progress.accept(at);
    }
}
