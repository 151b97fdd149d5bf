package org.gelato.ce.ws.arcrest;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.net.URI;
import java.time.Clock;
import java.util.Optional;
import org.gelato.ce.core.base.ExpansionBudget;
import org.gelato.ce.core.delegation.Delegations;
import org.gelato.ce.core.message.MessageFeed;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.core.service.StoredDescriptions;
import org.gelato.ce.core.sweep.PurgePolicy;
import org.gelato.ce.description.Languages;
import org.gelato.ce.ws.http.CallLimits;
import org.gelato.ce.ws.http.CallMeter;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.sandbox.SessionFiles;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.HardenedXml;
import org.gelato.ce.ws.web.XmlLimits;

/** Puts ARC REST into a web application when it starts. */
public final class ArcEndpoints implements ServletContextListener {
    private static final int MAX_IDS = 100_000;

    private final ArcServlet servlet;

    /**
     * What the protocol works with; all of it is thread-safe.
     *
     * @param messages empty where jobs send none
     */
    public record Services(
            CallerResolver callers,
            Jobs jobs,
            Delegations delegations,
            StoredDescriptions descriptions,
            Languages languages,
            ExpansionBudget expansions,
            SessionFiles sessions,
            Optional<MessageFeed> messages,
            InfoDocument info,
            PurgePolicy purges) {}

    /**
     * @param baseUrl {@code https://host:port} of the CE
     * @param callLimits shared with the other protocols: a user has a share of the threads, whatever it speaks
     */
    public ArcEndpoints(
            URI baseUrl, Services services, XmlLimits limits, CallLimits callLimits, CallMeter meter, Clock clock) {
        XmlLimits lists = new XmlLimits(
                limits.maxBytes(),
                limits.maxStrangerBytes(),
                limits.maxDepth(),
                3 * MAX_IDS,
                limits.maxAttributes(),
                limits.maxAttributeLength());
        servlet = new ArcServlet(
                services.callers(),
                new ArcServlet.Resources(
                        new JobsResource(
                                services.jobs(),
                                new IdList(new HardenedXml(lists), MAX_IDS),
                                new ActivityDocument(baseUrl.getHost(), services.languages(), services.purges()),
                                clock),
                        new SubmissionResource(services.jobs(), services.languages(), services.expansions()),
                        new DelegationsResource(services.delegations()),
                        new SessionResource(
                                services.sessions(),
                                services.descriptions(),
                                new RunningOutput(services.messages(), services.descriptions()),
                                services.jobs(),
                                baseUrl),
                        services.info()),
                new ArcServlet.Bounds(callLimits, limits.maxBytes()),
                meter,
                clock);
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        HttpEndpoints.add(event.getServletContext(), "arcrest", servlet, ArcCall.ROOT + "/*");
        HttpEndpoints.add(event.getServletContext(), "arcrest-openapi", new OpenApiServlet(), OpenApiServlet.PATH);
    }
}
