package org.gelato.ce.lrms.torque;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.job.Usage;

/**
 * What Torque shows of a job's usage. A text that cannot be understood is an unknown value, and so is 0: Torque counts whole
 * seconds, and shows 0 for what it did not come to measure. Pure.
 */
final class TorqueUsage {
    private static final Pattern TIME = Pattern.compile("(?:([0-9]{1,7}):([0-9]{1,2}):)?([0-9]{1,10})");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,15})(b|kb|mb|gb|tb)");
    /** The slots of a node: {@code wn1/0-3,5}. */
    private static final Pattern SLOTS = Pattern.compile("[^/+]{1,255}/([0-9,-]{1,10000})");

    private static final Pattern RANGE = Pattern.compile("([0-9]{1,6})(?:-([0-9]{1,6}))?");

    private TorqueUsage() {}

    /**
     * @param cpu {@code hours:minutes:seconds} or seconds, of all processes
     * @param wall likewise
     * @param memory {@code 8096kb}, the most that was resident
     * @param hosts {@code wn1/0-3,5+wn2/0}: nodes with the numbers of the job's slots; empty where they are not shown so
     */
    static Usage of(String cpu, String wall, String memory, String hosts) {
        return new Usage(time(cpu), time(wall), slots(hosts), kib(memory), Usage.Source.BATCH_SYSTEM);
    }

    private static Duration time(String text) {
        Matcher m = TIME.matcher(text.strip());
        return m.matches()
                ? Duration.ofHours(number(m.group(1)))
                        .plusMinutes(number(m.group(2)))
                        .plusSeconds(number(m.group(3)))
                : null;
    }

    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static Long kib(String text) {
        Matcher m = SIZE.matcher(text.strip());
        if (!m.matches()) {
            return null;
        }
        long number = Long.parseLong(m.group(1));
        int shift = switch (m.group(2)) {
            case "b" -> -10;
            case "mb" -> 10;
            case "gb" -> 20;
            case "tb" -> 30;
            default -> 0;
        };
        if (shift < 0) {
            return number >> -shift;
        }
        return number > Long.MAX_VALUE >> shift ? null : Long.valueOf(number << shift);
    }

    private static Integer slots(String hosts) {
        long count = 0;
        for (String host : hosts.strip().split("\\+", -1)) {
            Matcher slots = SLOTS.matcher(host);
            if (!slots.matches()) {
                return null;
            }
            for (String part : slots.group(1).split(",", -1)) {
                Matcher range = RANGE.matcher(part);
                if (!range.matches()) {
                    return null;
                }
                long first = number(range.group(1));
                long last = range.group(2) == null ? first : number(range.group(2));
                count += Math.max(0, last - first + 1);
            }
        }
        return count > Integer.MAX_VALUE ? null : (int) count;
    }
}
