package org.gelato.ce.core.delegation;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.MemoryAccounts;

/** Files in memory below directories that must have been made; a put can be made to fail or to wait. */
final class GuardedAccounts extends MemoryAccounts {
    final Map<Path, String> ownerOf = new ConcurrentHashMap<>();
    final Set<Path> directories = ConcurrentHashMap.newKeySet();
    final AtomicInteger puts = new AtomicInteger();

    /** Runs before a put takes effect; the future it returns must complete first. */
    volatile Function<FileContent, CompletableFuture<Void>> beforePut = file -> CompletableFuture.completedFuture(null);

    volatile RuntimeException discardFailure;
    /** The account whose removals get no result; null for none. */
    volatile String hangingDiscards;
    /** Runs before files are removed. */
    volatile Runnable beforeDiscard = () -> {};

    @Override
    public CompletableFuture<Void> makeDirectory(String account, Path directory) {
        directories.add(directory);
        return super.makeDirectory(account, directory);
    }

    @Override
    public CompletableFuture<Void> put(String account, FileContent file) {
        puts.incrementAndGet();
        Path parent = file.path().getParent();
        if (!directories.contains(parent)) {
            return CompletableFuture.failedFuture(
                    new AccountCommandException(AccountCommandException.Code.NO_SUCH_FILE, "no directory " + parent));
        }
        return beforePut
                .apply(file)
                .thenCompose(ready -> super.put(account, file))
                .thenRun(() -> ownerOf.put(file.path(), account));
    }

    @Override
    public CompletableFuture<Void> discard(String account, Path directory, List<String> names) {
        beforeDiscard.run();
        if (account.equals(hangingDiscards)) {
            return new CompletableFuture<>();
        }
        return discardFailure == null
                ? super.discard(account, directory, names)
                : CompletableFuture.failedFuture(discardFailure);
    }
}
