package org.gelato.ce.ws.web;

import jakarta.servlet.http.HttpServletResponse;
import org.gelato.ce.core.db.Database;

/**
 * A request of which nothing was done, as the database was away or refused for a while: 503 in every protocol, so that clients come again. The
 * log has it once, from where the database failed, and not with each request.
 */
public final class BusyDatabase {
    public static final int STATUS = HttpServletResponse.SC_SERVICE_UNAVAILABLE;
    public static final String TEXT = "the database of the service does not take this now, try again";
    private static final String SECONDS = "5";

    private BusyDatabase() {}

    /** Whether a failure is that. */
    public static boolean is(Throwable failure) {
        return Database.isBusy(failure);
    }

    /** Says when to come again. */
    public static void mark(HttpServletResponse response) {
        response.setHeader("Retry-After", SECONDS);
    }
}
