package org.gelato.ce.ws.http;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.embedded.RestartingMariaDb;

/** The checks of a Computing Element. */
public final class HealthChecks {
    private HealthChecks() {}

    /**
     * Whether a connection is available and works.
     *
     * @param executor waits for the connection
     * @param embedded the server of our own, whose restarts are named; null when the site has one
     */
    public static HealthCheck database(Database database, Executor executor, RestartingMariaDb embedded) {
        if (embedded == null) {
            return HealthCheck.of("database", () -> CompletableFuture.supplyAsync(() -> ask(database), executor));
        }
        return HealthCheck.of("database", () -> {
            String outage = embedded.outage();
            return outage == null
                    ? CompletableFuture.supplyAsync(() -> withRestarts(ask(database), embedded), executor)
                    : CompletableFuture.completedFuture(withRestarts(new HealthCheck.Outcome(false, outage), embedded));
        });
    }

    private static HealthCheck.Outcome withRestarts(HealthCheck.Outcome found, RestartingMariaDb embedded) {
        long restarts = embedded.restarts();
        return restarts == 0
                ? found
                : new HealthCheck.Outcome(
                        found.ok(),
                        found.detail() + "; restarts since the start of the CE: " + restarts + ", last because "
                                + embedded.lastEnd());
    }

    private static HealthCheck.Outcome ask(Database database) {
        try {
            return database.refusal()
                    .map(why -> new HealthCheck.Outcome(false, "takes no changes: " + why))
                    .orElseGet(() -> new HealthCheck.Outcome(true, "reachable"));
        } catch (SQLException e) {
            return new HealthCheck.Outcome(false, "no connection"); // the log has it from the database
        }
    }
}
