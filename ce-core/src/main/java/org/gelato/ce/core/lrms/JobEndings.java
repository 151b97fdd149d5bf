package org.gelato.ce.core.lrms;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.event.WrapperEvent;
import org.gelato.ce.core.job.ClaimStore;

/**
 * What is known about a job's end when the batch system says it ended and no event came: the exit record in the sandbox, the
 * last witness, and the claim, which names the hand-over that really ran. Wrappers that do not see the sandbox leave no
 * record, and their claim is in the database; both are always asked, for a job keeps its wrapper when the configuration
 * changes. Blocks its caller, the poller.
 */
final class JobEndings {
    private static final Duration WAIT = Duration.ofSeconds(30);

    private final Database database;
    private final AccountCommands accounts;
    private final ClaimStore claims = new ClaimStore();

    JobEndings(Database database, AccountCommands accounts) {
        this.database = database;
        this.accounts = accounts;
    }

    /** The exit record; empty when the wrapper left none. */
    Optional<WrapperEvent> exitRecord(String account, Path sandbox) throws InterruptedException {
        return read(account, sandbox.resolve("exit")).flatMap(WrapperEvent::parse);
    }

    /** The LRMS id of the wrapper that claimed the job; empty when none did or it is not told. */
    Optional<String> claimedBy(int row, String account, Path sandbox) throws InterruptedException {
        Optional<String> stored = database.read(h -> claims.lrmsId(h, row));
        return stored.isPresent() ? stored : claimedIn(account, sandbox);
    }

    private Optional<String> claimedIn(String account, Path sandbox) throws InterruptedException {
        return read(account, sandbox.resolve("claim").resolve("owner"))
                .flatMap(bytes -> new String(bytes, StandardCharsets.UTF_8)
                        .lines()
                        .filter(l -> l.startsWith("lrmsid="))
                        .map(l -> l.substring("lrmsid=".length()).strip())
                        .filter(id -> !id.isEmpty() && id.length() <= 64)
                        .findFirst());
    }

    /**
     * @throws UndecidedException when the file could not be looked for
     */
    private Optional<byte[]> read(String account, Path file) throws InterruptedException {
        try {
            return Optional.of(accounts.get(account, file, 0, WrapperEvent.MAX_BYTES + 1)
                    .get(WAIT.toMillis(), TimeUnit.MILLISECONDS)
                    .content());
        } catch (ExecutionException | CompletionException e) {
            if (e.getCause() instanceof AccountCommandException a
                    && a.code() == AccountCommandException.Code.NO_SUCH_FILE) {
                return Optional.empty();
            }
            throw new UndecidedException("cannot read " + file + ": " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new UndecidedException("no answer about " + file, e);
        }
    }

    /** Nothing can be said now; ask again at the next poll. */
    static final class UndecidedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UndecidedException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
