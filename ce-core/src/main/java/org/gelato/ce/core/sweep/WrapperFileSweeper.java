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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.TreeEntry;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.core.text.Words;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes common parts of job wrappers that no job can need any more, of this version of the CE and others. A job uses a file
 * of the month it was handed over in, which is not before it was registered: a month is removed when a whole one lies
 * between it and the oldest job that was started and has not ended, and between it and now. The month between covers clocks
 * that differ. Keeps nothing: a sweep that was cut short is finished by the next. Several nodes may sweep at once. Blocks.
 */
public final class WrapperFileSweeper {
    static final String OLDEST = "SELECT MIN(registered_at) FROM job WHERE state IN (<states>)";

    private static final Logger log = LoggerFactory.getLogger(WrapperFileSweeper.class);
    private static final Duration WAIT = Duration.ofSeconds(30);
    /** Directories; there is one for each month. */
    private static final int MOST = 1000;

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

    public WrapperFileSweeper(
            Database database, SandboxStore sandboxes, SandboxLayout layout, AccountCommands accounts, Clock clock) {
        this.database = database;
        this.sandboxes = sandboxes;
        this.layout = layout;
        this.accounts = accounts;
        this.clock = clock;
    }

    /**
     * Sweeps once through all homes. A home whose account is refused is left out.
     *
     * @return directories removed
     * @throws IllegalStateException when the helper does not respond; what was not reached is left to the next sweep
     */
    public int sweep() {
        YearMonth kept = month(oldest().orElseGet(clock::instant)).minusMonths(1);
        int removed = 0;
        for (SandboxStore.Home home : sandboxes.homes()) {
            try {
                removed += sweep(home, kept);
            } catch (AccountCommandException e) {
                log.warn(
                        "old common parts of job wrappers in {} not removed, left to the next sweep: {}",
                        home.directory(),
                        Words.of(e));
            }
        }
        return removed;
    }

    private Optional<Instant> oldest() {
        Instant now = clock.instant();
        return database.read(h -> h.createQuery(OLDEST)
                        .bindList("states", InList.of(STARTED))
                        .map((r, c) -> Optional.ofNullable(SqlTime.get(r, 1)))
                        .one())
                .filter(registered -> registered.isBefore(now));
    }

    private int sweep(SandboxStore.Home home, YearMonth kept) {
        Path wrappers = layout.wrappers(home.directory());
        List<TreeEntry> entries;
        try {
            entries = await(accounts.tree(home.account(), wrappers, 1, MOST)).entries();
        } catch (AccountCommandException e) {
            if (e.code() == AccountCommandException.Code.NO_SUCH_FILE) {
                return 0;
            }
            throw e;
        }
        int removed = 0;
        for (TreeEntry entry : entries) {
            if (entry.isDirectory() && isBefore(entry.path(), kept)) {
                await(accounts.remove(home.account(), wrappers.resolve(entry.path())));
                removed++;
            }
        }
        return removed;
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

    private static <T> T await(CompletableFuture<T> response) {
        try {
            return response.get(WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AccountCommandException refused) {
                throw refused;
            }
            throw new IllegalStateException("the helper did not respond: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("no response of the helper for " + WAIT.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
