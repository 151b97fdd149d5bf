package org.gelato.ce.ws.tls;

import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Which cipher suites are offered: all of TLS 1.3, and of TLS 1.2 those that encrypt with authentication (AES-GCM,
 * ChaCha20-Poly1305) and whose recorded sessions a stolen host key does not open. Clients on OpenSSL 1.0.1 and later have them.
 */
final class CipherSuites {
    private static final Pattern STRONG =
            Pattern.compile("TLS_((EC)?DHE_(RSA|ECDSA)_WITH_)?(AES_(128|256)_GCM|CHACHA20_POLY1305)_SHA(256|384)");

    private CipherSuites() {}

    /**
     * @param names in the JDK's form
     * @return those that are strong enough, in the same order
     * @throws IllegalArgumentException when there is none
     */
    static String[] strong(String[] names) {
        String[] strong = Arrays.stream(names)
                .filter(name -> STRONG.matcher(name).matches())
                .toArray(String[]::new);
        if (strong.length == 0) {
            throw new IllegalArgumentException("none of the connector's cipher suites is strong enough: name one of"
                    + " TLS 1.3, or of ECDHE or DHE with AES-GCM or ChaCha20-Poly1305");
        }
        return strong;
    }
}
