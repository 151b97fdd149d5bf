package org.gelato.ce.ws.admin;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.gelato.ce.core.accounting.AccountingSettings;
import org.gelato.ce.core.accounting.UsagePublisher;
import org.gelato.ce.core.accounting.UsageQueries;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Explainer;
import org.gelato.ce.core.service.SiteAdministration;
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
    private final Local local;
    private final SiteAdministration control;
    private final Set<String> queues;
    private final Accounting accounting;

    /**
     * What jobs used, and how it is published.
     *
     * @param published notes that an administrator had usage published
     */
    public record Accounting(
            UsageQueries usage, UsagePublisher publisher, AccountingSettings settings, Published published) {}

    /**
     * Requests of this host that are served without credentials of the grid.
     *
     * @param seesJobs those that see the jobs of all users
     * @param isRoot those of root or of the CE's account, which drain and ban
     */
    public record Local(Predicate<HttpServletRequest> seesJobs, Predicate<HttpServletRequest> isRoot) {}

    /** Notes that an administrator had usage published. */
    @FunctionalInterface
    public interface Published {
        /** @param what an interval, or what was due */
        void note(Caller caller, String what, long records);
    }

    /**
     * @param jobsRequested gets the criteria of each request for the jobs of all users, when it is read
     * @param local which requests need no credentials
     * @param queues the queues there are
     */
    public AdminEndpoints(
            CallerResolver callers,
            Explainer explainer,
            SiteJobs jobs,
            Consumer<String> jobsRequested,
            Local local,
            SiteAdministration control,
            Set<String> queues,
            Accounting accounting) {
        this.accounting = accounting;
        this.control = control;
        this.queues = Set.copyOf(queues);
        this.callers = callers;
        this.explainer = explainer;
        this.jobs = jobs;
        this.jobsRequested = jobsRequested;
        this.local = local;
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        HttpEndpoints.add(
                context,
                "explain",
                new ExplainServlet(callers, explainer, queues),
                ServicePath.in(context, "/ce-cream/admin/explain"));
        HttpEndpoints.add(
                context,
                "jobs",
                new JobsServlet(callers, jobs, jobsRequested, local.seesJobs()),
                ServicePath.in(context, "/ce-cream/admin/jobs"));
        HttpEndpoints.add(
                context,
                "drains",
                new DrainsServlet(callers, control, queues, local.isRoot()),
                ServicePath.in(context, "/ce-cream/admin/drains"));
        HttpEndpoints.add(
                context,
                "usage",
                new UsageServlet(callers, accounting.usage(), jobsRequested),
                ServicePath.in(context, "/ce-cream/usage"));
        HttpEndpoints.add(
                context,
                "accounting",
                new AccountingServlet(callers, accounting),
                ServicePath.in(context, "/ce-cream/admin/accounting"));
        HttpEndpoints.add(
                context,
                "bans",
                new BansServlet(callers, control, local.isRoot()),
                ServicePath.in(context, "/ce-cream/admin/bans"));
    }
}
