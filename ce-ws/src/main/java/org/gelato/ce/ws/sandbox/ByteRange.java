package org.gelato.ce.ws.sandbox;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of a file a client requests (RFC 9110 section 14).
 *
 * @param first offset of the first byte
 * @param end offset after the last byte; not more than the size
 */
record ByteRange(long first, long end) {
    private static final Pattern ONE = Pattern.compile("bytes=\\s*([0-9]{0,18})-([0-9]{0,18})\\s*");

    /** A range none of whose bytes exist. */
    static final class Unsatisfiable extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /**
     * Reads a Range header.
     *
     * @return empty when the whole file is to be sent: no header, several ranges, other units, or not understood
     * @throws Unsatisfiable when the response is 416
     */
    static Optional<ByteRange> parse(String header, long size) throws Unsatisfiable {
        Matcher m = ONE.matcher(header == null ? "" : header);
        if (!m.matches()) {
            return Optional.empty();
        }
        boolean open = m.group(2).isEmpty();
        if (m.group(1).isEmpty()) {
            if (open) {
                return Optional.empty();
            }
            long last = Long.parseLong(m.group(2));
            if (last == 0 || size == 0) {
                throw new Unsatisfiable();
            }
            return Optional.of(new ByteRange(Math.max(0, size - last), size));
        }
        long first = Long.parseLong(m.group(1));
        long end = open ? size : Math.min(size, Long.parseLong(m.group(2)) + 1);
        if (!open && Long.parseLong(m.group(2)) < first) {
            return Optional.empty();
        }
        if (first >= size) {
            throw new Unsatisfiable();
        }
        return Optional.of(new ByteRange(first, end));
    }

    long length() {
        return end - first;
    }
}
