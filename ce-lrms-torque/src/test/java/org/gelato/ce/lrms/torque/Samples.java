package org.gelato.ce.lrms.torque;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Recorded output, jobs renamed to tags of their number. */
final class Samples {
    private Samples() {}

    static String text(String name) {
        try (InputStream in = Samples.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
