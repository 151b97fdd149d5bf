package org.gelato.ce.ws.parts;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.ws.config.CeConfig;

/**
 * What there is before the parts.
 *
 * @param database waits until it is open and migrated; called when nothing is left to be made without it
 * @param closing takes what a part has opened; closed in reverse order, before the database
 * @param databasePid process of the built-in database; 0 without one
 */
public record Foundation(
        CeConfig config,
        Supplier<Database> database,
        PrometheusMeterRegistry meters,
        Clock clock,
        Consumer<AutoCloseable> closing,
        LongSupplier databasePid) {}
