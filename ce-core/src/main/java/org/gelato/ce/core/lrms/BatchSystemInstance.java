package org.gelato.ce.core.lrms;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.job.StateSql;
import org.jdbi.v3.core.Handle;

/**
 * The one batch system that has the jobs of a database's queues. A CE sees in its own batch system only: jobs of another one would vanish
 * there, and be ended though they run, so a CE with another one does not work with the database while such jobs or their CE live.
 *
 * @param lrms {@link Lrms#name()}
 * @param identity what no other batch system of the name says of itself: the same for all CEs that see its jobs
 */
public record BatchSystemInstance(String lrms, String identity) {
    /** Characters of an identity; what is longer is cut. */
    public static final int LONGEST = 512;

    /** What to do where a start is refused. */
    public static final String ADVICE =
            "give this CE a database of its own, or, where the batch system has moved or is lost, set"
                    + " gelato.lrms.identity to that of the jobs (" + Manual.page("docs/admin/scale.md") + ")";

    static final String STORED = "SELECT identity FROM batch_system WHERE lrms = :lrms";
    static final String LOCKED = STORED + " FOR UPDATE";
    static final String INSERT = "INSERT INTO batch_system (lrms, identity) VALUES (:lrms, :identity)";
    static final String UPDATE = "UPDATE batch_system SET identity = :identity WHERE lrms = :lrms";
    /** Those that may be in the batch system. */
    static final String LIVE = StateSql.of("SELECT COUNT(*) FROM job j FORCE INDEX (job_state) STRAIGHT_JOIN queue q"
            + " ON q.id = j.queue_id WHERE j.state IN {ACTIVE} AND j.hand_over > 0 AND q.lrms = :lrms");

    public BatchSystemInstance {
        identity = identity.substring(0, Math.min(identity.length(), LONGEST));
    }

    /**
     * Takes the queues for this one, within the transaction in which the CE registers.
     *
     * @param others names of other CEs that work with the database
     * @return whether they were another's before, of which nothing lives any more
     * @throws IllegalStateException where something does
     */
    public boolean take(Handle h, Collection<String> others) {
        Optional<String> stored = stored(h, lrms, LOCKED);
        if (stored.isEmpty()) {
            h.createUpdate(INSERT).bind("lrms", lrms).bind("identity", identity).execute();
            return false;
        }
        if (stored.get().equals(identity)) {
            return false;
        }
        obstacle(h, stored.get(), others).ifPresent(why -> {
            throw new IllegalStateException(why + ": " + ADVICE);
        });
        h.createUpdate(UPDATE).bind("lrms", lrms).bind("identity", identity).execute();
        return true;
    }

    /** Why a CE with this batch system would not start, by the jobs of the database; empty when it would. Reads only. */
    public Optional<String> obstacle(Handle h) {
        return stored(h, lrms).filter(other -> !other.equals(identity)).flatMap(other -> obstacle(h, other, List.of()));
    }

    /** Which one has the jobs of the queues of a name; empty where no CE has said so. */
    public static Optional<String> stored(Handle h, String lrms) {
        return stored(h, lrms, STORED);
    }

    private static Optional<String> stored(Handle h, String lrms, String query) {
        return h.createQuery(query).bind("lrms", lrms).mapTo(String.class).findOne();
    }

    private Optional<String> obstacle(Handle h, String other, Collection<String> nodes) {
        int live = h.createQuery(LIVE).bind("lrms", lrms).mapTo(Integer.class).one();
        if (live == 0 && nodes.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("the jobs of " + lrms + " in this database are in '" + other + "', "
                + (live == 0 ? "with which " + String.join(", ", nodes) + " works" : live + " have not ended")
                + ", and this CE sees those in '" + identity + "' alone");
    }
}
