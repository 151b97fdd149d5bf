package org.gelato.ce.lrms.slurm;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.OutputLines;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.TimeLimit;

/**
 * What sinfo prints for each node in each partition (docs/developer/protocol/lrms.md). By node, since a node may be in several
 * partitions and counts once for the whole. All of it is the administrator's configuration. Used by one thread at a time.
 */
final class SinfoListing {
    /** node, partition, state of the partition, time limit, CPUs allocated/idle/other/total, version of the node's slurmd. */
    static final List<String> ARGUMENTS = List.of("--all", "--noheader", "--Node", "--format=%N|%R|%a|%l|%C|%v");

    private static final int LONGEST_LINE = 4096;
    /** More lines than any site has; a bound for memory. */
    private static final int MAX_LINES = 1_000_000;

    private static final Pattern LINE = Pattern.compile(
            "([^|]+)\\|([^|]+)\\|([^|]*)\\|([^|]*)\\|" + "[0-9]{1,9}/([0-9]{1,9})/[0-9]{1,9}/([0-9]{1,9})\\|([^|]*)");
    private static final Pattern VERSION = Pattern.compile("[0-9][0-9A-Za-z.-]{0,40}");

    private final OutputLines lines =
            new OutputLines(LONGEST_LINE, line -> line.lines().forEach(this::line));
    private final Map<String, Partition> partitions = new LinkedHashMap<>();
    private final Set<String> nodes = new HashSet<>();
    private final Map<String, Integer> versions = new HashMap<>();
    private final Slots all = new Slots();
    private int count;
    private String unreadable;

    void take(byte[] piece) {
        lines.take(piece);
    }

    private void line(String line) {
        Matcher fields = LINE.matcher(line.strip());
        if (line.isBlank() || ++count > MAX_LINES) {
            return;
        }
        if (!fields.matches()) {
            unreadable = unreadable == null ? line : unreadable;
            return;
        }
        int idle = Integer.parseInt(fields.group(5));
        int total = Integer.parseInt(fields.group(6));
        partitions
                .computeIfAbsent(fields.group(2), name -> new Partition(fields.group(3), fields.group(4)))
                .slots
                .add(idle, total);
        if (nodes.add(fields.group(1))) {
            all.add(idle, total);
            if (VERSION.matcher(fields.group(7)).matches()) {
                versions.merge(fields.group(7), 1, Integer::sum);
            }
        }
    }

    /**
     * What was read.
     *
     * @throws LrmsException when a line could not be understood, the last one had no end, or there were too many
     */
    ClusterStatus status() {
        if (unreadable != null) {
            throw new LrmsException("sinfo printed what cannot be read: " + SlurmMessages.brief(unreadable));
        }
        if (lines.isOpen() || count > MAX_LINES) {
            throw new LrmsException("sinfo's output is not whole or longer than " + MAX_LINES + " lines");
        }
        return new ClusterStatus(version(), all.total(), all.idle(), queues());
    }

    /** That of most nodes: while a site upgrades it has two. */
    private String version() {
        return versions.entrySet().stream()
                .max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    private List<ClusterStatus.Queue> queues() {
        Collection<String> names = partitions.keySet();
        return names.stream().map(name -> partitions.get(name).queue(name)).toList();
    }

    private static final class Slots {
        private long idle;
        private long total;
        private boolean seen;

        void add(int moreIdle, int moreTotal) {
            idle += moreIdle;
            total += moreTotal;
            seen = true;
        }

        OptionalInt idle() {
            return bounded(idle);
        }

        OptionalInt total() {
            return bounded(total);
        }

        private OptionalInt bounded(long value) {
            return seen ? OptionalInt.of((int) Math.min(Integer.MAX_VALUE, value)) : OptionalInt.empty();
        }
    }

    private static final class Partition {
        private final Slots slots = new Slots();
        private final String state;
        private final String limit;

        Partition(String state, String limit) {
            this.state = state;
            this.limit = limit;
        }

        /** Slurm's scontrol(1): down queues and does not start, drain starts and does not queue, inactive does neither. */
        ClusterStatus.Queue queue(String name) {
            return new ClusterStatus.Queue(
                    name,
                    state.equals("up") || state.equals("down"),
                    state.equals("up") || state.equals("drain"),
                    slots.total(),
                    slots.idle(),
                    TimeLimit.parse(limit),
                    OptionalInt.empty());
        }
    }
}
