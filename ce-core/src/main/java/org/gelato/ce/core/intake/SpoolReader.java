package org.gelato.ce.core.intake;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.db.CommitInDoubtException;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.Backoff;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.fault.Halving;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.Repeated;
import org.gelato.ce.core.fault.SharedWork;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.message.MessageBatch;
import org.gelato.ce.core.message.MessageIntake;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;
import org.jdbi.v3.core.ConnectionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings events, and what jobs send, from the owners' spool directories (docs/developer/design.md section 7): one helper message per directory and scan,
 * and one transaction for what arrived from any of them while the last one ran. Files are removed only after their events
 * are committed; a crash in between brings them again, which changes nothing. Files that are no events are removed too,
 * and logged by one line for all that one scan met. Once closed it begins no scan, and what fails because the CE stops is
 * not complained about; closed before what it works with.
 */
public final class SpoolReader implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SpoolReader.class);
    private static final int MAX_FILES = 500;
    /** Files after which no further home joins a transaction. */
    private static final int MAX_TOGETHER = 500;

    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(1));
    /** The helper works for accounts side by side, and ends what hangs. */
    private static final SharedWork.Bounds NO_BOUNDS =
            new SharedWork.Bounds(Integer.MAX_VALUE, Integer.MAX_VALUE, Duration.ofMinutes(2));

    private static final int SCANS_PER_REBUILD = 60;
    /** Files that are no events after which a scan logs that it goes on. */
    private static final int MAX_UNSAID = 50_000;

    private final SpoolHomes homes;
    private final SandboxLayout layout;
    private final JobNumbers numbers;
    private final AccountCommands accounts;
    private final WrapperEvents events;
    private final MessageIntake messages;
    private final Executor executor;
    private final Set<SpoolHomes.Home> underWay = ConcurrentHashMap.newKeySet();
    private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
    private final Map<SpoolHomes.Home, Junk> unsaid = new ConcurrentHashMap<>();
    /** Homes that failed; what hangs stays under way, alone. */
    private final SharedWork<SpoolHomes.Home> failing;

    private int scans;
    private volatile boolean closed;

    /** Files that are no events: how many, and one of them. */
    private record Junk(int count, String example) {
        Junk and(Junk later) {
            return new Junk(count + later.count, example);
        }
    }

    /** Files of a home that wait to be applied, and what was read from them: null until they were. */
    private static final class Arrival {
        private final SpoolHomes.Home home;
        private final Path directory;
        private final List<FileContent> files;
        private List<WrapperEvent> events;
        private List<MessageBatch> messages;
        private Junk junk;

        Arrival(SpoolHomes.Home home, Path directory, List<FileContent> files) {
            this.home = home;
            this.directory = directory;
            this.files = files;
        }

        void read() {
            if (events != null) {
                return;
            }
            List<WrapperEvent> found = new ArrayList<>();
            messages = new ArrayList<>();
            String example = null;
            for (FileContent file : files) {
                Optional<MessageBatch> batch = MessageBatch.parse(file.content());
                Optional<WrapperEvent> event =
                        batch.isPresent() ? Optional.empty() : WrapperEvent.parse(file.content());
                batch.ifPresent(messages::add);
                event.ifPresent(found::add);
                if (example == null && batch.isEmpty() && event.isEmpty()) {
                    example = file.path().toString();
                }
            }
            junk = example == null ? null : new Junk(files.size() - found.size() - messages.size(), example);
            events = found;
        }
    }

    /**
     * @param messages gets what jobs sent, before the events that were read with it
     * @param executor runs the transactions, so that the channel's thread is not held up
     */
    public SpoolReader(
            SpoolHomes homes,
            SandboxLayout layout,
            JobNumbers numbers,
            AccountCommands accounts,
            WrapperEvents events,
            MessageIntake messages,
            Executor executor) {
        this(homes, layout, numbers, accounts, events, messages, executor, System::nanoTime);
    }

    SpoolReader(
            SpoolHomes homes,
            SandboxLayout layout,
            JobNumbers numbers,
            AccountCommands accounts,
            WrapperEvents events,
            MessageIntake messages,
            Executor executor,
            LongSupplier nanoTime) {
        this.failing = new SharedWork<>(log, "events of", BACKOFF, NO_BOUNDS, SpoolReader::isOfAll, nanoTime);
        this.homes = homes;
        this.layout = layout;
        this.numbers = numbers;
        this.accounts = accounts;
        this.events = events;
        this.messages = messages;
        this.executor = executor;
    }

    /** Scans again and again until the scheduler is shut down. */
    public void start(ScheduledExecutorService scheduler, Duration interval) {
        scheduler.scheduleWithFixedDelay(
                Repeated.of("scan of spools", this::scan), 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Starts one scan of every home that is not being scanned still. */
    void scan() {
        if (closed) {
            return;
        }
        try {
            if (scans++ % SCANS_PER_REBUILD == 0) {
                homes.rebuild();
            }
            homes.list().forEach(this::scan);
        } catch (RuntimeException | Error e) {
            if (!closed) {
                log.warn("scan of the event spools failed, trying again: {}", Messages.of(e));
            }
        }
    }

    private void scan(SpoolHomes.Home home) {
        if (!failing.isDue(home) || !underWay.add(home)) {
            return;
        }
        Path directory = layout.events(home.directory());
        accounts.collect(home.account(), directory, MAX_FILES, WrapperEvent.MAX_BYTES + 1)
                .thenAccept(files -> arrived(new Arrival(home, directory, files)))
                .whenComplete((done, e) -> {
                    if (e != null) {
                        end(home, e);
                    }
                });
    }

    private void arrived(Arrival arrival) {
        if (arrival.files.isEmpty()) {
            say(arrival);
            homes.scanned(arrival.home, true);
            end(arrival.home, null);
            return;
        }
        homes.scanned(arrival.home, false);
        arrivals.add(arrival);
        executor.execute(this::takeAll);
    }

    /** Takes whatever has arrived since the last transaction began, of all homes together. */
    private void takeAll() {
        List<Arrival> batch = new ArrayList<>();
        int files = 0;
        Arrival next;
        while (files < MAX_TOGETHER && (next = arrivals.poll()) != null) {
            batch.add(next);
            files += next.files.size();
        }
        if (batch.isEmpty()) {
            return; // an earlier run took it
        }
        if (!arrivals.isEmpty()) {
            executor.execute(this::takeAll);
        }
        Set<Arrival> open = new LinkedHashSet<>(batch);
        try {
            // A repeated event changes nothing.
            Halving.run(
                    batch,
                    part -> {
                        apply(part);
                        open.removeAll(part);
                        part.forEach(this::discard);
                    },
                    SpoolReader::isDatabaseAway,
                    (arrival, e) -> {
                        open.remove(arrival);
                        end(arrival.home, e);
                    });
        } catch (RuntimeException | Error e) {
            open.forEach(arrival -> end(arrival.home, e));
        }
    }

    private static boolean isDatabaseAway(Throwable e) {
        return e instanceof ConnectionException || e instanceof CommitInDoubtException;
    }

    private void apply(List<Arrival> batch) {
        List<WrapperEvent> found = new ArrayList<>();
        List<MessageBatch> sent = new ArrayList<>();
        for (Arrival arrival : batch) {
            arrival.read();
            found.addAll(arrival.events);
            sent.addAll(arrival.messages);
        }
        Steps.reached(Step.EVENTS_COLLECTED, found, e -> numbers.row(e.job()));
        // First: the end of a job says how many messages there must be. A gap is read from the journal, so the files
        // are
        // not needed any more, whatever the responses are. No end waits for messages that cannot be stored now.
        try {
            if (!sent.isEmpty()) {
                messages.apply(sent);
            }
        } finally {
            events.apply(found);
            Steps.reached(Step.EVENTS_STORED, found, e -> numbers.row(e.job()));
        }
    }

    private void discard(Arrival arrival) {
        List<String> names =
                arrival.files.stream().map(file -> file.path().toString()).toList();
        accounts.discard(arrival.home.account(), arrival.directory, names).whenComplete((done, e) -> {
            boolean more = e == null && names.size() == MAX_FILES;
            if (e == null && arrival.junk != null) {
                unsaid.merge(arrival.home, arrival.junk, Junk::and);
            }
            Junk junk = unsaid.get(arrival.home);
            if (junk != null && (!more || junk.count() >= MAX_UNSAID)) {
                say(arrival);
            }
            end(arrival.home, e);
            if (more) {
                scan(arrival.home);
            }
        });
    }

    private void say(Arrival arrival) {
        Junk junk = unsaid.remove(arrival.home);
        if (junk != null) {
            log.warn(
                    "removed what was no wrapper event from {}: {} files, for example {}",
                    arrival.directory,
                    junk.count(),
                    junk.example());
        }
    }

    private void end(SpoolHomes.Home home, Throwable failure) {
        Throwable e = Causes.of(failure);
        if (e == null) {
            failing.succeeded(home);
        } else {
            homes.failed(home);
            if (!closed) {
                failing.failed(home, e);
            }
        }
        underWay.remove(home);
    }

    /** What says nothing of a home; what the database did not take may be another's fault, too, so that nobody waits for it. */
    private static boolean isOfAll(Throwable e) {
        return AccountCommandException.isBusy(e) || Database.isFailure(e) || isDatabaseAway(e);
    }

    @Override
    public void close() {
        closed = true;
    }
}
