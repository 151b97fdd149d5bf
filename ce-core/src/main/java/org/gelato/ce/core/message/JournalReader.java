package org.gelato.ce.core.message;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.NotPlainFileException;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.fault.Backoff;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.SharedWork;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.StateSql;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.core.wrapper.WrapperTokens;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what the CE lacks from the journals of jobs, where it sees them, and settles the messages of jobs that have ended; notifies wrappers by a
 * file in their sandboxes that their output is wanted. The rows of {@code job_messages} that are due are its queue: it claims some by moving their time
 * ahead, so that a claim of a process that died returns, and what it reads again changes nothing. Several processes may work on one
 * database. Its one thread works on a bounded number of journals in pieces at a time.
 */
public final class JournalReader implements AutoCloseable {
    static final String CLAIM = """
            SELECT m.*, (SELECT j.state FROM job j WHERE j.id = m.job_id) AS state,
              (SELECT j.state_since FROM job j WHERE j.id = m.job_id) AS since
            FROM job_messages m FORCE INDEX (job_messages_due) WHERE m.closed = FALSE AND m.due_at <= :now
            ORDER BY m.due_at LIMIT :most FOR UPDATE SKIP LOCKED
            """;
    static final String LEASE = "UPDATE job_messages SET due_at = :until WHERE job_id IN (<ids>)";
    static final String NOTIFIED =
            "UPDATE job_messages SET live = 2, due_at = :now WHERE job_id IN (<ids>) AND live = 1";
    // Without locks: the rows of jobs belong to those who change them.
    static final String UNMARKED = StateSql.of("""
            SELECT m.job_id FROM job_messages m FORCE INDEX (job_messages_due) STRAIGHT_JOIN job j ON j.id = m.job_id
            WHERE m.closed = FALSE AND m.due_at IS NULL AND j.state + 0 IN {ENDED} LIMIT :most
            """);
    static final String MARK =
            "UPDATE job_messages SET due_at = :now WHERE job_id IN (<ids>) AND closed = FALSE AND due_at IS NULL";

    private static final Logger log = LoggerFactory.getLogger(JournalReader.class);
    /** Journals read at a time. */
    private static final int MAX = 32;
    /** Bytes of each that are in memory. */
    private static final int PIECE = 128 << 10;

    private static final int MAX_MARKED = 1000;
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final Duration CLAIM_TIME = Duration.ofSeconds(90);
    /** Until a sandbox that is not there yet, or a journal that is too short, is tried again. */
    private static final Duration NOT_YET = Duration.ofSeconds(5);
    /** In which a file server may still show less of a journal than was written, and the spool may have the rest. */
    private static final Duration ON_THE_WAY = Duration.ofSeconds(30);

    /** After which a journal that cannot be read counts as lost. */
    private static final Duration PATIENCE = Duration.ofDays(1);

