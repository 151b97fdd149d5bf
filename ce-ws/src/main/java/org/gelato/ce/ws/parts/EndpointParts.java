package org.gelato.ce.ws.parts;

import jakarta.servlet.ServletContextListener;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.core.delegation.Delegations;
import org.gelato.ce.core.event.EventQueries;
import org.gelato.ce.core.lease.LeaseService;
import org.gelato.ce.core.sandbox.StoredUploads;
import org.gelato.ce.core.service.SiteAdministration;
import org.gelato.ce.core.service.SiteJobs;
import org.gelato.ce.ws.admin.AdminEndpoints;
import org.gelato.ce.ws.arcrest.ArcEndpoints;
import org.gelato.ce.ws.arcrest.InfoDocument;
import org.gelato.ce.ws.audit.AdministratorRequests;
import org.gelato.ce.ws.audit.AuditLog;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.cream2.ClusterProperties;
import org.gelato.ce.ws.cream2.Cream2Wire;
import org.gelato.ce.ws.cream2.DelegationWire;
import org.gelato.ce.ws.cream2.QueueWaits;
import org.gelato.ce.ws.http.CallLimits;
import org.gelato.ce.ws.http.MonitoringAccess;
import org.gelato.ce.ws.sandbox.SandboxEndpoints;
import org.gelato.ce.ws.sandbox.WrapperEndpoints;
import org.gelato.ce.ws.soap.SoapService;
import org.gelato.ce.ws.soap.SoapServices;
import org.gelato.ce.ws.token.TokenIssuer;
import org.gelato.ce.ws.web.CeInstance;
import org.gelato.ce.ws.web.ControlKey;
import org.gelato.ce.ws.web.Version;
import org.gelato.ce.ws.web.XmlLimits;

/** The protocols, each over the same services. */
record EndpointParts(
        CeConfig config,
        AuthorizationParts authorization,
        StoreParts stores,
        FollowParts follow,
        JobParts jobs,
        Delegations delegations,
        AdmissionParts admission,
        AdministratorRequests administrators,
        SandboxEndpoints sandboxes,
        CallLimits callLimits,
        MonitoringParts monitoring,
        AuditLog audit,
        Opening opening) {
    static EndpointParts open(
            Opening o,
            StoreParts stores,
            HelperParts helper,
            AuthorizationParts authorization,
            AdmissionParts admission,
            FollowParts follow,
            JobParts jobs,
            DelegationParts delegations,
            MonitoringParts monitoring,
            AuditLog audit) {
        CeConfig config = o.config();
        return new EndpointParts(
                config,
                authorization,
                stores,
                follow,
                jobs,
                delegations.service(),
                admission,
                new AdministratorRequests(audit),
                new SandboxEndpoints(
                        jobs.sandboxes(),
                        authorization.callers(),
                        helper.accounts(),
                        new StoredUploads(stores.database(), stores.numbers()),
                        admission.room(),
                        config.transfers()),
                CallLimits.of(config.http().callsPerUser(), config.http().maxConnections()),
                monitoring,
                audit,
                o);
    }

    /** CREAM2 and its delegation. */
    ServletContextListener soap(
            CeInstance ce, String lrms, EventQueries events, GridFtpParts gridFtp, HandOverParts handOver) {
        SoapService cream2 = new Cream2Wire(
                ce,
                jobs.service(),
                admission.controller(),
                new LeaseService(
                        stores.database(),
                        stores.owners(),
                        opening.clock(),
                        config.jobs().maxLeaseTime(),
                        audit),
                events,
                gridFtp.access(),
                new ClusterProperties(
                        config.lrms().queues(),
                        new QueueWaits(
                                lrms,
                                monitoring.stored()::jobsPresent,
                                () -> Optional.ofNullable(handOver.throttle().pausedBy()),
                                handOver.dispatcher().pauses()::paused,
                                () -> Optional.ofNullable(follow.polls().trouble()),
                                follow.cluster()::status)),
                opening.clock());
        return new SoapServices(
                config.baseUrl(),
                authorization.callers(),
                List.of(cream2, new DelegationWire(delegations, Version.text())),
                limits(),
                callLimits,
                monitoring.requests());
    }

    ServletContextListener arc(DescriptionParts descriptions, InformationParts information) {
        return new ArcEndpoints(
                config.baseUrl(),
                new ArcEndpoints.Services(
                        authorization.callers(),
                        jobs.service(),
                        delegations,
                        jobs.descriptions(),
                        descriptions.languages(),
                        descriptions.expansions(),
                        sandboxes.sessions(),
                        config.messages().job().isOn()
                                ? Optional.of(follow.messages().feed())
                                : Optional.empty(),
                        new InfoDocument(information.model()),
                        config.jobs().purgePolicy()),
                limits(),
                callLimits,
                monitoring.requests(),
                opening.clock());
    }

    /** @param access who may see the jobs of all users */
    ServletContextListener admin(HandOverParts handOver, AccountingParts accounting, MonitoringAccess access) {
        return new AdminEndpoints(
                authorization.callers(),
                administrators.explaining(authorization
                        .authorizer()
                        .explainer(opening.routes(), config.tokens().vos())),
                new SiteJobs(stores.database(), stores.numbers()),
                administrators::jobsRequested,
                new AdminEndpoints.Local(access::allowsJobs, ControlKey.make(config.home())::isShownBy),
                new SiteAdministration(
                        stores.database(),
                        admission.controller(),
                        stores.jobs(),
                        handOver.commands(),
                        follow.cluster()::status,
                        config.tokens().issuers().stream()
                                .map(TokenIssuer::issuer)
                                .collect(Collectors.toSet()),
                        audit),
                Set.copyOf(config.lrms().queues()),
                new AdminEndpoints.Accounting(
                        accounting.queries(),
                        accounting.publisher(),
                        accounting.settings(),
                        administrators::usagePublished));
    }

    ServletContextListener wrappers() {
        return new WrapperEndpoints(
                follow.events(), follow.claims(), follow.messages().intake());
    }

    private XmlLimits limits() {
        XmlLimits usual = XmlLimits.defaults();
        return new XmlLimits(
                (int) Math.min(Integer.MAX_VALUE, config.http().maxBody()),
                usual.maxStrangerBytes(),
                usual.maxDepth(),
                usual.maxElements(),
                usual.maxAttributes(),
                usual.maxAttributeLength());
    }
}
