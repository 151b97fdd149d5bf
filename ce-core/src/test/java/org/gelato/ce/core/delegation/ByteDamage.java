package org.gelato.ce.core.delegation;

import java.util.Arrays;

/** A change of bytes, for fuzzing: one set, one bit turned, a piece taken out, doubled, or the end cut off. */
public record ByteDamage(int kind, int at, int value) {
    /** The bytes with it. */
    public byte[] done(byte[] bytes) {
        if (bytes.length == 0) {
            return bytes;
        }
        int place = at % bytes.length;
        byte[] result = bytes.clone();
        switch (kind) {
            case 0 -> result[place] = (byte) value;
            case 1 -> result[place] ^= (byte) (1 << (value & 7));
            case 2 -> result = joined(bytes, place, Math.min(bytes.length, place + 1 + value));
            case 3 -> result = joined(bytes, place, Math.max(0, place - value));
            default -> result = Arrays.copyOf(bytes, place);
        }
        return result;
    }

    /** Up to one place, and on from another. */
    private static byte[] joined(byte[] bytes, int end, int start) {
        byte[] result = Arrays.copyOf(bytes, end + bytes.length - start);
        System.arraycopy(bytes, start, result, end, bytes.length - start);
        return result;
    }
}
