package org.gelato.ce.core.lrms.type;

import java.nio.file.Path;

/**
 * A line of the helper's configuration (docs/developer/helper.md).
 *
 * @param text {@code key=value}
 * @param without what happens without it, for a line that the batch system can do without; null for one that it needs
 * @param remedy what to do in place of adding it; null as {@code without}
 */
public record HelperLine(String text, String without, String remedy) {
    /** A line that is needed. */
    public static HelperLine of(String key, String value) {
        return new HelperLine(key + "=" + value, null, null);
    }

    /** A program that accounts of jobs run. */
    public static HelperLine executable(Path program) {
        return of("executable", program.toString());
    }
}
