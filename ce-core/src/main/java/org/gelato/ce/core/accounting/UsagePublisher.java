package org.gelato.ce.core.accounting;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes usage records (docs/developer/decisions/0066). Which records a message takes is committed before its file exists, and that it is in
 * the queue after; between the two the file is locked, so nobody can take it away and leave the question open. A kill
 * anywhere is continued by the next turn, of this node or another: every record is in one message, and a record that has changed
 * since in one more, under the same key.
 *
 * <p>One node publishes at a time; a node that died has the turn for {@link #TURN} more. Blocks its caller for the disk and the
 * database, never for one while it holds the other.
 */
public final class UsagePublisher {
    /** How long a node keeps the turn without showing life. */
    static final Duration TURN = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(UsagePublisher.class);

    /** Of the records of a message that can't be written, those with a line in the log. */
    private static final int MAX_NAMED = 10;

    private static final int LONGEST_REASON = 300;

    private final Database database;
    private final AccountingSettings settings;
    private final Clock clock;
    private final Consumer<Point> points;
    private final AccountingStore store = new AccountingStore();
    private final ApelMessages messages;
    private final SsmQueue queue;
    private final BlahLog blahLog;
    private final String holder = UUID.randomUUID().toString();
    private final LongAdder published = new LongAdder();
    private final LongAdder unmapped = new LongAdder();
    private volatile String failure;

    /** Where a turn may be cut off. */
    enum Point {
        ASSIGNED,
        WRITTEN,
        STORED,
        RELEASED,
        TOTAL_WRITTEN
    }

    /**
     * What a turn did.
     *
     * @param elsewhere whether it did nothing, because another node publishes
     * @param messages written, those of totals included
     * @param records of jobs
     */
    public record Result(boolean elsewhere, int messages, long records) {}

    /**
     * What the next turn would publish.
     *
     * @param records of jobs in its first message
     * @param message that message's text; empty when there is nothing to publish
     */
    public record Preview(int records, String message) {}

    private static final class ElsewhereException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    public UsagePublisher(Database database, AccountingSettings settings, Clock clock) {
        this(database, settings, clock, point -> {});
    }

    /** @param points is called at each point that a turn comes to */
    UsagePublisher(Database database, AccountingSettings settings, Clock clock, Consumer<Point> points) {
        this.database = database;
        this.settings = settings;
        this.clock = clock;
        this.points = points;
        messages = new ApelMessages(settings);
        queue = new SsmQueue(settings.queue());
        blahLog = new BlahLog(settings.queue());
    }

    /** Records of jobs written so far. */
    public long published() {
        return published.sum();
    }

    /** Those of them without a VO. */
    public long unmapped() {
        return unmapped.sum();
    }

    /** Why the last turn failed; null when it did not. */
    public String failure() {
        return failure;
    }

    /**
     * Publishes what is due.
     *
     * @param totals whether also totals that are not due yet
     * @throws UncheckedIOException when the queue cannot be written to
     */
    public synchronized Result publish(boolean totals) {
        if (!settings.publishes()) {
            return new Result(false, 0, 0);
        }
        Turn turn = new Turn();
        try {
            turn.run(totals);
            failure = null;
        } catch (ElsewhereException e) {
            return new Result(true, turn.written, turn.records);
        } catch (IOException e) {
            failure = Messages.of(e);
            throw new UncheckedIOException("usage was not published to " + settings.queue() + ": " + Messages.of(e), e);
        } catch (RuntimeException e) {
            failure = Messages.of(e);
            throw e;
        } finally {
            if (turn.records > 0) {
                log.info("{} usage records published in {} messages", turn.records, turn.written);
            }
            if (turn.withoutVo > 0) {
                log.warn(
                        "{} usage records are published without a VO: gelato.accounting.vos gives jobs of tokens theirs,"
                                + " ce usage status counts them",
                        turn.withoutVo);
            }
        }
        database.change(h -> store.endTurn(h, holder));
        return new Result(false, turn.written, turn.records);
    }

    /**
     * Has jobs published once more whose published end is in an interval; the next turn does it. Receivers replace what they have.
     *
     * @return how many
     */
    public int republish(Instant from, Instant to) {
        return database.inTransaction(h -> store.again(h, from, to));
    }

    /** The first message that the next turn would write; changes nothing. */
    public Preview preview() {
        Instant now = clock.instant();
        List<UsageEntry> records =
                database.read(h -> store.byId(h, store.unsent(h, settings, now, Instant.EPOCH, now)));
        if (records.isEmpty()) {
            return new Preview(0, "");
        }
        List<String> texts = new ArrayList<>();
        switch (settings.publish()) {
            case BLAH ->
                records.stream().filter(r -> refusal(r, true) == null).forEach(r -> texts.add(messages.blahLine(r)));
            default -> {
                if (settings.records() == AccountingSettings.Records.JOBS) {
                    texts.add(messages.jobs(records.stream()
                            .filter(r -> refusal(r, false) == null)
                            .toList()));
                } else {
                    ApelMessages.Summaries sums = messages.new Summaries();
                    records.forEach(sums::add);
                    sums.messages((text, count) -> texts.add(text));
                }
            }
        }
        return new Preview(records.size(), String.join("", texts));
    }

    /** Why a record can't be written; null when it can. */
    private String refusal(UsageEntry entry, boolean blah) {
        try {
            String text = blah ? messages.blahLine(entry) : messages.jobs(List.of(entry));
            return text.isEmpty() ? "it has no text" : null;
        } catch (RuntimeException e) {
            String reason = Messages.of(e);
            return reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) : reason;
        }
    }

    /** One turn; used once. */
    private final class Turn {
        private int written;
        private long records;
        private long withoutVo;

        void run(boolean totals) throws IOException {
            keep();
            for (AccountingStore.Message message : database.read(store::open)) {
                finish(message, true);
            }
            boolean sums = settings.records() == AccountingSettings.Records.SUMMARIES
                    && settings.publish() == AccountingSettings.Publishing.SSM;
            boolean due = settings.publish() == AccountingSettings.Publishing.SSM && (totals || totalsAreDue());
            if (sums && due) {
                late();
            }
            if (!sums || due) {
                AccountingStore.Kind kind = settings.publish() == AccountingSettings.Publishing.BLAH
                        ? AccountingStore.Kind.BLAH
                        : sums ? AccountingStore.Kind.SUMMARIES : AccountingStore.Kind.JOBS;
                each(kind, sums ? UsageRetention.before(settings, clock) : Instant.EPOCH, Instant.MAX);
            }
            if (due) {
                totals(sums);
            }
        }

        /**
         * Records of months whose others are removed already: a summary would take the place of the larger one that was sent. Each is
         * published as a record of its own.
         */
        private void late() throws IOException {
            long before = records;
            try {
                each(AccountingStore.Kind.JOBS, Instant.EPOCH, UsageRetention.before(settings, clock));
            } finally {
                // Those before one that failed are published, and no later turn would name them.
                if (records > before) {
                    log.warn(
                            "{} usage records of months before those that are kept (gelato.accounting.keep) are published as"
                                    + " records of jobs: the summaries of their months stay as they were sent",
                            records - before);
                }
            }
        }

        private void each(AccountingStore.Kind kind, Instant since, Instant until) throws IOException {
            for (AccountingStore.Message next = assign(kind, since, until);
                    next != null;
                    next = assign(kind, since, until)) {
                points.accept(Point.ASSIGNED);
                finish(next, false);
            }
        }

        private void keep() {
            database.change(h -> {
                if (!store.turn(h, holder, clock.instant(), TURN)) {
                    throw new ElsewhereException();
                }
            });
        }

        private boolean totalsAreDue() {
            Instant now = clock.instant();
            return database.read(store::totalsAt)
                    .map(last -> !last.plus(settings.totals()).isAfter(now))
                    .orElse(true);
        }

        /** Null when nothing is left. */
        private AccountingStore.Message assign(AccountingStore.Kind kind, Instant since, Instant until) {
            Instant now = clock.instant();
            String name = switch (kind) {
                case JOBS -> SsmQueue.name(now);
                case SUMMARIES -> "";
                case BLAH -> BlahLog.name(now);
            };
            return database.inTransaction(h -> {
                if (!store.turn(h, holder, now, TURN)) {
                    throw new ElsewhereException();
                }
                List<Integer> ids = store.unsent(h, settings, now, since, until);
                return ids.isEmpty()
                        ? null
                        : new AccountingStore.Message(store.assign(h, kind, name, ids, now), kind, name, now);
            });
        }

        /** @param again whether an earlier turn may have come to any point of it */
        private void finish(AccountingStore.Message message, boolean again) throws IOException {
            if (message.kind() == AccountingStore.Kind.SUMMARIES) {
                return; // with the totals
            }
            boolean blah = message.kind() == AccountingStore.Kind.BLAH;
            String name = message.name();
            boolean there = again && !blah && queue.has(name);
            if (!there) {
                List<UsageEntry> entries = writable(database.read(h -> store.ofMessage(h, message.id())), blah);
                if (blah) {
                    blahLog.append(
                            name, entries.stream().map(messages::blahLine).toList(), again);
                } else if (!entries.isEmpty()) {
                    name = hold(message.id(), name, bytes(messages.jobs(entries)));
                }
                records += entries.size();
                published.add(entries.size());
                count(entries);
                written += entries.isEmpty() ? 0 : 1;
            }
            points.accept(Point.WRITTEN);
            sent(message.id());
            points.accept(Point.STORED);
            if (!blah) {
                queue.release(name);
            }
            points.accept(Point.RELEASED);
        }

        /** A record that can't be written keeps no other from its receiver: it is parked, and the log has the reason. */
        private List<UsageEntry> writable(List<UsageEntry> entries, boolean blah) {
            List<UsageEntry> good = new ArrayList<>();
            List<Integer> parked = new ArrayList<>();
            for (UsageEntry entry : entries) {
                String refusal = refusal(entry, blah);
                if (refusal == null) {
                    good.add(entry);
                    continue;
                }
                parked.add(entry.id());
                if (parked.size() <= MAX_NAMED) {
                    log.error("the usage record of {} can't be published: {}", entry.job(), refusal);
                }
            }
            if (!parked.isEmpty()) {
                database.change(h -> store.park(h, parked));
                log.error(
                        "{} usage records can't be published and are left out; ce usage republish tries them again",
                        parked.size());
            }
            return good;
        }

        private void count(List<UsageEntry> entries) {
            long without = entries.stream().filter(e -> e.fqan().isEmpty()).count();
            unmapped.add(without);
            withoutVo += without;
        }

        private String hold(int message, String wanted, byte[] content) throws IOException {
            String name = wanted;
            while (!queue.hold(name, content)) {
                String other = SsmQueue.name(clock.instant());
                database.change(h -> store.rename(h, message, other));
                name = other;
            }
            return name;
        }

        private void sent(int message) {
            database.change(h -> store.sent(h, message, clock.instant()));
        }

        /** Totals replace what receivers have, so a turn that was cut off writes them all once more. */
        private void totals(boolean sums) throws IOException {
            Instant now = clock.instant();
            YearMonth month = YearMonth.from(now.atZone(ZoneOffset.UTC));
            List<String> texts = new ArrayList<>();
            List<AccountingStore.Message> open = database.read(store::open);
            if (sums) {
                Set<YearMonth> months = new TreeSet<>(List.of(month.minusMonths(1), month));
                months.addAll(database.read(h -> store.openMonths(h, AccountingStore.Kind.SUMMARIES)));
                for (YearMonth each : months) {
                    keep();
                    ApelMessages.Summaries summaries = messages.new Summaries();
                    database.read(h -> {
                        store.published(
                                h,
                                AccountingStore.begin(each),
                                AccountingStore.begin(each.plusMonths(1)),
                                summaries::add);
                        return null;
                    });
                    summaries.messages((text, count) -> texts.add(text));
                    if (!summaries.failures().isEmpty()) {
                        log.error(
                                "{} sums of {} can't be published and are left out, the first: {}",
                                summaries.failures().size(),
                                each,
                                summaries.failures().get(0));
                    }
                }
            }
            Instant oldest = AccountingStore.begin(
                    YearMonth.from(now.atZone(ZoneOffset.UTC).minus(settings.keep())));
            messages.counts(database.read(h -> store.counts(h, oldest)), (text, count) -> texts.add(text));
            for (String text : texts) {
                keep();
                String name = SsmQueue.name(clock.instant());
                while (!queue.hold(name, bytes(text))) {
                    name = SsmQueue.name(clock.instant());
                }
                queue.release(name);
                written++;
                points.accept(Point.TOTAL_WRITTEN);
            }
            database.change(h -> {
                open.stream()
                        .filter(m -> m.kind() == AccountingStore.Kind.SUMMARIES)
                        .forEach(m -> store.sent(h, m.id(), now));
                store.totalsAt(h, now);
            });
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
