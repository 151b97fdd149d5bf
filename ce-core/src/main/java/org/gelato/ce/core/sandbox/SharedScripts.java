package org.gelato.ce.core.sandbox;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.base.ByteBoundedCache;
import org.gelato.ce.core.base.CacheShare;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.wrapper.CommonPart;
import org.gelato.ce.core.wrapper.JobWrapper;
import org.gelato.ce.core.wrapper.WrapperSettings;
import org.gelato.ce.description.JobRequest;

/**
 * Scripts whose common part is a file in their owner's home, read by worker nodes that see it
 * (docs/developer/decisions/0072-job-wrapper-script.md). The account writes the file, read-only, whole or not at all
 * and synced, before the first script that names it is given out. Its name is its hash, so that CEs of several versions use
 * one home; its directory is the month, so that old ones can be removed without a record of who used them. An owner who
 * changes or removes the file makes their own jobs fail, until it is checked again. Remembers in bounded memory what was checked;
 * a crash costs a check.
 */
public final class SharedScripts implements JobScripts {
    private static final Duration CHECKED_FOR = Duration.ofHours(1);
    private static final int READ_ONLY = 0400;

    private final AccountCommands accounts;
    private final SandboxLayout layout;
    private final Clock clock;
    private final ByteBoundedCache<Path, Checked> files =
            new ByteBoundedCache<>(CacheShare.SCRIPTS, (file, checked) -> 2 * ByteBoundedCache.weight(file.toString()));

    /** A file that is there when the future has completed. */
    private record Checked(CompletableFuture<Void> there, Instant until) {}

    public SharedScripts(AccountCommands accounts, SandboxLayout layout, Clock clock) {
        this.accounts = accounts;
        this.layout = layout;
        this.clock = clock;
    }

    @Override
    public CompletableFuture<String> of(String account, Path home, JobRequest request, WrapperSettings settings) {
        Path directory = layout.wrappers(home, YearMonth.from(clock.instant().atZone(ZoneOffset.UTC)));
        JobWrapper.Divided divided = JobWrapper.divided(request, settings, directory);
        return there(account, directory.resolve(divided.common().sha256()), divided.common())
                .thenApply(ignored -> divided.script());
    }

    private CompletableFuture<Void> there(String account, Path file, CommonPart common) {
        CompletableFuture<Void> there = new CompletableFuture<>();
        synchronized (this) {
            Instant now = clock.instant();
            Checked known = files.get(file).orElse(null);
            if (known != null && now.isBefore(known.until())) {
                return known.there();
            }
            files.put(file, new Checked(there, now.plus(CHECKED_FOR)));
        }
        // without the lock, which the channel's threads take too
        checked(account, file, common.content()).whenComplete((done, failure) -> {
            if (failure == null) {
                there.complete(null);
            } else {
                forget(file, there);
                there.completeExceptionally(Causes.of(failure));
            }
        });
        return there;
    }

    private synchronized void forget(Path file, CompletableFuture<Void> failed) {
        files.get(file).filter(known -> known.there() == failed).ifPresent(known -> files.remove(file));
    }

    /** A file that is as it should be is not replaced: a node that reads it just then would see it vanish. */
    private CompletableFuture<Void> checked(String account, Path file, byte[] content) {
        try {
            return accounts.get(account, file, 0, content.length + 1)
                    .handle((found, failure) -> failure == null && Arrays.equals(found.content(), content))
                    .thenCompose(same -> same
                            ? CompletableFuture.completedFuture(null)
                            : accounts.put(account, new FileContent(file, READ_ONLY, content)));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
