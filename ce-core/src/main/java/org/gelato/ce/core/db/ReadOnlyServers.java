package org.gelato.ce.core.db;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import java.util.Set;

/** Has the pool close a connection to a server that has become read-only: it is of no use, though the server answers. */
final class ReadOnlyServers implements SQLExceptionOverride {
    /** An option prevents the statement, the server is read-only, the transaction is, the node is outside of its cluster. */
    private static final Set<Integer> CODES = Set.of(1290, 1836, 1792, 1047);

    @java.lang.Override
    public SQLExceptionOverride.Override adjudicate(SQLException e) {
        return CODES.contains(e.getErrorCode())
                ? SQLExceptionOverride.Override.MUST_EVICT
                : SQLExceptionOverride.Override.CONTINUE_EVICT;
    }
}
