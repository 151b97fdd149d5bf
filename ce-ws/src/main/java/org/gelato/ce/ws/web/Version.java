package org.gelato.ce.ws.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The version of this software: for clients, the server's command line and its log. It is what the launcher says, which knows the
 * commit (dev/version), or else the pom's.
 */
public final class Version {
    private static final String TEXT = read();

    private Version() {}

    public static String text() {
        return TEXT;
    }

    /**
     * For CREAM's clients {@code d.dd…}: a public test suite matches at least two digits after the first dot
     * (docs/developer/protocol/cream2-wire.md section 10), so 1.0.0 is 1.00.0 there.
     */
    public static String ofCream(String version) {
        return version.replaceFirst("^([0-9]+)\\.([0-9])(?![0-9])", "$1.0$2");
    }

    /** What the launcher says, unless it is no version, or else the pom's. */
    static String chosen(String built, String pom) {
        return built.matches("[0-9][0-9A-Za-z.+~-]{0,63}") ? built : pom;
    }

    private static String read() {
        try (InputStream in = Version.class.getResourceAsStream("version.txt")) {
            return chosen(
                    System.getProperty("gelato.version", ""),
                    new String(in.readAllBytes(), StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
