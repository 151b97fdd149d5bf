package org.gelato.ce.lrms.condor;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.OutputLines;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.core.lrms.LrmsException;

/** What condor_status prints of slots, one line each, those left out that were made of others. Used by one thread at a time. */
final class SlotListing {
    private static final int LONGEST_LINE = 4096;
    private static final int FIELDS = 6;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,6}");
    private static final Pattern VERSION = Pattern.compile("\\$CondorVersion: ([0-9][0-9A-Za-z.-]{0,40}) .*");

    private final OutputLines lines = new OutputLines(LONGEST_LINE, this::line);
    private final Map<String, Integer> versions = new HashMap<>();
    private long slots;
    private long free;
    private String unreadable;

    void take(byte[] piece) {
        lines.take(piece);
    }

    private void line(String line) {
        if (line.isBlank()) {
            return;
        }
        List<String> fields = AdFields.of(line, FIELDS);
        if (fields == null) {
            unreadable = unreadable == null ? line : unreadable;
            return;
        }
        int all = number(fields.get(1) == null ? fields.get(2) : fields.get(1));
        slots += all;
        boolean isPartitionable = "true".equals(fields.get(4));
        boolean isOffline = "true".equals(fields.get(5));
        boolean isUsable = "Unclaimed".equals(fields.get(3)) && !isOffline;
        if (isUsable) {
            free += isPartitionable ? number(fields.get(2)) : all;
        }
        Matcher version = VERSION.matcher(fields.get(0) == null ? "" : fields.get(0));
        if (version.matches()) {
            versions.merge(version.group(1), 1, Integer::sum);
        }
    }

    private static int number(String text) {
        return text != null && NUMBER.matcher(text).matches() ? Integer.parseInt(text) : 0;
    }

    /**
     * What was read; the version is the most frequent one. There are no queues: any name is one.
     *
     * @throws LrmsException when a line could not be understood, or the last one had no end
     */
    ClusterStatus status() {
        if (unreadable != null || lines.isOpen()) {
            throw new LrmsException("condor_status printed output that cannot be parsed or is incomplete: "
                    + CondorMessages.brief(unreadable == null ? "" : unreadable));
        }
        String version = versions.entrySet().stream()
                .max(Map.Entry.<String, Integer>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.naturalOrder())))
                .map(Map.Entry::getKey)
                .orElse(null);
        OptionalInt all = OptionalInt.of((int) Math.min(slots, Integer.MAX_VALUE));
        OptionalInt idle = OptionalInt.of((int) Math.min(free, Integer.MAX_VALUE));
        return new ClusterStatus(version, all, idle, List.of());
    }
}
