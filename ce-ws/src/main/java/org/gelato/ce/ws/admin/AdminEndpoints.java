package org.gelato.ce.ws.admin;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.util.Set;
import java.util.function.Consumer;
import org.gelato.ce.core.identity.Explainer;
import org.gelato.ce.core.service.SiteControl;
import org.gelato.ce.core.service.SiteJobs;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.ServicePath;

/** Puts the endpoints of this package into a web application when it starts. */
public final class AdminEndpoints implements ServletContextListener {
    private final CallerResolver callers;
    private final Explainer explainer;
    private final SiteJobs jobs;
    private final Consumer<String> jobsRequested;
    private final SiteControl control;
    private final Set<String> queues;

    /**
     * @param jobsRequested gets the criteria of each request for the jobs of all users, when it is read
     * @param queues the queues there are
     */
    public AdminEndpoints(
            CallerResolver callers,
            Explainer explainer,
            SiteJobs jobs,
            Consumer<String> jobsRequested,
            SiteControl control,
            Set<String> queues) {
        this.control = control;
        this.queues = Set.copyOf(queues);
        this.callers = callers;
        this.explainer = explainer;
        this.jobs = jobs;
        this.jobsRequested = jobsRequested;
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        HttpEndpoints.add(
                context,
                "explain",
                new ExplainServlet(callers, explainer),
                ServicePath.in(context, "/ce-cream/admin/explain"));
        HttpEndpoints.add(
                context,
                "jobs",
                new JobsServlet(callers, jobs, jobsRequested),
                ServicePath.in(context, "/ce-cream/admin/jobs"));
        HttpEndpoints.add(
                context,
                "drains",
                new DrainsServlet(callers, control, queues),
                ServicePath.in(context, "/ce-cream/admin/drains"));
        HttpEndpoints.add(
                context, "bans", new BansServlet(callers, control), ServicePath.in(context, "/ce-cream/admin/bans"));
    }
}
