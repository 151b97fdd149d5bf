package org.gelato.ce.core.delegation;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** PEM text with {@code \n} line ends on every platform. Pure. */
final class Pem {
    private static final int LINE = 64;

    private Pem() {}

    /** One PEM block, ending in a line end. */
    static String block(String type, byte[] der) {
        Base64.Encoder encoder = Base64.getMimeEncoder(LINE, "\n".getBytes(StandardCharsets.US_ASCII));
        return "-----BEGIN " + type + "-----\n" + encoder.encodeToString(der) + "\n-----END " + type + "-----\n";
    }
}
