package org.gelato.ce.ws.boot;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.parts.Wiring;
import org.gelato.ce.ws.server.ClassLoaderRelease;
import org.gelato.ce.ws.web.Version;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Computing Element as a WAR in a stock Tomcat, which brings connector and TLS. The configuration file is named by
 * the system property or context parameter {@code gelato.config}. Named in {@code web.xml}; a failure keeps the
 * application from starting and is in Tomcat's log.
 */
public final class WebApplication implements ServletContextListener {
    private static final Logger log = LoggerFactory.getLogger(WebApplication.class);
    private static final String CONFIG = "gelato.config";

    private final Gelato.Assembly assembly;
    private final Deque<ServletContextListener> initialized = new ArrayDeque<>();
    private Gelato gelato;
    private ClassLoaderRelease release;

    /** Called by the container. */
    public WebApplication() {
        this(Wiring::parts);
    }

    WebApplication(Gelato.Assembly assembly) {
        this.assembly = assembly;
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        ClassLoader ours = WebApplication.class.getClassLoader();
        if (ours == context.getClassLoader()) {
            release = new ClassLoaderRelease(ours);
            release.prepare();
        }
        CeConfig config = Gelato.read(configFile(context));
        if (config.port() == 0) {
            throw new IllegalStateException(
                    "gelato.port = 0: it must be the port of Tomcat's connector, as job ids begin with it");
        }
        gelato = Gelato.open(config, Clock.systemUTC(), assembly);
        try {
            for (ServletContextListener listener : gelato.listeners()) {
                initialized.push(listener);
                listener.contextInitialized(event);
            }
            gelato.work();
            log.info("Ready: {}, version {}", config.baseUrl(), Version.text());
        } catch (RuntimeException e) {
            contextDestroyed(event);
            throw e;
        }
    }

    private static Path configFile(ServletContext context) {
        String property = System.getProperty(CONFIG);
        String file = property == null ? context.getInitParameter(CONFIG) : property;
        if (file == null || file.isEmpty()) {
            throw new IllegalStateException(
                    "no configuration: name its file by the system property or context" + " parameter " + CONFIG);
        }
        return Path.of(file);
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        while (!initialized.isEmpty()) {
            initialized.pop().contextDestroyed(event);
        }
        if (gelato != null) {
            gelato.close();
            gelato = null;
        }
        if (release != null) {
            release.release();
            release = null;
        }
    }
}
