package org.gelato.ce.core.delegation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.UnusedAccounts;

/** Files of accounts in memory; a put can be made to fail or to wait. */
final class FakeAccounts extends UnusedAccounts {
    final Map<Path, FileContent> files = new ConcurrentHashMap<>();
    final Map<Path, String> ownerOf = new ConcurrentHashMap<>();
    final List<Path> directories = new ArrayList<>();
    final AtomicInteger puts = new AtomicInteger();

    /** Runs before a put takes effect; the future it answers must complete first. */
    volatile Function<FileContent, CompletableFuture<Void>> beforePut = file -> CompletableFuture.completedFuture(null);

    volatile RuntimeException discardFailure;

    @Override
    public CompletableFuture<Void> makeDirectory(String account, Path directory) {
        synchronized (directories) {
            directories.add(directory);
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> put(String account, FileContent file) {
        puts.incrementAndGet();
        synchronized (directories) {
            if (!directories.contains(file.path().getParent())) {
                return CompletableFuture.failedFuture(new AccountCommandException(
                        AccountCommandException.Code.NO_SUCH_FILE,
                        "no directory " + file.path().getParent()));
            }
        }
        return beforePut.apply(file).thenRun(() -> {
            files.put(file.path(), file);
            ownerOf.put(file.path(), account);
        });
    }

    @Override
    public CompletableFuture<Void> discard(String account, Path directory, List<String> names) {
        if (discardFailure != null) {
            return CompletableFuture.failedFuture(discardFailure);
        }
        names.forEach(name -> files.remove(directory.resolve(name)));
        return CompletableFuture.completedFuture(null);
    }
}
