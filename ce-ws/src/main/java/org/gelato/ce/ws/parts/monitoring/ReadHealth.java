package org.gelato.ce.ws.parts.monitoring;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.gelato.ce.ws.glue2.Readings.Health;
import org.gelato.ce.ws.http.Readiness;

/** The CE's health as it was read last, for descriptions of the CE, which wait for nothing. Any thread. */
public final class ReadHealth {
    private final Readiness readiness;
    private final Supplier<? extends Optional<?>> database;
    private volatile Readiness.Report report;

    /**
     * @param readiness of the parts beside the database
     * @param database empty while it does not respond
     */
    public ReadHealth(Readiness readiness, Supplier<? extends Optional<?>> database) {
        this.readiness = readiness;
        this.database = database;
    }

    /** Reads it; never fails, and takes as long as the slowest check may. */
    public CompletableFuture<Void> read() {
        return readiness.report().thenAccept(read -> report = read);
    }

    /** {@link Health#UNKNOWN} before the first reading. */
    public Health latest() {
        Readiness.Report latest = report;
        if (latest == null) {
            return Health.UNKNOWN;
        }
        if (!latest.ready() || database.get().isEmpty()) {
            return Health.CRITICAL;
        }
        return latest.degraded() ? Health.WARNING : Health.OK;
    }
}
