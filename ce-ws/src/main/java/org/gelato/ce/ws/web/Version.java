package org.gelato.ce.ws.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The version of this software, as the pom has it: for clients, the server's command line and its log. */
public final class Version {
    private static final String TEXT = read();

    private Version() {}

    /**
     * {@code d.dd…}: a public test suite matches at least two digits after the first dot
     * (docs/developer/protocol/cream2-wire.md section 10).
     */
    public static String text() {
        return TEXT;
    }

    private static String read() {
        try (InputStream in = Version.class.getResourceAsStream("version.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
