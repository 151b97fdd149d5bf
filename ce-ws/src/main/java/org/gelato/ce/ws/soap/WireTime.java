package org.gelato.ce.ws.soap;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Pattern;

/** Times of the wire: written in UTC with milliseconds, read with or without fraction and zone (none is UTC). */
public final class WireTime {
    private static final Pattern LEXICAL = Pattern.compile(
            "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})?");
    private static final DateTimeFormatter MILLIS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private static final int LAST_OF_FOUR_DIGITS = 9999;

    private WireTime() {}

    /** Reads a time; empty for anything that is none. */
    public static Optional<Instant> parse(String text) {
        if (!LEXICAL.matcher(text).matches()) {
            return Optional.empty();
        }
        boolean zoned = text.endsWith("Z") || text.lastIndexOf('+') > 0 || text.lastIndexOf('-') > 9;
        try {
            return Optional.of(
                    zoned
                            ? OffsetDateTime.parse(text).toInstant()
                            : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** For example {@code 2026-01-02T03:04:05.678Z}. */
    public static String format(Instant time) {
        return MILLIS.format(time.truncatedTo(ChronoUnit.MILLIS));
    }

    /** Appends what {@link #format} returns; of thousands of times in a response, formatters take a tenth of its cost. */
    public static void append(StringBuilder out, Instant time) {
        LocalDateTime utc = LocalDateTime.ofInstant(time, ZoneOffset.UTC);
        if (utc.getYear() < 0 || utc.getYear() > LAST_OF_FOUR_DIGITS) {
            out.append(format(time));
            return;
        }
        digits(out, utc.getYear(), 1000).append('-');
        digits(out, utc.getMonthValue(), 10).append('-');
        digits(out, utc.getDayOfMonth(), 10).append('T');
        digits(out, utc.getHour(), 10).append(':');
        digits(out, utc.getMinute(), 10).append(':');
        digits(out, utc.getSecond(), 10).append('.');
        digits(out, utc.get(ChronoField.MILLI_OF_SECOND), 100).append('Z');
    }

    /** @param unit of the first digit */
    private static StringBuilder digits(StringBuilder out, int number, int unit) {
        for (int rest = number, one = unit; one > 0; rest %= one, one /= 10) {
            out.append((char) ('0' + rest / one));
        }
        return out;
    }

    /** The instant of an element whose text was checked ({@link WireType#DATE_TIME}); null when the element is absent. */
    public static Instant of(String checked) {
        return checked == null ? null : parse(checked).orElseThrow();
    }
}
