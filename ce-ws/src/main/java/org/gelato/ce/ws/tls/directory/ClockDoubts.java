package org.gelato.ce.ws.tls.directory;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this host's clock is behind. A proxy, or a VOMS attribute certificate, that begins later than now contradicts the clock,
 * and one that began a moment ago agrees with it. Of each user the latest counts, for an hour; the clock is in doubt when it is
 * contradicted by at least three users, and by more than agree with it: a single user, whose own clock may be wrong, makes no
 * doubt. Only what trusted authorities signed may be given to it. Its memory is bounded. For any thread.
 */
public final class ClockDoubts {
    private static final Logger log = LoggerFactory.getLogger(ClockDoubts.class);

    /** Users that must contradict the clock. */
    static final int LEAST = 3;
    /** Users that are remembered; the one that was not seen for the longest time gives way. */
    static final int MAX = 200;

    static final Duration KEPT = Duration.ofHours(1);
    /** Programs for proxies let them begin five minutes early. */
    static final Duration FRESH = Duration.ofMinutes(10);
    /** A certificate that begins still later was meant to. */
    static final Duration FARTHEST = Duration.ofDays(1);

    private final Clock clock;
    private final Map<String, Seen> users = new LinkedHashMap<>();
    private boolean doubted;
    /** When the last line was logged; null before. */
    private Instant logged;

    /** @param ahead by how much a certificate begins after the clock's time; zero or less for one that agrees */
    private record Seen(Instant at, Duration ahead) {
        boolean contradicts() {
            return ahead.compareTo(Duration.ZERO) > 0;
        }
    }

    public ClockDoubts(Clock clock) {
        this.clock = clock;
    }

    /**
     * A user's certificate begins so.
     *
     * @param user subject of the user's own certificate
     */
    public void saw(String user, Instant begin) {
        Instant now = clock.instant();
        Duration ahead = Duration.between(now, begin);
        if (ahead.compareTo(FARTHEST) > 0 || ahead.compareTo(FRESH.negated()) < 0) {
            return;
        }
        Optional<String> doubt;
        synchronized (this) {
            users.remove(user);
            users.put(user, new Seen(now, ahead));
            if (users.size() > MAX) {
                users.remove(users.keySet().iterator().next());
            }
        }
        doubt = doubt();
        if (changed(doubt.isPresent(), now)) {
            if (doubt.isPresent()) {
                log.warn("{}", doubt.get());
            } else {
                log.info("This host's clock agrees with the proxies of most users again");
            }
        }
    }

    /** Whether to log it: not more often than once an hour, as users could make it change with each request. */
    private synchronized boolean changed(boolean nowDoubted, Instant now) {
        if (doubted == nowDoubted || (logged != null && logged.plus(KEPT).isAfter(now))) {
            return false;
        }
        doubted = nowDoubted;
        logged = now;
        return true;
    }

    /** Why the clock is in doubt, and what to do; empty when it is not. */
    public synchronized Optional<String> doubt() {
        Instant now = clock.instant();
        users.values().removeIf(seen -> seen.at().plus(KEPT).isBefore(now));
        long against = users.values().stream().filter(Seen::contradicts).count();
        if (against < LEAST || against <= users.size() - against) {
            return Optional.empty();
        }
        Duration farthest = users.values().stream()
                .map(Seen::ahead)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        return Optional.of("this host's clock, which shows " + now.truncatedTo(ChronoUnit.SECONDS)
                + ", seems to be behind: proxies of " + against + " users begin up to "
                + Messages.span(farthest.truncatedTo(ChronoUnit.SECONDS))
                + " later, and are refused; set the clock, and let chrony or ntpd keep it");
    }

    /** Whether a time is later than this host's clock shows. */
    public boolean isLater(Instant begin) {
        return begin.isAfter(clock.instant());
    }

    /**
     * Both times, for whoever is refused because a certificate is not valid yet.
     *
     * @param what begins, as the beginning of a sentence
     */
    public String notYet(String what, Instant begin) {
        return what + " is valid from " + begin.truncatedTo(ChronoUnit.SECONDS) + " on, and the clock of this CE shows "
                + clock.instant().truncatedTo(ChronoUnit.SECONDS)
                + ": one of the two clocks is wrong, or it was meant to begin later";
    }
}
