package org.gelato.ce.cli.submission;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An amount of memory on the command line, in MiB: {@code 500M}, {@code 2G}, {@code 1.5GB}. */
public final class SizeText implements ITypeConverter<Long> {
    /** For the help of options. */
    static final String FORM = "a number with M, G or T, such as 500M or 2G";

    private static final Pattern TEXT = Pattern.compile("(\\d{1,7})(?:\\.(\\d))?([MGT])I?B?");

    @Override
    public Long convert(String text) {
        Matcher parts = TEXT.matcher(text.strip().toUpperCase(Locale.ROOT));
        if (!parts.matches()) {
            throw new TypeConversionException("'" + text + "' is no amount of memory: write " + FORM);
        }
        long tenths =
                Long.parseLong(parts.group(1)) * 10 + (parts.group(2) == null ? 0 : Long.parseLong(parts.group(2)));
        long unit = switch (parts.group(3)) {
            case "M" -> 1;
            case "G" -> 1024;
            default -> 1024 * 1024;
        };
        long mib = (tenths * unit + 9) / 10;
        if (mib < 1) {
            throw new TypeConversionException("'" + text + "' is no memory at all");
        }
        return mib;
    }
}
