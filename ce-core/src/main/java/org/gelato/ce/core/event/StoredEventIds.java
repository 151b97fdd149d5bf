package org.gelato.ce.core.event;

import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;
import org.gelato.ce.core.db.Database;
import org.jdbi.v3.core.JdbiException;

/** Ids of the table of state changes. */
record StoredEventIds(Database database, EventStore store) implements EventIds {
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final int DEADLOCK = 1213;

    @Override
    public long step() {
        return database.read(EventStore::step);
    }

    @Override
    public List<Long> after(long id, int count) {
        return database.read(h -> store.after(h, id, count));
    }

    @Override
    public OptionalLong last(boolean insist) {
        try {
            return OptionalLong.of(database.read(h -> store.lastBehindFence(h, insist)));
        } catch (JdbiException e) {
            if (!isBusy(e)) {
                throw e;
            }
            return OptionalLong.empty();
        }
    }

    private static boolean isBusy(Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof SQLException sql
                    && (sql.getErrorCode() == LOCK_WAIT_TIMEOUT || sql.getErrorCode() == DEADLOCK)) {
                return true;
            }
        }
        return false;
    }
}
