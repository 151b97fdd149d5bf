package org.gelato.ce.core.command;

import java.nio.file.Path;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.gelato.ce.core.account.UnusedAccounts;
import org.gelato.ce.core.fixture.BadMembers;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.sandbox.SandboxStore;

/** Trash directories of homes that hang, or that the helper can't empty: eight that hung stopped all others. */
class FailingTrashTest extends BadMembers {
    private static final List<SandboxStore.Home> HOMES = IntStream.range(0, 20)
            .mapToObj(i -> new SandboxStore.Home("user" + (10 + i), Path.of("/sandbox/dteam/home" + i)))
            .toList();

    private final Set<String> emptied = new HashSet<>();
    private final TrashRemover trash = new TrashRemover(
            new UnusedAccounts() {
                @Override
                public CompletableFuture<Void> remove(String account, Path tree) {
                    return outcome(account, () -> {
                        emptied.add(account);
                        return CompletableFuture.completedFuture(null);
                    });
                }

                @Override
                public CompletableFuture<Void> renameAway(String account, Path from, Path to) {
                    return outcome(account, () -> CompletableFuture.completedFuture(null));
                }
            },
            new SandboxLayout(Path.of("/sandbox")),
            Clock.systemUTC(),
            nanos::get);

    @Override
    protected Set<String> members() {
        Set<String> accounts = new TreeSet<>();
        HOMES.forEach(home -> accounts.add(home.account()));
        return accounts;
    }

    @Override
    protected void round() {
        trash.sweep(HOMES, false);
    }

    @Override
    protected Set<String> done() {
        return emptied;
    }
}
