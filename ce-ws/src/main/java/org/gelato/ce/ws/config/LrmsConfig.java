package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.command.HandOverLimits;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.lrms.BatchSystemInstance;
import org.gelato.ce.core.lrms.type.LrmsSite;
import org.gelato.ce.core.lrms.type.LrmsType;
import org.gelato.ce.core.lrms.type.LrmsTypes;

/**
 * The batch system.
 *
 * @param kind which one
 * @param queues queues or partitions that may be used; never empty, the first is the default
 * @param pollInterval time between two polls
 * @param handOver bounds for what it is given at once
 * @param commandTimeout after which one of its commands is killed
 * @param site how it is reached
 * @param identity what tells it from others of its kind; empty for what it says of itself
 */
public record LrmsConfig(
        String kind,

        @Key(
                form = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}",
                accepted = "a list of different queue names of letters, digits, dots, dashes and underscores")
        List<String> queues,

        @Key(min = "1 s", max = "1 h") Duration pollInterval,
        @Key(min = "1 s", max = "1 h") Duration commandTimeout,
        HandOverLimits handOver,
        LrmsSite site,

        @Key(
                form = "[^\\p{Cntrl}]{0," + BatchSystemInstance.LONGEST + "}",
                accepted = "a line of up to " + BatchSystemInstance.LONGEST + " printable characters")
        String identity) {
    /** What the others need of it. */
    private record Common(@Key(min = "1 s", max = "1 h") Duration commandTimeout) {}

    /** @param shared whether worker nodes see the sandboxes */
    static LrmsConfig read(Binder r, boolean shared) {
        LrmsType chosen = r.known("gelato.lrms.kind", LrmsTypes::named, "one of " + LrmsTypes.names());
        Duration timeout = r.read("gelato.lrms", Common.class).commandTimeout();
        LrmsSite site = null;
        for (LrmsType type : LrmsTypes.all()) {
            LrmsSite read = type.read(r, new LrmsType.Common(type == chosen, timeout, shared));
            site = type == chosen ? read : site;
        }
        HandOverLimits limits =
                r.read("gelato.lrms.hand-over", HandOverLimits.class, HandOverLimits.DEFAULT.slowestResponse());
        if (limits.mostAtOnce() == 0) {
            limits = new HandOverLimits(
                    site.handOversAtOnce(), limits.slowestResponse(), limits.mostQueued(), limits.probeInterval());
        }
        return r.read("gelato.lrms", LrmsConfig.class, chosen.name(), limits, site);
    }

    /**
     * Which batch system it is, by the configuration or by itself.
     *
     * @param name as in the names of its queues
     * @param own what it says itself
     * @return empty where it cannot be told; fails where a command of it fails
     */
    public CompletableFuture<Optional<BatchSystemInstance>> instance(
            String name, CompletableFuture<Optional<String>> own) {
        return (identity.isEmpty() ? own : CompletableFuture.completedFuture(Optional.of(identity)))
                .thenApply(text -> text.map(one -> new BatchSystemInstance(name, one)));
    }

    /** Asks the batch system itself which one it is; empty where the helper has no line for the command of that. */
    public Supplier<CompletableFuture<Optional<String>>> identity(Path home, AccountCommands accounts) {
        return () -> site.identity(accounts, state(home)).exceptionally(LrmsConfig::withoutLine);
    }

    private static Optional<String> withoutLine(Throwable failure) {
        if (Causes.of(failure) instanceof AccountCommandException refused
                && refused.code() == AccountCommandException.Code.REFUSED) {
            return Optional.empty();
        }
        throw new CompletionException(Causes.of(failure));
    }

    /** Where it keeps what is neither in itself nor in the database. */
    public Path state(Path home) {
        return home.resolve(kind);
    }
}
