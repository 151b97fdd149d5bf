package org.gelato.ce.core.command;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.gelato.ce.core.account.AccountCommands;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties trash directories in the background: one request for all a directory holds, however many sandboxes that is, and few
 * at a time, as each costs the helper descriptors. Keeps nothing: what a failure or a crash leaves is found by the next sweep
 * or start, which add every directory there is. For any thread.
 */
public final class TrashRemover {
    private static final Logger log = LoggerFactory.getLogger(TrashRemover.class);
    private static final int AT_ONCE = 8;

    private final AccountCommands accounts;
    private final Set<Trash> waiting = new LinkedHashSet<>();
    private final Set<Trash> underWay = new HashSet<>();

    private record Trash(String account, Path directory) {}

    public TrashRemover(AccountCommands accounts) {
        this.accounts = accounts;
    }

    /**
     * Removes what is in a trash directory, and it. What comes into it while it is emptied may be removed too; what comes
     * after this call is removed after the next.
     */
    public void empty(String account, Path directory) {
        synchronized (this) {
            waiting.add(new Trash(account, directory));
        }
        next();
    }

    private void next() {
        for (Trash trash = take(); trash != null; trash = take()) {
            Trash taken = trash;
            accounts.remove(taken.account(), taken.directory()).whenComplete((done, e) -> {
                if (e != null) {
                    log.warn("{} not emptied yet, left to the next sweep: {}", taken.directory(), e.toString());
                }
                synchronized (this) {
                    underWay.remove(taken);
                }
                next();
            });
        }
    }

    private synchronized Trash take() {
        for (Iterator<Trash> i = waiting.iterator(); underWay.size() < AT_ONCE && i.hasNext(); ) {
            Trash trash = i.next();
            // One that is being emptied waits for its end: what came into it behind the helper's back is still there
            // then.
            if (underWay.add(trash)) {
                i.remove();
                return trash;
            }
        }
        return null;
    }
}
