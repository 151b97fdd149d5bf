package org.gelato.ce.it.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Skips what needs a real batch system where there can be none, and leaves the reason for the summary of the run. */
public final class Skipped {
    private Skipped() {}

    /** Skips the test; never returns. */
    public static void because(String system, String reason) {
        try {
            Path reasons = Files.createDirectories(Path.of("target", "skipped"));
            Files.writeString(
                    reasons.resolve(system), reason.strip().lines().findFirst().orElse("no reason") + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Assumptions.abort("no " + system + " here: " + reason);
    }
}
