package org.gelato.ce.core.monitoring;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** A resolution in which series are kept: so many slots of so long. Codes are stored: never renumber them, nor change a ring. */
public enum Ring {
    HOUR(0, Duration.ofMinutes(1), 60),
    DAY(1, Duration.ofMinutes(5), 288),
    WEEK(2, Duration.ofHours(1), 168),
    /** 31 days by 4 hours. */
    MONTH(3, Duration.ofHours(4), 186);

    private final int code;
    private final Duration step;
    private final int slots;

    Ring(int code, Duration step, int slots) {
        this.code = code;
        this.step = step;
        this.slots = slots;
    }

    /** The number in the database. */
    int code() {
        return code;
    }

    /** The time of one slot. */
    public Duration step() {
        return step;
    }

    /** Slots of one host. */
    public int slots() {
        return slots;
    }

    /** When the slot began that a moment belongs to. */
    Instant begin(Instant at) {
        return Instant.ofEpochSecond(at.getEpochSecond() - Math.floorMod(at.getEpochSecond(), step.toSeconds()));
    }

    /** The slot that a moment belongs to. */
    int slot(Instant at) {
        return Math.floorMod(Math.floorDiv(at.getEpochSecond(), step.toSeconds()), slots);
    }

    /** The ring of a name such as {@code hour}; empty for another text. */
    public static Optional<Ring> ofName(String name) {
        for (Ring ring : values()) {
            if (ring.text().equals(name)) {
                return Optional.of(ring);
            }
        }
        return Optional.empty();
    }

    /** The name in lower case. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
