package org.gelato.ce.ws.boot;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.ServletContextListener;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.ConfigurationException;
import org.gelato.ce.ws.config.KeyOrigins;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.CsrfFilter;
import org.gelato.ce.ws.http.HealthCheck;
import org.gelato.ce.ws.http.HealthChecks;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.http.MemoryBudget;
import org.gelato.ce.ws.http.MinimumRate;
import org.gelato.ce.ws.http.MonitoringAccess;
import org.gelato.ce.ws.http.ProcessMeters;
import org.gelato.ce.ws.http.Readiness;
import org.gelato.ce.ws.parts.Foundation;
import org.gelato.ce.ws.parts.Parts;
import org.gelato.ce.ws.parts.monitoring.ProcessStarts;
import org.gelato.ce.ws.server.CeServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole Computing Element of one process: opened in the order database, parts, HTTP server, and closed in the
 * reverse one; the database while the first parts are made. When opening breaks off, what was opened is closed again. Used by one thread; after a crash the next
 * start finds everything in the database.
 */
public final class Gelato implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Gelato.class);

    private final CeConfig config;
    private final OpenParts open = new OpenParts();
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Clock clock;
    private Parts parts;
    private List<ServletContextListener> listeners = List.of();

    /** Makes the parts and connects them. */
    @FunctionalInterface
    public interface Assembly {
        Parts assemble(Foundation foundation);
    }

    private Gelato(CeConfig config, Clock clock) {
        this.config = config;
        this.clock = clock;
    }

    /**
     * Reads a configuration to be served, and logs which of its keys count no more.
     *
     * @throws ConfigurationException with every problem found
     */
    static CeConfig read(Path file) {
        CeConfig config = CeConfig.load(file);
        KeyOrigins origins = KeyOrigins.of(file);
        CeConfig.retired(file)
                .forEach((key, what) -> log.warn("{} ({}) {}: remove the line", key, origins.where(key), what));
        return config;
    }

    /**
     * Opens everything but the HTTP server.
     *
     * @throws RuntimeException of the part that could not be opened
     */
    public static Gelato open(CeConfig config, Clock clock, Assembly assembly) {
        Gelato gelato = new Gelato(config, clock);
        try {
            gelato.assemble(assembly);
            return gelato;
        } catch (RuntimeException e) {
            gelato.close();
            throw e;
        }
    }

    private void assemble(Assembly assembly) {
        open.push(meters::close);
        ProcessMeters process = new ProcessMeters();
        open.push(process);
        process.bind(meters);
        DatabaseOpening opening = new DatabaseOpening(config.database(), config.node());
        open.push(opening);
        parts = assembly.assemble(new Foundation(
                config,
                opening::get,
                meters,
                clock,
                open::push,
                () -> opening.embedded() == null ? 0 : opening.embedded().pid()));
        Database database = opening.get();
        ProcessMeters.bind(database, meters);
        if (opening.embedded() != null) {
            ProcessStarts.meter(opening.embedded(), meters);
        }
        List<HealthCheck> checks = new ArrayList<>();
        checks.add(HealthChecks.database(database, checker(), opening.embedded()));
        checks.addAll(parts.checks());
        Readiness readiness = new Readiness(checks, clock);
        MemoryBudget memory = MemoryBudget.ofHeap(config.http().maxBody());
        ProcessMeters.bind(memory, meters);
        List<ServletContextListener> all = new ArrayList<>();
        all.add(new HttpEndpoints(
                readiness,
                meters,
                new AsyncExchanges(memory, MinimumRate.Slowest.USUAL, System::nanoTime),
                new MonitoringAccess(
                        config.monitoring().networks(),
                        parts.callers(),
                        config.monitoring().readers()::contains,
                        config.monitoring().accounts())));
        all.add(new CsrfFilter(config.origins(), meters));
        all.addAll(parts.protocols());
        listeners = List.copyOf(all);
    }

    /** Waits for the database on behalf of the readiness check; one round at a time needs one thread. */
    private ExecutorService checker() {
        ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "readiness");
            thread.setDaemon(true);
            // It is born on a request thread and must not keep the application's class loader.
            thread.setContextClassLoader(Gelato.class.getClassLoader());
            return thread;
        });
        open.push(executor::shutdownNow);
        return executor;
    }

    /** Opens the embedded HTTP server; not for a WAR. */
    public CeServer listen() {
        CeServer server = new CeServer(
                new CeServer.Settings(
                        config.address(),
                        config.port(),
                        config.http(),
                        config.home().resolve("tomcat"),
                        parts.tls()),
                listeners,
                config.accessLog());
        server.start();
        open.push(server);
        server.bind(meters);
        work();
        return server;
    }

    /** Begins what the CE does by itself: once, when clients are served; {@link #listen()} does it. */
    public void work() {
        parts.work().run();
    }

    /** For a servlet container that is not ours. */
    public List<ServletContextListener> listeners() {
        return listeners;
    }

    /** Closes everything in reverse order; what fails to close does not keep the rest open. */
    @Override
    public void close() {
        open.close();
    }
}
