package org.gelato.ce.core.lrms;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Time limits as batch systems print them. Pure. */
public final class TimeLimit {
    private static final Pattern FORM =
            Pattern.compile("(?:(?:(?:([0-9]{1,5})-)?([0-9]{1,7}):)?([0-9]{1,7}):)?([0-9]{1,10})");

    private TimeLimit() {}

    /**
     * {@code [[[D-]H:]M:]S}, as of Slurm's sinfo and Torque's qstat.
     *
     * @return null for text of another form, which is how both write that there is no limit
     */
    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            return null;
        }
        return Duration.ofDays(number(matcher.group(1)))
                .plusHours(number(matcher.group(2)))
                .plusMinutes(number(matcher.group(3)))
                .plusSeconds(number(matcher.group(4)));
    }

    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
