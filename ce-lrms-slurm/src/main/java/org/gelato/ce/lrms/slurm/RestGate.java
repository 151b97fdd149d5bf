package org.gelato.ce.lrms.slurm;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For which accounts slurmrestd is used: a circuit breaker for each. One whose slurmrestd can't be used, or left several
 * requests in a row without a response, goes by the commands for ten minutes, with the reason in the log. Accounts are those of
 * the site, so there is a bounded number of entries. For any thread.
 */
final class RestGate {
    private static final Logger log = LoggerFactory.getLogger(RestGate.class);
    private static final Duration PAUSE = Duration.ofMinutes(10);
    private static final Duration BETWEEN_LINES = Duration.ofMinutes(1);
    /** Unanswered requests in a row. */
    private static final int MAX_LOST = 3;

    private final LongSupplier nanos;
    private final boolean fallsBack;
    /** Why the last request of an account could not be sent, where there is no other way, and when. */
    private final Map<String, Trouble> troubles = new ConcurrentHashMap<>();

    /** When slurmrestd last took a request of an account. */
    private final Map<String, Long> worked = new ConcurrentHashMap<>();

    private final Map<String, Long> closedAt = new ConcurrentHashMap<>();
    private final Map<String, Integer> lost = new ConcurrentHashMap<>();
    private final AtomicLong fallbacks = new AtomicLong();
    private final AtomicLong lastLine;

    private record Trouble(String reason, long since) {}

    /** @param fallsBack whether the commands are used where slurmrestd can't be */
    RestGate(LongSupplier nanos, boolean fallsBack) {
        this.nanos = nanos;
        this.fallsBack = fallsBack;
        this.lastLine = new AtomicLong(nanos.getAsLong() - BETWEEN_LINES.toNanos());
    }

    /** Whether the account's next request goes to slurmrestd. */
    boolean isOpen(String account) {
        Long since = closedAt.get(account);
        if (since == null) {
            return true;
        }
        if (nanos.getAsLong() - since < PAUSE.toNanos()) {
            fallbacks.incrementAndGet();
            return false;
        }
        closedAt.remove(account, since);
        return true;
    }

    /** One request was not carried out, and goes by a command where the site allows that. */
    void unusable(String account, RestUnusableException cause) {
        if (!fallsBack) {
            if (cause.scope() == RestUnusableException.Scope.ACCOUNT) {
                worked.remove(account);
                troubles.put(account, new Trouble(cause.getMessage(), nanos.getAsLong()));
            }
            return;
        }
        fallbacks.incrementAndGet();
        if (cause.scope() == RestUnusableException.Scope.ACCOUNT) {
            close(account, cause.getMessage());
            return;
        }
        long now = nanos.getAsLong();
        long last = lastLine.get();
        if (now - last >= BETWEEN_LINES.toNanos() && lastLine.compareAndSet(last, now)) {
            log.warn("A request for {} goes to Slurm by a command: {}", account, cause.getMessage());
        }
    }

    /** slurmrestd took a request of the account. */
    void works(String account) {
        worked.put(account, nanos.getAsLong());
        troubles.remove(account);
    }

    /**
     * Why slurmrestd is of no use to any account that needed it lately; empty where it is to one, or none did. One account alone is no
     * trouble of the site once slurmrestd has worked for another.
     */
    Optional<String> trouble() {
        long now = nanos.getAsLong();
        troubles.values().removeIf(trouble -> now - trouble.since() >= PAUSE.toNanos());
        boolean ofOne = troubles.size() == 1 && !worked.isEmpty();
        return ofOne || anyWorks(now)
                ? Optional.empty()
                : troubles.values().stream().map(Trouble::reason).findFirst();
    }

    /**
     * By what requests go now; null where none has gone by anything yet.
     *
     * @param version the last number of slurmrestd's API; 0 where it is not known
     */
    String inUse(int version) {
        long now = nanos.getAsLong();
        boolean commands = fallsBack && closedAt.values().stream().anyMatch(since -> now - since < PAUSE.toNanos());
        if (commands && (version == 0 || !anyWorks(now))) {
            return "commands";
        }
        return version == 0 ? null : "slurmrestd v0.0." + version + (commands ? ", commands for some accounts" : "");
    }

    private boolean anyWorks(long now) {
        return worked.values().stream().anyMatch(at -> now - at < PAUSE.toNanos());
    }

    /** Whether commands do what slurmrestd cannot. */
    boolean fallsBack() {
        return fallsBack;
    }

    /** A response came, so the account's daemon works. */
    void answered(String account) {
        if (!lost.isEmpty()) {
            lost.remove(account);
        }
    }

    /** A request was sent and got no response. */
    void unanswered(String account, String reason) {
        if (lost.merge(account, 1, Integer::sum) >= MAX_LOST) {
            lost.remove(account);
            close(account, reason);
        }
    }

    /** Requests that went by a command though slurmrestd is configured. */
    long fallbacks() {
        return fallbacks.get();
    }

    private void close(String account, String reason) {
        worked.remove(account);
        if (!fallsBack) {
            troubles.put(account, new Trouble(reason, nanos.getAsLong()));
            return;
        }
        if (closedAt.put(account, nanos.getAsLong()) == null) {
            log.warn(
                    "slurmrestd is not used for {} for {} minutes, sbatch, scancel and scontrol are: {}",
                    account,
                    PAUSE.toMinutes(),
                    reason);
        }
    }
}
