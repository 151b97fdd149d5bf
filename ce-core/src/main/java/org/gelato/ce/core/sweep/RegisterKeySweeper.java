package org.gelato.ce.core.sweep;

import java.time.Clock;
import java.time.Instant;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.service.RegisterKeyStore;
import org.gelato.ce.core.service.RegisterKeys;

/**
 * Forgets keys of JobRegister requests after a day, and the oldest of an owner who has more than {@value #MAX}: such an
 * owner's keys count for less than a day (decision 0044). Called on a schedule from one thread per node; several nodes may
 * sweep at once, and a sweep that was cut short is finished by the next.
 */
public final class RegisterKeySweeper {
    /** Keys kept per owner; each is some hundred bytes. */
    static final int MAX = 100_000;

    private static final int BATCH = 1000;

    private final RegisterKeyStore store = new RegisterKeyStore();
    private final Database database;
    private final Clock clock;
    private final int most;

    public RegisterKeySweeper(Database database, Clock clock) {
        this(database, clock, MAX);
    }

    public RegisterKeySweeper(Database database, Clock clock, int most) {
        this.database = database;
        this.clock = clock;
        this.most = most;
    }

    /**
     * Sweeps once, in chunks that keep the locks short.
     *
     * @return keys forgotten
     */
    public int sweep() {
        Instant before = clock.instant().minus(RegisterKeys.LIFE);
        int forgotten = 0;
        int gone;
        do {
            gone = database.inTransaction(h -> store.sweep(h, before, BATCH));
            forgotten += gone;
        } while (gone == BATCH);
        int[] trimmed = {0};
        database.batches()
                .write(
                        database.read(h -> store.crowded(h, most)),
                        owners -> owners.forEach(owner -> trimmed[0] += trim(owner)),
                        owner -> "the oldest keys of owner " + owner,
                        (owner, reason) -> {});
        return forgotten + trimmed[0];
    }

    private int trim(int owner) {
        int forgotten = 0;
        int surplus = database.read(h -> store.count(h, owner)) - most;
        while (surplus > 0) {
            int chunk = Math.min(surplus, BATCH);
            int gone = database.inTransaction(h -> store.trim(h, owner, chunk));
            forgotten += gone;
            if (gone < chunk) {
                break; // another node was faster
            }
            surplus -= chunk;
        }
        return forgotten;
    }
}
