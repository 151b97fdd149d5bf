package org.gelato.ce.ws.setup.migration;

import java.util.Comparator;

/**
 * Where something stands in the old files.
 *
 * @param index of the file among those that were named
 * @param line from 1
 */
record SourcePlace(int index, String file, int line) implements Comparable<SourcePlace> {
    private static final Comparator<SourcePlace> ORDER =
            Comparator.comparingInt(SourcePlace::index).thenComparingInt(SourcePlace::line);

    @Override
    public int compareTo(SourcePlace other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return file + ":" + line;
    }
}
