package org.gelato.ce.lrms.torque;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.core.account.OutputLines;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.TimeLimit;

/**
 * What {@code qstat -Q -f} prints of queues and {@code pbsnodes -a} of nodes, Torque's and Slurm's (docs/developer/protocol/lrms.md): a
 * name at the line's begin, its attributes below. Torque's nodes belong to no queue, so slots are known of the whole only.
 * Used by one thread at a time.
 */
final class StatusListing {
    private static final int LONGEST_LINE = 64 * 1024;
    /** More than any site has; a bound for memory. */
    private static final int MAX_BLOCKS = 100_000;

    private static final String QUEUE = "Queue:";
    private static final Pattern ATTRIBUTE = Pattern.compile("\\s+([A-Za-z_.]{1,64}) = (.*)");
    /** Those that are kept. */
    private static final Set<String> WANTED =
            Set.of("enabled", "started", "max_running", "resources_max.walltime", "state", "np", "jobs", "status");

    private static final Set<String> UNUSABLE = Set.of("down", "offline", "unknown", "reserve");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
    /** Slots of a node that one job has, {@code 0-3,5/12.server}; the server's name may hold digits, never a slash. */
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?");

    private static final Pattern VERSION = Pattern.compile("(?:^|,)version=([0-9A-Za-z][0-9A-Za-z._-]{0,40})(?:,|$)");

    private final String program;
    private final OutputLines lines = new OutputLines(LONGEST_LINE, this::line);
    private final Map<String, Map<String, String>> blocks = new LinkedHashMap<>();
    private Map<String, String> block = new HashMap<>();
    private boolean tooMany;

    /** @param program for messages */
    StatusListing(String program) {
        this.program = program;
    }

    void take(byte[] piece) {
        lines.take(piece);
    }

    private void line(String line) {
        if (line.isBlank()) {
            return;
        }
        Matcher attribute = ATTRIBUTE.matcher(line);
        if (!Character.isWhitespace(line.charAt(0))) {
            block = new HashMap<>();
            tooMany |= blocks.size() >= MAX_BLOCKS;
            if (!tooMany) {
                blocks.put(line.strip(), block);
            }
        } else if (attribute.matches() && WANTED.contains(attribute.group(1))) {
            block.put(attribute.group(1), attribute.group(2).strip());
        }
    }

    private Map<String, Map<String, String>> whole() {
        if (lines.isOpen() || tooMany) {
            throw new LrmsException(program + "'s output is not whole or lists more than " + MAX_BLOCKS);
        }
        return blocks;
    }

    /** @throws LrmsException when the output is cut or is no list of queues */
    List<ClusterStatus.Queue> queues() {
        List<ClusterStatus.Queue> queues = new ArrayList<>();
        whole().forEach((head, attributes) -> {
            if (!head.startsWith(QUEUE)) {
                throw new LrmsException(program + " printed what cannot be read: " + TorqueMessages.brief(head));
            }
            queues.add(new ClusterStatus.Queue(
                    head.substring(QUEUE.length()).strip(),
                    isTrue(attributes.get("enabled")),
                    isTrue(attributes.get("started")),
                    OptionalInt.empty(),
                    OptionalInt.empty(),
                    TimeLimit.parse(attributes.getOrDefault("resources_max.walltime", "")),
                    number(attributes.get("max_running"))));
        });
        return queues;
    }

    /**
     * The whole, with these queues.
     *
     * @throws LrmsException when the output is cut
     */
    ClusterStatus nodes(List<ClusterStatus.Queue> queues) {
        long slots = 0;
        long free = 0;
        String version = null;
        for (Map<String, String> node : whole().values()) {
            int np = number(node.get("np")).orElse(0);
            slots += np;
            if (Stream.of(node.getOrDefault("state", "unknown").split("[, ]+")).noneMatch(UNUSABLE::contains)) {
                free += Math.max(0, np - used(node.getOrDefault("jobs", "")));
            }
            Matcher found = VERSION.matcher(node.getOrDefault("status", ""));
            if (version == null && found.find()) {
                version = found.group(1);
            }
        }
        return new ClusterStatus(version, bounded(slots), bounded(free), queues);
    }

    /** Slots taken on a node: {@code 3/17.vm,0/18.vm}, or with ranges {@code 0-3,5/17.vm}. */
    private static long used(String jobs) {
        long used = 0;
        for (String part : jobs.split("[, ]+")) {
            Matcher range = RANGE.matcher(part.substring(0, part.indexOf('/') < 0 ? part.length() : part.indexOf('/')));
            if (range.matches()) {
                long first = Long.parseLong(range.group(1));
                long last = range.group(2) == null ? first : Long.parseLong(range.group(2));
                used += Math.max(0, last - first + 1);
            }
        }
        return used;
    }

    private static OptionalInt bounded(long value) {
        return OptionalInt.of((int) Math.min(Integer.MAX_VALUE, value));
    }

    private static OptionalInt number(String text) {
        return text != null && NUMBER.matcher(text).matches()
                ? OptionalInt.of(Integer.parseInt(text))
                : OptionalInt.empty();
    }

    /** Torque writes True, Slurm's qstat yes. */
    private static boolean isTrue(String text) {
        return "True".equalsIgnoreCase(text) || "yes".equalsIgnoreCase(text);
    }
}
