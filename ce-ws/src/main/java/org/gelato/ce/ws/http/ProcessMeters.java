package org.gelato.ce.ws.http;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.sql.SQLException;
import java.util.List;
import org.gelato.ce.core.base.ExpansionBudget;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.Repeated;

/** Meters of the process itself and of its database pool. Bound once at start-up, closed at the end. */
public final class ProcessMeters implements AutoCloseable {
    private final JvmGcMetrics gc = new JvmGcMetrics();

    /** Adds JVM, descriptors, processor and uptime. */
    public void bind(MeterRegistry registry) {
        List<MeterBinder> binders = List.of(
                gc,
                new JvmMemoryMetrics(),
                new JvmThreadMetrics(),
                new ClassLoaderMetrics(),
                new FileDescriptorMetrics(),
                new ProcessorMetrics(),
                new UptimeMetrics());
        binders.forEach(binder -> binder.bindTo(registry));
        FunctionCounter.builder("ce.repeated.failures", Repeated.class, all -> Repeated.failures())
                .description("Turns of repeated work of this process that failed and are tried again")
                .register(registry);
    }

    /** Adds the pool, statements and commits of a database. */
    public static void bind(Database database, MeterRegistry registry) {
        FunctionCounter.builder("ce.sql.statements", database, Database::statements)
                .description("SQL statements sent")
                .register(registry);
        FunctionCounter.builder("ce.commits", database, Database::commits)
                .description("Transactions committed")
                .register(registry);
        FunctionCounter.builder("ce.rollbacks", database, Database::rollbacks)
                .description("Ends of reads, and of transactions that failed")
                .register(registry);
        FunctionCounter.builder("ce.deadlocks", database, Database::deadlocks)
                .description("Transactions run again because of a deadlock")
                .register(registry);
        FunctionCounter.builder("ce.database.failures", database, Database::failures)
                .description("Reads and transactions that the database made fail")
                .register(registry);
        FunctionCounter.builder(
                        "ce.database.rejections", database, d -> d.batches().rejected())
                .description("Parts of batches that the database did not take as they were")
                .register(registry);
        try {
            database.dataSource().unwrap(HikariDataSource.class).setMetricRegistry(registry);
        } catch (SQLException e) {
            throw new IllegalStateException("the pool is not HikariCP's", e);
        }
    }

    @Override
    public void close() {
        gc.close();
    }

    /** Adds the memory for bodies and responses. */
    public static void bind(MemoryBudget memory, MeterRegistry meters) {
        Gauge.builder("ce.http.memory.held", memory, MemoryBudget::held)
                .description("Bytes of requests and responses that wait for their clients")
                .register(meters);
        Gauge.builder("ce.http.memory.max", memory, MemoryBudget::total)
                .description("Most bytes of requests and responses")
                .register(meters);
    }

    /** Adds the memory for what job descriptions expand to. */
    public static void bind(ExpansionBudget expansions, MeterRegistry meters) {
        Gauge.builder("ce.descriptions.characters.held", expansions, ExpansionBudget::held)
                .description("Characters of memory that job descriptions expand to while they are registered")
                .register(meters);
        Gauge.builder("ce.descriptions.characters.max", expansions, ExpansionBudget::total)
                .description("Most characters that job descriptions expand to")
                .register(meters);
    }
}
