package org.gelato.ce.core.job;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.json.FaultCode;

/**
 * How many bytes of job descriptions a user may have stored, whatever the number of jobs and of FQANs. The sum is read from the
 * database when it matters and rarely otherwise: a sum below the quota gives this node a credit of a quarter of what is
 * left, and new descriptions are stored on it without a query, for a minute at the most. Near the quota each call
 * queries.
 *
 * <p>So one node never stores more than the quota; beside others that share the database it may, by a quarter of what was left
 * for each of them. Descriptions of calls under way count as stored. Holds an entry for each user of the last minute and of
 * calls under way. Thread-safe; no lock is held while the database is queried.
 */
public final class TextQuota {
    static final String USED =
            "SELECT COALESCE(SUM(bytes), 0) FROM job_text FORCE INDEX (job_text_of_person) WHERE subject_id = :subject";

    /** For callers that bound nothing. */
    public static final long NONE = Long.MAX_VALUE;

    private static final long CREDIT_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int SHARE = 4;
    private static final int MANY = 1000;

    private final Database database;
    private final long max;
    private final LongSupplier ticker;
    private final Map<Integer, Account> accounts = new HashMap<>();

    private static final class Account {
        private long underWay;
        private long ended;
        private long credit;
        private long from;
    }

    /**
     * What was known before the database was queried.
     *
     * @param covered whether the credit suffices
     * @param ended bytes of all calls that had ended
     */
    private record Begin(boolean covered, long ended) {}

    /** Room taken until it is closed: after the commit, or when nothing was stored. */
    @FunctionalInterface
    public interface Reservation {
        void close();
    }

    /**
     * @param max bytes of one user, in UTF-8; {@link #NONE} for any
     */
    public TextQuota(Database database, long max) {
        this(database, max, System::nanoTime);
    }

    /** @param ticker nanoseconds */
    TextQuota(Database database, long max, LongSupplier ticker) {
        this.database = database;
        this.max = max;
        this.ticker = ticker;
    }

    /**
     * Takes room for descriptions, before they are stored.
     *
     * @param subject the user's number
     * @throws ServiceException OVER_QUOTA when there is none
     */
    public Reservation take(int subject, long bytes) {
        if (max == NONE || bytes == 0) {
            return () -> {};
        }
        Begin begin = begin(subject, bytes);
        if (begin.covered()) {
            return () -> end(subject, bytes);
        }
        try {
            long used = database.read(h -> h.createQuery(USED)
                    .bind("subject", subject)
                    .mapTo(Long.class)
                    .one());
            grant(subject, used, bytes, begin.ended());
        } catch (RuntimeException e) {
            end(subject, bytes);
            throw e;
        }
        return () -> end(subject, bytes);
    }

    /** Counts the bytes as under way. */
    private synchronized Begin begin(int subject, long bytes) {
        long now = ticker.getAsLong();
        if (accounts.size() >= MANY) {
            accounts.values().removeIf(a -> a.underWay == 0 && now - a.from >= CREDIT_NANOS);
        }
        Account account = accounts.computeIfAbsent(subject, x -> new Account());
        account.from = account.credit == 0 && account.underWay == 0 ? now : account.from;
        account.underWay += bytes;
        boolean covered = account.credit >= bytes && now - account.from < CREDIT_NANOS;
        if (covered) {
            account.credit -= bytes;
        }
        return new Begin(covered, account.ended);
    }

    private synchronized void grant(int subject, long used, long bytes, long ended) {
        Account account = accounts.get(subject);
        // A call that was under way when the sum was read may be in it or not: it counts in any case.
        long left = max - used - account.underWay - (account.ended - ended);
        if (left < 0) {
            throw new ServiceException(
                    FaultCode.OVER_QUOTA,
                    "The quota of stored job descriptions is used up: purge jobs that have ended to make room",
                    "your jobs' descriptions take " + used + " of the " + max
                            + " bytes a user may have stored, and those of this call " + bytes
                            + "; calls under way count");
        }
        account.credit = left / SHARE;
        account.from = ticker.getAsLong();
    }

    private synchronized void end(int subject, long bytes) {
        Account account = accounts.get(subject);
        account.underWay -= bytes;
        account.ended += bytes;
    }

    /** Bytes of a text in UTF-8. */
    public static long bytes(String text) {
        long bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // Each half of a pair counts two of its four.
            bytes += c < 0x80 ? 0 : c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
        }
        return bytes;
    }
}
