package org.gelato.ce.core.accounting;

import java.time.Clock;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import org.gelato.ce.core.db.Database;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes usage records of months that are over for long. Whole months, since totals are of months; and never a record that is
 * to be published and is not; one that can never be, as its job did not run or has no batch job, goes in its time. Several nodes may run at once.
 */
public final class UsageRetention {
    private static final Logger log = LoggerFactory.getLogger(UsageRetention.class);
    private static final int SLICE = 1000;

    private final Database database;
    private final AccountingSettings settings;
    private final Clock clock;
    private final AccountingStore store = new AccountingStore();

    public UsageRetention(Database database, AccountingSettings settings, Clock clock) {
        this.database = database;
        this.settings = settings;
        this.clock = clock;
    }

    /** Records of jobs that ended before may be removed: the begin of a month. */
    static Instant before(AccountingSettings settings, Clock clock) {
        return AccountingStore.begin(
                YearMonth.from(clock.instant().atZone(ZoneOffset.UTC).minus(settings.keep())));
    }

    /**
     * Removes what is old.
     *
     * @return records removed
     */
    public long sweep() {
        Instant before = before(settings, clock);
        long removed = 0;
        int slice;
        do {
            slice = database.inTransaction(
                    h -> store.expire(h, before, !settings.publishes(), settings.earliest(), SLICE));
            removed += slice;
        } while (slice == SLICE);
        database.inTransaction(h -> store.expireMessages(h, before));
        if (removed > 0) {
            log.info("{} usage records of jobs that ended before {} are removed", removed, before);
        }
        return removed;
    }
}
