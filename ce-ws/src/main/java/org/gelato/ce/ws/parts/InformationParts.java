package org.gelato.ce.ws.parts;

import java.time.Duration;
import java.time.Instant;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.glue2.Glue2Model;
import org.gelato.ce.ws.glue2.Glue2Publisher;
import org.gelato.ce.ws.glue2.Readings;
import org.gelato.ce.ws.glue2.SiteFacts;
import org.gelato.ce.ws.http.Readiness;
import org.gelato.ce.ws.parts.monitoring.ReadHealth;
import org.gelato.ce.ws.web.Version;

/** How the CE describes itself, also for a BDII where the site has a name there. */
record InformationParts(Glue2Model model) {
    /** The batch system's first report should be there. */
    private static final Duration FIRST = Duration.ofSeconds(3);

    /** @param readiness of all checks */
    static InformationParts open(
            Opening o,
            Readiness readiness,
            Instant started,
            HelperParts helper,
            TrustParts trust,
            DescriptionParts descriptions,
            AdmissionParts admission,
            FollowParts follow,
            MonitoringParts monitoring,
            AccountingParts accounting) {
        CeConfig config = o.config();
        ReadHealth health = new ReadHealth(readiness, monitoring.stored()::jobsPresent);
        Glue2Model model = new Glue2Model(
                config.baseUrl(),
                Version.text(),
                helper.lrms().name(),
                config.lrms().queues(),
                started,
                () -> trust.host().certificate().issuer(),
                config.information(),
                new Readings(
                        follow.cluster()::status,
                        monitoring.stored()::jobsPresent,
                        () -> AuthorizationParts.vos(config),
                        descriptions.environments()::names,
                        () -> admission.controller().state().accepting(),
                        admission.controller().restrictions()::drains,
                        health::latest,
                        names -> accounting
                                .settings()
                                .benchmarks()
                                .common(names, o.clock().instant())));
        SiteFacts site = config.information();
        Glue2Publisher publisher = site.site().isEmpty() ? null : new Glue2Publisher(model, site.file(), o.clock());
        o.every(FIRST, site.interval(), () -> health.read().thenRun(publisher == null ? () -> {} : publisher::write));
        return new InformationParts(model);
    }
}
