package org.gelato.ce.cli.wire;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Names that no other call of any client has. */
public final class RandomText {
    private static final int BYTES = 20;
    private static final SecureRandom RANDOM = new SecureRandom();

    private RandomText() {}

    /** 160 random bits as 40 hexadecimal digits. */
    public static String hex() {
        byte[] random = new byte[BYTES];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
