package org.gelato.ce.lrms.torque;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.lrms.torque.AccountingRecord.AccountedJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of the accounting log: jobs of ours that ended lately, with what they used, for polls that do not ask qstat for ended
 * jobs. Begins near the end of the newest day, for a log of many days is long, and the wrapper's report stands for what was missed.
 * Thread-safe; blocks for the reading. A log that cannot be read shows nothing.
 */
final class AccountingTail {
    private static final Logger log = LoggerFactory.getLogger(AccountingTail.class);
    /** Bytes at the first look; some ten thousand records. */
    private static final long FIRST = 4L << 20;
    /** How long an end is shown, as qstat would with the {@code keep_completed} that is usual. */
    static final Duration SHOWN = Duration.ofMinutes(5);

    private static final int MAX = 20_000;

    private final Path directory;
    private final Clock clock;
    private final Map<Path, Long> read = new HashMap<>();
    private final Map<String, Ended> jobs = new LinkedHashMap<>();
    /** Deletions of jobs that have not ended since; such a record has no name of a job. */
    private final Map<String, AccountingRecord> deleted = new LinkedHashMap<>();

    /** Jobs of ours that were started and have not ended since; the name that the end has may be another one. */
    private final Map<String, AccountedJob> started = new LinkedHashMap<>();

    private boolean troubled;

    private record Ended(LrmsJob job, Instant since) {}

    AccountingTail(Path directory, Clock clock) {
        this.directory = directory;
        this.clock = clock;
    }

    /** Jobs whose end was read in the last minutes. */
    synchronized List<LrmsJob> ended() {
        Instant now = clock.instant();
        try {
            refresh(now);
            troubled = false;
        } catch (IOException e) {
            if (!troubled) {
                log.warn("the accounting log cannot be read, what jobs used is not taken from it: {}", Messages.of(e));
            }
            troubled = true;
        }
        jobs.values().removeIf(ended -> ended.since().plus(SHOWN).isBefore(now));
        return jobs.values().stream().map(Ended::job).toList();
    }

    private void refresh(Instant now) throws IOException {
        List<Path> days = AccountingLog.days(directory);
        boolean first = read.isEmpty();
        for (Path day : days) {
            long size = Files.size(day);
            boolean newest = day.equals(days.get(days.size() - 1));
            if (first) {
                read.put(day, newest ? Math.max(0, size - FIRST) : size);
            }
            long from = read.getOrDefault(day, 0L);
            if (size != from) {
                // shorter than before: it was replaced
                read.put(day, AccountingLog.lines(day, size < from ? 0 : from, line -> take(line, now)));
            }
        }
        read.keySet().retainAll(days);
    }

    private void take(String line, Instant now) {
        AccountingRecord.parse(line).ifPresent(record -> {
            switch (record.type()) {
                case 'S' -> start(record);
                case 'D' -> {
                    deleted.put(record.id(), record);
                    bounded(deleted);
                }
                case 'E' -> end(record.under(started.remove(record.id())), now);
                default -> {}
            }
        });
    }

    private void start(AccountingRecord read) {
        AccountingRecord record = read.under(started.remove(read.id()));
        if (record.tag() != null) {
            started.put(record.id(), record.after(null));
            bounded(started);
        }
    }

    private void end(AccountingRecord record, Instant now) {
        AccountingRecord deletion = deleted.remove(record.id());
        if (record.tag() != null) {
            AccountedJob before = deletion == null ? null : deletion.after(null);
            jobs.put(record.id(), new Ended(record.after(before).job(record.tag()), now));
            bounded(jobs);
        }
    }

    private static void bounded(Map<String, ?> map) {
        if (map.size() > MAX) {
            map.remove(map.keySet().iterator().next());
        }
    }
}
