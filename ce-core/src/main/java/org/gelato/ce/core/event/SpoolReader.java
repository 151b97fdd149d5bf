package org.gelato.ce.core.event;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings events from the owners' spool directories (design section 7): one helper message per directory and scan, and one
 * transaction per directory that had any. Files are removed only after their events are committed; a crash in between
 * brings them again, which changes nothing. Unreadable files are removed too, and logged.
 */
public final class SpoolReader {
    private static final Logger log = LoggerFactory.getLogger(SpoolReader.class);
    private static final int MAX_FILES = 500;
    private static final int SCANS_PER_REBUILD = 60;

    private final ActiveHomes homes;
    private final SandboxLayout layout;
    private final AccountCommands accounts;
    private final WrapperEvents events;
    private final Executor executor;
    private final Set<ActiveHomes.Home> underWay = ConcurrentHashMap.newKeySet();
    private int scans;

    /**
     * @param executor runs the transactions, so that the channel's thread is not held up
     */
    public SpoolReader(
            ActiveHomes homes,
            SandboxLayout layout,
            AccountCommands accounts,
            WrapperEvents events,
            Executor executor) {
        this.homes = homes;
        this.layout = layout;
        this.accounts = accounts;
        this.events = events;
        this.executor = executor;
    }

    /** Scans again and again until the scheduler is shut down. */
    public void start(ScheduledExecutorService scheduler, Duration interval) {
        scheduler.scheduleWithFixedDelay(this::scan, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Starts one scan of every home that is not being scanned still. */
    void scan() {
        try {
            if (scans++ % SCANS_PER_REBUILD == 0) {
                homes.rebuild();
            }
            homes.list().forEach(this::scan);
        } catch (RuntimeException e) {
            log.warn("scan of the event spools failed, trying again: {}", e.toString());
        }
    }

    private void scan(ActiveHomes.Home home) {
        if (!underWay.add(home)) {
            return;
        }
        Path directory = layout.events(home.directory());
        accounts.collect(home.account(), directory, MAX_FILES, WrapperEvent.MAX_BYTES + 1)
                .thenAcceptAsync(files -> take(home, directory, files), executor)
                .whenComplete((done, e) -> {
                    underWay.remove(home);
                    if (e != null) {
                        log.warn("events of {} not read, trying again: {}", directory, e.toString());
                    }
                });
    }

    private void take(ActiveHomes.Home home, Path directory, List<FileContent> files) {
        if (files.isEmpty()) {
            return;
        }
        List<WrapperEvent> batch = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (FileContent file : files) {
            Optional<WrapperEvent> event = WrapperEvent.parse(file.content());
            names.add(file.path().toString());
            event.ifPresentOrElse(
                    batch::add, () -> log.warn("{}/{} is no wrapper event, removed", directory, file.path()));
        }
        Steps.reached(Step.EVENTS_COLLECTED);
        events.apply(batch);
        Steps.reached(Step.EVENTS_STORED);
        accounts.discard(home.account(), directory, names).join();
        if (files.size() == MAX_FILES) {
            executor.execute(() -> scan(home));
        }
    }
}