    private static final Backoff BACKOFF = new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(10));
    private static final SharedWork.Bounds BOUNDS = new SharedWork.Bounds(MAX, MAX, WAIT);
    private static final Duration SWEEP = Duration.ofSeconds(20);
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration RARELY = Duration.ofSeconds(5);

    private final Database database;
    private final JobNumbers numbers;
    private final Journals journals;
    private final WrapperTokens tokens;
    private final MessageIntake intake;
    private final MessageQuota quota;
    private final DueSignal due;
    private final Clock clock;
    private final LongSupplier nanoTime;
    /** Any of them may hang: the helper works for an account in order. */
    private final SharedWork<String> accounts;

    private final SharedWork<JobId> unreadable;
    private final MessageStore store = new MessageStore();
    private final LongAdder read = new LongAdder();
    private final Thread thread = new Thread(this::run, "journal-reader");
    private String complaint;
    private volatile boolean closing;

    /** A claimed row and since when its job is in its state. */
    private record Claimed(MessageRecord record, Instant since) {}

    /** A piece of a journal, or why that file gave none. */
    private record Piece(AccountCommands.FilePart part, Throwable failure) {}

    /** By the one a journal's times are compared, by the other waits are measured. */
    record Clocks(Clock clock, LongSupplier nanoTime) {}

    public JournalReader(
            Database database,
            JobNumbers numbers,
            Journals journals,
            WrapperTokens tokens,
            MessageIntake intake,
            MessageQuota quota,
            DueSignal due,
            Clock clock) {
        this(database, numbers, journals, tokens, intake, quota, due, new Clocks(clock, System::nanoTime));
    }

    JournalReader(
            Database database,
            JobNumbers numbers,
            Journals journals,
            WrapperTokens tokens,
            MessageIntake intake,
            MessageQuota quota,
            DueSignal due,
            Clocks clocks) {
        this.database = database;
        this.numbers = numbers;
        this.journals = journals;
        this.tokens = tokens;
        this.intake = intake;
        this.quota = quota;
        this.due = due;
        this.clock = clocks.clock();
        this.nanoTime = clocks.nanoTime();
        this.accounts = new SharedWork<>(
                log, "journals of messages of", BACKOFF, BOUNDS, AccountCommandException::isBusy, nanoTime);
        this.unreadable = new SharedWork<>(log, "the journal of messages of", BACKOFF, BOUNDS, e -> false, nanoTime);
        thread.setDaemon(true);
    }

    /** Begins the work; once. */
    public void start() {
        thread.start();
    }

    /** Journals read to their end so far. */
    public long read() {
        return read.sum();
    }

    private void run() {
        Duration wait = Duration.ZERO;
        long nextSweep = nanoTime.getAsLong();
        while (!closing) {
            try {
                due.await(wait);
                if (nextSweep - nanoTime.getAsLong() <= 0) {
                    sweep();
                    nextSweep = nanoTime.getAsLong() + SWEEP.toNanos();
                }
                int claimed = round();
                wait = claimed == MAX ? Duration.ZERO : claimed > 0 ? SOON : RARELY;
                complaint = null;
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | Error e) {
                complain("Messages of jobs that ended are not settled, trying again: " + Messages.of(e));
                wait = RARELY;
            }
        }
    }

    /** Once for the same fault. */
    private void complain(String text) {
        if (!closing && !text.equals(complaint)) {
            complaint = text;
            log.warn("{}", text);
        }
    }

    /** Marks rows of jobs that ended and were not marked then. Public for tests of whole lives; called from time to time. */
    public void sweep() {
        List<Integer> jobs = database.read(h -> h.createQuery(UNMARKED)
                .bind("most", MAX_MARKED)
                .mapTo(Integer.class)
                .list());
        if (!jobs.isEmpty()) {
            database.inTransaction(h -> h.createUpdate(MARK)
                    .bind("now", clock.instant())
                    .bindList("ids", InList.of(jobs))
                    .execute());
        }
    }

    /**
     * Does what is due of some jobs.
     *
     * @return how many; there may be more when they are as many as are claimed at a time
     */
    public int round() throws InterruptedException {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        Instant until = now.plus(CLAIM_TIME);
        List<Claimed> claimed = database.inTransaction(h -> claim(h, now, until));
        if (claimed.isEmpty()) {
            return 0;
        }
        Map<Integer, SandboxStore.Place> places =
                journals.places(claimed.stream().map(c -> c.record().job()).toList());
        List<Claimed> toNotify = new ArrayList<>();
        List<JournalReading> readings = new ArrayList<>();
        TreeSet<Integer> settled = new TreeSet<>();
        Map<Integer, Instant> since = new HashMap<>();
        for (Claimed c : claimed) {
            MessageRecord record = c.record();
            SandboxStore.Place place = places.get(record.job());
            if (place == null) {
                continue; // purged meanwhile
            }
            since.put(record.job(), c.since());
            if (journals.areVisible() && record.isToBeNotified()) {
                toNotify.add(c);
            } else if (journals.areVisible() && record.lacksMessages(quota.job().perJob())) {
                readings.add(new JournalReading(record, place, tokens.of(numbers.id(record.job()))));
            } else {
                settled.add(record.job());
            }
        }
        notifyByFile(toNotify, places);
        Map<Integer, Duration> later = new TreeMap<>();
        settled.addAll(read(readings, since, later));
        again(later);
        settle(settled, until);
        return claimed.size();
    }

    private static List<Claimed> claim(Handle h, Instant now, Instant until) {
        List<Claimed> claimed = h.createQuery(CLAIM)
                .bind("now", now)
                .bind("most", MAX)
                .map((r, c) -> new Claimed(new MessageRecord(r), SqlTime.get(r, "since")))
                .list();
        if (!claimed.isEmpty()) {
            lease(h, claimed.stream().map(c -> c.record().job()).toList(), until);
        }
        return claimed;
    }

    private static void lease(Handle h, Collection<Integer> jobs, Instant until) {
        h.createUpdate(LEASE)
                .bind("until", until)
                .bindList("ids", InList.of(jobs))
                .execute();
    }

    /** A file in the sandbox, which the wrapper looks for. */
    private void notifyByFile(List<Claimed> jobs, Map<Integer, SandboxStore.Place> places) throws InterruptedException {
        TreeSet<Integer> written = new TreeSet<>();
        accounts.each(
                jobs,
                c -> places.get(c.record().job()).account(),
                c -> journals.requestOutput(places.get(c.record().job())),
                (c, done) -> written.add(c.record().job()));
        Instant now = clock.instant();
        if (!written.isEmpty()) {
            database.inTransaction(h -> h.createUpdate(NOTIFIED)
                    .bind("now", now)
                    .bindList("ids", InList.of(written))
                    .execute());
        }
        Map<Integer, Duration> later = new TreeMap<>();
        for (Claimed c : jobs) {
            int job = c.record().job();
            if (!written.contains(job)) {
                later.put(job, wait(places.get(job)));
            }
        }
        again(later);
    }

    /** Until a job is tried again whose sandbox gave nothing. */
    private Duration wait(SandboxStore.Place place) {
        Duration wait = accounts.untilDue(place.account());
        Duration own = unreadable.untilDue(place.id());
        wait = own.compareTo(wait) > 0 ? own : wait;
        return wait.compareTo(NOT_YET) > 0 ? wait : NOT_YET;
    }

    /** @param jobs when each is due again */
    private void again(Map<Integer, Duration> jobs) {
        Map<Instant, List<Integer>> until = new TreeMap<>();
        Instant now = clock.instant();
        jobs.forEach((job, wait) -> until.computeIfAbsent(
                        now.plus(wait).truncatedTo(ChronoUnit.SECONDS), t -> new ArrayList<>())
                .add(job));
        if (!until.isEmpty()) {
            database.change(h -> until.forEach((time, ids) -> lease(h, ids, time)));
        }
    }

    /**
     * Reads journals side by side. What fails or hangs is one journal's, or its account's.
     *
     * @param later gets those that are to be read again, and after how long
     * @return those that were read to the end, or never will be
     */
    private SortedSet<Integer> read(
            List<JournalReading> readings, Map<Integer, Instant> since, Map<Integer, Duration> later)
            throws InterruptedException {
        TreeSet<Integer> done = new TreeSet<>();
        List<JournalReading> open = new ArrayList<>(readings);
        while (!open.isEmpty()) {
            Set<JournalReading> untouched = new LinkedHashSet<>(open);
            Set<JournalReading> begun = new HashSet<>();
            List<MessageBatch> batches = new ArrayList<>();
            List<JournalReading> senders = new ArrayList<>();
            Function<JournalReading, CompletableFuture<Piece>> begin = reading -> {
                begun.add(reading);
                return piece(reading);
            };
            accounts.each(open, reading -> reading.place().account(), begin, (reading, piece) -> {
                untouched.remove(reading);
                if (piece.failure() == null) {
                    unreadable.succeeded(reading.place().id());
                    for (MessageBatch batch :
                            reading.take(piece.part().content(), piece.part().size())) {
                        batches.add(batch);
                        senders.add(reading);
                    }
                } else if (isAbsent(piece.failure())
                        || isLost(since.get(reading.record().job()))) {
                    reading.end();
                } else {
                    unreadable.failed(reading.place().id(), piece.failure());
                    reading.fail();
                }
            });
            for (JournalReading reading : untouched) {
                // One that waited for another of its account was not tried: it may well be read later.
                if (begun.contains(reading) && isLost(since.get(reading.record().job()))) {
                    reading.end();
                } else {
                    reading.fail();
                }
            }
            List<MessageIntake.Response> responses = batches.isEmpty() ? List.of() : intake.apply(batches);
            for (int i = 0; i < responses.size(); i++) {
                if (responses.get(i).result() != MessageIntake.Result.STORED) {
                    senders.get(i).stop(responses.get(i).result());
                }
            }
            open.removeIf(reading -> {
                int job = reading.record().job();
                if (reading.hasFailed()) {
                    later.put(job, wait(reading.place()));
                } else if (reading.isEnded()) {
                    if (reading.isShort() && since.get(job).plus(ON_THE_WAY).isAfter(clock.instant())) {
                        later.put(job, NOT_YET);
                    } else {
                        done.add(job);
                    }
                    read.increment();
                }
                return reading.isEnded();
            });
        }
        return done;
    }

    /** What the file system says of the journal is the journal's; that the channel broke, or nothing came, is the account's. */
    private CompletableFuture<Piece> piece(JournalReading reading) {
        return journals.read(reading.place(), reading.offset(), PIECE)
                .handle((part, e) -> new Piece(part, Causes.of(e)))
                .thenCompose(piece -> piece.failure() == null || isOfFile(piece.failure())
                        ? CompletableFuture.completedFuture(piece)
                        : CompletableFuture.failedFuture(piece.failure()));
    }

    private static boolean isOfFile(Throwable failure) {
        return failure instanceof AccountCommandException && !AccountCommandException.isBusy(failure);
    }

    /** Whether there is no journal, or none that will ever be read. */
    private static boolean isAbsent(Throwable failure) {
        return failure instanceof NotPlainFileException
                || (failure instanceof AccountCommandException e
                        && (e.code() == AccountCommandException.Code.NO_SUCH_FILE
                                || e.code() == AccountCommandException.Code.REFUSED));
    }

    private boolean isLost(Instant since) {
        return since.plus(PATIENCE).isBefore(clock.instant());
    }

    /** Settles the rows that nobody has marked again since they were claimed. */
    private void settle(SortedSet<Integer> jobs, Instant until) {
        if (jobs.isEmpty()) {
            return;
        }
        database.batches()
                .write(
                        List.copyOf(jobs),
                        part -> settle(part, until),
                        job -> "the end of the messages of " + numbers.id(job),
                        (job, reason) -> {});
    }

    private void settle(List<Integer> jobs, Instant until) {
        database.change(h -> {
            Collection<MessageRecord> records = store.lock(h, new TreeSet<>(jobs)).values().stream()
                    .filter(record -> until.equals(record.dueAt()))
                    .toList();
            Instant now = clock.instant();
            TreeSet<Integer> ended = new TreeSet<>();
            for (MessageRecord record : records) {
                record.settle();
                if (record.isEnded()) {
                    record.sumUp(quota.job().perJob(), now);
                    ended.add(record.job());
                }
            }
            store.write(h, records);
            store.close(h, ended);
        });
    }

    @Override
    public void close() {
        closing = true;
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
