package org.gelato.ce.core.command;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.DiskFullException;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties trash directories in the background: one request for all a directory holds, however many sandboxes that is, and few
 * at a time, as each costs the helper descriptors. What cannot be removed, as another account owns it, is renamed aside within the
 * home, so that no other purge meets it, and is tried again after an hour, then after pauses that double up to a day. A pass ends when
 * nothing waits; it writes one line about all that failed in it. Stores nothing: what a failure or a crash leaves is found by the next
 * sweep or start, which name every home there is. For any thread.
 */
public final class TrashRemover {
    private static final Logger log = LoggerFactory.getLogger(TrashRemover.class);
    private static final int AT_ONCE = 8;
    private static final Duration FIRST_PAUSE = Duration.ofHours(1);
    private static final Duration LONGEST_PAUSE = Duration.ofDays(1);
    private static final int MOST_NAMED = 5;

    private final AccountCommands accounts;
    private final SandboxLayout layout;
    private final Clock clock;
    private final Set<Trash> waiting = new LinkedHashSet<>();
    private final Set<Trash> underWay = new HashSet<>();
    private final Map<Trash, Stuck> stuck = new LinkedHashMap<>();
    private long setAside;
    private int failed;
    private String firstFailure;
    private boolean reportStuck;
    /** Whether a thread is in {@link #next}. */
    private boolean taking;

    /** @param aside whether it holds what could not be removed before */
    private record Trash(String account, Path home, boolean aside) {}

    private record Stuck(String reason, Duration pause, Instant next) {}

    public TrashRemover(AccountCommands accounts, SandboxLayout layout, Clock clock) {
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
                Trash aside = new Trash(home.account(), home.directory(), true);
                waiting.add(new Trash(home.account(), home.directory(), false));
                if (start || stuck.containsKey(aside)) {
                    waiting.add(aside);
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
        stuck.keySet().stream().limit(MOST_NAMED).forEach(t -> named.add("'" + directory(t) + "'"));
        return "what purged jobs left cannot be removed in " + stuck.size() + " directories; the first: "
                + stuck.values().iterator().next().reason() + ". As root on the host of the sandboxes"
                + (stuck.size() > MOST_NAMED ? ", for the first of them" : "") + ": rm -rf --one-file-system "
                + String.join(" ", named);
    }

    private Path directory(Trash trash) {
        return trash.aside() ? layout.trashAside(trash.home()) : layout.trash(trash.home());
    }

    private void next() {
        synchronized (this) {
            if (taking) {
                // By a caller of this one, whose request failed at once, or by another thread: it takes what waits now.
                return;
            }
            taking = true;
        }
        for (Trash trash = take(); trash != null; trash = take()) {
            Trash taken = trash;
            begun(() -> accounts.remove(taken.account(), directory(taken)))
                    .whenComplete((done, e) -> removed(taken, e));
        }
        report();
    }

    /** The next to be emptied; null when there is none for now, after which the caller no longer takes. */
    private synchronized Trash take() {
        for (Iterator<Trash> i = waiting.iterator(); underWay.size() < AT_ONCE && i.hasNext(); ) {
            Trash trash = i.next();
            Stuck before = stuck.get(trash);
            if (before != null && clock.instant().isBefore(before.next())) {
                i.remove();
            } else if (underWay.add(trash)) {
                // One that is being emptied waits for its end: what came into it behind the helper's back is still
                // there then.
                i.remove();
                return trash;
            }
        }
        taking = false;
        return null;
    }

    private void removed(Trash trash, Throwable e) {
        Throwable cause = Causes.of(e);
        if (!isLasting(cause)) {
            ended(trash, cause);
        } else if (trash.aside()) {
            isStuck(trash, cause);
            ended(trash, null);
        } else {
            begun(() -> accounts.renameAway(trash.account(), directory(trash), place(trash)))
                    .whenComplete((done, refused) -> {
                        isStuck(refused == null ? new Trash(trash.account(), trash.home(), true) : trash, cause);
                        ended(trash, null);
                    });
        }
    }

    /** A request that cannot even be made fails as any other: else it would stay under way for ever. */
    private static CompletableFuture<Void> begun(Supplier<CompletableFuture<Void>> request) {
        try {
            return request.get();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Whether another try would find the same; a helper or file system that is busy or away passes. */
    private static boolean isLasting(Throwable cause) {
        return cause instanceof AccountCommandException known
                && !(known instanceof DiskFullException)
                && (known.code() == Code.FAILED || known.code() == Code.REFUSED);
    }

    private synchronized Path place(Trash trash) {
        return layout.trashAside(trash.home()).resolve(clock.instant().toEpochMilli() + "-" + setAside++);
    }

    /** What joins others that wait for their next try waits with them. */
    private synchronized void isStuck(Trash trash, Throwable cause) {
        Stuck before = stuck.get(trash);
        Instant now = clock.instant();
        if (before != null && now.isBefore(before.next())) {
            return;
        }
        Duration pause = before == null ? FIRST_PAUSE : before.pause().multipliedBy(2);
        pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        stuck.put(trash, new Stuck(cause.getMessage(), pause, now.plus(pause)));
        reportStuck = true;
    }

    private void ended(Trash trash, Throwable passing) {
        synchronized (this) {
            underWay.remove(trash);
            if (passing != null) {
                failed++;
                firstFailure = firstFailure == null ? directory(trash) + ": " + passing : firstFailure;
            } else if (!isKept(trash)) {
                stuck.remove(trash);
            }
        }
        next();
    }

    private boolean isKept(Trash trash) {
        Stuck now = stuck.get(trash);
        return now != null && clock.instant().isBefore(now.next());
    }

    /** Once for each pass. */
    private void report() {
        String passing = null;
        String lasting = null;
        synchronized (this) {
            if (!underWay.isEmpty() || !waiting.isEmpty()) {
                return;
            }
            if (failed > 0) {
                passing = failed + " trash directories are not emptied yet, left to the next sweep; the first: "
                        + firstFailure;
            }
            if (reportStuck) {
                lasting = advice();
            }
            failed = 0;
            firstFailure = null;
            reportStuck = false;
        }
        if (passing != null) {
            log.warn("{}", passing);
        }
        if (lasting != null && !lasting.isEmpty()) {
            log.warn("{}. It is tried again after pauses that grow up to a day", lasting);
        }
    }
}
