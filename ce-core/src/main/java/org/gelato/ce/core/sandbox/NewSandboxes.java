package org.gelato.ce.core.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;

/** The sandboxes of jobs that are being registered: where they lie, and those their clients upload into. Thread-safe. */
public final class NewSandboxes {
    private static final Duration WAIT = Duration.ofSeconds(30);

    private final JobNumbers numbers;
    private final SandboxLayout layout;
    private final AccountCommands accounts;

    public NewSandboxes(JobNumbers numbers, SandboxLayout layout, AccountCommands accounts) {
        this.numbers = numbers;
        this.layout = layout;
        this.accounts = accounts;
    }

    /** The id of a row, which may not exist. */
    public JobId id(int row) {
        return numbers.id(row);
    }

    /** The directory above the sandboxes of an owner's jobs under one account. */
    public Path home(Owner owner, String account) {
        return layout.home(owner, account);
    }

    /** Where the sandbox of a job lies; it need not be there. */
    public Path of(Path home, JobId id) {
        return layout.sandbox(home, id);
    }

    /**
     * Makes a sandbox with the directory that its client uploads into, and waits for that; one that is there is fine.
     *
     * @throws ExecutionException when the helper failed
     * @throws TimeoutException when it was not made within 30 seconds; it may still be made later
     */
    public void make(String account, Path sandbox) throws ExecutionException, TimeoutException, InterruptedException {
        accounts.makeDirectory(account, sandbox.resolve("ISB")).get(WAIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Removes the sandbox of a job that is gone; does not wait. */
    public void remove(String account, Path sandbox) {
        accounts.remove(account, sandbox);
    }
}
