package org.gelato.ce.core.base;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Units of something scarce, such as bytes of memory: bounded for all holders together, and for one holder to a share of it, so that
 * one holder's excess is that holder's loss alone. Thread-safe; calls of several threads have it as if they came one after another.
 */
public final class SharedBudget {
    private final long total;
    private final long share;
    private final AtomicLong held = new AtomicLong();
    private final Map<String, Long> byHolder = new ConcurrentHashMap<>();

    /**
     * Why units are refused.
     *
     * @param ofAll whether the whole is exhausted; else the holder's share
     * @param held units that are held of it
     * @param most units that may be held of it
     */
    public record Exceeded(boolean ofAll, long held, long most) {}

    /**
     * @param total units for all holders together
     * @param share units for one holder, at most the total
     * @throws IllegalArgumentException when the share is not above zero, or larger than the total
     */
    public SharedBudget(long total, long share) {
        if (share <= 0 || share > total) {
            throw new IllegalArgumentException("a share of " + share + " of " + total);
        }
        this.total = total;
        this.share = share;
    }

    /**
     * Takes units, all or none.
     *
     * @param holder who is to give them back
     * @return empty when they are taken, else what would be exceeded
     */
    public Optional<Exceeded> take(String holder, long units) {
        AtomicReference<Exceeded> refused = new AtomicReference<>();
        byHolder.compute(holder, (who, has) -> {
            long own = has == null ? 0 : has;
            Exceeded exceeded = own > share - units ? new Exceeded(false, own, share) : takeOfAll(units);
            refused.set(exceeded);
            return exceeded == null ? (Long) (own + units) : has;
        });
        return Optional.ofNullable(refused.get());
    }

    /**
     * Never more than there is, not even for a moment: another holder would be refused for it.
     *
     * @return null when they are taken
     */
    private Exceeded takeOfAll(long units) {
        for (long now = held.get(); ; now = held.get()) {
            if (now > total - units) {
                return new Exceeded(true, now, total);
            }
            if (held.compareAndSet(now, now + units)) {
                return null;
            }
        }
    }

    /** Takes units that are held already, within the budget or beyond it: the holder's next {@link #take} sees them. */
    public void charge(String holder, long units) {
        byHolder.compute(holder, (who, has) -> {
            held.addAndGet(units);
            return has == null ? units : has + units;
        });
    }

    /** Gives back what was taken. */
    public void giveBack(String holder, long units) {
        byHolder.computeIfPresent(holder, (who, has) -> {
            held.addAndGet(-units);
            return has <= units ? null : has - units;
        });
    }

    /** Units that all holders have at this moment. */
    public long held() {
        return held.get();
    }

    /** Most units of all holders. */
    public long total() {
        return total;
    }

    /** Most units of one holder. */
    public long share() {
        return share;
    }
}
