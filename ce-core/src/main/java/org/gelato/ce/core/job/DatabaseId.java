package org.gelato.ce.core.job;

import org.gelato.ce.core.db.Database;

/**
 * The time this database was made, in milliseconds, as text: {@code dbId} and {@code DB_ID} of the wire. WMS instances drop
 * the jobs they know of when it changes (docs/developer/protocol/cream2-wire.md section 7).
 */
public final class DatabaseId {
    private DatabaseId() {}

    public static String of(Database database) {
        return database.read(h -> h.createQuery("SELECT created_at FROM db_info WHERE id = 1")
                .map((r, c) ->
                        Long.toString(r.getTimestamp("created_at").toInstant().toEpochMilli()))
                .one());
    }
}
