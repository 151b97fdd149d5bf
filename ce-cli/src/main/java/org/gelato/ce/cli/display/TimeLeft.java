package org.gelato.ce.cli.display;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** When the last of many jobs will have ended, if they go on to end as in the last minutes. */
final class TimeLeft {
    static final Duration WINDOW = Duration.ofMinutes(5);

    private final Deque<Sample> samples = new ArrayDeque<>();

    private record Sample(Instant time, long ended) {}

    /** Notes how many had ended at a time; times rise. */
    void note(Instant time, long ended) {
        // One before the window begins is kept: from it the rate is counted.
        while (samples.size() > 1 && second().isBefore(time.minus(WINDOW))) {
            samples.removeFirst();
        }
        samples.addLast(new Sample(time, ended));
    }

    private Instant second() {
        return samples.stream().skip(1).findFirst().orElseThrow().time();
    }

    /** @return empty while none has ended in the window */
    Optional<Duration> of(long waiting) {
        if (samples.isEmpty()) {
            return Optional.empty();
        }
        Sample first = samples.getFirst();
        Sample last = samples.getLast();
        long ended = last.ended() - first.ended();
        // A clock that was set back makes a time of less than nothing.
        return ended <= 0 || last.time().isBefore(first.time())
                ? Optional.empty()
                : Optional.of(Duration.between(first.time(), last.time())
                        .multipliedBy(waiting)
                        .dividedBy(ended));
    }
}
