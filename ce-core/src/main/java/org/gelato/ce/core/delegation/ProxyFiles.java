package org.gelato.ce.core.delegation;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.sandbox.SandboxLayout;

/**
 * Files of proxies and tokens: where they lie; written and removed as their account. Every wait is bounded; callers hold no database connection
 * meanwhile. Work without a result in time may still be done later.
 */
public final class ProxyFiles {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MODE = 0600;

    private final SandboxLayout layout;
    private final AccountCommands accounts;
    private final Duration patience;

    public ProxyFiles(SandboxLayout layout, AccountCommands accounts) {
        this(layout, accounts, PATIENCE);
    }

    ProxyFiles(SandboxLayout layout, AccountCommands accounts, Duration patience) {
        this.layout = layout;
        this.accounts = accounts;
        this.patience = patience;
    }

    /** Where a proxy that a caller delegates lies. */
    Path proxy(Caller caller, String name) {
        return directory(caller).resolve(name);
    }

    /** Where a token that a caller delegates lies. */
    Path token(Caller caller, String name) {
        return layout.tokenFile(directory(caller), name);
    }

    private Path directory(Caller caller) {
        return layout.proxies(layout.home(caller.identity().owner(), caller.account()));
    }

    /**
     * Writes a file whole, 0600.
     *
     * @param firstTime whether its directory may be absent; one that went missing is made again anyway
     * @throws IOException when it was not written, or not in time
     */
    void write(String account, Path file, byte[] content, boolean firstTime) throws IOException {
        FileContent whole = new FileContent(file, MODE, content);
        CompletableFuture<Void> done = firstTime ? makeAndPut(account, whole) : putOrMake(account, whole);
        await(done, "proxy file " + file + " was not written as " + account);
    }

    /** Begins to write a file as {@link #write} does for the first time, and waits for nothing. */
    CompletableFuture<Void> begin(String account, Path file, byte[] content) {
        return makeAndPut(account, new FileContent(file, MODE, content));
    }

    /**
     * Removes files of one account that lie in one directory; absent ones are fine.
     *
     * @throws IOException when the helper failed, or not in time
     */
    void remove(String account, Path directory, List<String> names) throws IOException {
        await(removal(account, directory, names), "proxy files in " + directory + " were not removed as " + account);
    }

    /** Begins to remove files as {@link #remove} does, and waits for nothing. */
    CompletableFuture<Void> removal(String account, Path directory, List<String> names) {
        return accounts.discard(account, directory, names);
    }

    private CompletableFuture<Void> makeAndPut(String account, FileContent whole) {
        return accounts.makeDirectory(account, whole.path().getParent())
                .thenCompose(made -> accounts.put(account, whole));
    }

    private CompletableFuture<Void> putOrMake(String account, FileContent whole) {
        return accounts.put(account, whole)
                .exceptionallyCompose(why -> cause(why) instanceof AccountCommandException e && mayLackDirectory(e)
                        ? makeAndPut(account, whole)
                        : CompletableFuture.failedFuture(why));
    }

    private static boolean mayLackDirectory(AccountCommandException e) {
        return e.code() == AccountCommandException.Code.NO_SUCH_FILE || e.code() == AccountCommandException.Code.FAILED;
    }

    private void await(CompletableFuture<Void> work, String failure) throws IOException {
        try {
            work.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable why = cause(e);
            throw new IOException(failure + ": " + why.getMessage(), why);
        } catch (TimeoutException e) {
            throw new IOException(failure + ": no response within " + patience.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(failure + ": interrupted", e);
        }
    }

    private static Throwable cause(Throwable e) {
        return e.getCause() == null ? e : e.getCause();
    }
}
