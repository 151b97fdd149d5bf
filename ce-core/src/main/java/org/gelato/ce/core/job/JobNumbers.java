package org.gelato.ce.core.job;

import java.math.BigInteger;
import java.util.Optional;
import org.gelato.ce.core.db.Database;

/**
 * Turns row numbers into the wire's job numbers and back. The wire wants nine digits that look random; drawing them at
 * random needs a column, an index and retries on clashes. A permutation of the row number needs none of these: it cannot
 * clash, and the offset of the database keeps a new database from repeating the numbers of an old one. Immutable.
 */
public final class JobNumbers {
    private static final long MULTIPLIER = 618_033_989L;
    private static final long INVERSE = BigInteger.valueOf(MULTIPLIER)
            .modInverse(BigInteger.valueOf(JobId.SPACE))
            .longValueExact();

    private final long offset;

    public JobNumbers(long offset) {
        this.offset = Math.floorMod(offset, (long) JobId.SPACE);
    }

    /** Reads the offset of this database. */
    public static JobNumbers of(Database database) {
        return new JobNumbers(database.read(h -> h.select("SELECT number_offset FROM db_info WHERE id = 1")
                .mapTo(Long.class)
                .one()));
    }

    /** The wire's id of a row. */
    public JobId id(int row) {
        return new JobId((int) ((row * MULTIPLIER + offset) % JobId.SPACE));
    }

    /** The row of a wire id; it may not exist. */
    public int row(JobId id) {
        return (int) (Math.floorMod(id.number() - offset, (long) JobId.SPACE) * INVERSE % JobId.SPACE);
    }

    /** The row of an id as a client wrote it; empty when no job can have it. */
    public Optional<Integer> row(String id) {
        return JobId.parse(id).map(this::row);
    }
}
