package org.gelato.ce.cli.context;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A point in time on the command line: date, or date and time, in UTC unless it has an offset. */
public final class TimeText implements ITypeConverter<Instant> {
    /** For the help of options. */
    public static final String FORM = "'YYYY-MM-DD HH:MM:SS', UTC unless it ends with an offset";

    @Override
    public Instant convert(String text) {
        String iso = text.strip().replaceFirst(" +", "T");
        try {
            if (iso.length() == 10) {
                return LocalDate.parse(iso).atStartOfDay().toInstant(ZoneOffset.UTC);
            }
            return iso.matches(".*(Z|[+-]\\d\\d:\\d\\d)")
                    ? OffsetDateTime.parse(iso).toInstant()
                    : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new TypeConversionException("'" + text + "' is no time: write " + FORM);
        }
    }
}
