package org.gelato.ce.lrms.torque;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.core.account.OutputLines;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.lrms.torque.AccountingRecord.AccountedJob;

/**
 * Follows the server's accounting log, a file a day. Each call reads what was added since the last one. A new process
 * begins with the files of the last days, so no position has to be stored. A line that is still being written is read
 * by a later call. Keeps a bounded number of jobs; the oldest are forgotten first. Thread-safe; blocks while it reads.
 */
final class AccountingLog {
    private static final Pattern DAY = Pattern.compile("[0-9]{8}");
    private static final int MAX_DAYS = 30;
    private static final int CHUNK = 256 * 1024;
    private static final int LONGEST_LINE = 64 * 1024;

    private final Path directory;
    private final Map<Path, Long> read = new HashMap<>();
    private final Map<String, AccountedJob> jobs;
    private final Map<String, String> byTag = new HashMap<>();

    /** @param mostJobs kept in memory, some 400 bytes each */
    AccountingLog(Path directory, int mostJobs) {
        this.directory = directory;
        this.jobs = new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, AccountedJob> eldest) {
                boolean full = size() > mostJobs;
                if (full) {
                    forgetTag(eldest.getValue());
                }
                return full;
            }
        };
    }

    /**
     * How sought jobs were or are, as far as the log records.
     *
     * @return by tag
     * @throws LrmsException when the log cannot be read: then nothing is known
     */
    synchronized Map<String, LrmsJob> find(Iterable<Lookup> lookups) {
        try {
            refresh();
        } catch (IOException e) {
            throw new LrmsException("the accounting log cannot be read: " + Messages.of(e), e);
        }
        Map<String, LrmsJob> found = new HashMap<>();
        for (Lookup one : lookups) {
            known(one).ifPresent(job -> found.put(one.tag(), job.job(one.tag())));
        }
        return found;
    }

    private Optional<AccountedJob> known(Lookup lookups) {
        AccountedJob byId = lookups.lrmsId() == null ? null : jobs.get(lookups.lrmsId());
        // deleted before it ran: the log never records its name
        if (byId != null && (byId.tag() == null || isOf(byId, lookups))) {
            return byId.state() == LrmsJob.State.QUEUED && byId.tag() == null ? Optional.empty() : Optional.of(byId);
        }
        return Optional.ofNullable(byTag.get(lookups.account() + ' ' + lookups.tag()))
                .map(jobs::get);
    }

    private static boolean isOf(AccountedJob job, Lookup lookups) {
        return job.tag().equals(lookups.tag()) && lookups.account().equals(job.owner());
    }

    private static String key(AccountedJob job) {
        return job.owner() + ' ' + job.tag();
    }

    /** The files of the last days, in their order. */
    static List<Path> days(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> days = files.filter(
                            file -> DAY.matcher(file.getFileName().toString()).matches())
                    .sorted()
                    .toList();
            return days.subList(Math.max(0, days.size() - MAX_DAYS), days.size());
        }
    }

    private void refresh() throws IOException {
        List<Path> last = days(directory);
        read.keySet().retainAll(last);
        for (Path day : last) {
            long from = read.getOrDefault(day, 0L);
            long size = Files.size(day);
            if (size != from) {
                // shorter than before: it was replaced
                read.put(day, lines(day, size < from ? 0 : from, this::take));
            }
        }
    }

    private void take(String line) {
        AccountingRecord.parse(line).ifPresent(read -> {
            AccountedJob known = jobs.get(read.id());
            AccountingRecord record = read.under(known);
            if (known != null && record.named()) {
                forgetTag(known); // the id may be another job's now
            }
            if (record.named() && record.tag() == null) {
                jobs.remove(record.id()); // none of the CE's has this id
                return;
            }
            AccountedJob job = record.after(known);
            jobs.put(record.id(), job);
            if (record.tag() != null) {
                byTag.merge(key(job), job.id(), this::better);
            }
        });
    }

    private void forgetTag(AccountedJob job) {
        if (job.tag() != null) {
            byTag.remove(key(job), job.id());
        }
    }

    /** Of two jobs of one tag the one that has not ended, else the older: the other found the claim taken. */
    private String better(String a, String b) {
        AccountedJob first = jobs.get(a);
        if (a.equals(b) || first == null) {
            return b;
        }
        return first.state() == LrmsJob.State.RUNNING || jobs.get(b).state() != LrmsJob.State.RUNNING ? a : b;
    }

    /** @return the offset after the last whole line */
    static long lines(Path file, long from, Consumer<String> consumer) throws IOException {
        OutputLines lines = new OutputLines(LONGEST_LINE, consumer);
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            InputStream in = Channels.newInputStream(channel.position(from));
            long at = from;
            long whole = from;
            for (byte[] piece = in.readNBytes(CHUNK); piece.length > 0; piece = in.readNBytes(CHUNK)) {
                lines.take(piece);
                int end = piece.length;
                while (end > 0 && piece[end - 1] != '\n') {
                    end--;
                }
                whole = end > 0 ? at + end : whole;
                at += piece.length;
            }
            return whole;
        }
    }
}
