package org.gelato.ce.ws.token;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys that the issuer publishes. They are fetched in the background, and count while the issuer does not answer for a bounded
 * time; a copy on disk outlives a restart. There is one fetch at a time, and one a minute at most; a request that needs its
 * result waits for it on no more than a few threads.
 */
final class DiscoveredKeys implements IssuerKeys {
    /** Fetches an issuer's key set; {@link KeyFetcher}. */
    @FunctionalInterface
    interface Fetch {
        byte[] fetch(String issuer) throws IOException, InterruptedException;
    }

    private static final Logger log = LoggerFactory.getLogger(DiscoveredKeys.class);
    private static final Duration BETWEEN = Duration.ofMinutes(1);
    /** Threads that serve requests are few, and issuers may be slow. Anybody can send what looks like a token of an issuer. */
    static final int MAX_WAITING = 8;

    private static final int MAX_WAITING_FOR_ONE = MAX_WAITING / 2;

    private final String issuer;
    private final Fetch fetcher;
    private final Executor executor;
    private final TokenSettings settings;
    private final Clock clock;
    private final KeyCopy copy;
    private final AtomicLong failures = new AtomicLong();
    private final Semaphore waiting = new Semaphore(MAX_WAITING_FOR_ONE);
    private final Semaphore waitingForAny;

    private volatile KeyCopy.CachedKeys kept;
    private volatile String problem;
    /** Under this object's lock. */
    private CompletableFuture<Void> underWay;

    private Instant lastTry = Instant.MIN;

    /**
     * @param executor for fetches
     * @param waitingForAny {@value #MAX_WAITING} places that all issuers share, for requests that wait
     */
    DiscoveredKeys(
            String issuer,
            Fetch fetcher,
            Executor executor,
            Semaphore waitingForAny,
            TokenSettings settings,
            Clock clock) {
        this.issuer = issuer;
        this.fetcher = fetcher;
        this.executor = executor;
        this.waitingForAny = waitingForAny;
        this.settings = settings;
        this.clock = clock;
        this.copy = new KeyCopy(settings.keyDirectory(), issuer);
        Instant now = clock.instant();
        kept = copy.read()
                .filter(k -> !k.fetched().isAfter(now.plus(TokenClaims.SKEW)))
                .orElse(null);
        start();
    }

    @Override
    public KeySet keysFor(String keyId) throws TokenRefusal {
        KeySet keys = present();
        if (keys != null && keys.names(keyId)) {
            return keys;
        }
        CompletableFuture<Void> fetch = start();
        boolean known = fetch == null || await(fetch);
        keys = present();
        if (keys == null || (!known && !keys.names(keyId))) {
            throw new TokenRefusal(
                    TokenRefusal.Kind.KEYS_UNAVAILABLE,
                    "iss",
                    "the issuer's keys can't be fetched now: try again in a minute");
        }
        return keys;
    }

    @Override
    public KeySet newerThan(KeySet tried) {
        CompletableFuture<Void> fetch = start();
        KeySet keys = fetch != null && await(fetch) ? present() : null;
        return keys == null ? tried : keys;
    }

    /** Whether the fetch ended. */
    private boolean await(CompletableFuture<Void> fetch) {
        if (fetch.isDone()) {
            return true;
        }
        if (!waiting.tryAcquire()) {
            return false;
        }
        if (!waitingForAny.tryAcquire()) {
            waiting.release();
            return false;
        }
        try {
            fetch.get(settings.fetchTimeout().toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } finally {
            waitingForAny.release();
            waiting.release();
        }
    }

    @Override
    public KeySet present() {
        KeyCopy.CachedKeys k = kept;
        return k == null || clock.instant().isAfter(k.fetched().plus(settings.keepKeys())) ? null : k.keys();
    }

    @Override
    public void tick() {
        KeyCopy.CachedKeys k = kept;
        if (k == null
                || problem != null
                || !clock.instant().isBefore(k.fetched().plus(settings.refresh()))) {
            start();
        }
    }

    /** The fetch under way, or a new one; null when the last one is less than a minute ago. */
    private synchronized CompletableFuture<Void> start() {
        if (underWay != null) {
            return underWay;
        }
        Instant now = clock.instant();
        if (now.isBefore(lastTry.equals(Instant.MIN) ? now : lastTry.plus(BETWEEN))) {
            return null;
        }
        lastTry = now;
        CompletableFuture<Void> fetch = new CompletableFuture<>();
        underWay = fetch;
        try {
            executor.execute(() -> {
                try {
                    fetch();
                } finally {
                    synchronized (this) {
                        underWay = null;
                    }
                    fetch.complete(null);
                }
            });
        } catch (RuntimeException | Error e) {
            // No thread for it: the next try is not to wait for this one.
            underWay = null;
            failed(e);
            fetch.complete(null);
        }
        return fetch;
    }

    private void fetch() {
        try {
            Instant now = clock.instant();
            byte[] text = fetcher.fetch(issuer);
            KeySet fresh = KeySet.parse(text, issuer);
            KeyCopy.CachedKeys before = kept;
            boolean same = before != null && before.keys().equals(fresh);
            // The same object for the same keys: what was verified with it stays verified.
            kept = new KeyCopy.CachedKeys(same ? before.keys() : fresh, now);
            if (!same || problem != null) {
                log.info("{} keys of {} fetched", fresh.keys().size(), issuer);
            }
            problem = null;
            copy.write(text, now);
        } catch (IOException | RuntimeException | Error e) {
            failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void failed(Throwable e) {
        failures.incrementAndGet();
        String why = Messages.of(e);
        if (problem == null) {
            KeyCopy.CachedKeys k = kept;
            log.warn(
                    "the keys of {} can't be fetched, {}; tried again every minute: {}",
                    issuer,
                    k == null ? "none of its tokens is accepted" : "those of " + k.fetched() + " count meanwhile",
                    why);
        }
        problem = why;
    }

    @Override
    public Optional<Duration> age() {
        return Optional.ofNullable(kept).map(k -> Duration.between(k.fetched(), clock.instant()));
    }

    @Override
    public long failures() {
        return failures.get();
    }

    @Override
    public String problem() {
        return problem;
    }
}
