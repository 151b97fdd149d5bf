package org.gelato.ce.ws.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.FileEntry;
import org.gelato.ce.core.account.AccountCommands.FilePart;
import org.gelato.ce.core.account.AccountCommands.FileVersion;
import org.gelato.ce.core.account.AccountCommands.Tree;
import org.gelato.ce.core.account.NotPlainFileException;

/**
 * Reads and writes sandbox files through the helper, at most {@link #PART} bytes at a time. Waits for each response, but not
 * for ever. Thread-safe.
 */
final class SandboxFiles {
    /** Bytes moved at once: the helper's largest piece. */
    static final int PART = 1 << 20;

    /** Most files in a list. */
    static final int MAX_FILES = 10_000;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AccountCommands accounts;

    SandboxFiles(AccountCommands accounts) {
        this.accounts = accounts;
    }

    /** The file changed while it was read, or cannot be read on; the response had already begun. */
    static final class Broken extends IOException {
        private static final long serialVersionUID = 1L;

        Broken(String message, Throwable cause) {
            super(message, cause);
        }
    }

    List<FileEntry> list(String account, Path directory) {
        return await(accounts.list(account, directory, MAX_FILES));
    }

    /**
     * What lies below a directory; nothing when there is no such directory.
     *
     * @param depth levels
     */
    Tree tree(String account, Path directory, int depth) {
        return directory(account, directory, depth).orElse(Tree.EMPTY);
    }

    /** The same; empty when no directory has the name. */
    Optional<Tree> directory(String account, Path directory, int depth) {
        try {
            return Optional.of(await(accounts.tree(account, directory, depth, MAX_FILES)));
        } catch (AccountCommandException e) {
            if (e.code() == Code.NO_SUCH_FILE) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Whether a regular file has the name; a directory of that name is none. */
    boolean isFile(String account, Path file) {
        try {
            return stat(account, file).isPresent();
        } catch (NotPlainFileException e) {
            return false;
        }
    }

    /** Removes a directory with all that lies below it; an absent one is fine. */
    void removeTree(String account, Path directory) {
        await(accounts.remove(account, directory));
    }

    /** Size and version; empty for an absent file. */
    Optional<FileVersion> stat(String account, Path file) {
        try {
            return Optional.of(await(accounts.stat(account, file)));
        } catch (AccountCommandException e) {
            if (e.code() == Code.NO_SUCH_FILE) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** At most as many bytes as wanted, and not more than {@link #PART}. */
    byte[] read(String account, Path file, long offset, long wanted) {
        byte[] content =
                await(accounts.get(account, file, offset, most(wanted))).content();
        return content.length <= wanted ? content : Arrays.copyOf(content, (int) wanted);
    }

    private static int most(long wanted) {
        return (int) Math.max(1, Math.min(PART, wanted));
    }

    /** The same without waiting for it; fails when it takes too long. */
    CompletableFuture<FilePart> piece(String account, Path file, long offset, long wanted) {
        return accounts.get(account, file, offset, most(wanted))
                .copy()
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The next piece of a file that has been begun; never empty. */
    byte[] readOn(String account, Path file, long at, long to) throws Broken {
        byte[] content;
        try {
            content = read(account, file, at, to - at);
        } catch (RuntimeException e) {
            throw new Broken("cannot read on at byte " + at, e);
        }
        if (content.length == 0) {
            throw new Broken("the file became shorter than " + at + " bytes", null);
        }
        return content;
    }

    /** Adds bytes at the end, which must be at the offset. */
    void append(String account, Path file, long offset, byte[] bytes) {
        await(accounts.append(account, file, offset, bytes));
    }

    void finish(String account, Path part, Path file, long size) {
        await(accounts.finish(account, part, file, size));
    }

    void discard(String account, Path file) {
        await(accounts.discard(
                account, file.getParent(), List.of(file.getFileName().toString())));
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException runtime) {
                throw runtime;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new AccountCommandException(Code.BUSY, "no response within " + PATIENCE.toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AccountCommandException(Code.BUSY, "the CE is stopping");
        }
    }
}
