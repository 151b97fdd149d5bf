package org.gelato.ce.ws.parts;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.event.EventQueries;
import org.gelato.ce.core.monitoring.JobSearch;
import org.gelato.ce.ws.audit.AuditLog;
import org.gelato.ce.ws.dashboard.Processes;
import org.gelato.ce.ws.http.MonitoringAccess;
import org.gelato.ce.ws.http.Readiness;
import org.gelato.ce.ws.web.CeInstance;
import org.gelato.ce.ws.web.Version;

/**
 * The parts of a Computing Element, opened in the order in which they need each other. Used once, by the thread that opens the CE; what
 * is opened is closed by the foundation in reverse order.
 */
public final class Wiring {
    private Wiring() {}

    /**
     * Makes the parts, with the batch system of the configuration.
     *
     * @throws IllegalStateException when a part cannot be made, with what to do about it
     */
    public static Parts parts(Foundation foundation) {
        return parts(foundation, ConfiguredLrms::open);
    }

    /**
     * Makes the parts, with a batch system of the caller's: for benchmarks.
     *
     * @throws IllegalStateException when a part cannot be made, with what to do about it
     */
    public static Parts parts(Foundation foundation, LrmsMaker lrms) {
        try {
            return assemble(new Opening(foundation), lrms);
        } catch (IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private static Parts assemble(Opening o, LrmsMaker maker) throws IOException {
        AuditLog audit = audit(o);
        HelperParts helper = HelperParts.open(o, maker, audit);
        TrustParts trust = TrustParts.open(o);
        DescriptionParts descriptions = DescriptionParts.open(o);
        // The database opens meanwhile: what needs it comes from here on.
        StoreParts stores = StoreParts.open(o, audit);
        AdmissionParts admission = AdmissionParts.open(o, stores, audit);
        AuthorizationParts authorization = AuthorizationParts.open(o, trust, admission, audit);
        FollowParts follow = FollowParts.open(o, stores, helper);
        HandOverParts handOver = HandOverParts.open(o, stores, helper, descriptions, follow, audit);
        o.opened(follow);
        DelegationParts delegations = DelegationParts.open(o, stores, helper, trust, handOver, audit);
        JobParts jobs = JobParts.open(
                o, stores, helper, descriptions, admission, follow, handOver, delegations.service(), audit);
        AccountingParts accounting = AccountingParts.open(o, stores);
        GridFtpParts gridFtp = GridFtpParts.open(o, stores, helper, trust, authorization);
        MonitoringParts monitoring = MonitoringParts.open(o, stores, admission);
        EndpointParts endpoints = EndpointParts.open(
                o, stores, helper, authorization, admission, follow, jobs, delegations, monitoring, audit);
        EventQueries events = PushParts.events(o, stores);
        PushParts push = PushParts.open(
                o, stores, follow, authorization, trust, events, endpoints.administrators()::jobsRequested);
        CeInstance ce =
                new CeInstance(o.config().baseUrl(), Version.text(), o.clock().instant());
        Readiness readiness = new Readiness(o.checks(), o.clock());
        InformationParts information = InformationParts.open(
                o, readiness, ce.startedAt(), helper, trust, descriptions, admission, follow, monitoring, accounting);
        DashboardParts dashboard = DashboardParts.open(
                o,
                new DashboardParts.Sources(
                        o.meters(),
                        stores,
                        admission,
                        follow,
                        handOver,
                        monitoring,
                        readiness,
                        new DashboardParts.Certificates(trust::hostCertificateEnd, trust.trust()::revocationListEnds)),
                new DashboardParts.Node(
                        helper.lrms().name(),
                        helper.lrms().diagnosticCommands(),
                        o.config().node(),
                        ce.version(),
                        ce.startedAt()),
                new Processes(o.foundation().databasePid(), helper::pid));
        MonitoringAccess access = access(o, authorization);
        return new Parts(
                authorization.monitored(),
                o.checks(),
                List.of(
                        endpoints.wrappers(),
                        endpoints.admin(handOver, accounting, access),
                        endpoints.soap(ce, helper.lrms().name(), events, gridFtp, handOver),
                        endpoints.arc(descriptions, information),
                        push.events(),
                        push.messages(),
                        push.labels(),
                        dashboard.endpoints(access, new JobSearch(stores.database(), stores.numbers())),
                        endpoints.sandboxes()),
                trust.tls(audit),
                o.begin());
    }

    private static AuditLog audit(Opening o) throws IOException {
        AuditLog audit = o.opened(new AuditLog(o.config().audit(), o.clock()));
        o.scheduler().scheduleWithFixedDelay(audit::tick, 1, 1, TimeUnit.MINUTES);
        o.counter("ce.audit.lost", "Lines of the audit log not written", audit, AuditLog::lost);
        return audit;
    }

    private static MonitoringAccess access(Opening o, AuthorizationParts authorization) {
        return new MonitoringAccess(
                o.config().monitoring().networks(),
                authorization.monitored(),
                o.config().monitoring().readers()::contains,
                o.config().monitoring().accounts());
    }
}
