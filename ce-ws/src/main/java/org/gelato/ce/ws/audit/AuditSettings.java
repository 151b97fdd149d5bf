package org.gelato.ce.ws.audit;

import java.nio.file.Path;
import org.gelato.ce.core.base.Key;

/**
 * Where a log of lines is, the audit log or that of requests, and how much of it is kept.
 *
 * @param enabled whether it is written
 * @param file the present file; earlier ones are beside it, {@code FILE.1} the latest of them
 * @param maxFile bytes of a file, after which the next begins
 * @param files how many are kept, the present one included
 */
public record AuditSettings(
        @Key boolean enabled,
        @Key Path file,
        long maxFile,
        @Key(min = "1", max = "1000") int files) {
    /** Of the server's logs. */
    public static final long MAX_FILE = 100L << 20;
}
