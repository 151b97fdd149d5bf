package org.gelato.ce.description;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;

/** Checks single values of ADL and xRSL; methods take the attribute that their errors show. Stateless. */
public final class AttributeValue {
    private static final long MAX_SECONDS = Duration.ofDays(3650).toSeconds();

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "[uuuuMMddHHmmss][uuuu-MM-dd['T'][' ']HH:mm[:ss[.SSS]]][XXX]", Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    private AttributeValue() {}

    /** @throws DescriptionException unless it says yes or no */
    public static boolean flag(String attribute, String value) throws DescriptionException {
        return switch (value.trim().toLowerCase(Locale.ROOT)) {
            case "true", "yes", "1" -> true;
            case "false", "no", "0" -> false;
            default -> throw new DescriptionException(attribute, SafeText.of(value) + " is neither true nor false");
        };
    }

    /** A whole number, 0 or more. */
    public static long number(String attribute, String value) throws DescriptionException {
        String digits = value.trim();
        if (digits.isEmpty() || digits.length() > 18 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new DescriptionException(
                    attribute, "\"" + SafeText.of(value) + "\" is no whole number of at most 18 digits");
        }
        return Long.parseLong(digits);
    }

    static int positive(String attribute, String value) throws DescriptionException {
        long number = number(attribute, value);
        if (number < 1 || number > 1_000_000) {
            throw new DescriptionException(attribute, "the number must be at least 1 and at most 1000000");
        }
        return (int) number;
    }

    /** @param unit bytes of one */
    static long memory(String attribute, String value, long unit) throws DescriptionException {
        long number = number(attribute, value);
        if (number < 1 || number > (1L << 50) / unit) {
            throw new DescriptionException(attribute, "the memory must be at least 1 byte and at most 1 PiB");
        }
        return number * unit;
    }

    /** As 20261201100000Z, 2026-12-01 10:00:00 or 2026-12-01T10:00:00Z, in UTC where no zone is given. */
    static Instant time(String attribute, String value) throws DescriptionException {
        try {
            TemporalAccessor time = TIME.parseBest(value.trim(), OffsetDateTime::from, LocalDateTime::from);
            return time instanceof OffsetDateTime zoned
                    ? zoned.toInstant()
                    : ((LocalDateTime) time).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new DescriptionException(
                    attribute,
                    "\"" + SafeText.of(value) + "\" is no time; accepted are 20261201100000Z and 2026-12-01T10:00:00Z");
        }
    }

    static Duration bounded(String attribute, Duration value) throws DescriptionException {
        if (value.isNegative() || value.isZero() || value.toSeconds() > MAX_SECONDS) {
            throw new DescriptionException(attribute, "the time must be at least 1 second and at most ten years");
        }
        return value;
    }

    static String nonEmpty(String attribute, String value) throws DescriptionException {
        if (value == null || value.isBlank()) {
            throw new DescriptionException(attribute, "the value is empty");
        }
        return text(attribute, value.trim());
    }

    /** Values end up in scripts and file names. */
    static String text(String attribute, String value) throws DescriptionException {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isISOControl(c) && c != '\t' && c != '\n') {
                throw new DescriptionException(
                        attribute, String.format("control character U+%04X", (int) c) + " not allowed");
            }
        }
        return value;
    }
}
