package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
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
        List<String> queues,
        Duration pollInterval,
        Duration commandTimeout,
        HandOverLimits handOver,
        LrmsSite site,
        String identity) {
    private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private static final Pattern IDENTITY = Pattern.compile("[^\\p{Cntrl}]{0," + BatchSystemInstance.LONGEST + "}");

    private static final String HAND_OVER = "gelato.lrms.hand-over.";

    /** @param shared whether worker nodes see the sandboxes */
    static LrmsConfig read(ConfigReader r, boolean shared) {
        LrmsType chosen = r.known("gelato.lrms.kind", LrmsTypes::named, "one of " + LrmsTypes.names());
        Duration timeout = r.duration("gelato.lrms.command-timeout", Duration.ofSeconds(1), Duration.ofHours(1));
        LrmsSite site = null;
        for (LrmsType type : LrmsTypes.all()) {
            LrmsSite read = type.read(r, new LrmsType.Common(type == chosen, timeout, shared));
            site = type == chosen ? read : site;
        }
        return new LrmsConfig(
                chosen.name(),
                r.texts(
                        "gelato.lrms.queues",
                        QUEUE,
                        "a list of different queue names of letters, digits, dots, dashes and underscores"),
                r.duration("gelato.lrms.poll-interval", Duration.ofSeconds(1), Duration.ofHours(1)),
                timeout,
                handOver(r, site),
                site,
                r.text(
                        "gelato.lrms.identity",
                        IDENTITY,
                        "a line of up to " + BatchSystemInstance.LONGEST + " printable characters"));
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

    private static HandOverLimits handOver(ConfigReader r, LrmsSite site) {
        int most = r.number(HAND_OVER + "most-at-once", 0, 300);
        return new HandOverLimits(
                most == 0 && site != null ? site.handOversAtOnce() : Math.max(1, most),
                r.duration(HAND_OVER + "slowest-answer", Duration.ofMillis(100), Duration.ofHours(1)),
                r.number(HAND_OVER + "most-queued", -1, 1_000_000_000),
                r.duration(HAND_OVER + "probe-interval", Duration.ofMillis(100), Duration.ofHours(1)));
    }
}
