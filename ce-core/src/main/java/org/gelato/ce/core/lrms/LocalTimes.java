package org.gelato.ce.core.lrms;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * Times without an offset that a batch system writes, in the time zone of this host, which is taken for its own. The zone of the JVM may
 * be another. A time that can't be read is null, and so is one of the hour that there is twice when summer time ends, as it may be either.
 * Pure but for {@link #ofHost}.
 *
 * @param zone of the batch system
 * @param format of its times
 */
public record LocalTimes(ZoneId zone, DateTimeFormatter format) {
    private static final String ZONES = "zoneinfo/";

    /** In the time zone of this host. */
    public static LocalTimes ofHost(DateTimeFormatter format) {
        return new LocalTimes(Host.ZONE, format);
    }

    /** Read once, as the JVM reads its own: logs have many lines. */
    private static final class Host {
        static final ZoneId ZONE = hostZone(Path.of("/etc/localtime"));
    }

    /** The zone that a link says, or the JVM's where it says none. */
    static ZoneId hostZone(Path link) {
        try {
            String file = link.toRealPath().toString();
            int at = file.lastIndexOf(ZONES);
            return at < 0 ? ZoneId.systemDefault() : ZoneId.of(file.substring(at + ZONES.length()));
        } catch (IOException | DateTimeException e) {
            return ZoneId.systemDefault();
        }
    }

    /** The time that a text says; null where it says none for certain. */
    public Instant parse(String text) {
        try {
            LocalDateTime local = LocalDateTime.parse(text.strip(), format);
            List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
            return offsets.size() == 1 ? local.toInstant(offsets.get(0)) : null;
        } catch (DateTimeException e) {
            return null;
        }
    }
}
