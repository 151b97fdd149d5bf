package org.gelato.ce.core.event;

import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.OptionalLong;
import org.gelato.ce.core.db.Database;

/**
 * How far receivers of events have got. Of several nodes one holds the claim on a receiver and sends; when it is gone, its claim runs
 * out and another goes on. A cursor moves after the receiver has confirmed, so what was sent and not confirmed is sent again. Thread-safe.
 */
public final class ReceiverCursors {
    private static final String CLAIM = """
            UPDATE webhook SET claimed_by = :node, claim_expires_at = :end
            WHERE name = :name AND (claimed_by IS NULL OR claimed_by = :node OR claim_expires_at <= :now)
            """;
    private static final String MOVE = """
            UPDATE webhook SET last_event = :id, claim_expires_at = :end WHERE name = :name AND claimed_by = :node
            """;

    private final Database database;
    private final Clock clock;
    private final String node;
    private final Duration claim;

    /**
     * @param node the name of this process, which no other has
     * @param claim how long a claim holds; longer than a delivery may take
     */
    public ReceiverCursors(Database database, Clock clock, String node, Duration claim) {
        this.database = database;
        this.clock = clock;
        this.node = node;
        this.claim = claim;
    }

    /**
     * Makes the cursor of a receiver that has none.
     *
     * @param id where a new receiver begins
     */
    public void begin(String name, long id) {
        database.inTransaction(h -> h.createUpdate("INSERT IGNORE INTO webhook (name, last_event) VALUES (:name, :id)")
                .bind("name", name)
                .bind("id", id)
                .execute());
    }

    /** The id of the last event that a receiver confirmed; empty when it has no cursor. */
    public OptionalLong lastEvent(String name) {
        return database.read(h -> h.createQuery("SELECT last_event FROM webhook WHERE name = :name")
                .bind("name", name)
                .mapTo(Long.class)
                .findOne()
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty()));
    }

    /** Takes the right to send to a receiver, or keeps it. @return false when another node has it */
    public boolean claim(String name) {
        return database.inTransaction(h -> h.createUpdate(CLAIM)
                        .bind("name", name)
                        .bind("node", node)
                        .bind("now", now(Duration.ZERO))
                        .bind("end", now(claim))
                        .execute())
                == 1;
    }

    /** The receiver has confirmed up to an id. @return false when the claim was lost: another node sends */
    public boolean confirmed(String name, long id) {
        return database.inTransaction(h -> h.createUpdate(MOVE)
                        .bind("name", name)
                        .bind("node", node)
                        .bind("id", id)
                        .bind("end", now(claim))
                        .execute())
                == 1;
    }

    private LocalDateTime now(Duration later) {
        return LocalDateTime.ofInstant(clock.instant().plus(later), ZoneOffset.UTC);
    }
}
