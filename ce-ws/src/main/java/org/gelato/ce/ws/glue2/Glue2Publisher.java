package org.gelato.ce.ws.glue2;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the LDIF for {@code ce glue2} again and again, whole or not at all: a reader finds the old file or the new one. Nothing
 * removes it when the CE ends: who reads it checks its time, so that a restart of a minute takes no site out of the
 * information system. By one thread at a time.
 */
public final class Glue2Publisher {
    private static final Logger log = LoggerFactory.getLogger(Glue2Publisher.class);

    /** A BDII refuses to read more from all CEs of a site together. */
    private static final int MAX_BYTES = 25_000_000;

    private final Glue2Model model;
    private final Path file;
    private final Clock clock;
    private String trouble;

    /** @param file in a directory that is there */
    public Glue2Publisher(Glue2Model model, Path file, Clock clock) {
        this.model = model;
        this.file = file;
        this.clock = clock;
    }

    /** Writes it once; a failure is logged when it is another one than before. */
    public void write() {
        try {
            byte[] text = Ldif.of(model.service(), clock.instant()).getBytes(StandardCharsets.US_ASCII);
            if (text.length > MAX_BYTES) {
                throw new IOException(text.length + " bytes of LDIF are more than a BDII takes (" + MAX_BYTES
                        + "): name fewer gelato.information.vos");
            }
            Path next = file.resolveSibling(file.getFileName() + ".new");
            Files.write(next, text);
            // Read by the account of the BDII; all of it is public.
            Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-r--r--"));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            if (trouble != null) {
                log.info("{} is written again", file);
            }
            trouble = null;
        } catch (IOException | RuntimeException e) {
            if (!Messages.of(e).equals(trouble)) {
                trouble = Messages.of(e);
                log.warn("gelato.information.file: {} not written, tried again: {}", file, trouble);
            }
        }
    }
}
