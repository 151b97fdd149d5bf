package org.gelato.ce.core.sandbox;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.NotPlainFileException;
import org.gelato.ce.core.account.OtherSizeException;
import org.gelato.ce.core.fault.Causes;

/**
 * The claim in a sandbox: the first who makes what has that name may run the job. A wrapper makes a directory; here a file is made,
 * so that no wrapper runs it. Only one of the two can exist, and a repeated call finds its own.
 */
public final class SandboxClaim {
    private static final String NAME = "claim";
    private static final byte[] OURS = "The CE has cancelled this job.\n".getBytes(StandardCharsets.UTF_8);

    private final AccountCommands accounts;

    public SandboxClaim(AccountCommands accounts) {
        this.accounts = accounts;
    }

    /** The file with the batch job of the wrapper that has the claim. */
    public static Path owner(Path sandbox) {
        return sandbox.resolve(NAME).resolve("owner");
    }

    /**
     * Takes a job from all wrappers that do not run it yet; the claim is on the disk then.
     *
     * @return false where a wrapper was faster; fails where that is not known
     */
    public CompletableFuture<Boolean> take(String account, Path sandbox) {
        Path claim = sandbox.resolve(NAME);
        Path begun = sandbox.resolve("." + NAME);
        return accounts.append(account, begun, 0, OURS)
                .handle((size, e) -> {
                    Throwable why = Causes.of(e);
                    if (why instanceof AccountCommandException gone
                            && gone.code() == AccountCommandException.Code.NO_SUCH_FILE) {
                        return CompletableFuture.<Void>completedFuture(
                                null); // nor can a wrapper claim what is not there
                    }
                    return why == null || why instanceof OtherSizeException
                            ? accounts.finish(account, begun, claim, OURS.length)
                            : CompletableFuture.<Void>failedFuture(why);
                })
                .thenCompose(made -> made)
                .handle((made, e) -> e == null
                        ? CompletableFuture.completedFuture(true)
                        : holder(account, sandbox)
                                .thenCompose(holder -> holder.equals(Optional.of(Holder.WRAPPER))
                                        ? CompletableFuture.completedFuture(false)
                                        : CompletableFuture.<Boolean>failedFuture(Causes.of(e))))
                .thenCompose(taken -> taken);
    }

    /** Who has a claim. */
    public enum Holder {
        CE,
        WRAPPER
    }

    /** Who has the claim of a job; empty for nobody, fails where that is not known. */
    public CompletableFuture<Optional<Holder>> holder(String account, Path sandbox) {
        return accounts.stat(account, sandbox.resolve(NAME)).handle((version, e) -> {
            Throwable why = Causes.of(e);
            if (why == null || why instanceof NotPlainFileException) {
                return Optional.of(why == null ? Holder.CE : Holder.WRAPPER);
            }
            if (why instanceof AccountCommandException gone
                    && gone.code() == AccountCommandException.Code.NO_SUCH_FILE) {
                return Optional.empty();
            }
            throw new CompletionException(why);
        });
    }
}
