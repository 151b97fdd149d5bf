package org.gelato.ce.ws.dashboard;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.gelato.ce.core.lrms.DiagnosticCommands;
import org.gelato.ce.core.monitoring.JobSearch;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.http.MonitoringAccess;

/** Puts the page at the root of a web application when it starts, its data below {@code /dashboard}, and the manual. */
public final class DashboardEndpoints implements ServletContextListener {
    /** What a browser may load in the page, and run: files of this CE alone, nothing that stands in the page itself. */
    public static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** What is done at once for all readers: most of the connections to the database are for jobs. */
    private static final int SEARCHES = 3;

    /** Of the data: who makes them, and who waits when there are none yet. Everybody else gets what is kept, or comes again. */
    private static final int REFRESHES = 4;

    private static final String FOLDER = "/dashboard/";
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String STYLE = "text/css; charset=utf-8";

    /** The files of the page by their types. */
    public static final Map<String, String> FILES = Map.of(
            "app.js", SCRIPT,
            "charts.js", SCRIPT,
            "dom.js", SCRIPT,
            "job.js", SCRIPT,
            "now.js", SCRIPT,
            "uPlot.iife.min.js", SCRIPT,
            "style.css", STYLE,
            "uPlot.min.css", STYLE,
            "icon.svg", "image/svg+xml",
            "uPlot.LICENSE", "text/plain; charset=utf-8");

    private final MonitoringAccess access;
    private final DashboardData data;
    private final JobSearch search;
    private final DiagnosticCommands look;
    private final Clock clock;

    /**
     * @param access who sees the jobs of all users
     * @param look how an administrator looks at the batch system
     */
    public DashboardEndpoints(
            MonitoringAccess access, DashboardData data, JobSearch search, DiagnosticCommands look, Clock clock) {
        this.access = access;
        this.data = data;
        this.search = search;
        this.look = look;
        this.clock = clock;
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        // The empty mapping is the root alone, whatever the application's own path is.
        HttpEndpoints.add(context, "dashboard", new Pages("index.html", "text/html; charset=utf-8"), "");
        FILES.forEach(
                (file, type) -> HttpEndpoints.add(context, "dashboard-" + file, new Pages(file, type), FOLDER + file));
        HttpEndpoints.add(context, "manual", new ManualServlet(), ManualServlet.PATH + "/*");
        HttpEndpoints.add(
                context, "dashboard-data", new DataServlet(access, new Semaphore(REFRESHES), data), FOLDER + "data");
        HttpEndpoints.add(
                context,
                "dashboard-jobs",
                new SearchServlet(access, new Semaphore(SEARCHES), search, look, clock),
                FOLDER + "jobs");
    }
}
