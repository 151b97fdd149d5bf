package org.gelato.ce.core.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.gelato.ce.core.command.CommandOutcome.Later;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.job.JobState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what the descriptions of jobs take in memory from the beginning of their hand-over to its result, and lets no more begin than
 * there is room for; one alone may always. A large description is not read with its claim, of which there may be hundreds, but
 * when its hand-over begins. Thread-safe.
 */
final class LargeDescriptions implements CommandDispatcher.Execution {
    /** Bytes of a text that is read with its claim. */
    static final int SMALL = 64 << 10;
    /** Bytes in memory for each character: the text, what is read of it, and the script. */
    private static final int TIMES = 8;

    private static final Duration LATER = Duration.ofSeconds(10);
    private static final Logger log = LoggerFactory.getLogger(LargeDescriptions.class);

    private final CommandDispatcher.Execution next;
    private final Function<ClaimedCommand, String> reader;
    private final long most;
    private final Map<ClaimedCommand, Long> weights = new HashMap<>();
    private long held;

    /**
     * @param next hands over
     * @param reader reads the text of a job's description
     * @param most bytes
     */
    LargeDescriptions(CommandDispatcher.Execution next, Function<ClaimedCommand, String> reader, long most) {
        this.next = next;
        this.reader = reader;
        this.most = most;
    }

    /** An eighth of this JVM's heap. */
    static long ofHeap() {
        return Runtime.getRuntime().maxMemory() / 8;
    }

    @Override
    public void execute(List<ClaimedCommand> commands, Consumer<CommandOutcome> outcomes) {
        List<ClaimedCommand> together = new ArrayList<>();
        for (ClaimedCommand c : commands) {
            if (!isRead(c)) {
                together.add(c);
            } else if (c.text() == null) {
                alone(c, outcomes);
            } else if (take(c)) {
                together.add(c);
            } else {
                outcomes.accept(putOff(c));
            }
        }
        if (!together.isEmpty()) {
            next.execute(together, outcomes);
        }
    }

    /** Of the others the fate alone is looked up. */
    private static boolean isRead(ClaimedCommand c) {
        return !c.lookUpFirst() && c.job().state() == JobState.PENDING;
    }

    private void alone(ClaimedCommand c, Consumer<CommandOutcome> outcomes) {
        ClaimedCommand whole;
        try {
            whole = isFull() ? null : c.withText(reader.apply(c));
        } catch (RuntimeException e) {
            log.warn("the description of {} is not read, trying again: {}", c, Messages.of(e));
            outcomes.accept(Later.absent(c, LATER, "its description is not read: " + Messages.of(e))
                    .uncounted());
            return;
        }
        if (whole == null || !take(whole)) {
            outcomes.accept(putOff(c));
        } else {
            next.execute(List.of(whole), outcomes);
        }
    }

    private static CommandOutcome putOff(ClaimedCommand c) {
        return Later.absent(c, LATER, "it waits for memory: descriptions that are being handed over take what they may")
                .uncounted();
    }

    private synchronized boolean isFull() {
        return held >= most;
    }

    private synchronized boolean take(ClaimedCommand c) {
        long weight = (long) TIMES * c.text().length();
        if (held > 0 && held + weight > most) {
            return false;
        }
        held += weight;
        weights.put(c, weight);
        return true;
    }

    /** A command has its result, or was given up. */
    synchronized void release(ClaimedCommand c) {
        Long weight = weights.remove(c);
        held -= weight == null ? 0 : weight;
    }
}
