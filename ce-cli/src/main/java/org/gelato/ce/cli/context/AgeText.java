package org.gelato.ce.cli.context;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A length of time on the command line and in tables: a whole number and a unit, {@code 90s}, {@code 30m}, {@code 12h}, {@code 2d}. */
public final class AgeText implements ITypeConverter<Duration> {
    /** For the help of options. */
    public static final String FORM = "a number with s, m, h or d, such as 30m or 2d";

    private static final Pattern TEXT = Pattern.compile("(\\d{1,6})([smhd])");
    private static final Map<String, Duration> UNITS = Map.of(
            "s", Duration.ofSeconds(1), "m", Duration.ofMinutes(1), "h", Duration.ofHours(1), "d", Duration.ofDays(1));

    @Override
    public Duration convert(String text) {
        Matcher parts = TEXT.matcher(text.strip());
        if (!parts.matches()) {
            throw new TypeConversionException("'" + text + "' is no length of time: write " + FORM);
        }
        return UNITS.get(parts.group(2)).multipliedBy(Long.parseLong(parts.group(1)));
    }

    /** The largest unit of which there are at least two, or seconds; what is negative, by clocks that differ, is none. */
    public static String of(Duration age) {
        long seconds = Math.max(0, age.toSeconds());
        if (seconds < 120) {
            return seconds + "s";
        }
        if (seconds < 7200) {
            return seconds / 60 + "m";
        }
        return seconds < 172_800 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
    }
}
