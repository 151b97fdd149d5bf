package org.gelato.ce.ws.server;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.apache.tomcat.util.modeler.Registry;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.audit.AuditSettings;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded Tomcat: one connector, one application at the root, threads and connections bounded, no default servlet,
 * no sessions. Paths with doubled slashes, which CREAM's clients send, are those with single ones.
 * Started and closed by the composition root; holds nothing that a crash could lose.
 */
public final class CeServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(CeServer.class);
    private static final int ACCEPT_BACKLOG = 200;
    /** A bearer token of 16 KiB, one that is delegated, and other headers. */
    private static final int MAX_HEADER_BYTES = 40 << 10;

    private static final String OTHER_ADDRESS = "; stop what listens there, or set gelato.address and gelato.port";

    private final Settings settings;
    private final List<ServletContextListener> listeners;
    private final AuditSettings accessLog;
    private final Deque<ServletContextListener> initialized = new ArrayDeque<>();
    private final Tomcat tomcat = new Tomcat();
    private final Connector connector = new Connector(FaultKeepingProtocol.class.getName());
    private volatile RuntimeException failure;

    /**
     * How to listen.
     *
     * @param address empty for all
     * @param port 0 for any free one
     * @param http limits
     * @param directory Tomcat's own, made when absent
     * @param tls makes the connector use TLS; does nothing for plain HTTP
     */
    public record Settings(String address, int port, HttpConfig http, Path directory, Consumer<Connector> tls) {}

    /** @param listeners add their servlets when the context starts; called at its end in reverse order */
    public CeServer(Settings settings, List<ServletContextListener> listeners) {
        this(settings, listeners, null);
    }

    /**
     * @param listeners add their servlets when the context starts; called at its end in reverse order
     * @param accessLog where a line for each request goes; null for nowhere
     */
    public CeServer(Settings settings, List<ServletContextListener> listeners, AuditSettings accessLog) {
        this.settings = settings;
        this.accessLog = accessLog;
        this.listeners = List.copyOf(listeners);
    }

    /**
     * Opens the port; returns when requests are served.
     *
     * @throws IllegalStateException when the address cannot be had or a listener fails
     */
    public void start() {
        try {
            Files.createDirectories(settings.directory());
        } catch (IOException e) {
            throw new IllegalStateException(
                    "cannot make the directory " + settings.directory() + ": " + Messages.of(e), e);
        }
        // Nothing uses Tomcat's beans, and the descriptions of them are half a second to read.
        Registry.disableRegistry();
        tomcat.setSilent(true);
        tomcat.setBaseDir(settings.directory().toString());
        configure(connector);
        tomcat.setConnector(connector);
        StandardHost host = (StandardHost) tomcat.getHost();
        host.getPipeline().addValve(new PlainErrors());
        if (accessLog != null && accessLog.enabled()) {
            host.getPipeline().addValve(new AccessLines(accessLog));
        }
        host.setErrorReportValveClass(PlainErrors.class.getName()); // Or the host adds Tomcat's own as well.
        host.setAutoDeploy(false);
        Context context = tomcat.addContext("", settings.directory().toString());
        context.setParentClassLoader(CeServer.class.getClassLoader());
        context.setCookies(false);
        quieten((StandardContext) context);
        context.addServletContainerInitializer((classes, c) -> initialize(c), Set.of());
        ErrorPage page = new ErrorPage();
        page.setLocation(HttpEndpoints.ERROR_PATH);
        context.addErrorPage(page);
        try {
            tomcat.start();
            check(context);
        } catch (LifecycleException e) {
            close();
            throw new IllegalStateException(
                    root(e) instanceof IOException
                            ? "cannot listen on " + where() + ": " + Messages.of(root(e)) + OTHER_ADDRESS
                            : "the server cannot start: " + Messages.of(root(e)),
                    e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        log.info("Listening on {}:{}", settings.address().isEmpty() ? "*" : settings.address(), port());
    }

    /** Class loader leaks are of no interest where the application ends with the process; looking warns at each stop. */
    private static void quieten(StandardContext context) {
        context.setClearReferencesThreadLocals(false);
        context.setClearReferencesRmiTargets(false);
    }

    private void check(Context context) {
        if (failure != null) {
            throw failure;
        }
        if (context.getState() != LifecycleState.STARTED) {
            throw new IllegalStateException("the application did not start; see the log for the reason");
        }
        if (connector.getState() != LifecycleState.STARTED) {
            throw new IllegalStateException("cannot listen on " + where() + OTHER_ADDRESS);
        }
    }

    private String where() {
        return (settings.address().isEmpty() ? "port " : settings.address() + " port ") + settings.port();
    }

    private static Throwable root(Throwable e) {
        Throwable at = e;
        while (at.getCause() != null) {
            at = at.getCause();
        }
        return at;
    }

    private void configure(Connector c) {
        HttpConfig http = settings.http();
        String timeout = Long.toString(http.timeout().toMillis());
        c.setPort(settings.port());
        // Or what keeps it from listening is a stack trace in the log, and not the reason why the start failed.
        c.setThrowOnFailure(true);
        if (!settings.address().isEmpty()) {
            c.setProperty("address", settings.address());
        }
        c.setProperty("maxThreads", Integer.toString(http.threads()));
        c.setProperty("minSpareThreads", Integer.toString(Math.min(4, http.threads())));
        c.setProperty("maxConnections", Integer.toString(http.maxConnections()));
        protocol().guard().limit(http.connectionsPerAddress(), http.handshakeTimeout());
        c.setProperty("acceptCount", Integer.toString(ACCEPT_BACKLOG));
        c.setProperty("connectionTimeout", timeout);
        c.setProperty("keepAliveTimeout", Long.toString(http.keepAlive().toMillis()));
        c.setProperty("maxKeepAliveRequests", "-1");
        c.setProperty("maxHttpRequestHeaderSize", Integer.toString(MAX_HEADER_BYTES));
        // A client that sends Expect: 100-continue before a large file learns of a refusal instead of a broken
        // connection.
        c.setProperty("continueResponseTiming", "onRead");
        // What a servlet leaves unread is read by AsyncExchanges without a thread; Tomcat would wait for it. Neither
        // chunk
        // extensions nor trailers mean anything here.
        c.setProperty("maxSwallowSize", "0");
        c.setProperty("maxExtensionSize", "0");
        c.setProperty("maxTrailerSize", "8"); // The line that ends the body counts.
        c.setXpoweredBy(false);
        c.setAllowTrace(false);
        settings.tls().accept(c);
    }

    /** Runs inside the start of the context, the only time servlets may be added. */
    private void initialize(ServletContext context) {
        try {
            for (ServletContextListener listener : listeners) {
                initialized.push(listener);
                listener.contextInitialized(new ServletContextEvent(context));
            }
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        }
        context.addListener(new ServletContextListener() {
            @Override
            public void contextDestroyed(ServletContextEvent event) {
                while (!initialized.isEmpty()) {
                    initialized.pop().contextDestroyed(event);
                }
            }
        });
    }

    /** The port in use. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Adds threads and connections. */
    public void bind(MeterRegistry registry) {
        new ConnectorMeters(protocol(), registry).bind();
    }

    private FaultKeepingProtocol protocol() {
        return (FaultKeepingProtocol) connector.getProtocolHandler();
    }

    /** Takes no more requests, lets those at work end, and closes the port. */
    @Override
    public void close() {
        try {
            connector.pause();
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException | RuntimeException e) {
            log.warn("The server did not stop cleanly: {}", e.getMessage());
        }
    }
}
