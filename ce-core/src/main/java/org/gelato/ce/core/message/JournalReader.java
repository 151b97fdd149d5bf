package org.gelato.ce.core.message;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.NotPlainFileException;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.StateSql;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.core.text.Words;
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
    private static final int MOST = 32;
    /** Bytes of each that are in memory. */
    private static final int PIECE = 128 << 10;

    private static final int MOST_MARKED = 1000;
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final Duration CLAIM_TIME = Duration.ofSeconds(90);
    /** Until a sandbox that is not there yet, or a journal that is too short, is tried again. */
    private static final Duration NOT_YET = Duration.ofSeconds(5);
    /** In which a file server may still show less of a journal than was written, and the spool may have the rest. */
    private static final Duration ON_THE_WAY = Duration.ofSeconds(30);

    /** After which a journal that cannot be read counts as lost. */
    private static final Duration PATIENCE = Duration.ofDays(1);

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
    private final MessageStore store = new MessageStore();
    private final LongAdder read = new LongAdder();
    private final Thread thread = new Thread(this::run, "journal-reader");
    private String complaint;
    private volatile boolean closing;

    /** A claimed row and since when its job is in its state. */
    private record Claimed(MessageRecord record, Instant since) {}

    public JournalReader(
            Database database,
            JobNumbers numbers,
            Journals journals,
            WrapperTokens tokens,
            MessageIntake intake,
            MessageQuota quota,
            DueSignal due,
            Clock clock) {
        this.database = database;
        this.numbers = numbers;
        this.journals = journals;
        this.tokens = tokens;
        this.intake = intake;
        this.quota = quota;
        this.due = due;
        this.clock = clock;
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
        Instant nextSweep = clock.instant();
        while (!closing) {
            try {
                due.await(wait);
                if (!clock.instant().isBefore(nextSweep)) {
                    sweep();
                    nextSweep = clock.instant().plus(SWEEP);
                }
                int claimed = round();
                wait = claimed == MOST ? Duration.ZERO : claimed > 0 ? SOON : RARELY;
                complaint = null;
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | Error e) {
                complain("Messages of jobs that ended are not settled, trying again: " + Words.of(e));
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
                .bind("most", MOST_MARKED)
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
        TreeSet<Integer> later = new TreeSet<>();
        settled.addAll(read(readings, since, later));
        again(later);
        settle(settled, until);
        return claimed.size();
    }

    private static List<Claimed> claim(Handle h, Instant now, Instant until) {
        List<Claimed> claimed = h.createQuery(CLAIM)
                .bind("now", now)
                .bind("most", MOST)
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
        Map<Integer, CompletableFuture<Void>> writing = new HashMap<>();
        for (Claimed c : jobs) {
            SandboxStore.Place place = places.get(c.record().job());
            writing.put(c.record().job(), journals.requestOutput(place));
        }
        TreeSet<Integer> written = new TreeSet<>();
        TreeSet<Integer> later = new TreeSet<>();
        for (Map.Entry<Integer, CompletableFuture<Void>> job : writing.entrySet()) {
            (failure(job.getValue()) == null ? written : later).add(job.getKey());
        }
        Instant now = clock.instant();
        if (!written.isEmpty()) {
            database.inTransaction(h -> h.createUpdate(NOTIFIED)
                    .bind("now", now)
                    .bindList("ids", InList.of(written))
                    .execute());
        }
        again(later);
    }

    private void again(SortedSet<Integer> jobs) {
        if (!jobs.isEmpty()) {
            database.inTransaction(h -> {
                lease(h, jobs, clock.instant().plus(NOT_YET));
                return null;
            });
        }
    }

    /**
     * Reads journals side by side.
     *
     * @param later gets those that are too short still
     * @return those that were read to the end, or never will be
     */
    private SortedSet<Integer> read(
            List<JournalReading> readings, Map<Integer, Instant> since, SortedSet<Integer> later)
            throws InterruptedException {
        TreeSet<Integer> done = new TreeSet<>();
        List<JournalReading> open = new ArrayList<>(readings);
        while (!open.isEmpty()) {
            List<CompletableFuture<AccountCommands.FilePart>> pieces = open.stream()
                    .map(reading -> journals.read(reading.place(), reading.offset(), PIECE))
                    .toList();
            List<MessageBatch> batches = new ArrayList<>();
            List<JournalReading> senders = new ArrayList<>();
            for (int i = 0; i < pieces.size(); i++) {
                JournalReading reading = open.get(i);
                Throwable failure = failure(pieces.get(i));
                if (failure == null) {
                    AccountCommands.FilePart part = pieces.get(i).join();
                    for (MessageBatch batch : reading.take(part.content(), part.size())) {
                        batches.add(batch);
                        senders.add(reading);
                    }
                } else if (isAbsent(failure, since.get(reading.record().job()))) {
                    reading.end();
                } else {
                    complain("The journal of messages of " + reading.place().id() + " cannot be read, trying again: "
                            + failure);
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
                if (reading.isEnded() && !reading.hasFailed()) {
                    boolean young = since.get(job).plus(ON_THE_WAY).isAfter(clock.instant());
                    (young && reading.isShort() ? later : done).add(job);
                    read.increment();
                }
                return reading.isEnded();
            });
        }
        return done;
    }

    /** Whether there is no journal, or none that will ever be read. */
    private boolean isAbsent(Throwable failure, Instant since) {
        return failure instanceof NotPlainFileException
                || (failure instanceof AccountCommandException e
                        && (e.code() == AccountCommandException.Code.NO_SUCH_FILE
                                || e.code() == AccountCommandException.Code.REFUSED))
                || since.plus(PATIENCE).isBefore(clock.instant());
    }

    private static Throwable failure(CompletableFuture<?> future) throws InterruptedException {
        try {
            future.get(WAIT.toMillis(), TimeUnit.MILLISECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (TimeoutException e) {
            return e;
        }
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
        database.inTransaction(h -> {
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
            return null;
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
