package org.gelato.ce.cli.admin;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import org.gelato.ce.cli.context.TimeText;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The begin of an interval or its end on the command line: a month, a day or a time, in UTC. */
final class PointText implements ITypeConverter<Instant> {
    static final String FORM = "YYYY-MM, YYYY-MM-DD or 'YYYY-MM-DD HH:MM:SS', in UTC";
    private static final int MONTH = "2026-01".length();

    @Override
    public Instant convert(String text) {
        if (text.strip().length() != MONTH) {
            return new TimeText().convert(text);
        }
        try {
            return begin(YearMonth.parse(text.strip()));
        } catch (DateTimeException e) {
            throw new TypeConversionException("'" + text + "' is no month: write " + FORM);
        }
    }

    static Instant begin(YearMonth month) {
        return month.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    }
}
