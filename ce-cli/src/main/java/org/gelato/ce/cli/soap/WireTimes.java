package org.gelato.ce.cli.soap;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;

/** Times of the wire and back; null stays null. */
final class WireTimes {
    private WireTimes() {}

    /** Null also for what is no time. A time without its zone is one of this machine's, as XML Schema leaves that open. */
    static Instant instant(String time) {
        if (time == null) {
            return null;
        }
        try {
            TemporalAccessor parsed =
                    DateTimeFormatter.ISO_DATE_TIME.parseBest(time.strip(), ZonedDateTime::from, LocalDateTime::from);
            return parsed instanceof LocalDateTime local
                    ? local.atZone(ZoneId.systemDefault()).toInstant()
                    : Instant.from(parsed);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** To the millisecond, as the wire has times. */
    static String of(Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
