package org.gelato.ce.core.command;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.DiskFullException;
import org.gelato.ce.core.fault.Backoff;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.fault.SharedWork;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties trash directories in the background: one request for all a directory holds, however many sandboxes that is, and few
 * at a time, as each costs the helper descriptors. What cannot be removed, as another account owns it, is renamed aside within the
 * home, so that no other purge meets it, and is tried again after an hour, then after pauses that double up to a day; a pass writes one line
 * about all of that. An account whose homes hang or fail otherwise is left out alone. Stores nothing: what a failure or a crash leaves is found
 * by the next sweep or start, which name every home there is. For any thread.
 */
public final class TrashRemover {
    private static final Logger log = LoggerFactory.getLogger(TrashRemover.class);
    private static final Backoff LASTING = new Backoff(Duration.ofHours(1), Duration.ofDays(1));
    private static final Backoff PASSING = new Backoff(Duration.ofMinutes(1), Duration.ofHours(1));
    private static final SharedWork.Bounds BOUNDS = new SharedWork.Bounds(8, 64, Duration.ofMinutes(2));
    private static final int MAX_NAMED = 5;

    private final AccountCommands accounts;
    private final SandboxLayout layout;
    private final Clock clock;
    private final LongSupplier nanoTime;
    /** The helper works for an account in order: what hangs in one home hangs in all of them. */
    private final SharedWork<String> removals;

    private final Set<Trash> waiting = new LinkedHashSet<>();
    private final Map<Trash, Stuck> stuck = new LinkedHashMap<>();
    private long moved;
    private boolean reportStuck;
    /** Whether a thread is in {@link #next}. */
    private boolean taking;

    /** @param aside whether it holds what could not be removed before */
    private record Trash(String account, Path home, boolean failed) {}

    /** @param next of the monotonic clock */
    private record Stuck(String reason, int failures, long next) {}

    public TrashRemover(AccountCommands accounts, SandboxLayout layout, Clock clock) {
        this(accounts, layout, clock, System::nanoTime);
    }

    TrashRemover(AccountCommands accounts, SandboxLayout layout, Clock clock, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.removals = new SharedWork<>(log, "trash of", PASSING, BOUNDS, AccountCommandException::isBusy, nanoTime);
        this.accounts = accounts;
        this.layout = layout;
        this.clock = clock;
    }

    /**
     * Removes what is in the trash directories of homes, and them. What comes into one while it is emptied may be removed too; what
     * comes after this call is removed after the next.
     */
    public void empty(Collection<SandboxStore.Home> homes) {
        synchronized (this) {
            homes.forEach(home -> waiting.add(new Trash(home.account(), home.directory(), false)));
        }
        next();
    }

    /**
     * As {@link #empty}, and tries again what could not be removed where its pause is over.
     *
     * @param start whether it is tried in any case, as an earlier process may have left it
     */
    public void sweep(Collection<SandboxStore.Home> homes, boolean start) {
        synchronized (this) {
            for (SandboxStore.Home home : homes) {
                Trash failed = new Trash(home.account(), home.directory(), true);
                waiting.add(new Trash(home.account(), home.directory(), false));
                if (start || stuck.containsKey(failed)) {
                    waiting.add(failed);
                }
            }
        }
        next();
    }

    /** How many directories hold what could not be removed, as far as this process knows. */
    public synchronized int stuck() {
        return stuck.size();
    }

    /** What could not be removed, why, and what root can type; empty when there is nothing. */
    public synchronized String advice() {
        if (stuck.isEmpty()) {
            return "";
        }
        List<String> named = new ArrayList<>();
        stuck.keySet().stream().limit(MAX_NAMED).forEach(t -> named.add("'" + directory(t) + "'"));
        return "what purged jobs left cannot be removed in " + stuck.size() + " directories; the first: "
                + stuck.values().iterator().next().reason() + ". As root on the host of the sandboxes"
                + (stuck.size() > MAX_NAMED ? ", for the first of them" : "") + ": rm -rf --one-file-system "
                + String.join(" ", named);
    }

    private Path directory(Trash trash) {
        return trash.failed() ? layout.failedTrash(trash.home()) : layout.trash(trash.home());
    }

    private void next() {
        removals.expire();
        synchronized (this) {
            if (taking) {
                // By a caller of this one, whose request failed at once, or by another thread: it takes what waits now.
                return;
            }
            taking = true;
        }
        for (Trash trash = take(); trash != null; trash = take()) {
            Trash taken = trash;
            removals.begin(taken.account(), () -> removal(taken), this::next);
        }
        report();
    }

    /** The next to be emptied; null when there is none for now, after which the caller no longer takes. */
    private synchronized Trash take() {
        for (Iterator<Trash> i = waiting.iterator(); removals.hasRoom() && i.hasNext(); ) {
            Trash trash = i.next();
            if (!removals.isRunning(trash.account())) {
                // What an account under way waits for may be this: what came into it behind the helper's back is still
                // there at its end.
                i.remove();
                if (!isKept(trash) && removals.isDue(trash.account())) {
                    return trash;
                }
            }
        }
        taking = false;
        return null;
    }

    /** Ends well also where what cannot be removed was set aside: then only this directory waits, and not its account. */
    private CompletableFuture<Void> removal(Trash trash) {
        return accounts.remove(trash.account(), directory(trash))
                .handle((done, e) -> Causes.of(e))
                .thenCompose(cause -> {
                    if (cause == null) {
                        removed(trash);
                        return CompletableFuture.completedFuture(null);
                    }
                    if (!isLasting(cause)) {
                        return CompletableFuture.failedFuture(cause);
                    }
                    if (trash.failed()) {
                        isStuck(trash, cause);
                        return CompletableFuture.completedFuture(null);
                    }
                    return accounts.renameAway(trash.account(), directory(trash), place(trash))
                            .handle((done, refused) -> {
                                isStuck(
                                        refused == null ? new Trash(trash.account(), trash.home(), true) : trash,
                                        cause);
                                return null;
                            });
                });
    }

    /** Whether another try would find the same; a helper or file system that is busy or away passes. */
    private static boolean isLasting(Throwable cause) {
        return cause instanceof AccountCommandException known
                && !(known instanceof DiskFullException)
                && (known.code() == Code.FAILED || known.code() == Code.REFUSED);
    }

    private synchronized Path place(Trash trash) {
        return layout.failedTrash(trash.home()).resolve(clock.instant().toEpochMilli() + "-" + moved++);
    }

    /** What joins others that wait for their next try waits with them. */
    private synchronized void isStuck(Trash trash, Throwable cause) {
        if (!isKept(trash)) {
            Stuck before = stuck.get(trash);
            int failures = before == null ? 1 : before.failures() + 1;
            stuck.put(
                    trash,
                    new Stuck(
                            cause.getMessage(),
                            failures,
                            nanoTime.getAsLong() + LASTING.after(failures).toNanos()));
            reportStuck = true;
        }
    }

    private synchronized void removed(Trash trash) {
        if (!isKept(trash)) {
            stuck.remove(trash);
        }
    }

    private synchronized boolean isKept(Trash trash) {
        Stuck now = stuck.get(trash);
        return now != null && now.next() - nanoTime.getAsLong() > 0;
    }

    /** Once for each pass. */
    private void report() {
        String lasting;
        synchronized (this) {
            if (!reportStuck || removals.running() > 0 || !waiting.isEmpty()) {
                return;
            }
            lasting = advice();
            reportStuck = false;
        }
        if (!lasting.isEmpty()) {
            log.warn("{}. It is tried again after pauses that grow up to a day", lasting);
        }
    }
}
