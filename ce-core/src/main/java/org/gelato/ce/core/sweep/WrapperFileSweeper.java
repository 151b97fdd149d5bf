package org.gelato.ce.core.sweep;

import java.nio.file.Path;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.TreeEntry;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.fault.Backoff;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.fault.SharedWork;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes common parts of job wrappers that no job can need any more, of this version of the CE and others. A job uses a file
 * of the month it was handed over in, which is not before it was registered: a month is removed when a whole one lies
 * between it and the oldest job that was started and has not ended, and between it and now. The month between covers clocks
 * that differ. Stores nothing: a sweep that was cut short is finished by the next. Several nodes may sweep at once. Blocks.
 */
public final class WrapperFileSweeper {
    static final String OLDEST = "SELECT MIN(registered_at) FROM job WHERE state IN (<states>)";

    private static final Logger log = LoggerFactory.getLogger(WrapperFileSweeper.class);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMinutes(10), Duration.ofDays(1));
    private static final SharedWork.Bounds BOUNDS = new SharedWork.Bounds(8, 64, Duration.ofSeconds(30));
    /** Directories; there is one for each month. */
    private static final int MAX = 1000;

    private static final List<Integer> STARTED = List.of(
            JobState.PENDING.code(),
            JobState.IDLE.code(),
            JobState.RUNNING.code(),
            JobState.REALLY_RUNNING.code(),
            JobState.HELD.code());

    private final Database database;
    private final SandboxStore sandboxes;
    private final SandboxLayout layout;
    private final AccountCommands accounts;
    private final Clock clock;
    private final SharedWork<String> removals;

    public WrapperFileSweeper(
            Database database, SandboxStore sandboxes, SandboxLayout layout, AccountCommands accounts, Clock clock) {
        this(database, sandboxes, layout, accounts, clock, System::nanoTime);
    }

    WrapperFileSweeper(
            Database database,
            SandboxStore sandboxes,
            SandboxLayout layout,
            AccountCommands accounts,
            Clock clock,
            LongSupplier nanoTime) {
        this.removals = new SharedWork<>(
                log, "old files of wrappers of", BACKOFF, BOUNDS, AccountCommandException::isBusy, nanoTime);
        this.database = database;
        this.sandboxes = sandboxes;
        this.layout = layout;
        this.accounts = accounts;
        this.clock = clock;
    }

    /**
     * Sweeps once through all homes. An account that fails or hangs waits alone.
     *
     * @return directories removed
     */
    public int sweep() {
        YearMonth kept = month(oldest().orElseGet(clock::instant)).minusMonths(1);
        int[] removed = {0};
        try {
            removals.each(
                    sandboxes.homes(),
                    SandboxStore.Home::account,
                    home -> sweep(home, kept),
                    (home, months) -> removed[0] += months);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the CE ends
        }
        return removed[0];
    }

    private Optional<Instant> oldest() {
        Instant now = clock.instant();
        return database.read(h -> h.createQuery(OLDEST)
                        .bindList("states", InList.of(STARTED))
                        .map((r, c) -> Optional.ofNullable(SqlTime.get(r, 1)))
                        .one())
                .filter(registered -> registered.isBefore(now));
    }

    private CompletableFuture<Integer> sweep(SandboxStore.Home home, YearMonth kept) {
        Path wrappers = layout.wrappers(home.directory());
        return accounts.tree(home.account(), wrappers, 1, MAX)
                .exceptionallyCompose(e -> isAbsent(Causes.of(e))
                        ? CompletableFuture.completedFuture(AccountCommands.Tree.EMPTY)
                        : CompletableFuture.failedFuture(e))
                .thenCompose(tree -> remove(
                        home.account(),
                        wrappers,
                        tree.entries().stream()
                                .filter(entry -> entry.isDirectory() && isBefore(entry.path(), kept))
                                .toList()));
    }

    private CompletableFuture<Integer> remove(String account, Path wrappers, List<TreeEntry> months) {
        CompletableFuture<Void> removed = CompletableFuture.completedFuture(null);
        for (TreeEntry month : months) {
            removed = removed.thenCompose(before -> accounts.remove(account, wrappers.resolve(month.path())));
        }
        return removed.thenApply(all -> months.size());
    }

    private static boolean isAbsent(Throwable failure) {
        return failure instanceof AccountCommandException e && e.code() == AccountCommandException.Code.NO_SUCH_FILE;
    }

    private static YearMonth month(Instant time) {
        return YearMonth.from(time.atZone(ZoneOffset.UTC));
    }

    private static boolean isBefore(String name, YearMonth kept) {
        try {
            return YearMonth.parse(name).isBefore(kept);
        } catch (DateTimeException e) {
            return false; // the account's own
        }
    }
}
