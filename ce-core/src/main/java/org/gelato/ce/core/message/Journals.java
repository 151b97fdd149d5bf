package org.gelato.ce.core.message;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.sandbox.SandboxStore;

/** The files by which jobs and the CE exchange messages in the jobs' sandboxes. Does not block, but where it reads places. Thread-safe. */
public final class Journals {
    private final SandboxStore sandboxes;
    private final AccountCommands accounts;
    private final boolean visible;

    /**
     * @param visible whether the CE sees the sandboxes of running jobs; elsewhere there is nothing to read or write
     */
    public Journals(SandboxStore sandboxes, AccountCommands accounts, boolean visible) {
        this.sandboxes = sandboxes;
        this.accounts = accounts;
        this.visible = visible;
    }

    boolean areVisible() {
        return visible;
    }

    /** Sandboxes by row number of their jobs; those of purged ones are missing. */
    Map<Integer, SandboxStore.Place> places(Collection<Integer> jobs) {
        return sandboxes.of(jobs);
    }

    /** Writes the file that the wrapper looks for: its output is wanted. */
    CompletableFuture<Void> requestOutput(SandboxStore.Place place) {
        return accounts.put(
                place.account(), new AccountCommands.FileContent(place.sandbox().resolve("live"), 0600, new byte[0]));
    }

    /** Reads at most so many bytes from an offset on. */
    CompletableFuture<AccountCommands.FilePart> read(SandboxStore.Place place, long offset, int most) {
        return accounts.get(place.account(), place.sandbox().resolve("messages"), offset, most);
    }
}
